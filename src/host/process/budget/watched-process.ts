// A process of this very program that reads repositories, seen from the one that started it. It keeps its own time (own-budgets.ts); its memory, and
// whether it stands still without using the processor, is looked at from here. However it ends, what it was asking is known.

import { closeSync, readFileSync } from "node:fs";
import { setPriority } from "node:os";
import { ownEnvironment } from "../own-command.ts";
import { type Asking, makeRecord, readAsking, readBeat } from "./question-record.ts";
import { StartedBy } from "./started-by.ts";

export interface ProcessLimits {
  /** So much of its processor time without a turn of its event loop ends it. */
  readonly holdMs: number;
  readonly memoryBytes: number;
}

/** The reason why it ended, in words that follow "not checked: ". */
export interface ProcessEnd {
  readonly why: string;
  readonly asking: Asking;
}

export interface WatchedParts {
  readonly command: readonly string[];
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly extra?: Readonly<Record<string, string>>;
  readonly limits: ProcessLimits;
  readonly heard: (message: unknown) => void;
  /** Undefined when it was asked to end. */
  readonly ended: (end: ProcessEnd | undefined) => void;
}

const lookMs = 500;
/** One that waits for a pipe or a disk uses no processor time: when it stood still for so many times its budget, it is ended too. */
const patience = 5;
/** The system's own timer should have ended it; where there is none, this does. */
const overdue = 2;
const pageBytes = 4_096;
/** In which the system counts processor time: a hundredth of a second on every Linux. */
const tickMs = 10;

export class WatchedProcess {
  readonly #parts: WatchedParts;
  readonly #record = makeRecord();
  readonly #child: Bun.Subprocess;
  readonly #look: ReturnType<typeof setInterval>;
  readonly #started: StartedBy;
  #last = { beat: -1, ms: performance.now(), usedMs: 0 };
  #why: string | undefined;
  #isAskedToEnd = false;

  constructor(parts: WatchedParts) {
    this.#parts = parts;
    this.#child = Bun.spawn([...parts.command], {
      // Where the caller stands there may be settings of Bun's, and nothing may be there at all any more.
      cwd: "/",
      // A crash is told here and to nobody else.
      env: ownEnvironment(parts.environment, { DO_NOT_TRACK: "1", BUN_ENABLE_CRASH_REPORTING: "0", ...parts.extra }),
      stdio: ["ignore", "ignore", "ignore", this.#record],
      serialization: "advanced",
      ipc: (message: unknown) => parts.heard(message),
      onExit: (_, code, signal) => this.#ended(code, signal),
    });
    this.#child.unref();
    this.#started = new StartedBy(this.#child.pid);
    this.#look = setInterval(() => this.#lookAt(), lookMs);
    this.#look.unref();
  }

  get pid(): number {
    return this.#child.pid;
  }

  get rssBytes(): number {
    return rssOf(this.pid) ?? 0;
  }

  send(message: unknown): void {
    if (this.#child.killed || this.#child.exitCode !== null || this.#child.signalCode !== null) return;
    this.#child.send(message);
  }

  /** Steps back behind others, as `nice` counts. */
  stepBack(niceness: number): void {
    setPriority(this.pid, niceness);
  }

  /** Ends it now, whatever it is in the middle of. */
  async kill(): Promise<void> {
    this.#isAskedToEnd = true;
    this.#started.look();
    this.#child.kill("SIGKILL");
    await this.#child.exited;
    await this.#started.end();
  }

  #lookAt(): void {
    const { holdMs, memoryBytes } = this.#parts.limits;
    this.#started.look();
    const beat = readBeat(this.#record);
    const usedMs = usedBy(this.pid);
    if (beat !== this.#last.beat) this.#last = { beat, ms: performance.now(), usedMs: usedMs ?? 0 };
    const workedMs = usedMs === undefined ? undefined : usedMs - this.#last.usedMs;
    const stoodMs = performance.now() - this.#last.ms - (workedMs ?? 0);
    if (this.rssBytes > memoryBytes) this.#end(`it needs more than ${megabytes(memoryBytes)} of memory`);
    else if ((workedMs ?? 0) > overdue * holdMs) this.#end(tooLong(holdMs));
    else if (stoodMs > patience * holdMs && (workedMs ?? 0) < holdMs / 10)
      this.#end(`it took more than ${seconds(patience * holdMs)}`);
  }

  #end(why: string): void {
    this.#why ??= why;
    this.#started.look();
    this.#child.kill("SIGKILL");
  }

  #ended(code: number | null, signal: number | string | null): void {
    clearInterval(this.#look);
    const asking = readAsking(this.#record);
    closeSync(this.#record);
    if (this.#isAskedToEnd || code === 0) return this.#parts.ended(undefined);
    void this.#started.end();
    const overTime = isTimers(signal) ? tooLong(this.#parts.limits.holdMs) : undefined;
    const why = this.#why ?? overTime ?? `the program that read it ended by ${signal ?? `exit code ${code}`}`;
    this.#parts.ended({ why, asking });
  }
}

const sigProf = 27;
const isTimers = (signal: number | string | null): boolean => signal === "SIGPROF" || signal === sigProf;

const seconds = (ms: number): string => `${ms < 10_000 ? ms / 1_000 : Math.round(ms / 1_000)} s`;
const megabytes = (bytes: number): string => `${Math.round(bytes / 1024 / 1024)} MB`;

const tooLong = (holdMs: number): string => `it took more than ${seconds(holdMs)} of processor time`;

/** Processor time; undefined where the system does not say. */
function usedBy(pid: number): number | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, "latin1");
    // What stands before the last bracket is a name, with anything in it.
    const fields = text.slice(text.lastIndexOf(")") + 2).split(" ");
    return (Number(fields[11]) + Number(fields[12])) * tickMs;
  } catch {
    return undefined;
  }
}

/** Undefined where the system does not say; then only time is bounded. */
function rssOf(pid: number): number | undefined {
  try {
    const pages = readFileSync(`/proc/${pid}/statm`, "latin1").split(" ")[1];
    return Number(pages) * pageBytes;
  } catch {
    return undefined;
  }
}
