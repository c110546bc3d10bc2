// Says what became of messages that were handed out. `delivered`: something proves that they are in the agent's context.
// `acked`: the agent itself said so. `duplicate`: it is not to see them, because it has or because nobody wants it any more.
// All end a message's life in done/; a delivered one may still be acked later.

import type { Envelope } from "../../protocol/envelope.ts";
import type { Bus } from "./bus.ts";
import { move, release } from "./claim.ts";
import { type Happening, record } from "./bus-journal.ts";
import { step } from "./kill-points.ts";
import { Mailbox } from "./mailbox.ts";
import { type Claim, claimFileName, doneFileName, readClaim, readDone, type Settled } from "./message-name.ts";
import { markTaken } from "./seen.ts";

/** The parts of a message that settling needs. A `Handed` is one. */
export interface InHand {
  readonly claim: Claim;
  readonly envelope: Envelope;
}

export type Outcome = "settled" | "already" | "gone";

/** One outcome for each message, in order. `because` names the proof: the hook or transcript that showed it. */
export function settle(
  bus: Bus,
  agent: string,
  messages: readonly InHand[],
  settled: Settled,
  because?: string,
): Outcome[] {
  using box = Mailbox.find(bus, agent);
  if (box === undefined) return messages.map(() => "gone");
  const outcomes = messages.map(({ claim, envelope }) => {
    const outcome = settleOne(bus, box, claim, settled);
    step("bus.settle.moved");
    if (outcome === "settled") markTaken(box, envelope, claim.name);
    return outcome;
  });
  box.sync("done", "processing");
  step("bus.settle.synced");
  const happenings = messages
    .filter((_, index) => outcomes[index] === "settled")
    .map(({ claim, envelope }): Happening => ({ state: settled, to: agent, name: claim.name, envelope, because }));
  record(bus, happenings);
  step("bus.settle.recorded");
  return outcomes;
}

/** Reported, never taken for success: the messages stay handed out until their lease ends, and are then asked about again. */
export function reportUnknown(bus: Bus, agent: string, messages: readonly InHand[], because: string): void {
  const state = "unknown";
  record(
    bus,
    messages.map(({ claim, envelope }) => ({ state, to: agent, name: claim.name, envelope, because })),
  );
}

/** Gives back messages that certainly reached nobody. */
export function giveBack(bus: Bus, agent: string, messages: readonly InHand[]): void {
  using box = Mailbox.find(bus, agent);
  if (box === undefined) return;
  for (const { claim } of messages) release(box, claim);
  box.sync("inbox", "processing");
}

/** A receiver that is still at work keeps its messages; the new claim, or undefined when another has the message by now. */
export function renew<T extends InHand>(bus: Bus, agent: string, message: T, leaseMs: number): T | undefined {
  using box = Mailbox.find(bus, agent);
  if (box === undefined) return undefined;
  const claim = { ...message.claim, leaseUntilMs: Math.floor(bus.clock.nowMs() + leaseMs) };
  const file = claimFileName(claim);
  if (file !== message.claim.file && !move(box, "processing", message.claim.file, "processing", file)) return undefined;
  return { ...message, claim: { ...claim, file } };
}

export function moveToDone(bus: Bus, box: Mailbox, file: string, name: string, settled: Settled): boolean {
  return move(box, "processing", file, "done", doneFileName(name, settled, bus.clock.nowMs()));
}

function settleOne(bus: Bus, box: Mailbox, held: Claim, settled: Settled): Outcome {
  if (moveToDone(bus, box, held.file, held.name, settled)) return "settled";
  // The lease ran out meanwhile. That the agent has it is still true, so wherever the message is now, it is done.
  const done = doneFileName(held.name, settled, bus.clock.nowMs());
  if (move(box, "inbox", held.name, "done", done)) return "settled";
  for (const file of box.names("processing")) {
    if (readClaim(file)?.name === held.name && move(box, "processing", file, "done", done)) return "settled";
  }
  for (const file of box.names("done")) {
    const earlier = readDone(file);
    if (earlier?.name !== held.name) continue;
    if (earlier.settled === "acked" || settled === "delivered") return "already";
    return move(box, "done", file, "done", done) ? "settled" : "already";
  }
  return "gone";
}
