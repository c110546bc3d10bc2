// What clones say on the bus about their tasks. A message with `task=N` to the owner's agent is an event of the task, once: it
// is written in the transaction in which the message first becomes known. One of kind `ready` from the clone that has the task
// is also noted as its word, which is then taken like `constel task ready`.

import { Refusal } from "../../protocol/errors.ts";
import type { Tx } from "../../store/group-commit.ts";
import type { MessagesTable } from "../../store/tables/messages.ts";
import type { DispatchesTable } from "../../store/tables/tasks.ts";
import type { Context } from "../context.ts";
import { openDispatches, updateDispatch } from "./dispatches.sql.ts";
import { readyTask } from "./ready.ts";
import type { TaskContext } from "./task-context.ts";
import { recordTask } from "./tasks.sql.ts";

/** Whose mailbox stands for the owner. */
const ownersAgent = "agent0";
const longestText = 500;

export async function hearReplies(
  context: Pick<Context, "random" | "constellation">,
  tx: Tx,
  messages: readonly MessagesTable[],
): Promise<void> {
  const { constellation } = context;
  for (const message of messages) {
    const { sender, receiver, kind, text } = message;
    if (receiver !== ownersAgent || !/^agent\d+$/.test(sender) || sender === ownersAgent) continue;
    const number = /^[1-9]\d{0,8}$/.test(message.task ?? "") ? Number(message.task) : undefined;
    if (number === undefined) continue;
    const task = await tx.db
      .selectFrom("tasks")
      .select("number")
      .where("constellation", "=", constellation)
      .where("number", "=", number)
      .executeTakeFirst();
    if (task === undefined) continue;
    await recordTask({ ...context, actor: sender }, tx, number, "clone_reply", {
      kind,
      text: [...(text ?? "")].slice(0, longestText).join(""),
      message: message.message_id,
    });
    if (kind !== "ready") continue;
    const [lease] = (await openDispatches(tx.db, constellation, number)).filter(({ agent }) => agent === sender);
    if (lease !== undefined) await updateDispatch(tx.db, lease.id, { said_ready_ms: tx.nowMs });
  }
}

/** Takes what clones said as `task ready`. A no is told to the clone. */
export async function takeWords(context: TaskContext): Promise<void> {
  const open = await openDispatches(context.store.db, context.constellation);
  for (const row of open.filter(({ said_ready_ms: saidMs }) => saidMs !== null)) await takeWord(context, row);
}

async function takeWord(context: TaskContext, row: DispatchesTable): Promise<void> {
  const { agent, task } = row;
  if (agent === null) return;
  try {
    await readyTask({ ...context, actor: agent }, { task });
  } catch (cause) {
    if (!(cause instanceof Refusal)) throw cause;
    const { message } = cause;
    context.machine.deliver?.put({
      id: `${row.id}:no:${row.said_ready_ms}`,
      to: agent,
      kind: "refused",
      task,
      text: `You said that task ${task} is ready, but: ${message}. When it is: constel task ready ${task}`,
    });
    await context.store.write(async (tx) => {
      if (!(await updateDispatch(tx.db, row.id, { said_ready_ms: null }))) return;
      await recordTask(context, tx, task, "ready_refused", { agent, reason: message });
    });
  }
}
