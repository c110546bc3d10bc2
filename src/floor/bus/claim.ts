// Takes messages out of an inbox for one receiver. A message is always in exactly one place, and each move is one rename:
//
//   inbox ──claim──▶ processing, `claimed` ──hand out──▶ processing, `handed-out` ──settle──▶ done
//                            └── what may not be read ──▶ poison
//
// What a crash leaves, and what the next receiver does about it once the claimer is proven dead or its lease is over:
// · `claimed`: no model saw it. It is claimed again as if for the first time.
// · `handed-out`: it may or may not have reached the agent. The proof port is asked. It arrived: done, and not handed out
//   again. It never arrived: handed out as if for the first time. Unknown: recorded as *unknown* and handed out again with
//   that said on it, because a message twice is a nuisance and a message lost is a failure.
// So a receiver that can prove arrival (its transcript is the record) gets each message exactly once; one that cannot gets it
// once unless it died in that one gap, and is then told.
//
// Order: a receiver does not pass by an older message of the same sender that another receiver holds.

import { Outage, systemCode } from "../../protocol/errors.ts";
import type { ProcessMark } from "../../ports/machine.ts";
import type { Bus } from "./bus.ts";
import { step } from "./kill-points.ts";
import type { Mailbox, Room } from "./mailbox.ts";
import { type Claim, claimFileName, type MessageName, readClaim, readMessageName } from "./message-name.ts";
import { oldestIn } from "./oldest.ts";

export interface Receiver {
  /**
   * The process whose death gives its messages back: the agent's own process if a short-lived one receives for it. Default: this process.
   */
  readonly claimer?: ProcessMark;
  /** The time that a live receiver may take before its messages are given to another. Default two minutes. */
  readonly leaseMs?: number;
}

export const defaultLeaseMs = 120_000;

/** A message that may be claimed now. */
export interface Candidate extends MessageName {
  readonly room: Room;
  readonly file: string;
  /** The claim that ended with its claimer or its lease. */
  readonly earlier?: Claim;
}

export interface Survey {
  /** Oldest first. */
  readonly candidates: readonly Candidate[];
  /** Senders with an older message in somebody else's hands. */
  readonly heldSenders: Set<string>;
  /** Entries that are not named as messages are. */
  readonly foreign: readonly { room: Room; file: string }[];
  /** Only the oldest of a long box were looked at. */
  readonly part: boolean;
}

/** Finds what can be claimed, and what must wait. `whole`: look at every message, not only at the oldest of a long box. */
export function survey(bus: Bus, box: Mailbox, claimer: ProcessMark, { whole = false } = {}): Survey {
  // processing/ is listed on both sides of the inbox, so that a message that moves meanwhile is seen somewhere: gone from the
  // inbox means in somebody's hands at the second look, and come back means in somebody's hands at the first.
  const before = box.names("processing");
  const { names: inbox, part } = whole
    ? { names: box.unsorted("inbox"), part: false }
    : oldestIn(box, messagesIn(before));
  const processing = box.names("processing");
  const heldSenders = new Set<string>();
  const candidates: Candidate[] = [];
  const foreign: { room: Room; file: string }[] = [];
  const isOthers = (claim: Claim): boolean => !hasEnded(bus, claim) && !isSame(claim.claimer, claimer);
  const inInbox = new Set(inbox);
  for (const claim of before.flatMap((file) => readClaim(file) ?? [])) {
    // Given back since, perhaps after the inbox was listed.
    if (isOthers(claim) && !inInbox.has(claim.name)) heldSenders.add(claim.sender);
  }
  for (const file of processing) {
    const claim = readClaim(file);
    if (claim === undefined) foreign.push({ room: "processing", file });
    else if (hasEnded(bus, claim)) candidates.push({ ...claim, room: "processing", earlier: claim });
    else if (isOthers(claim)) heldSenders.add(claim.sender);
  }
  for (const file of inbox) {
    const message = readMessageName(file);
    if (message === undefined) foreign.push({ room: "inbox", file });
    else candidates.push({ ...message, file, room: "inbox" });
  }
  candidates.sort((a, b) => (a.name < b.name ? -1 : 1));
  return { candidates, heldSenders, foreign, part };
}

const messagesIn = (files: readonly string[]): string[] => files.flatMap((file) => readClaim(file)?.name ?? []);

/** The claim, or undefined when another receiver was faster. */
export function claim(bus: Bus, box: Mailbox, candidate: Candidate, receiver: Receiver): Claim | undefined {
  const claimed = {
    name: candidate.name,
    nanoseconds: candidate.nanoseconds,
    sender: candidate.sender,
    state: candidate.earlier?.state ?? "claimed",
    attempt: candidate.earlier?.attempt ?? 0,
    claimer: receiver.claimer ?? bus.liveness.self(),
    leaseUntilMs: Math.floor(bus.clock.nowMs() + (receiver.leaseMs ?? defaultLeaseMs)),
  } as const;
  const file = claimFileName(claimed);
  // The same process may claim again what it held, within the same millisecond: that is one name, and nothing to move.
  if (file !== candidate.file && !move(box, candidate.room, candidate.file, "processing", file)) return undefined;
  step("bus.claim.renamed");
  return { ...claimed, file };
}

/** From here on it may have reached the agent. undefined when the lease had run out and another receiver took it. */
export function markHandedOut(box: Mailbox, held: Claim): Claim | undefined {
  const handed = { ...held, state: "handed-out", attempt: held.attempt + 1 } as const;
  const file = claimFileName(handed);
  if (!move(box, "processing", held.file, "processing", file)) return undefined;
  step("bus.claim.handed-out");
  return { ...handed, file };
}

/** Gives a message back unseen: it is claimable at once, in its old place in the order. False when it is no longer held. */
export function release(box: Mailbox, held: Claim): boolean {
  return move(box, "processing", held.file, "inbox", held.name);
}

/** Ends a claim without a word about the message: what was doubtful about it stays doubtful. */
export function abandon(bus: Bus, box: Mailbox, held: Claim): void {
  if (held.state === "claimed") release(box, held);
  else {
    const file = claimFileName({ ...held, leaseUntilMs: bus.clock.nowMs() });
    move(box, "processing", held.file, "processing", file);
  }
}

/** Moves an entry between rooms; false when it is not there. */
export function move(box: Mailbox, from: Room, file: string, to: Room, newFile: string): boolean {
  try {
    box.room(from).moveTo(file, box.room(to), newFile);
    return true;
  } catch (cause) {
    if (systemCode(cause) === "ENOENT") return false;
    throw new Outage(`move to ${to}`, `${box.room(from).path}/${file}`, cause);
  }
}

const isSame = (a: ProcessMark, b: ProcessMark): boolean => a.pid === b.pid && a.token === b.token;

export const hasEnded = (bus: Bus, held: Claim): boolean =>
  held.leaseUntilMs <= bus.clock.settledMs(held.leaseUntilMs - defaultLeaseMs) ||
  bus.liveness.isProvenDead(held.claimer);
