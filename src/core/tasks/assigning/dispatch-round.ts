// One round of the dispatcher: what became of what was sent, what clones said, what goes back to them, the queue; and then the
// assignments that wait to be delivered, new ones and those a killed daemon left half done.

import { messageOf } from "../../../protocol/errors.ts";
import { settleArrivals } from "./arrival.ts";
import { leaseAgain } from "./brief-again.ts";
import { leaveEnded } from "../costs.ts";
import { deliverAssignment } from "./deliver-assignment.ts";
import { openDispatches } from "./dispatches.sql.ts";
import { handOverLimited } from "../handover/hand-over-limited.ts";
import { drainQueue } from "./queue.ts";
import { takeWords } from "./replies.ts";
import { leaseSentBack } from "./send-back.ts";
import type { TaskContext } from "../task-context.ts";
import { tellEnded } from "./tell-ended.ts";

/** Deliveries at once. Each may run the set-up of a repository for minutes, and none waits for another's. */
const atOnce = 4;

/** Answers the deliveries that it began, so that rounds go on while they last. */
export async function dispatchRound(
  context: TaskContext,
  signal: AbortSignal,
  log: (line: string) => void,
): Promise<readonly Promise<void>[]> {
  await settleArrivals(context);
  await takeWords(context);
  await tellEnded(context);
  await leaveEnded(context);
  await handOverLimited(context, log);
  await leaseSentBack(context);
  await leaseAgain(context);
  await drainQueue(context, signal);
  const { inHand, unended } = context.machine;
  const nowMs = context.clock.monotonicMs();
  const open = await openDispatches(context.store.db, context.constellation);
  const underWay = open.filter(({ id }) => inHand.has(id)).length;
  const waiting = open.filter(
    ({ id, state }) => (state === "leased" || state === "prepared") && !inHand.has(id) && !unended.isResting(id, nowMs),
  );
  if (signal.aborted) return [];
  return waiting.slice(0, Math.max(0, atOnce - underWay)).map(async (row) => {
    try {
      await deliverAssignment(context, row);
    } catch (cause) {
      // The task has the reason, unless that could not be written either: then the assignment rests.
      log(`giving task ${row.task} to ${row.agent ?? "a person"}: ${messageOf(cause)}`);
    }
  });
}
