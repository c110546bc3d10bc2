// Running an agent's program where it sees only what is its own. What is shown is decided by the floor (agents/confine-agent.ts);
// how it is done is the machine's.

export interface ConfinedPlan {
  readonly home: string;
  readonly root: string;
  /** The agent's program, which must be there. Empty: any command. */
  readonly program: string;
  /** What the program would have inherited. */
  readonly env: Readonly<Record<string, string>>;
  /** All of the home that is to be seen, relative to it. */
  readonly homeReads: readonly string[];
  readonly homeWrites: readonly string[];
  /** Other names of what is shown: the name relative to the home, and what it points to. */
  readonly homeLinks: readonly (readonly [name: string, target: string])[];
  /** Directories elsewhere, absolute, of which nothing is seen but what is named here. */
  readonly hides: readonly string[];
  /** Elsewhere, absolute. */
  readonly writes: readonly string[];
  /** What the owner lets agents read besides. */
  readonly reads: readonly string[];
}

export interface Confinement {
  /** Why this machine cannot do it; undefined when it can. Tried, not guessed. */
  problem(home: string): Promise<string | undefined>;
  command(plan: ConfinedPlan, argv: readonly [string, ...string[]]): readonly [string, ...string[]];
}
