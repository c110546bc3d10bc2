// A clone whose task was cancelled or taken back hears of it, so that it does not go on for nobody. The ending is written
// first; the letter follows, and is one letter however often it is put. A brief that was under way when its task ended either
// arrives after all, and then this follows it, or is put aside unread, and then there is nothing to tell.

import type { Tx } from "../../../store/group-commit.ts";
import type { DispatchesTable } from "../../../store/tables/tasks.ts";
import { endedUntold, updateDispatchEvenEnded } from "./dispatches.sql.ts";
import type { TaskContext } from "../task-context.ts";
import { briefMessages } from "../task-messages.sql.ts";
import { findTask, recordTask } from "../tasks.sql.ts";
import { workspacesOf } from "../workspaces/workspaces.sql.ts";

export async function tellEnded(context: TaskContext): Promise<void> {
  const { store, constellation, machine } = context;
  const rows = await endedUntold(store.db, constellation);
  for (const row of rows) {
    if (row.agent === null || machine.deliver === undefined) continue;
    const heard = row.delivered_ms === null ? await whatBecameOf(context, row) : "heard";
    if (heard === "waits") continue;
    if (heard === "unread") {
      await store.write((tx) => noteTold(tx, row));
      continue;
    }
    const kind = row.state === "cancelled" ? "cancelled" : "released";
    machine.deliver.put({
      id: `${row.id}:${kind}`,
      to: row.agent,
      kind,
      task: row.task,
      text: await wordsFor(context, row),
    });
    machine.step("dispatch.told");
    await store.write(async (tx) => {
      await noteTold(tx, row);
      await recordTask(context, tx, row.task, "clone_told", { agent: row.agent, kind });
    });
  }
}

/** Of a brief without proof. */
async function whatBecameOf(
  { store, constellation }: TaskContext,
  row: DispatchesTable,
): Promise<"heard" | "unread" | "waits"> {
  const messages = await briefMessages(store.db, constellation, [row.id]);
  const copies = messages.filter(({ receiver }) => receiver === row.agent);
  const states = new Set(copies.map(({ state }) => state));
  if (["delivered", "acked", "unknown"].some((state) => states.has(state))) return "heard";
  return states.size > 0 && !states.has("sent") ? "unread" : "waits";
}

async function noteTold(tx: Tx, row: DispatchesTable): Promise<void> {
  await updateDispatchEvenEnded(tx.db, row.id, { told_ms: tx.nowMs });
}

async function wordsFor(context: TaskContext, row: DispatchesTable): Promise<string> {
  const { store, constellation, machine } = context;
  const task = await findTask(store.db, constellation, row.task);
  const isCancelled = row.state === "cancelled";
  const why = isCancelled && task.reason !== null ? `: ${task.reason}` : "";
  const head = isCancelled
    ? `Task ${row.task} was cancelled${why}.`
    : `Task ${row.task} was taken back from you (${row.problem ?? "by the owner"}).`;
  const spaces = await workspacesOf(store.db, constellation, { task: row.task });
  const rest = [
    `Stop working on it: what you commit from now on will not land, and \`constel task ready ${row.task}\` will be refused.`,
    ...spaces.map(({ path }) => `Its workspace ${path} stays as it is; leave it alone.`),
  ];
  const whole = [head, ...rest].join("\n");
  // A reason may hold what the bus does not carry to a model.
  return machine.deliver?.carries(whole) === false
    ? [`Task ${row.task} is not yours any more.`, ...rest].join("\n")
    : whole;
}
