// A command as far as it can be described without running it: its name, words and flags, and who may run it. Cheap, plain data.

import type { Audience } from "../../../protocol/authority.ts";
import type { OperationName } from "../../../client/caller.ts";
import type { Effect } from "../../../protocol/operation.ts";
import type { FieldOutline } from "../../../protocol/outline.ts";

export interface ArgumentDeclaration {
  readonly name: string;
  readonly summary: string;
  readonly optional?: boolean;
  /** Takes all remaining arguments. */
  readonly rest?: boolean;
  /** Several agents between commas, or `all`. */
  readonly several?: true;
  /** An empty one means something. Elsewhere it is what a script gives whose variable was not set. */
  readonly mayBeEmpty?: true;
  readonly oneOf?: readonly string[];
  /** The words that completion offers. */
  readonly offers?: Offer;
  /** The field of the operation that it fills, and how that reads a word. */
  readonly field?: string | undefined;
  readonly reads?: FieldOutline;
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
  | "needs"
  | "notices"
  | "repositories"
  | "runtimes"
  | "saved-queries"
  | "schedules"
  | "servers"
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
  readonly field?: string | undefined;
  readonly reads?: FieldOutline;
  /** A switch that gives its field this value. */
  readonly means?: unknown;
  /** Its value when it is not given, where a screen wants another than the operation. */
  readonly usual?: string;
}

export type CommandShape = NamedCommand & (FloorCommand | AskingCommand);

/** Works with the daemon dead and the database corrupt. The command line is its only door, so it says itself who may. */
interface FloorCommand {
  readonly tier: "floor";
  readonly may: Audience;
  readonly effect: Effect;
}

/**
 * Asks an operation, which says who may (asking.ts); without one, it asks several or reads the database itself. `read`: a snapshot answers when no
 * daemon runs. `change`: the daemon is started.
 */
interface AskingCommand {
  readonly tier: "read" | "change";
  readonly operation?: OperationName;
  readonly may?: Audience;
  readonly effect?: Effect;
  /** Fields of the operation that the command itself stands for. */
  readonly fixed?: Readonly<Record<string, unknown>>;
}

export interface NamedCommand {
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
  /** Needs nothing of this machine, so that it can be asked of a server too (`--server`). */
  readonly elsewhere?: true;
  /** Not listed in help. For machines, not people. */
  readonly hidden?: boolean;
}
