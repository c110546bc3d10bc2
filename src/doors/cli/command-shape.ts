// What can be said of a command without running it: its name, words and flags. Cheap, plain data.

export interface ArgumentDeclaration {
  readonly name: string;
  readonly summary: string;
  readonly optional?: boolean;
  /** Takes all remaining arguments. */
  readonly rest?: boolean;
  /** What completion offers. */
  readonly oneOf?: readonly string[];
}

export interface FlagDeclaration {
  readonly summary: string;
  /** The name of its value in help (`--limit N`); without it the flag is a switch. */
  readonly value?: string;
  readonly short?: string;
  readonly repeat?: boolean;
  readonly oneOf?: readonly string[];
}

export interface CommandShape {
  /** As typed: `daemon start`. */
  readonly name: string;
  readonly summary: string;
  /** More for `--help`, if a sentence is not enough. */
  readonly details?: string;
  readonly arguments?: readonly ArgumentDeclaration[];
  readonly flags?: Readonly<Record<string, FlagDeclaration>>;
  /** The first one is also shown in the reference. */
  readonly examples: readonly [string, ...string[]];
  /** Floor: works with the daemon dead and the database corrupt. Read: from a snapshot. Change: through the daemon. */
  readonly tier: "floor" | "read" | "change";
  /** Not listed in help. For machines, not people. */
  readonly hidden?: boolean;
}
