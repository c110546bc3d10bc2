// One message to many agents as one durable step. The message is written once, with its receivers and its sender's process in it, in
// channels/to-many/; from the moment it has its name there it is sent to all of them, whatever happens next. Then it gets a second
// name in each inbox, which costs no sync. Whoever comes later makes those names last and takes the first away (`finishToMany`):
// the daemon within seconds, the ticker's tick without it. A receiver whose name is missing, because the sender died on the way or
// the power went, gets another one then. Should it have had the message after all, it is known by its id and not shown again.

import { isAgentId } from "../../protocol/agent-id.ts";
import { maxFileBytes } from "../../protocol/envelope.ts";
import { Outage, Refusal } from "../../protocol/errors.ts";
import type { ProcessMark } from "../../ports/machine.ts";
import { TrustedDirectory } from "../../files/trusted-directory.ts";
import { isAbsent } from "../../files/problems.ts";
import type { Bus } from "./bus.ts";
import { record } from "./bus-journal.ts";
import { step } from "./kill-points.ts";
import { diskOf, directoryOf, Mailbox } from "./mailbox.ts";
import { readMessageName } from "./message-name.ts";
import {
  completeEnvelope,
  type Draft,
  lastSent,
  nextName,
  notSent,
  openHome,
  refuseReservedKind,
  type Sent,
  send,
} from "./send.ts";

export interface SentToMany {
  readonly state: "sent";
  readonly id: string;
  readonly to: readonly string[];
  /** Receivers whose inbox could not be reached at once: the message comes to them later. */
  readonly late: readonly string[];
}

/** Below channels/. */
const lists = "to-many";
/** Linux writes what changed to the disk within some seconds by itself. */
const settleMs = 15_000;

export function sendToMany(bus: Bus, draft: Omit<Draft, "to">, receivers: readonly string[]): SentToMany {
  const to = [...new Set(receivers)];
  for (const agent of to) directoryOf(agent); // refuses what is no agent id before anything is written
  const [only = ""] = to;
  if (to.length === 1) return { state: "sent", id: send(bus, { ...draft, to: only }).envelope.id, to, late: [] };
  const { to: _first, ...complete } = completeEnvelope(bus, { ...draft, to: only });
  refuseReservedKind(complete);
  const unsigned = { ...complete, receivers: to };
  const sig = bus.sign?.(unsigned);
  const envelope = sig === undefined ? unsigned : { ...unsigned, sig };
  // Each directory is opened once, as in `send`.
  using home = openHome(bus, { id: envelope.id, to });
  const { name, late } = write(bus, envelope, home);
  record(bus, [{ state: "sent", to, name, envelope }], home);
  step("bus.many.recorded");
  return { state: "sent", id: envelope.id, to, late };
}

/**
 * Makes what was sent a while ago last, gives it to receivers that it has not reached, and takes it away here; answers how many.
 * What was sent just now waits, because by then the system has put most of it on the disk by itself; only `agent` need not
 * wait for a message whose sender died on the way. What cannot be finished now keeps nobody from anything, and is tried again.
 */
export function finishToMany(bus: Bus, agent?: string): number {
  const steps = finishingToMany(bus, agent);
  for (;;) {
    const { done, value } = steps.next();
    if (done === true) return value;
  }
}

/** The same in steps, each of which waits for the disk at most once, for whoever has others to answer meanwhile. */
export function* finishingToMany(bus: Bus, agent?: string): Generator<void, number> {
  using lists = existing(bus);
  if (lists === undefined) return 0;
  let finished = 0;
  for (const file of lists.list().filter((name) => !name.startsWith(".") && !name.endsWith(stillLeft))) {
    try {
      if (yield* finishOne(bus, lists, file, agent)) finished += 1;
    } catch (cause) {
      if (!(cause instanceof Outage || cause instanceof Refusal)) throw cause;
    }
  }
  // One that came back after a power cut would be sent again.
  if (finished > 0) lists.sync();
  return finished;
}

function* finishOne(
  bus: Bus,
  lists: TrustedDirectory,
  name: string,
  agent: string | undefined,
): Generator<void, boolean> {
  const { to, by } = readReceivers(lists, name);
  if (by !== undefined && !isOver(bus, by)) return false;
  if (by !== undefined && isFresh(bus, name)) {
    if (agent !== undefined && to.includes(agent)) reach(bus, lists, name, agent);
    return false;
  }
  const unreached = readLeft(lists, name, to);
  const left: string[] = [];
  for (const one of unreached) {
    if (!reach(bus, lists, name, one, { sync: true })) left.push(one);
    yield;
  }
  if (left.length > 0) {
    // An agent that was reached now must not be looked for again when its copy is long done and gone.
    if (left.length < unreached.length) lists.write(name + stillLeft, JSON.stringify(left));
    return false;
  }
  lists.remove(name);
  lists.remove(name + stillLeft);
  return true;
}

/** Beside a message that could not reach everybody: whom it has yet to reach. The message itself is signed and stays as it is. */
const stillLeft = ".left";

function readLeft(lists: TrustedDirectory, name: string, to: readonly string[]): readonly string[] {
  const text = lists.read(name + stillLeft, { maxBytes: maxFileBytes })?.toString("utf8");
  if (text === undefined) return to;
  try {
    const left: unknown = JSON.parse(text);
    return Array.isArray(left) ? to.filter((one) => left.includes(one)) : to;
  } catch {
    return to; // torn: looking for all of them again does no harm
  }
}

function isFresh(bus: Bus, name: string): boolean {
  const sentMs = Number((readMessageName(name)?.nanoseconds ?? 0n) / 1_000_000n);
  const ageMs = bus.clock.nowMs() - sentMs;
  return ageMs > -settleMs && ageMs < settleMs;
}

function write(
  bus: Bus,
  envelope: Omit<Sent["envelope"], "to"> & { readonly receivers: readonly string[] },
  home: TrustedDirectory,
): { name: string; late: readonly string[] } {
  try {
    using channels = home.child("channels", { create: true });
    using order = channels.child(lastSent, { create: true });
    using sent = channels.child(lists, { create: true });
    const { name } = nextName(bus, envelope.from, order);
    try {
      // Readers of envelopes drop fields that they do not know; `by` is for who finishes what its sender began.
      sent.write(name, JSON.stringify({ ...envelope, by: bus.liveness.self() }));
      step("bus.many.named");
    } catch (cause) {
      sent.remove(name);
      throw cause;
    }
    return { name, late: spread(channels, sent, name, envelope.receivers) };
  } catch (cause) {
    throw notSent({ id: envelope.id, to: envelope.receivers }, cause);
  }
}

/** It is sent already, so an inbox that cannot be reached is no failure: `finishToMany` comes by again. */
function spread(
  channels: TrustedDirectory,
  sent: TrustedDirectory,
  name: string,
  to: readonly string[],
): readonly string[] {
  const late: string[] = [];
  using boxes = boxesIn(channels);
  for (const agent of to) {
    try {
      using box = boxes?.child(agent, { create: true });
      using inbox = box?.child("inbox", { create: true });
      if (inbox === undefined) late.push(agent);
      else sent.linkTo(name, inbox, name);
    } catch {
      late.push(agent);
    }
    step("bus.many.linked");
  }
  return late;
}

function boxesIn(channels: TrustedDirectory): TrustedDirectory | undefined {
  try {
    return channels.child("agent", { create: true });
  } catch {
    return undefined;
  }
}

/** False when its mailbox cannot be used now. */
function reach(
  bus: Bus,
  lists: TrustedDirectory,
  name: string,
  agent: string,
  options: { readonly sync?: boolean } = {},
): boolean {
  try {
    using box = Mailbox.make(bus, agent);
    const rooms = ["inbox", "processing", "done", "poison"] as const;
    const names = [name, secondName(name)];
    const room = rooms.find((one) => box.names(one).some((file) => names.some((known) => file.startsWith(known))));
    if (room === undefined) lists.linkTo(name, box.room("inbox"), secondName(name));
    if (options.sync === true) box.room(room ?? "inbox").sync();
    return true;
  } catch {
    return false;
  }
}

/**
 * Without the sender's process, and the same at every try. Under the first name a receiver that has the message in hand would take it
 * for its own and see it twice; under this one it is known by its id.
 */
const secondName = (name: string): string => name.replace(/^(\d{20})-\d{10}-/, "$1-0000000000-");

interface Receivers {
  readonly to: readonly string[];
  /** Undefined when it is no message of ours: then it goes. */
  readonly by: ProcessMark | undefined;
}

function readReceivers(lists: TrustedDirectory, name: string): Receivers {
  const nothing: Receivers = { to: [], by: undefined };
  const text = lists.read(name, { maxBytes: maxFileBytes })?.toString("utf8");
  if (readMessageName(name) === undefined || text === undefined) return nothing;
  try {
    const value = JSON.parse(text) as { readonly receivers?: unknown; readonly by?: Partial<ProcessMark> };
    const { receivers } = value;
    const to = Array.isArray(receivers) ? receivers.filter(isAgentId) : [];
    const { pid, token } = value.by ?? {};
    return typeof pid === "number" && typeof token === "string" ? { to, by: { pid, token } } : nothing;
  } catch {
    return nothing;
  }
}

/** Nobody is spreading it any more: sending does not pause, so what we sent ourselves has reached whom it could. */
function isOver(bus: Bus, by: ProcessMark): boolean {
  const self = bus.liveness.self();
  return (by.pid === self.pid && by.token === self.token) || bus.liveness.isProvenDead(by);
}

function existing(bus: Bus): TrustedDirectory | undefined {
  try {
    return TrustedDirectory.open(bus.home, `channels/${lists}`, diskOf(bus));
  } catch (cause) {
    if (isAbsent(cause)) return undefined;
    throw cause;
  }
}
