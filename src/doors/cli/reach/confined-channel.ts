// `channel send` and `channel reply` of a confined agent. Inboxes do not exist where it is, so it asks the daemon, which knows by the
// kernel who is sending.

import { Refusal } from "../../../protocol/errors.ts";
import type { CommandInput, CommandResult } from "../input/command.ts";
import type { CliContext } from "../context.ts";

/** The options that sending through the daemon does not have. */
const filesOnly = ["kind", "in-reply-to", "requires-ack", "wait"];

export interface Letter {
  readonly text: string;
  readonly task?: string | undefined;
}

export async function sendConfined(
  context: CliContext,
  input: CommandInput,
  { text, task }: Letter,
): Promise<CommandResult> {
  const to = input.argument("agent");
  const missing = filesOnly.find((flag) => input.has(flag) || input.flag(flag) !== undefined);
  if (missing !== undefined)
    throw new Refusal(
      "confined.out-of-reach",
      `--${missing} needs the inboxes, which cannot be reached from inside this sandbox`,
      { flag: missing },
    );
  if (to === "all" || to.includes(","))
    throw new Refusal("confined.out-of-reach", "a confined agent sends to one agent at a time", { to });
  const [thread, key] = [input.flag("thread"), input.flag("key")];
  const sent = await (
    await context.caller()
  ).call("chat.send", {
    to,
    text,
    ...(task === undefined ? {} : { task: Number(task) }),
    ...(thread === undefined ? {} : { thread }),
    ...(key === undefined ? {} : { key }),
  });
  if (!sent.known) context.output.say(`constel: ${to} was never seen; the message waits in its inbox`);
  return { json: sent, text: `Sent as ${sent.id}.` };
}

export async function replyConfined(context: CliContext, input: CommandInput, text: string): Promise<CommandResult> {
  const sent = await (await context.caller()).call("chat.reply", { message: input.argument("message"), text });
  return { json: sent, text: `Sent to ${sent.to} as ${sent.id}.` };
}
