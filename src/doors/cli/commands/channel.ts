// The bus on the command line: files only, no daemon.

import { readFileSync } from "node:fs";
import { counted } from "../../../protocol/counted.ts";
import { listLaunches, readLaunch } from "../../../floor/agents/launch-files.ts";
import type { Bus } from "../../../floor/bus/bus.ts";
import { drain as drainMailbox } from "../../../floor/bus/drain.ts";
import { agentsWithMailbox, listMailbox, type Listing } from "../../../floor/bus/list.ts";
import { dropPoison, listPoison, retryPoison } from "../../../floor/bus/poison.ts";
import { send as sendMessage } from "../../../floor/bus/send.ts";
import { sendToMany } from "../../../floor/bus/send-to-many.ts";
import { giveBack, settle } from "../../../floor/bus/settle.ts";
import {
  findReceived,
  history as threadHistory,
  listThreads,
  reply as replyInThread,
} from "../../../floor/bus/threads.ts";
import { type ReplyTo, waitForMail, waitForReply } from "../../../floor/bus/wait.ts";
import { checkAgentId, isGuestId, isWorkerId, workerName } from "../../../protocol/agent-id.ts";
import { isGuestHere } from "../../../floor/guests/present-guests.ts";
import { takeLaidMessage } from "../../../floor/hear/take-laid-message.ts";
import { parseFarAgent } from "../../../protocol/far-agent.ts";
import { parseDuration } from "../../../protocol/duration.ts";
import { sealedHome } from "../../../host/keys/seal-for-constel.ts";
import { systemLiveness } from "../../../host/process/liveness.ts";
import { meshPost, ownerOnBus } from "../../../protocol/bus-names.ts";
import { exitCodes } from "../../../protocol/exit-codes.ts";
import { Refusal } from "../../../protocol/errors.ts";
import { frameForAgent } from "../../../protocol/frame-for-agent.ts";
import type { CommandInput, CommandResult, RunCommand } from "../input/command.ts";
import { replyConfined, sendConfined } from "../reach/confined-channel.ts";
import type { CliContext } from "../context.ts";
import { localBus } from "../reach/local-bus.ts";
import { refuseSecrets } from "../refuse-secrets.ts";
import { jsonLine } from "../present/json-answer.ts";
import { sayingCut } from "../present/cut.ts";
import { oneLine, table } from "../present/table.ts";
import { utc } from "../present/time.ts";
import { watchReader } from "../wait/watch-reader.ts";
import { wholeNumber } from "../input/whole-number.ts";
import { whoRuns } from "../who-runs.ts";

export const send: RunCommand = async (context, input) => {
  if (context.env.CONSTEL_CONFINED !== undefined)
    return sendConfined(context, input, { text: textOf(input.rest("text")), task: taskOf(input) });
  const bus = localBus(context.places);
  const from = ownName(context);
  const text = textOf(input.rest("text"));
  const deadlineMs = replyMs(input); // before anything is sent that cannot be taken back
  await refuseSecrets(context, "messages", "the message", text, from === ownerOnBus && input.has("allow-secret"));
  const draft = {
    from,
    text,
    ...optional("task", taskOf(input)),
    ...optional("thread", input.flag("thread")),
    ...optional("kind", input.flag("kind")),
    ...optional("in_reply_to", input.flag("in-reply-to")),
    ...optional("idempotency_key", input.flag("key")),
    // A sender that waits for an answer says so, or the receiver cannot know.
    ...(input.has("requires-ack") || input.has("wait") ? { requires_ack: true } : {}),
  };
  const to = input.argument("agent");
  if (to === everyone || to.includes(",")) return sendToSeveral(context, input, draft, to);
  const far = parseFarAgent(to);
  const sent = sendMessage(bus, far === undefined ? { ...draft, to } : { ...draft, to: meshPost, onward: to });
  if (far === undefined) await sayWhoReads(context, to);
  if (!input.has("wait")) {
    return { json: { state: sent.state, id: sent.envelope.id, name: sent.name }, text: `Sent as ${sent.envelope.id}.` };
  }
  context.output.say(`constel: sent as ${sent.envelope.id}; waiting for a reply`);
  return await nextReply(context, bus, from, { inReplyTo: sent.envelope.id }, deadlineMs, { id: sent.envelope.id });
};

async function sayWhoReads(context: CliContext, agent: string): Promise<void> {
  const unread = whyUnread(context.places.home, agent) ?? (await whyAsleep(context, agent));
  if (unread !== undefined) context.output.say(`constel: ${agent} ${unread}; the message waits in its inbox`);
}

export const reply: RunCommand = async (context, input) => {
  if (context.env.CONSTEL_CONFINED !== undefined) return replyConfined(context, input, textOf(input.rest("text")));
  const bus = localBus(context.places);
  const own = ownMailbox(context, input.flag("as") ?? ownName(context));
  const id = input.argument("message");
  const original = findReceived(bus, own, id);
  if (original === undefined)
    throw new Refusal("bus.unknown-message", `${own} was sent no message ${JSON.stringify(id)}`, { message: id });
  const text = textOf(input.rest("text"));
  await refuseSecrets(
    context,
    "messages",
    "the message",
    text,
    ownName(context) === ownerOnBus && input.has("allow-secret"),
  );
  const sent = replyInThread(bus, original, { from: own, text });
  return {
    json: { state: sent.state, id: sent.envelope.id, to: sent.envelope.to, name: sent.name },
    text: `Sent to ${sent.envelope.to} as ${sent.envelope.id}.`,
  };
};

const everyone = "all";

/** One durable step, however many there are. */
function sendToSeveral(
  context: CliContext,
  input: CommandInput,
  draft: Parameters<typeof sendToMany>[1],
  to: string,
): CommandResult {
  if (input.has("wait")) throw new Refusal("usage.bad-value", "--wait waits for one agent's reply, not for several");
  const { home } = context.places;
  const receivers = to === everyone ? runningAgents(home).filter((agent) => agent !== draft.from) : to.split(",");
  if (receivers.length === 0) throw new Refusal("bus.nobody", "no other agent is up");
  const sent = sendToMany(localBus(context.places), draft, receivers);
  if (sent.late.length > 0) {
    context.output.say(`constel: the inbox of ${sent.late.join(", ")} cannot be reached now; the message follows`);
  }
  return { json: sent, text: `Sent to ${counted(sent.to.length, "agent")} as ${sent.id}.` };
}

function runningAgents(home: string): string[] {
  const talks = new Set(["root", "clone"]);
  return listLaunches(home)
    .launches.filter(({ role, wanted }) => talks.has(role) && wanted !== "down")
    .map(({ agent }) => agent);
}

export const wait: RunCommand = async (context, input) => {
  const message = input.optional("message");
  const thread = input.flag("thread");
  if ((message === undefined) === (thread === undefined))
    throw new Refusal("usage.missing-argument", "say what to wait for: the id of a message, or --thread");
  refuseWithoutReader(context);
  const own = ownName(context);
  const bus = localBus(context.places);
  if (message !== undefined && (await threadHistory(bus, message, 1)).total === 0)
    throw new Refusal("bus.unknown-message", `there is no message ${JSON.stringify(message.slice(0, 100))}`, {
      message,
    });
  const to = thread === undefined ? { inReplyTo: message ?? "" } : { thread };
  return await nextReply(context, bus, own, to, replyMs(input));
};

const replyMs = (input: CommandInput): number => parseDuration(input.flag("timeout") ?? "10m");

/** Waits for it and prints it; only what was printed is settled. */
async function nextReply(
  context: CliContext,
  bus: Bus,
  own: string,
  to: ReplyTo,
  deadlineMs: number,
  more: { readonly id?: string } = {},
): Promise<CommandResult | undefined> {
  const { output } = context;
  using reader = watchReader(context);
  const found = await waitForReply(bus, own, to, { deadlineMs, signal: reader.signal });
  if (found.outcome === "reply" && reader.signal.aborted) giveBack(bus, own, [found.message]);
  const isLost = reader.signal.aborted || (found.outcome !== "reply" && found.outcome !== "already-handed-out");
  if (isLost) {
    const outcome = reader.signal.aborted ? "aborted" : found.outcome;
    return { json: { ...more, outcome, reply: null }, text: "No reply came.", exit: exitCodes.negative };
  }
  const envelope = found.outcome === "reply" ? found.message.envelope : found.envelope;
  const json = { ...more, outcome: found.outcome, reply: envelope };
  output.data(output.json ? `${jsonLine(json)}\n` : `${envelope.from}: ${envelope.text}\n`);
  if (found.outcome === "reply") settle(bus, own, [found.message], "acked", "printed by --wait");
  if (found.outcome === "already-handed-out")
    await takeLaidMessage(bus, sealedHome(bus.home), own, found.envelope, "printed by --wait");
  return undefined;
}

/** Returns the reason why nobody can be expected to read it soon. Undefined when somebody can. */
function whyUnread(home: string, agent: string): string | undefined {
  if (isGuestId(agent))
    return isGuestHere(home, systemLiveness, agent) ? undefined : "is a session that is not running now";
  return agent === ownerOnBus || readLaunch(home, agent) !== undefined ? undefined : "was never started here";
}

/** A worker that is stopped or parked is woken by nothing. Undefined for any other agent, and where nobody can tell. */
async function whyAsleep(context: CliContext, agent: string): Promise<string | undefined> {
  if (!isWorkerId(agent)) return undefined;
  const name = workerName(agent);
  try {
    const { worker } = await (await context.caller()).call("worker.show", { name, limit: 1 });
    if (worker.state !== "stopped" && worker.state !== "parked") return undefined;
    const because = worker.because === null ? "" : ` (${oneLine(worker.because)})`;
    return `is ${worker.state}${because}; it reads this after \`constel worker start ${name}\``;
  } catch {
    return undefined; // the message is sent all the same
  }
}

function taskOf(input: CommandInput): string | undefined {
  const task = input.flag("task");
  if (task !== undefined && !/^[1-9]\d{0,8}$/.test(task)) {
    throw new Refusal("usage.bad-value", `--task takes a task's number, not ${JSON.stringify(task)}`, { task });
  }
  return task;
}

export const drain: RunCommand = async (context, input) => {
  const agent = ownMailbox(context, agentOf(context, input));
  refuseWithoutReader(context);
  const bus = localBus(context.places);
  const maxCount = countOf(input);
  if (input.has("follow")) return follow(context, bus, agent);
  const drained = await drainMailbox(bus, agent, { maxCount });
  const { output } = context;
  if (output.json) {
    const messages = drained.messages.map(({ envelope, verified, again }) => ({ ...envelope, verified, again }));
    output.data(
      `${jsonLine({ messages, more: drained.more, poisoned: drained.poisoned, duplicates: drained.duplicates })}\n`,
    );
  } else {
    output.data(drained.messages.length === 0 ? "No messages.\n" : frameForAgent(drained.messages));
    if (drained.more) output.say("(there are more: drain again)");
  }
  // Printed is delivered: what reads our output has it now.
  settle(bus, agent, drained.messages, "delivered", "channel drain");
  // Others came; that one more waits is an error all the same.
  if (drained.waits !== undefined) throw drained.waits;
  return undefined;
};

async function follow(context: CliContext, bus: Bus, agent: string): Promise<undefined> {
  while (!context.signal.aborted) {
    const { messages } = await drainMailbox(bus, agent, { maxCount: 1 });
    for (const { envelope, verified } of messages) context.output.data(`${jsonLine({ ...envelope, verified })}\n`);
    settle(bus, agent, messages, "delivered", "channel drain --follow");
    if (messages.length === 0) await waitForMail(bus, agent, { deadlineMs: 3_600_000, signal: context.signal });
  }
  return undefined;
}

export const list: RunCommand = async (context, input) => {
  const bus = localBus(context.places);
  const only = input.optional("agent");
  const listings = (only === undefined ? agentsWithMailbox(bus) : [only]).map((agent) => listMailbox(bus, agent));
  return {
    json: { mailboxes: listings },
    text: () =>
      listings.length === 0
        ? 'No mailboxes yet: `constel channel send agent1 "hello"` makes one.'
        : table(["agent", "waiting", "in hand", "delivered", "acked", "poison", "oldest"], listings.map(listingRow), {
            ...context.output,
            right: new Set([1, 2, 3, 4, 5]),
          }),
  };
};

export const threads: RunCommand = async (context, input) => {
  const found = listThreads(localBus(context.places), checkAgentId(input.argument("agent")));
  return {
    json: { threads: found },
    text: () =>
      found.length === 0
        ? "No threads."
        : table(
            ["thread", "with", "messages", "unread", "last"],
            found.map((one) => [
              one.thread,
              one.participants.join(", "),
              String(one.messages),
              String(one.unread),
              one.lastAt,
            ]),
            context.output,
          ),
  };
};

export const history: RunCommand = async (context, input) => {
  const limit = wholeNumber(input, "limit", 100);
  const { said, total } = await threadHistory(localBus(context.places), input.argument("thread"), limit);
  const result = {
    json: { total, messages: said },
    text:
      said.length === 0
        ? "There are no messages in this thread."
        : said
            .map(
              (one) =>
                `${one.envelope.ts}  ${one.envelope.from} → ${one.to} (${one.where}, ${one.verified ? "verified" : "not verified"})\n  ${one.envelope.text.replaceAll("\n", "\n  ")}`,
            )
            .join("\n"),
  };
  const rest = `constel channel history ${input.argument("thread")} --limit ${total}`;
  return sayingCut(result, { shown: said.length, total, rest }, context.output);
};

export const poisonList: RunCommand = async (context, input) => {
  const bus = localBus(context.places);
  const only = input.optional("agent");
  const found = (only === undefined ? agentsWithMailbox(bus) : [only]).flatMap((agent) =>
    listPoison(bus, agent).map((one) => ({ agent, ...one })),
  );
  return {
    json: { messages: found },
    text: () =>
      found.length === 0
        ? "No message was rejected."
        : table(
            ["agent", "name", "why"],
            found.map((one) => [one.agent, one.name, `${one.reason?.message ?? "unknown"}`]),
            context.output,
          ),
  };
};

export const poisonRetry: RunCommand = async (context, input) => {
  const { name } = retryPoison(
    localBus(context.places),
    ownMailbox(context, input.argument("agent")),
    input.argument("name"),
  );
  return { json: { name }, text: "Back in the inbox." };
};

export const poisonDrop: RunCommand = async (context, input) => {
  dropPoison(localBus(context.places), ownMailbox(context, input.argument("agent")), input.argument("name"));
  return { json: { dropped: input.argument("name") }, text: "Gone." };
};

function listingRow({ agent, counts, inbox }: Listing): string[] {
  const [oldest] = inbox;
  return [
    agent,
    String(counts.inbox),
    String(counts.claimed + counts.handedOut),
    String(counts.done.delivered),
    String(counts.done.acked),
    String(counts.poison),
    oldest === undefined ? "" : utc(oldest.sentAtMs),
  ];
}

function textOf(words: readonly string[]): string {
  return words.length === 1 && words[0] === "-" ? readFileSync(0, "utf8") : words.join(" ");
}

/** Returns the name under which this process sends and answers messages. */
function ownName({ places }: CliContext): string {
  const { role, name } = whoRuns(places);
  return role === "owner" ? ownerOnBus : name;
}

/** The named agent, else the one this process acts for. */
function agentOf(context: CliContext, input: CommandInput): string {
  const asker = whoRuns(context.places);
  const agent = input.optional("agent") ?? (asker.role === "owner" ? undefined : asker.name);
  if (agent === undefined)
    throw new Refusal("usage.missing-argument", "whose messages? Name an agent: `constel channel drain agent1`");
  return agent;
}

/** An agent takes messages out of its own mailbox alone; the owner out of any. */
function ownMailbox(context: CliContext, agent: string): string {
  const { role, name: asker } = whoRuns(context.places);
  if (role === "owner" || asker === agent) return agent;
  throw new Refusal("authority.mailbox", `${asker} may not take ${agent}'s messages`, { asker, agent });
}

/** A printed message counts as delivered, so somebody must be there to read it. */
function refuseWithoutReader({ output }: CliContext): void {
  if (output.hasReader) return;
  throw new Refusal("channel.no-reader", "nobody reads what this would print, so the messages stay in the inbox");
}

function countOf(input: CommandInput): number {
  const text = input.flag("max") ?? "50";
  if (!/^[1-9]\d{0,4}$/.test(text))
    throw new Refusal("usage.bad-value", `--max takes a number from 1 to 99999, not ${text}`);
  return Number(text);
}

function optional<Name extends string>(name: Name, value: string | undefined): Partial<Record<Name, string>> {
  return value === undefined ? {} : ({ [name]: value } as Record<Name, string>);
}
