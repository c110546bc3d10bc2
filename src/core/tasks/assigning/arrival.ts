// Follows the briefs that were sent, by the account of messages: only the agent's own proof makes one delivered. Until
// then the assignment stays open, and so nothing is given to a second clone.

import type { DispatchesTable } from "../../../store/tables/tasks.ts";
import type { Context } from "../../context.ts";
import { takeBrief } from "../../agents/take-brief.ts";
import { giveUp } from "./deliver-assignment.ts";
import { findDispatch, openDispatches, updateDispatch, updateDispatchEvenEnded } from "./dispatches.sql.ts";
import type { TaskContext } from "../task-context.ts";
import { briefMessages } from "../task-messages.sql.ts";
import { moveOf } from "../task.ts";
import { findTask, recordTask, updateTask } from "../tasks.sql.ts";
import type { Tx } from "../../../store/group-commit.ts";

/** The agent's proof came in. Safe to be told of again. Proof of another agent's says nothing, whatever number it names. */
export async function briefArrived(
  context: Context,
  brief: { readonly dispatch: string; readonly agent: string },
  because: string,
): Promise<void> {
  await context.store.write(async (tx) => {
    const row = await findDispatch(tx.db, context.constellation, brief.dispatch);
    if (row === undefined || row.agent !== brief.agent) return;
    await arrived(context, tx, row, because);
  });
}

/** Inside a job. Who came back for review is at work on it again once it has heard why. */
export async function arrived(context: Context, tx: Tx, row: DispatchesTable, because: string): Promise<void> {
  if (row.delivered_ms !== null || row.agent === null || row.state === "failed") return;
  const state = row.ended_ms === null ? "delivered" : row.state;
  await updateDispatchEvenEnded(tx.db, row.id, { state, delivered_ms: tx.nowMs, problem: null });
  if (row.ended_ms === null)
    await takeBrief(tx, { constellation: row.constellation, agent: row.agent, task: String(row.task) });
  await recordTask(context, tx, row.task, "brief_delivered", { agent: row.agent, because, dispatch: row.id });
  const task = await findTask(tx.db, context.constellation, row.task);
  if (row.about === null || row.ended_ms !== null || task.state !== "needs_review") return;
  await updateTask(tx.db, task, { state: moveOf(task, "rework"), updated_ms: tx.nowMs });
}

/** A brief that waits in an inbox is the agent's task, or stale because the task was taken back or is done. */
export async function standingOfBrief(
  { store, constellation }: Context,
  input: { readonly agent: string; readonly dispatch: string },
): Promise<"words" | "assignment" | { readonly stale: string }> {
  const row = await findDispatch(store.db, constellation, input.dispatch);
  if (row === undefined || row.agent !== input.agent) return "words";
  return row.ended_ms === null ? "assignment" : { stale: `the assignment of task ${row.task} has ended: ${row.state}` };
}

export async function settleArrivals(context: TaskContext): Promise<void> {
  const { store, constellation } = context;
  const waiting = (await openDispatches(store.db, constellation)).filter(
    ({ state }) => state === "sent" || state === "unknown",
  );
  if (waiting.length === 0) return;
  const ids = waiting.map(({ id }) => id);
  const messages = await briefMessages(store.db, constellation, ids);
  for (const row of waiting) {
    // A crash may have put it twice; the copy that says most counts.
    const copies = messages.filter(({ message_id: id, receiver }) => id === row.id && receiver === row.agent);
    const copyIn = (...states: string[]) => copies.find(({ state }) => states.includes(state));
    const delivered = copyIn("delivered", "acked");
    const unknown = copyIn("unknown");
    const poisoned = copyIn("poisoned");
    if (delivered !== undefined && row.agent !== null)
      await briefArrived(context, { dispatch: row.id, agent: row.agent }, delivered.because ?? "delivered");
    else if (unknown !== undefined) {
      if (row.state === "sent") await doubt(context, row, unknown.because ?? "nothing proved that it arrived");
    } else if (poisoned !== undefined) await giveUp(context, row, `the brief was put aside: ${poisoned.because ?? ""}`);
  }
}

async function doubt(context: TaskContext, row: DispatchesTable, problem: string): Promise<void> {
  await context.store.write(async (tx) => {
    if (!(await updateDispatch(tx.db, row.id, { state: "unknown", problem }))) return;
    await recordTask(context, tx, row.task, "delivery_unknown", { agent: row.agent, reason: problem });
  });
}
