// Hands an agent its messages, oldest first and bounded: one call never returns more than the agent can take in.

import { type Complaint, type Envelope, isComplaint } from "../../protocol/envelope.ts";
import type { Framed } from "../../protocol/frame-for-agent.ts";
import { Outage, type Refusal } from "../../protocol/errors.ts";
import type { Bus } from "./bus.ts";
import { abandon, type Candidate, claim, markHandedOut, type Receiver, survey, type Survey } from "./claim.ts";
import { type Happening, record } from "./bus-journal.ts";
import { judge, readEnvelope, type Waits } from "./judge-envelope.ts";
import { step } from "./kill-points.ts";
import { Mailbox } from "./mailbox.ts";
import type { Claim } from "./message-name.ts";
import { poison } from "./poison.ts";
import { markTaken, takeKeys } from "./seen.ts";
import { finishToMany } from "./send-to-many.ts";
import { moveToDone } from "./settle.ts";

export interface DrainOptions extends Receiver {
  readonly maxCount?: number;
  /** Of the files. One message is always handed out, however large. */
  readonly maxBytes?: number;
  /** Take only these, in spite of older ones of the same sender: for waiting on one thread. */
  readonly only?: (envelope: Envelope, name: string) => boolean;
  /** After so many receivers that died with it a message is poisoned instead. */
  readonly maxAttempts?: number;
}

/** A message in the agent's hands: to be settled when it arrived. */
export interface Handed extends Framed {
  readonly claim: Claim;
  readonly verified: boolean;
  readonly again: boolean;
}

export interface Drained {
  readonly messages: readonly Handed[];
  /** More is claimable now. */
  readonly more: boolean;
  readonly poisoned: number;
  readonly duplicates: number;
  /** The reason why a message that cannot be judged now waits. Without any other message the drain fails with it. */
  readonly waits?: Refusal | Outage;
}

const defaultMaxCount = 50;
const defaultMaxBytes = 256 * 1024;
const defaultMaxAttempts = 10;

export async function drain(bus: Bus, agent: string, options: DrainOptions = {}): Promise<Drained> {
  finishToMany(bus, agent);
  using box = Mailbox.find(bus, agent);
  if (box === undefined) return { messages: [], more: false, poisoned: 0, duplicates: 0 };
  const whole = options.only !== undefined;
  const seen = survey(bus, box, options.claimer ?? bus.liveness.self(), { whole });
  step("bus.claim.listed");
  const round = new Round(bus, box, options);
  for (const { room, file } of seen.foreign) {
    round.putAside(() => poison(bus, box, room, file, file, notOurs));
  }
  const more = await takeFrom(bus, box, round, seen, options).catch((cause: unknown) => {
    round.abandonAll();
    throw cause;
  });
  const messages = round.handOut();
  record(bus, round.happenings);
  const { failure, waits, poisoned, duplicates } = round;
  if (messages.length === 0 && (failure ?? waits) !== undefined) throw failure ?? waits;
  return { messages, more, poisoned, duplicates, ...(waits === undefined ? {} : { waits }) };
}

const notOurs: Complaint = { code: "bus.bad-name", message: "it is not named as messages are" };

/** Takes the oldest messages of a long box, and if there is room left, the rest of it. True when a bound was met before the end. */
async function takeFrom(bus: Bus, box: Mailbox, round: Round, seen: Survey, options: DrainOptions): Promise<boolean> {
  if (await takeAll(round, seen)) return true;
  return seen.part && takeAll(round, survey(bus, box, options.claimer ?? bus.liveness.self(), { whole: true }));
}

/** True when a bound was met before the end. */
async function takeAll(round: Round, { candidates, heldSenders }: Survey): Promise<boolean> {
  for (const candidate of candidates) {
    if (!round.wants(candidate, heldSenders)) continue;
    if (!round.hasRoomFor(candidate)) return true;
    const outcome = await round.take(candidate);
    // Somebody was faster, or it cannot be moved: its sender's later ones wait for it.
    if (outcome === "not-ours") heldSenders.add(candidate.sender);
  }
  return false;
}

/** One drain under way: what was claimed so far, and what befell the rest. */
class Round {
  readonly happenings: Happening[] = [];
  poisoned = 0;
  duplicates = 0;
  failure: Outage | undefined;
  waits: Refusal | Outage | undefined;
  readonly #bus: Bus;
  readonly #box: Mailbox;
  readonly #options: DrainOptions;
  readonly #taken: Handed[] = [];
  #underWay: Claim | undefined;
  #bytes = 0;

  constructor(bus: Bus, box: Mailbox, options: DrainOptions) {
    this.#bus = bus;
    this.#box = box;
    this.#options = options;
  }

  wants(candidate: Candidate, heldSenders: ReadonlySet<string>): boolean {
    if (this.#options.only === undefined) return !heldSenders.has(candidate.sender);
    const envelope = readEnvelope(this.#box, candidate.room, candidate.file);
    return envelope !== "gone" && !isComplaint(envelope) && this.#options.only(envelope, candidate.name);
  }

  hasRoomFor(candidate: Candidate): boolean {
    if (this.#taken.length === 0) return true;
    if (this.#taken.length >= (this.#options.maxCount ?? defaultMaxCount)) return false;
    const size = this.#box.room(candidate.room).stat(candidate.file)?.size ?? 0;
    return this.#bytes + size <= (this.#options.maxBytes ?? defaultMaxBytes);
  }

  async take(candidate: Candidate): Promise<"taken" | "settled" | "not-ours"> {
    const held = this.#claim(candidate);
    if (held === undefined) return "not-ours";
    this.#underWay = held;
    const judgement = await judge(this.#bus, this.#box, held.file, held.sender);
    step("bus.claim.judged");
    if (judgement === "gone") return "not-ours";
    if ("waits" in judgement) return this.#letWait(held, judgement);
    if ("code" in judgement) return this.#poison(held, judgement);
    const { envelope, verified } = judgement;
    const ownership = takeKeys(this.#box, judgement, held);
    if (ownership === "duplicate") return this.#settle(held, envelope, "duplicate", "its id or key was used before");
    const doubtful = held.state === "handed-out" || ownership === "uncertain";
    const proof = doubtful ? await this.#proof(envelope) : "never-arrived";
    if (proof === "arrived") return this.#settle(held, envelope, "delivered", "the agent's own record has it");
    if (held.attempt >= (this.#options.maxAttempts ?? defaultMaxAttempts)) {
      return this.#poison(held, { code: "bus.too-many-attempts", message: `handed out ${held.attempt} times in vain` });
    }
    const again = proof === "unknown";
    if (again) this.#happened({ state: "unknown", name: held.name, envelope, because: "its receiver ended" });
    this.#taken.push({ claim: held, envelope, verified, again });
    this.#bytes += this.#box.room("processing").stat(held.file)?.size ?? 0;
    this.#underWay = undefined;
    return "taken";
  }

  /** The last step before a model may see them: durable, so that a crash from here on is known to be doubtful. */
  handOut(): Handed[] {
    const handed = this.#taken.flatMap((message) => {
      const marked = markHandedOut(this.#box, message.claim);
      return marked === undefined ? [] : [{ ...message, claim: marked }];
    });
    if (this.#taken.length > 0) this.#box.sync("seen", "processing", "inbox");
    if (this.poisoned > 0) this.#box.sync("poison");
    step("bus.claim.synced");
    return handed;
  }

  /** A port or the disk failed midway: nothing was handed out, so nothing may wait for our lease to end. */
  abandonAll(): void {
    const held = [...this.#taken.map((message) => message.claim), ...(this.#underWay ? [this.#underWay] : [])];
    for (const claim of held) abandon(this.#bus, this.#box, claim);
  }

  /** Something that cannot be moved must not keep the rest of the mail back; when nothing else moved, it is told. */
  putAside(set: () => void): void {
    try {
      set();
      this.poisoned += 1;
    } catch (cause) {
      if (!(cause instanceof Outage)) throw cause;
      this.failure ??= cause;
    }
  }

  #claim(candidate: Candidate): Claim | undefined {
    try {
      return claim(this.#bus, this.#box, candidate, this.#options);
    } catch (cause) {
      if (!(cause instanceof Outage)) throw cause;
      this.failure ??= cause;
      return undefined;
    }
  }

  #letWait(held: Claim, { waits, others }: Waits): "settled" | "not-ours" {
    abandon(this.#bus, this.#box, held);
    this.#underWay = undefined;
    this.waits ??= waits;
    return others ? "settled" : "not-ours";
  }

  #poison(held: Claim, complaint: Complaint): "settled" {
    this.putAside(() => poison(this.#bus, this.#box, "processing", held.file, held.name, complaint));
    return "settled";
  }

  #settle(held: Claim, envelope: Envelope, settled: "delivered" | "duplicate", because: string): "settled" {
    if (moveToDone(this.#bus, this.#box, held.file, held.name, settled)) {
      if (settled === "delivered") markTaken(this.#box, envelope, held.name);
      this.#happened({ state: settled, name: held.name, envelope, because });
      if (settled === "duplicate") this.duplicates += 1;
    }
    return "settled";
  }

  async #proof(envelope: Envelope): Promise<"arrived" | "never-arrived" | "unknown"> {
    return (await this.#bus.proofOfDelivery?.(this.#box.agent, envelope)) ?? "unknown";
  }

  #happened(happening: Omit<Happening, "to">): void {
    this.happenings.push({ ...happening, to: this.#box.agent });
  }
}
