// What can be said of a command without running it: its name, words and flags, and who may run it. Cheap, plain data.

import type { Audience } from "../../../protocol/authority.ts";
import type { Effect } from "../../../protocol/operation.ts";

export interface ArgumentDeclaration {
  readonly name: string;
  readonly summary: string;
  readonly optional?: boolean;
  /** Takes all remaining arguments. */
  readonly rest?: boolean;
  /** An empty one means something. Elsewhere it is what a script gives whose variable was not set. */
  readonly mayBeEmpty?: true;
  /** What completion offers. */
  readonly oneOf?: readonly string[];
  readonly offers?: Offer;
}

/** Things of this constellation that completion knows by name. */
export type Offer =
  | "agents"
  | "approvals"
  | "assignments"
  | "branches"
  | "claims"
  | "decisions"
  | "findings"
  | "holders"
  | "keys"
  | "memories"
  | "notices"
  | "repositories"
  | "runtimes"
  | "saved-queries"
  | "schedules"
  | "settings"
  | "tasks"
  | "tokens"
  | "values";

export interface FlagDeclaration {
  readonly summary: string;
  /** The name of its value in help (`--limit N`); without it the flag is a switch. */
  readonly value?: string;
  readonly short?: string;
  readonly repeat?: boolean;
  readonly mayBeEmpty?: true;
  readonly oneOf?: readonly string[];
  readonly offers?: Offer;
}

export type CommandShape = NamedCommand & (FloorCommand | AskingCommand);

/** Works with the daemon dead and the database corrupt. The command line is its only door, so it says itself who may. */
interface FloorCommand {
  readonly tier: "floor";
  readonly may: Audience;
  readonly effect: Effect;
}

/** Asks operations, which say who may. `read`: a snapshot answers when no daemon runs. `change`: the daemon is started. */
interface AskingCommand {
  readonly tier: "read" | "change";
}

interface NamedCommand {
  /** As typed: `daemon start`. */
  readonly name: string;
  readonly summary: string;
  /** More for `--help`, if a sentence is not enough. */
  readonly details?: string;
  readonly arguments?: readonly ArgumentDeclaration[];
  readonly flags?: Readonly<Record<string, FlagDeclaration>>;
  /** The first one is also shown in the reference. */
  readonly examples: readonly [string, ...string[]];
  /** Changes the constellation: refused outside its root directory (floor/guard.ts). */
  readonly insideRoot?: true;
  /** Not listed in help. For machines, not people. */
  readonly hidden?: boolean;
}
