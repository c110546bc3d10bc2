// Chat: threads over the same envelopes. A thread is what its messages say it is; its two sides lie in the mailboxes of
// those who received them, so history is read from all of them, without the daemon and within bounds.

import { type Envelope, isComplaint, threadOf } from "../../protocol/envelope.ts";
import { meshPost } from "../../protocol/bus-names.ts";
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
/** From the inbox into somebody's hands, back, and on until it is done. */
const mostMoves = 4;

/** A message that this agent was sent, by its id; wherever it is by now. */
export function findReceived(bus: Bus, agent: string, id: string): Envelope | undefined {
  using box = mailboxOf(bus, agent);
  if (box === undefined) return undefined;
  const newestFirst = filesOf(bus, agent)
    .sort((a, b) => (a.name < b.name ? 1 : -1))
    .slice(0, maxFilesRead);
  for (const found of newestFirst) {
    const envelope = readFound(bus, box, found)?.envelope;
    if (envelope?.id === id) return envelope;
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
    ...(original.origin === undefined
      ? { to: original.from }
      : { to: meshPost, onward: `${original.from}@${original.origin}` }),
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
    return files.flatMap((found) => {
      const { agent, name } = found;
      if (!boxes.has(agent)) boxes.set(agent, mailboxOf(bus, agent));
      const box = boxes.get(agent);
      const read = box === undefined ? undefined : readFound(bus, box, found);
      return read === undefined ? [] : [{ name, envelope: read.envelope, to: agent, where: read.where }];
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

/** A message goes from room to room: one that was taken up or settled since it was listed is looked for where it went. */
function readFound(bus: Bus, box: Mailbox, listed: Found): Pick<Said, "envelope" | "where"> | undefined {
  let found: Found | undefined = listed;
  for (let look = 0; found !== undefined && look < mostMoves; look++) {
    const envelope = readEnvelope(box, found.room, found.file);
    if (envelope !== "gone") return isComplaint(envelope) ? undefined : { envelope, where: found.where };
    found = filesOf(bus, listed.agent).find(({ name }) => name === listed.name);
  }
  return undefined; // it was let go, or goes to and fro faster than anybody looks
}

/** Listed in the order in which messages move, so that one that moves on meanwhile is seen at least once. */
function filesOf(bus: Bus, agent: string): Found[] {
  using box = mailboxOf(bus, agent);
  if (box === undefined) return [];
  const found = new Map<string, Found>();
  for (const file of box.names("inbox")) {
    const name = readMessageName(file)?.name;
    if (name !== undefined) found.set(name, { agent, room: "inbox", file, name, where: "inbox" });
  }
  for (const file of box.names("processing")) {
    const name = readClaim(file)?.name;
    if (name !== undefined) found.set(name, { agent, room: "processing", file, name, where: "processing" });
  }
  for (const file of box.names("done")) {
    const done = readDone(file);
    if (done === undefined || done.settled === "duplicate") continue;
    found.set(done.name, { agent, room: "done", file, name: done.name, where: done.settled });
  }
  return [...found.values()];
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
