// A task was called ready: reviews of other commits are stale from now on.

import type { Tx } from "../../store/group-commit.ts";
import { headOf } from "./head.ts";
import { markStale, taskWithSpaces } from "./reviews.sql.ts";

/** Inside the job that calls it ready. */
export async function noteNewHead(tx: Tx, constellation: string, number: number): Promise<void> {
  const { task, spaces } = await taskWithSpaces(tx.db, constellation, number);
  await markStale(tx, constellation, number, headOf(task, spaces)?.name);
}
