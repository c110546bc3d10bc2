// The state that the steps of one train share: its members, those that have their end, the commits found to be their work, and the
// tasks that conflict with the stack as it is now.

import type { Ground, PickOutcome } from "../../../ports/harvest.ts";
import type { TaskContext } from "../task-context.ts";
import type { Lease } from "./harvest-lease.ts";
import type { Journal } from "./harvest-journal.ts";
import type { Landing } from "./landing.ts";
import { TrainGates } from "./train-gates.ts";
import type { TrainMember } from "./train-member.ts";

export interface TrainParts {
  readonly lease: Lease;
  readonly members: readonly TrainMember[];
  readonly signal: AbortSignal;
  readonly open: () => Promise<Ground>;
}

export type Stacked = Landing<TrainMember>;

interface Conflicted {
  readonly member: TrainMember;
  readonly outcome: Extract<PickOutcome, { kind: "conflicted" }>;
  /** The tasks before it on the stack. */
  readonly behind: readonly number[];
}

export class TrainState {
  readonly context: TaskContext;
  readonly journal: Journal;
  readonly ground: Ground;
  readonly gates: TrainGates;
  readonly signal: AbortSignal;
  conflicted: Conflicted[] = [];
  /** By harvest, the commit that was found to be its work. */
  readonly tips = new Map<string, string>();
  /** The origin's answer to a push that did not move it, and where it stood. */
  stuck: { readonly at: string; readonly why: string } | undefined;
  readonly #members: readonly TrainMember[];
  /** Its end is written. */
  readonly #settled = new Set<string>();

  constructor(context: TaskContext, { members, signal }: TrainParts, journal: Journal, ground: Ground) {
    this.context = context;
    this.journal = journal;
    this.ground = ground;
    this.gates = new TrainGates(ground, signal);
    this.signal = signal;
    this.#members = members;
  }

  get left(): TrainMember[] {
    return this.#members.filter(({ row }) => !this.#settled.has(row.id));
  }

  done({ row }: TrainMember): void {
    this.#settled.add(row.id);
  }

  async settle(member: TrainMember, outcome: string, reason: string, report: object = {}): Promise<void> {
    await this.journal.evicted(member, outcome, reason, report);
    this.done(member);
  }

  /** Nobody's work is to blame. */
  async failAll(members: readonly TrainMember[], why: string): Promise<void> {
    await this.journal.failAll(members, why);
    for (const member of members) this.done(member);
  }

  async land(stack: readonly Stacked[]): Promise<void> {
    await this.journal.landed(stack);
    for (const { member } of stack) this.done(member);
  }
}
