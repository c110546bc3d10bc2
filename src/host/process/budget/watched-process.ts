// A process of this very program that reads repositories, seen from the one that started it. It keeps its own time (own-budgets.ts); its memory, and
// whether it stands still without using the processor, is looked at from here. However it ends, what it was asking is known.

import { readFileSync } from "node:fs";
import { closeSync } from "node:fs";
import { setPriority } from "node:os";
import { ownEnvironment } from "../own-command.ts";
import { type Asking, makeRecord, readAsking, readBeat } from "./question-record.ts";

export interface ProcessLimits {
  /** So much of its processor time without a turn of its event loop ends it. */
  readonly holdMs: number;
  readonly memoryBytes: number;
}

/** Why it ended, in words that follow "not checked: ". */
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

const lookMs = 1_000;
/** One that waits for a pipe or a disk uses no processor time: after so many times its budget by the clock it is ended too. */
const patience = 10;
const pageBytes = 4_096;

export class WatchedProcess {
  readonly #parts: WatchedParts;
  readonly #record = makeRecord();
  readonly #child: Bun.Subprocess;
  readonly #look: ReturnType<typeof setInterval>;
  #last = { beat: -1, ms: performance.now() };
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
    this.#child.kill("SIGKILL");
    await this.#child.exited;
  }

  #lookAt(): void {
    const { holdMs, memoryBytes } = this.#parts.limits;
    const beat = readBeat(this.#record);
    if (beat !== this.#last.beat) this.#last = { beat, ms: performance.now() };
    const stoodMs = performance.now() - this.#last.ms;
    if (this.rssBytes > memoryBytes) this.#end(`it needs more than ${megabytes(memoryBytes)} of memory`);
    else if (stoodMs > patience * holdMs) this.#end(`it took more than ${seconds(patience * holdMs)}`);
  }

  #end(why: string): void {
    this.#why ??= why;
    this.#child.kill("SIGKILL");
  }

  #ended(code: number | null, signal: number | string | null): void {
    clearInterval(this.#look);
    const asking = readAsking(this.#record);
    closeSync(this.#record);
    if (this.#isAskedToEnd || code === 0) return this.#parts.ended(undefined);
    const overTime = isTimers(signal)
      ? `it took more than ${seconds(this.#parts.limits.holdMs)} of processor time`
      : undefined;
    const why = this.#why ?? overTime ?? `the program that read it ended by ${signal ?? `exit code ${code}`}`;
    this.#parts.ended({ why, asking });
  }
}

const sigProf = 27;
const isTimers = (signal: number | string | null): boolean => signal === "SIGPROF" || signal === sigProf;

const seconds = (ms: number): string => `${ms < 10_000 ? ms / 1_000 : Math.round(ms / 1_000)} s`;
const megabytes = (bytes: number): string => `${Math.round(bytes / 1024 / 1024)} MB`;

/** Undefined where the system does not say; then only time is bounded. */
function rssOf(pid: number): number | undefined {
  try {
    const pages = readFileSync(`/proc/${pid}/statm`, "latin1").split(" ")[1];
    return Number(pages) * pageBytes;
  } catch {
    return undefined;
  }
}
