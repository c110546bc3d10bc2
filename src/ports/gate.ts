// Running a repository's own gate (its tests, its build) on a tree: opt-in, because it runs the repository's code.

export interface GateRequest {
  readonly tree: string;
  /** One shell command, as the repository's constel.toml has it. */
  readonly command: string;
  readonly deadlineMs: number;
  readonly signal?: AbortSignal;
}

export interface GateRun {
  /** `not-run`: it could not be started or did not end in time, which says nothing about the tree. */
  readonly outcome: "green" | "red" | "not-run";
  /** The end of what it printed, or why it did not run. */
  readonly detail: string;
  /** Red when it was tried again. */
  readonly confirmed?: boolean;
}

export interface GateRunner {
  run(request: GateRequest): Promise<GateRun>;
}

/** What a run is of. */
export interface GateSubject {
  readonly command: string;
  readonly tree: string;
}

/** Keeps runs by command and tree. Losing an entry costs a run, nothing else. */
export interface GateCache {
  get(subject: GateSubject): Promise<GateRun | undefined> | GateRun | undefined;
  set(subject: GateSubject, run: GateRun): Promise<void> | void;
}
