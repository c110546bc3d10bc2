// Declares what schedules ask of the machine: their files, a way to an agent's inbox, verbs that run in a process of their own, and the
// command that ends a loop.

export interface ScheduleFiles {
  /** One at a time, in this process and in others. */
  exclusively<T>(work: () => Promise<T>): Promise<T>;
  /** The path of cron.toml, for people. */
  readonly cronPath: string;
  readCron(): string | undefined;
  /** Whole or not at all. */
  writeCron(text: string): void;
  /** The mark of each line that the owner accepted, by its label. */
  acceptedCrons(): ReadonlyMap<string, string>;
  writeAcceptedCrons(marks: ReadonlyMap<string, string>): void;
  /** The ids of all loops. */
  listLoops(): readonly string[];
  loopPath(id: string): string;
  readLoop(id: string): string | undefined;
  writeLoop(id: string, text: string): void;
  removeLoop(id: string): void;
}

/** A line of cron.toml that was written by hand and that the owner has not accepted. */
export interface WaitingCron {
  readonly label: string;
  readonly mark: string;
  /** The whole entry, as it would be carried out. */
  readonly text: string;
}

export interface ScheduledPrompt {
  /** Absent: one is made. */
  readonly id?: string;
  /** The same key twice is one message. */
  readonly key: string;
  readonly from: "agentcron" | "agentloop";
  readonly to: string;
  readonly text: string;
}

export type VerbLook =
  | { readonly state: "none" | "running" | "lost" }
  | { readonly state: "ended"; readonly exit: number; readonly says: string };

/** Each key runs at most once, whoever begins it and however often, until it is forgotten. */
export interface VerbRuns {
  begin(key: string, words: readonly string[]): void;
  look(key: string): VerbLook;
  /** Ends it if it runs. */
  end(key: string): void;
  forget(key: string): void;
  /** Forgets what has ended and is none of these: verbs that were replaced. */
  sweep(open: readonly string[]): void;
}

export interface CommandOutcome {
  /** False when it could not be started, ran into its deadline or died of a signal. */
  readonly ran: boolean;
  readonly exit?: number | undefined;
  readonly says?: string | undefined;
  /** A hash of the end of what it printed: enough to see that it is another. */
  readonly printed?: string | undefined;
}

export interface ScheduleMachine {
  readonly files: ScheduleFiles;
  readonly verbs: VerbRuns;
  /** Throws when it could not be put there. */
  prompt(letter: ScheduledPrompt): void;
  /** A command of a loop, as nobody. Without a directory: the root directory. Undefined: we stop, and nothing is known. */
  runUntil(command: string, directory: string | undefined): Promise<CommandOutcome | undefined>;
  /** For fault tests. */
  step(name: string): void;
}
