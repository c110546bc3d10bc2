// One round of the dispatcher: what became of what was sent, what clones said, what goes back to them, what a daemon that was
// killed left half done, and the queue.

import { messageOf } from "../../protocol/errors.ts";
import { settleArrivals } from "./arrival.ts";
import { carryOut } from "./deliver-assignment.ts";
import { leaveEnded } from "./costs.ts";
import { openDispatches } from "./dispatches.sql.ts";
import { drainQueue } from "./queue.ts";
import { takeWords } from "./replies.ts";
import { leaseSentBack } from "./send-back.ts";
import { tellEnded } from "./tell-ended.ts";
import type { TaskContext } from "./task-context.ts";

export async function dispatchRound(
  context: TaskContext,
  signal: AbortSignal,
  log: (line: string) => void,
): Promise<void> {
  await settleArrivals(context);
  await takeWords(context);
  await tellEnded(context);
  await leaveEnded(context);
  await leaseSentBack(context);
  for (const row of await openDispatches(context.store.db, context.constellation)) {
    if (signal.aborted) return;
    if (row.state !== "leased" && row.state !== "prepared") continue;
    try {
      await carryOut(context, row, { fetch: true });
    } catch (cause) {
      // The assignment has ended and the task has the reason.
      log(`giving task ${row.task} to ${row.agent}: ${messageOf(cause)}`);
    }
  }
  await drainQueue(context, signal);
}
