// Running an agent's program where it sees only what is its own. What is shown is decided by the floor (agents/confine-agent.ts), and for
// the commands of repositories by app/enclose-commands.ts; how it is done is the machine's.

export interface ConfinedPlan {
  readonly home: string;
  readonly root: string;
  /** The agent's program, which must be there. Empty: any command. */
  readonly program: string;
  /** The environment that the program would have inherited. */
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
  /** The other paths that the owner lets agents read. */
  readonly reads: readonly string[];
  /** Of a command that is no agent: where it stands. It is not told that it is confined, because the constel it calls has a home of its own. */
  readonly cwd?: string;
  /** It runs what agents wrote: it is kept from the abstract sockets of others too, where the machine can do that. Takes a moment longer to start. */
  readonly isApart?: boolean;
}

export interface Confinement {
  /** Says why this machine cannot do it; undefined if it can. This is tried, not guessed. */
  problem(home: string): Promise<string | undefined>;
  command(plan: ConfinedPlan, argv: readonly [string, ...string[]]): readonly [string, ...string[]];
}

/** Puts a command of a repository into a sandbox of its own where agents are confined; else gives it back as it is. */
export type Enclose = (
  argv: readonly [string, ...string[]],
  place: {
    readonly cwd: string;
    /** May be written besides. */
    readonly writes: readonly string[];
    readonly env: Readonly<Record<string, string>>;
    readonly isApart?: boolean;
  },
) => Promise<readonly [string, ...string[]]>;
