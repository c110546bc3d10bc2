// Running a repository's own gate (its tests, its build): the one meaning of its answer, whoever asks. `check --gate` and the
// daemon run it on trees that nobody has committed, a harvest on the commits it is about to push.

export interface GateRequest {
  readonly tree: string;
  /** One shell command, as constel.toml or the owner has it. */
  readonly command: string;
  readonly deadlineMs: number;
  readonly signal?: AbortSignal;
}

export interface GateRun {
  /**
   * `green`: it ended with 0. `red`: it ended otherwise, or was ended by a signal that was not ours. `not-run`: it could not be
   * started, or we ended it (at its deadline, because it printed without end, because the caller stopped). Only green lands.
   */
  readonly outcome: "green" | "red" | "not-run";
  /** The end of what it printed, or why it did not run. */
  readonly detail: string;
  /** Ended because the caller wanted to stop: nothing at all follows from it. */
  readonly isStopped?: boolean;
  /** Red when it was tried again. */
  readonly confirmed?: boolean;
}

export interface GateRunner {
  run(request: GateRequest): Promise<GateRun>;
}

/** The command that a run executes, and the tree that it runs on. */
export interface GateSubject {
  readonly command: string;
  readonly tree: string;
}

/** Keeps runs by command and tree. Losing an entry costs a run, nothing else. */
export interface GateCache {
  get(subject: GateSubject): Promise<GateRun | undefined> | GateRun | undefined;
  set(subject: GateSubject, run: GateRun): Promise<void> | void;
}
