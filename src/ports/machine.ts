// Declares what the program asks of the machine. Core and floor see only these; host/ holds the real ones and, beside each, a fake that
// passes the same suite.

export interface Clock {
  /** Milliseconds since 1970, UTC. May jump. */
  nowMs(): number;
  /**
   * The present for deciding that something is over, or old enough to go: not ahead of the time that was seen to pass, whatever the
   * wall says (witnessed-time.ts). What was made since the wall jumped (`madeMs`) is measured by the wall.
   */
  settledMs(madeMs?: number): number;
  /** Milliseconds on a clock that never jumps, for deadlines. */
  monotonicMs(): number;
  /** Resolves after the time has passed, or at once when the signal aborts. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}

export interface Random {
  bytes(count: number): Uint8Array;
  /** Between 0 (included) and 1 (excluded). */
  fraction(): number;
}

export interface RunOptions {
  cwd?: string;
  /** The whole environment of the child; nothing is inherited. */
  env: Readonly<Record<string, string>>;
  stdin?: string | Uint8Array;
  /** The child and what it started are ended past this; the outcome says `timedOut`. */
  deadlineMs: number;
  /** Output past this many bytes ends the child; the outcome says `truncated`. Default 64 MiB. */
  maxOutputBytes?: number;
  signal?: AbortSignal;
  /** End it when it waits to open a named pipe that nobody is at the other end of; the outcome says `waitedForPipe`, and `timedOut`. */
  endsAtPipe?: boolean;
  /** What the program itself left running is neither waited for nor ended, in its group or out of it. */
  leavesOthers?: boolean;
}

export interface RunOutcome {
  /** null when a signal ended it. */
  code: number | null;
  signal: string | null;
  stdout: Uint8Array;
  stderr: string;
  timedOut: boolean;
  truncated: boolean;
  waitedForPipe?: boolean;
}

/** Runs a program to its end. Throws an Outage only when it cannot be started at all. */
export interface Processes {
  run(command: readonly string[], options: RunOptions): Promise<RunOutcome>;
}

/** One process, told apart from a later one with the same number. `token` is opaque: `[0-9a-z-]`, at most 40 long. */
export interface ProcessMark {
  readonly pid: number;
  readonly token: string;
}

export interface Liveness {
  /** The process that runs this code. */
  self(): ProcessMark;
  /** True only when it is certain that this very process has ended; not knowing is false. */
  isProvenDead(process: ProcessMark): boolean;
}
