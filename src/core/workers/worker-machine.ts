// Declares what workers ask of the machine: the bus, and the holder that keeps the program's pipe. Shapes only, no I/O.

import type { Context } from "../context.ts";
import type { Cause } from "./worker.ts";

export interface WorkerContext extends Pick<Context, "store" | "clock" | "random" | "constellation"> {
  readonly machine: WorkerMachine;
  /** Causes that come within this time are one turn. */
  readonly gatherMs: number;
  /** Since when tries were seen to run, on the clock that no one sets; kept from round to round. */
  readonly running: Map<string, number>;
}

export interface TakenMessage {
  readonly cause: Cause & { readonly name: string };
  /** As the model is to read it. */
  readonly text: string;
}

export interface Taken {
  readonly messages: readonly TakenMessage[];
  /** Others that wake it did not fit. */
  readonly more: boolean;
}

/** What a holder wrote down of a turn. */
export interface TurnRecord {
  /** The holder that began it. */
  readonly beganBy?: string | undefined;
  readonly ended?:
    | {
        readonly atMs: number;
        readonly ok: boolean;
        readonly text: string;
        readonly error?: string | undefined;
        readonly session: string;
        readonly did: readonly string[];
        /** It was ended because it took longer than it may. */
        readonly overtime: boolean;
        /** No fault of its: its program has reached its limit, or a person took its terminal. */
        readonly isExcused: boolean;
      }
    | undefined;
}

export interface Answer {
  readonly id: string;
  readonly from: string;
  readonly to: string;
  readonly text: string;
  readonly inReplyTo: string | undefined;
  readonly thread: string | undefined;
  readonly task: string | undefined;
}

/** The steps between which the daemon may die. */
export const workerSteps = [
  "worker.taken",
  "worker.asked",
  "worker.put",
  "worker.answered",
  "worker.replied",
  "worker.acked",
] as const;

export interface WorkerMachine {
  /** Takes messages out of its inbox: those that wake it first, then what informs it, as many as fit into a turn. */
  take(agent: string): Promise<Taken>;
  /** They reached nobody. */
  giveBack(agent: string, messages: readonly TakenMessage[]): void;
  /** Whether its holder is there and takes turns; and which process that is, told apart from one that had its number before. */
  holder(agent: string): Promise<string | undefined>;
  /** Into the holder's hands. The same turn again replaces one that was not taken yet. */
  put(agent: string, turn: string, text: string): Promise<void>;
  /** It lies there and was not taken. */
  isLying(agent: string, turn: string): boolean;
  record(agent: string, turn: string): TurnRecord;
  /** The model has it in its context: when. */
  provenMs(agent: string, turn: string): Promise<number | undefined>;
  /** `delivered`: it is in the agent's context. `acked`: its turn has ended. Safe to say again. */
  settle(agent: string, causes: readonly Cause[], as: "delivered" | "acked", because: string): void;
  /** What a program said, as it is kept and sent: without secrets, and with no tag that the bus would refuse. */
  keepable(text: string): Promise<string>;
  /** Sends an answer in the worker's name, unless it was sent before. Durable when it returns. */
  answer(answer: Answer): void;
  /** The reason why it can have no turn now (limited, over the owner's budget, not running). Undefined when it can. */
  held(agent: string): Promise<string | undefined>;
  step(name: (typeof workerSteps)[number]): void;
}
