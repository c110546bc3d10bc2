// Declares how an agent program is driven over a pipe, without a terminal: a prompt goes in and is acknowledged, tool calls and
// permission requests come out typed, and the turn ends with its text and its usage. One driver per protocol lives in host/runtime/;
// the holder (doors/hook/hold.ts) keeps the pipe. Shapes only, no I/O.

import type { Drive } from "./drive.ts";
import type { Launch, Prepared, RuntimeMachine, Usage } from "./runtime.ts";

/** The child process, line by line. */
export interface Pipe {
  /** One JSON value on a line. */
  write(value: unknown): void;
  /** Every line that is a JSON object, in order. */
  listen(hear: (line: Readonly<Record<string, unknown>>) => void): void;
  /** Resolves when the program has ended, with its last words. */
  readonly ended: Promise<string>;
}

export interface AskedOverPipe {
  /** As the rules for permissions know it: `Bash`, `Edit`, `apply_patch`, or the program's own name. */
  readonly tool: string;
  readonly input: unknown;
  readonly cwd: string;
}

export interface PermissionAnswer {
  readonly allow: boolean;
  /** The reason of a denial, for the model. */
  readonly message: string;
}

export type TurnEvent =
  /** The model has begun to answer this prompt: it is in its context. */
  | { readonly kind: "acknowledged" }
  | {
      readonly kind: "tool-began" | "tool-ended";
      readonly tool: string;
      readonly files?: readonly string[];
      /** Given to the tool. Told with one of the two, as soon as all of it is known. */
      readonly input?: unknown;
    }
  | { readonly kind: "said"; readonly text: string };

export interface TurnEnd {
  readonly ok: boolean;
  /** The last thing it said. */
  readonly text: string;
  readonly error?: string;
  readonly interrupted?: true;
  /** Of this turn. Empty where the program's transcript tells. */
  readonly usage: readonly Usage[];
}

export interface DriveStart {
  readonly launch: Launch;
  readonly drive: Drive;
  readonly prepared: Prepared;
  /** Take up this conversation, or a copy of it. */
  readonly resume?: string;
  readonly fork?: boolean;
  readonly ask: (asked: AskedOverPipe) => Promise<PermissionAnswer>;
}

export interface DrivenSession {
  readonly id: string;
  readonly transcript: string | undefined;
  /** One at a time. Rejects when the program ends on the way. */
  turn(text: string, hear: (event: TurnEvent) => void): Promise<TurnEnd>;
  /** The turn under way ends soon, as interrupted. */
  interrupt(): void;
}

export interface Driver {
  /** Prepared for a pipe instead of a terminal. */
  prepare(launch: Launch, drive: Drive, machine: RuntimeMachine): Promise<Prepared>;
  /** Refuses an answer that names another conversation than the one that was to be resumed. */
  open(pipe: Pipe, start: DriveStart): Promise<DrivenSession>;
}
