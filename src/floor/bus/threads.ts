// Chat: threads over the same envelopes. A thread is what its messages say it is; its two sides lie in the mailboxes of
// those who received them, so history is read from all of them, without the daemon and within bounds.

import { type Envelope, isComplaint, threadOf } from "../../protocol/envelope.ts";
import { Outage, Refusal } from "../../protocol/errors.ts";
import type { Bus } from "./bus.ts";
import { readEnvelope } from "./judge-envelope.ts";
import { agentsWithMailbox } from "./list.ts";
import { Mailbox, type Room } from "./mailbox.ts";
import { readClaim, readDone, readMessageName } from "./message-name.ts";
import { type Draft, send, type Sent } from "./send.ts";

export interface Said {
  readonly name: string;
  readonly envelope: Envelope;
  readonly to: string;
  readonly where: "inbox" | "processing" | "delivered" | "acked";
}

export interface Checked extends Said {
  /** True if a signature proves the sender. */
  readonly verified: boolean;
}

export interface Thread {
  readonly thread: string;
  readonly participants: readonly string[];
  readonly messages: number;
  readonly lastAt: string;
  /** Messages to the asking agent that it was not handed yet. */
  readonly unread: number;
}

/** So many files are read for one answer, the newest. */
const maxFilesRead = 5000;

/** A message that this agent was sent, by its id; wherever it is by now. */
export function findReceived(bus: Bus, agent: string, id: string): Envelope | undefined {
  using box = mailboxOf(bus, agent);
  if (box === undefined) return undefined;
  const newestFirst = filesOf(bus, agent)
    .sort((a, b) => (a.name < b.name ? 1 : -1))
    .slice(0, maxFilesRead);
  for (const { room, file } of newestFirst) {
    const envelope = readEnvelope(box, room, file);
    if (envelope !== "gone" && !isComplaint(envelope) && envelope.id === id) return envelope;
  }
  return undefined;
}

/** Answers a message in its thread. */
export function reply(
  bus: Bus,
  original: Envelope,
  answer: Pick<Draft, "from" | "text"> & Partial<Pick<Draft, "kind" | "task" | "idempotency_key" | "requires_ack">>,
): Sent {
  const thread = threadOf(original);
  const task = answer.task ?? original.task;
  return send(bus, {
    ...answer,
    to: original.from,
    ...(thread === undefined ? {} : { thread }),
    ...(original.id === undefined ? {} : { in_reply_to: original.id }),
    ...(task === undefined ? {} : { task }),
  });
}

/** The threads an agent takes part in, the most recent first. */
export function listThreads(bus: Bus, agent: string): Thread[] {
  const threads = new Map<string, Said[]>();
  for (const said of everythingSaid(bus)) {
    if (said.to !== agent && said.envelope.from !== agent) continue;
    const thread = threadOf(said.envelope) ?? said.name;
    const others = threads.get(thread);
    if (others === undefined) threads.set(thread, [said]);
    else others.push(said);
  }
  return [...threads]
    .map(([thread, messages]) => ({
      thread,
      participants: [...new Set(messages.flatMap((said) => [said.envelope.from, said.to]))].sort(),
      messages: messages.length,
      lastAt: messages.map((said) => said.envelope.ts).reduce((a, b) => (a > b ? a : b)),
      unread: messages.filter((said) => said.to === agent && said.where === "inbox").length,
    }))
    .sort((a, b) => (a.lastAt < b.lastAt ? 1 : -1));
}

/** Show the messages of a thread, oldest first; the newest `limit`. A message of many receivers is there once for each. */
export async function history(bus: Bus, thread: string, limit = 100): Promise<{ total: number; said: Checked[] }> {
  const all = everythingSaid(bus).filter(
    (said) => (threadOf(said.envelope) ?? said.name) === thread || said.envelope.id === thread,
  );
  const said = all
    .slice(-limit)
    .map(async (one) => ({ ...one, verified: (await bus.verify?.(one.envelope)) === true }));
  return { total: all.length, said: await Promise.all(said) };
}

function everythingSaid(bus: Bus): Said[] {
  const files = agentsWithMailbox(bus)
    .flatMap((agent) => filesOf(bus, agent))
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .slice(-maxFilesRead);
  const boxes = new Map<string, Mailbox | undefined>();
  try {
    return files.flatMap(({ agent, room, file, name, where }) => {
      if (!boxes.has(agent)) boxes.set(agent, mailboxOf(bus, agent));
      const box = boxes.get(agent);
      const envelope = box === undefined ? "gone" : readEnvelope(box, room, file);
      // Somebody may have claimed or settled it since it was listed; an answer that is a moment old is good enough here.
      return envelope === "gone" || isComplaint(envelope) ? [] : [{ name, envelope, to: agent, where }];
    });
  } finally {
    for (const box of boxes.values()) box?.[Symbol.dispose]();
  }
}

interface Found extends Pick<Said, "name" | "where"> {
  readonly agent: string;
  readonly room: Room;
  readonly file: string;
}

function filesOf(bus: Bus, agent: string): Found[] {
  using box = mailboxOf(bus, agent);
  if (box === undefined) return [];
  const found: Found[] = [];
  for (const file of box.names("done")) {
    const done = readDone(file);
    if (done === undefined || done.settled === "duplicate") continue;
    found.push({ agent, room: "done", file, name: done.name, where: done.settled });
  }
  for (const file of box.names("processing")) {
    const name = readClaim(file)?.name;
    if (name !== undefined) found.push({ agent, room: "processing", file, name, where: "processing" });
  }
  for (const file of box.names("inbox")) {
    const name = readMessageName(file)?.name;
    if (name !== undefined) found.push({ agent, room: "inbox", file, name, where: "inbox" });
  }
  return found;
}

/** A link planted where one agent's mailbox should be must not hide the threads of all the others. */
function mailboxOf(bus: Bus, agent: string): Mailbox | undefined {
  try {
    return Mailbox.find(bus, agent);
  } catch (cause) {
    if (cause instanceof Refusal || cause instanceof Outage) return undefined;
    throw cause;
  }
}
