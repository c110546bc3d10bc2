// The message that a pull request sends back to its agent, as it was written when it was sent back.

import type { ReadContext } from "../context.ts";
import { findPull } from "./pulls.sql.ts";

export async function feedbackOf({ store }: Pick<ReadContext, "store">, about: string): Promise<string> {
  const [id = ""] = about.split(":");
  const row = await findPull(store.db, id);
  return row?.feedback ?? "Its pull request is not done; look at it and mend what is missing.\n";
}
