// What the owner says about work, sent to the agents that have it: comments on a task's lines, and that a collision is to be settled.

import { commentsFor } from "../../core/tasks/evidence/task-diff.ts";
import { findFinding } from "../../core/findings/queries.ts";
import { sidesOf } from "../../core/findings/sides-at-work.ts";
import type { Context } from "../../core/context.ts";
import { Refusal } from "../../protocol/errors.ts";
import type { tellFinding } from "../../protocol/operations/finding.ts";
import type { commentTask } from "../../protocol/operations/task-diff.ts";
import type { OutputOf, ParsedInputOf } from "../../protocol/operation.ts";
import { type ChatParts, sendMessage } from "./chat.ts";

export async function sendComments(
  chat: ChatParts,
  context: Context,
  input: ParsedInputOf<typeof commentTask>,
): Promise<OutputOf<typeof commentTask>> {
  const { agent, text } = await commentsFor(context, input);
  const { id } = await sendMessage(chat, context, { to: agent, text, task: input.task });
  return { task: input.task, agent, comments: input.comments.length, message: id };
}

export async function tellOfFinding(
  chat: ChatParts,
  context: Context,
  { id: word, note }: ParsedInputOf<typeof tellFinding>,
): Promise<OutputOf<typeof tellFinding>> {
  const finding = await findFinding(context, word);
  const sides = await sidesOf(context, finding);
  const { id } = finding;
  if (finding.state !== "open") throw new Refusal("finding.unknown", `${id} is ${finding.state}`, { id });
  const agents = [...new Set(sides.flatMap(({ agent }) => (agent === null ? [] : [agent])))];
  if (agents.length === 0)
    throw new Refusal("finding.nobody", `nobody is known to work on either side of ${id}`, { id });
  const others = (agent: string): string => agents.filter((one) => one !== agent).join(", ");
  const words = (agent: string): string =>
    [
      `This collision is to be settled${others(agent) === "" ? "" : ` between you and ${others(agent)}`}: ${finding.title}`,
      finding.action,
      ...(note === undefined ? [] : [note]),
      `Both sides' lines: constel conflicts --explain ${id.slice(-6)}`,
    ].join("\n");
  for (const agent of agents) await sendMessage(chat, context, { to: agent, text: words(agent) });
  await context.store.write((tx) =>
    tx.record({ type: "finding.told", subject: `finding:${id}`, actor: context.actor, data: { agents } }),
  );
  return { id, agents };
}
