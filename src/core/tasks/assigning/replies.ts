// Takes in what clones say on the bus about their tasks. A message with `task=N` to the owner's agent is an event of the task, once: it is
// written in the transaction in which the message first becomes known. One of kind `ready` from the clone that has the task is also noted as
// its word, which is then taken like `constel task ready`. From anybody else, and from one who had the task before, it is refused, and the
// task's story says so.

import { isWorkingAgent } from "../../../protocol/agent-id.ts";
import type { Letter } from "../../../ports/deliver.ts";
import { Refusal } from "../../../protocol/errors.ts";
import type { Tx } from "../../../store/group-commit.ts";
import type { MessagesTable } from "../../../store/tables/messages.ts";
import type { DispatchesTable } from "../../../store/tables/tasks.ts";
import type { Context } from "../../context.ts";
import { newestDispatch, openDispatches, updateDispatch } from "./dispatches.sql.ts";
import { whyNotTheirs } from "../rules.ts";
import { readyTask } from "../landing/ready.ts";
import type { TaskContext } from "../task-context.ts";
import { isTask, recordTask } from "../tasks.sql.ts";

/** The agent whose mailbox stands for the owner. */
const ownersAgent = "agent0";
const longestText = 500;

/** Answers the words that did not count: whoever said them is to be told. */
export async function hearReplies(
  context: Pick<Context, "random" | "constellation">,
  tx: Tx,
  messages: readonly MessagesTable[],
): Promise<Letter[]> {
  const { constellation } = context;
  const unheard: Letter[] = [];
  for (const message of messages) {
    const { sender, receiver, kind, text } = message;
    if (receiver !== ownersAgent || !isWorkingAgent(sender) || sender === ownersAgent) continue;
    const number = /^[1-9]\d{0,8}$/.test(message.task ?? "") ? Number(message.task) : undefined;
    if (number === undefined || !(await isTask(tx.db, constellation, number))) continue;
    await recordTask({ ...context, actor: sender }, tx, number, "clone_reply", {
      kind,
      text: [...(text ?? "")].slice(0, longestText).join(""),
      message: message.message_id,
      ...(message.verified_by === null ? { verified: false } : {}),
    });
    if (kind !== "ready") continue;
    const newest = await newestDispatch(tx.db, constellation, number);
    const isProven = message.verified_by !== null;
    const why = isProven
      ? whyNotTheirs(newest, { agent: sender, answers: message.in_reply_to })
      : `nothing proves that ${sender} said it`;
    if (newest !== undefined && why === undefined) {
      // Nothing when it has said so already.
      await updateDispatch(tx.db, newest.id, { said_ready_ms: tx.nowMs });
      continue;
    }
    await recordTask({ ...context, actor: sender }, tx, number, "ready_refused", { agent: sender, reason: why });
    unheard.push({
      id: `${message.message_id ?? message.name}:no`,
      to: sender,
      kind: "refused",
      task: number,
      text: `You said that task ${number} is ready, but ${isProven ? "it is not yours: " : ""}${why}. Nothing was changed.`,
    });
  }
  return unheard;
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
