// What reviews leave in a task's story.

import type { Tx } from "../../store/group-commit.ts";
import type { Context } from "../context.ts";
import { heldForReview } from "../reviews/verdict.ts";
import { findTask, recordTask, updateTask } from "./tasks.sql.ts";

/** Inside a job. `type` follows `task.`; once approved, nothing is held for want of a review. */
export async function noteReview(
  context: Pick<Context, "random" | "constellation" | "actor">,
  tx: Tx,
  number: number,
  event: { readonly type: "review_asked" | "reviewed"; readonly data: Record<string, unknown> },
): Promise<void> {
  await recordTask(context, tx, number, event.type, event.data);
  if (event.data["verdict"] !== "approved") return;
  const task = await findTask(tx.db, context.constellation, number);
  if (task.reason?.startsWith(heldForReview) === true)
    await updateTask(tx.db, task, { reason: null, updated_ms: tx.nowMs });
}
