// Lets go of published events and of calls over MCP that are long over, one bounded batch in one transaction. The timeline
// keeps what happened; it is never touched.

import type { Context } from "../context.ts";
import { deleteOld, isAnythingOld } from "./events.sql.ts";

/** An event may have a thousand copies. */
const most = { events: 20, calls: 500 };

export async function pruneEvents(
  { store, constellation }: Pick<Context, "store" | "constellation">,
  beforeMs: number,
): Promise<{ more: boolean }> {
  if (!(await isAnythingOld(store.db, constellation, beforeMs))) return { more: false };
  return { more: await store.write(({ db }) => deleteOld(db, constellation, beforeMs, most)) };
}
