// Decides how much a program that works for us may cost. It is judged by the processor time it used itself, so that a busy machine makes it
// slow, not late; the clock counts only where it stands still, or where the machine does not tell.

import { readFileSync } from "node:fs";

export interface Cost {
  readonly cpuMs: number;
  readonly bytes: number;
}

export interface Budget {
  readonly cpuMs: number;
  readonly memoryBytes: number;
}

/** `late`: it used up its time. `still`: it does nothing any more, or hardly gets to do anything. `large`: it used up its memory. */
export type Overrun = "late" | "still" | "large";

/** Without a hundredth of a core for so long, a program waits for something that does not come. */
const stillMs = 30_000;
const stillShare = 0.01;
/** However busy the machine is, an answer that takes more than this many times its budget by the clock helps nobody. */
const patience = 10;
const leastPatienceMs = 60_000;

/** Returns the time that a piece of work may take by the clock. */
export const patienceMs = (cpuMs: number): number => Math.max(leastPatienceMs, patience * cpuMs);

/** Watches one piece of work from its beginning. `costOf` is asked now and then; undefined where the machine does not tell. */
export class WorkBudget {
  readonly #budget: Budget;
  readonly #begunMs: number;
  #cpuMs = 0;
  /** The machine tells what processes cost. */
  #isTold = false;
  #mark: { readonly atMs: number; readonly cpuMs: number };

  constructor(budget: Budget, nowMs: number) {
    this.#budget = budget;
    this.#begunMs = nowMs;
    this.#mark = { atMs: nowMs, cpuMs: 0 };
  }

  /** The processor time seen so far: what a process used that has ended meanwhile stays counted. */
  get cpuMs(): number {
    return this.#cpuMs;
  }

  overrun(cost: Cost | undefined, nowMs: number): Overrun | undefined {
    const { cpuMs, memoryBytes } = this.#budget;
    const passedMs = nowMs - this.#begunMs;
    this.#isTold ||= cost !== undefined;
    if (!this.#isTold) return passedMs > cpuMs ? "late" : undefined;
    if ((cost?.bytes ?? 0) > memoryBytes) return "large";
    // Between two processes of one piece of work there may be none to be seen.
    this.#cpuMs = Math.max(this.#cpuMs, cost?.cpuMs ?? 0);
    if (this.#cpuMs > cpuMs) return "late";
    if (passedMs > patienceMs(cpuMs)) return "still";
    if (nowMs - this.#mark.atMs < stillMs) return undefined;
    const share = (this.#cpuMs - this.#mark.cpuMs) / (nowMs - this.#mark.atMs);
    this.#mark = { atMs: nowMs, cpuMs: this.#cpuMs };
    return share < stillShare ? "still" : undefined;
  }
}

const tickMs = 10;
const pageBytes = 4096;

/** Returns the cost of these processes so far, with those of their children that have ended. Undefined if none of them can be seen. */
export function costOf(pids: readonly number[]): Cost | undefined {
  let sum: { cpuMs: number; bytes: number } | undefined;
  for (const pid of pids) {
    const one = costOfOne(pid);
    if (one !== undefined) sum = { cpuMs: (sum?.cpuMs ?? 0) + one.cpuMs, bytes: (sum?.bytes ?? 0) + one.bytes };
  }
  return sum;
}

function costOfOne(pid: number): Cost | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
    // After the name, which may hold anything: the state is the first, then utime, stime, cutime and cstime from the twelfth on; rss is the 22nd.
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    const ticks = fields.slice(11, 15).reduce((all, one) => all + Number(one), 0);
    return { cpuMs: ticks * tickMs, bytes: Number(fields[21]) * pageBytes };
  } catch {
    return undefined; // it has ended, or there is no /proc
  }
}
