// Brings messages from inboxes to agents that do not fetch them themselves: one at a time for each agent, oldest first, and
// called delivered only on the agent's own proof. The state of a delivery is on the disk, in the bus:
//
//   in the inbox ──drain──▶ handed out ──proof──▶ done
//        ▲                      ├── nothing reached the program: given back, tried again later or when its state changes
//        └──────────────────────┤
//                               └── it may have reached it: reported as unknown, and in doubt
//
// In doubt (also what a daemon that was killed left handed out) nothing else is given to the agent. Proof that comes later
// settles it. Only when the agent has stood idle for a while without proof is the message handed out again, and says so: for ten
// minutes, or for seconds when it was only typed, so that no turn can have begun with it.

import { type BudgetReached, mailHold } from "../../core/agents/rules.ts";
import type { Bus } from "../../floor/bus/bus.ts";
import { drain, type Handed } from "../../floor/bus/drain.ts";
import { EmptyMailboxes } from "../../floor/bus/empty-mailboxes.ts";
import type { Claim } from "../../floor/bus/message-name.ts";
import { inHand, type Pending, pendingFor } from "../../floor/bus/pending.ts";
import { giveBack, type InHand, renew, reportUnknown, settle } from "../../floor/bus/settle.ts";
import type { Envelope } from "../../protocol/envelope.ts";
import { messageOf } from "../../protocol/errors.ts";
import type { Proof, RuntimeMachine } from "../../ports/runtime.ts";
import { step } from "./delivery-steps.ts";
import type { Fleet } from "./fleet.ts";
import { injectSafely } from "./inject.ts";
import type { FollowedAgent } from "./followed-agent.ts";
import { isOwners } from "../../protocol/frame-for-agent.ts";
import { deliveryId, deliveryText } from "./message-id.ts";

export interface DeliveriesParts {
  readonly bus: Omit<Bus, "proofOfDelivery">;
  readonly fleet: Fleet;
  readonly machine: RuntimeMachine;
  readonly proofMs: number;
  readonly doubtMs: number;
  readonly budgetReached: (agent: string) => BudgetReached | undefined;
  /** Tells what a message is to this agent: words of somebody, a task given by constel itself, or nothing any more. */
  readonly standing: (
    agent: string,
    message: { readonly envelope: Envelope; readonly verified: boolean },
  ) => Promise<"words" | "assignment" | { readonly stale: string }>;
  readonly arrived: (agent: string, envelope: Envelope) => Promise<void>;
  /** Something changed that a round should look at soon. */
  readonly stirred: () => void;
  readonly log: (line: string) => void;
}

const leaseMs = 120_000;
const firstRetryMs = 1000;
const longestRetryMs = 30_000;
/** Searching a long transcript for proof costs; without any sign from the agent it is asked this often. */
const askAgainMs = 10_000;
/** The interval between looks at empty mailboxes that the watch says nothing of. */
const unwatchedEveryMs = 10_000;

/** The time for which an agent is watched while our text stands unsubmitted on its input line: for somebody who presses Enter just now. */
const unsubmittedMs = 3000;

interface Doubt {
  sinceMs: number;
  askedMs: number;
  forMs: number;
}

interface Retry {
  readonly afterMs: number;
  readonly delayMs: number;
  readonly state: string;
}

export class Deliveries {
  readonly #parts: DeliveriesParts;
  readonly #bus: Bus;
  readonly #underWay = new Map<string, Promise<void>>();
  readonly #doubts = new Map<string, Doubt>();
  readonly #retries = new Map<string, Retry>();
  readonly #empty: EmptyMailboxes;
  /** Since when so many mailboxes, all that there are, are known to be empty. */
  #rest: { readonly members: number; readonly sinceMs: number } | undefined;

  constructor(parts: DeliveriesParts) {
    this.#parts = parts;
    this.#empty = new EmptyMailboxes(parts.bus);
    this.#bus = {
      ...parts.bus,
      proofOfDelivery: async (agent, envelope) => {
        if ((await this.#proof(parts.fleet.member(agent), envelope)) === undefined) return "unknown";
        // The drain puts it among the delivered ones, and does not say which they were.
        await parts.arrived(agent, envelope);
        return "arrived";
      },
    };
  }

  /** Starts what can be started; does not wait for it. `isQuiet`: nothing came into any inbox since the last round, as far as the watches say. */
  async round(isQuiet = false): Promise<void> {
    const members = this.#parts.fleet
      .members()
      .filter(({ launch }) => launch.role !== "ticker" && launch.mail !== "drain");
    const startedMs = this.#nowMs();
    if (isQuiet && members.length === this.#rest?.members && startedMs - this.#rest.sinceMs < unwatchedEveryMs) return;
    this.#rest = undefined;
    let isResting = this.#underWay.size === 0;
    for (const member of members) {
      if (this.#underWay.has(member.agent)) continue;
      const held = await this.#attend(member).catch((cause: unknown) => this.#hampered(member, cause));
      if (held !== member.mailHeld) {
        member.mailHeld = held;
        this.#parts.stirred();
      }
      isResting &&= this.#empty.isKnown(member.agent);
    }
    if (isResting) this.#rest = { members: members.length, sinceMs: startedMs };
  }

  /** Resolves when nothing is under way. */
  async settled(): Promise<void> {
    await Promise.all(this.#underWay.values());
  }

  /** A problem with one agent's mailbox or transcript must not keep the others' messages back. */
  #hampered(member: FollowedAgent, cause: unknown): string {
    const held = `its messages cannot be looked at: ${messageOf(cause)}`;
    if (held !== member.mailHeld) this.#parts.log(`${member.agent}: ${held}`);
    return held;
  }

  /** Returns the reason why the agent's messages wait, or null. */
  async #attend(member: FollowedAgent): Promise<string | null> {
    const { agent } = member;
    if (this.#empty.isStillEmpty(agent)) return null;
    const pending = this.#pendingFor(agent);
    const doubtful = await this.#settleProven(member, pending.doubtful);
    if (doubtful.length === 0) this.#doubts.delete(agent);
    if (doubtful.length + pending.waiting + pending.orphaned === 0) return null;
    const hold = mailHold(member.seen, this.#parts.budgetReached(agent));
    if (hold !== undefined) return hold;
    if (doubtful.length > 0 && !this.#isHopeless(member)) {
      return "it is not known whether the last message arrived; it is watched for";
    }
    const retry = this.#retries.get(agent);
    if (retry !== undefined && retry.state === member.seen.state && this.#nowMs() < retry.afterMs)
      return member.mailHeld;
    this.#endLeases(agent, doubtful);
    this.#start(member);
    return null;
  }

  #pendingFor(agent: string): Pending {
    const sign = this.#empty.signOf(agent);
    const pending = pendingFor(this.#bus, agent);
    const { waiting, doubtful, orphaned, held } = pending;
    this.#empty.note(agent, sign, waiting + doubtful.length + orphaned + held === 0);
    return pending;
  }

  /** Settles what the agent's own record has by now; answers the rest, whose leases are kept. */
  async #settleProven(member: FollowedAgent, claims: readonly Claim[]): Promise<Claim[]> {
    const { agent } = member;
    if (claims.length === 0) return [];
    const nowMs = this.#nowMs();
    const doubt = this.#doubts.get(agent) ?? { sinceMs: nowMs, askedMs: -Infinity, forMs: this.#parts.doubtMs };
    this.#doubts.set(agent, doubt);
    if (doubt.askedMs >= member.newsMs && nowMs - doubt.askedMs < askAgainMs) return [...claims];
    doubt.askedMs = nowMs;
    const left: Claim[] = [];
    for (const claim of claims) {
      const message = inHand(this.#bus, agent, claim);
      const proof = message === undefined ? undefined : await this.#proof(member, message.envelope);
      if (message !== undefined && proof !== undefined) await this.#delivered(member, message, `later, by ${proof.by}`);
      else left.push(this.#keep(agent, claim, message));
    }
    return left;
  }

  #keep(agent: string, claim: Claim, message: InHand | undefined): Claim {
    const isEnding = claim.leaseUntilMs - this.#bus.clock.nowMs() < leaseMs / 2;
    const isOurs = claim.claimer.pid === this.#bus.liveness.self().pid;
    if (message === undefined || !isEnding || !isOurs) return claim;
    return renew(this.#bus, agent, message, leaseMs)?.claim ?? claim;
  }

  /** The agent had the time to begin the turn, and stands idle without it. */
  #isHopeless(member: FollowedAgent): boolean {
    const nowMs = this.#nowMs();
    const doubt = this.#doubts.get(member.agent);
    const sinceMs = Math.max(doubt?.sinceMs ?? nowMs, member.seenSinceMs, member.newsMs);
    return member.seen.state === "idle" && nowMs - sinceMs >= (doubt?.forMs ?? this.#parts.doubtMs);
  }

  /** From here on the next drain may take them again, and asks for proof once more. */
  #endLeases(agent: string, claims: readonly Claim[]): void {
    for (const claim of claims) {
      const message = inHand(this.#bus, agent, claim);
      if (message !== undefined) renew(this.#bus, agent, message, 0);
    }
  }

  #start(member: FollowedAgent): void {
    const work = this.#deliverNext(member)
      .catch((cause: unknown) => {
        this.#parts.log(`delivering to ${member.agent}: ${messageOf(cause)}`);
        this.#later(member);
      })
      .finally(() => {
        this.#underWay.delete(member.agent);
        this.#parts.stirred();
      });
    this.#underWay.set(member.agent, work);
  }

  async #deliverNext(member: FollowedAgent): Promise<void> {
    const { agent, runtime } = member;
    const drained = await drain(this.#bus, agent, { maxCount: 1, leaseMs });
    const [message] = drained.messages;
    if (message === undefined || runtime === undefined) return;
    const standing = await this.#parts.standing(agent, message);
    if (typeof standing === "object") return void settle(this.#bus, agent, [message], "duplicate", standing.stale);
    step("deliver.handed-out");
    const { fleet, machine, proofMs } = this.#parts;
    const outcome = await injectSafely(
      runtime,
      fleet.session(member, fleet.pane(member)),
      {
        id: deliveryId(message.envelope),
        text: deliveryText({ ...message, assignment: standing === "assignment" }),
        asUser: message.envelope.kind === "brief" ? "must" : isOwners(message) ? "rather" : "no",
        proofMs,
      },
      machine,
    );
    if (outcome.state === "delivered") {
      step("deliver.proven");
      this.#retries.delete(agent);
      await this.#delivered(member, message, `${outcome.way}, by ${outcome.proof.by}`);
    } else if (outcome.sent) {
      reportUnknown(this.#bus, agent, [message], outcome.reason);
      const forMs = outcome.unsubmitted === true ? Math.min(unsubmittedMs, this.#parts.doubtMs) : this.#parts.doubtMs;
      this.#doubts.set(agent, { sinceMs: this.#nowMs(), askedMs: this.#nowMs(), forMs });
    } else this.#giveBack(member, message, outcome.reason);
  }

  async #delivered(member: FollowedAgent, message: InHand, because: string): Promise<void> {
    settle(this.#bus, member.agent, [message], "delivered", because);
    step("deliver.settled");
    await this.#parts.arrived(member.agent, message.envelope);
  }

  #giveBack(member: FollowedAgent, message: Handed, reason: string): void {
    // A message that was in doubt before stays so: back in the inbox it would pass for one that nobody was given.
    if (message.again) renew(this.#bus, member.agent, message, 0);
    else giveBack(this.#bus, member.agent, [message]);
    member.mailHeld = reason;
    this.#later(member);
  }

  #later(member: FollowedAgent): void {
    const before = this.#retries.get(member.agent);
    const isSame = before?.state === member.seen.state;
    const delayMs = isSame ? Math.min(longestRetryMs, before.delayMs * 2) : firstRetryMs;
    this.#retries.set(member.agent, { afterMs: this.#nowMs() + delayMs, delayMs, state: member.seen.state });
  }

  async #proof(member: FollowedAgent | undefined, envelope: Envelope): Promise<Proof | undefined> {
    const { fleet, machine } = this.#parts;
    return member?.runtime?.proof(fleet.session(member), deliveryId(envelope), machine);
  }

  #nowMs(): number {
    return this.#parts.machine.clock.monotonicMs();
  }
}
