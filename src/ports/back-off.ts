// Decides how long to leave something alone that keeps failing: a second at first, twice as long each time, half a minute at most, so that
// it goes on by itself soon after the cause is gone. This is kept in memory, so a new process tries at once.

const firstMs = 1_000;
const longestMs = 30_000;

export const backOffMs = (failures: number): number => Math.min(longestMs, firstMs * 2 ** Math.max(0, failures - 1));

interface Failing {
  readonly failures: number;
  readonly untilMs: number;
  readonly problem: string;
}

/** The things that failed, by id. Times are of the monotonic clock. */
export class BackOffs {
  readonly #failing = new Map<string, Failing>();

  failed(id: string, nowMs: number, problem: string): void {
    const failures = (this.#failing.get(id)?.failures ?? 0) + 1;
    this.#failing.set(id, { failures, untilMs: nowMs + backOffMs(failures), problem });
  }

  worked(id: string): void {
    this.#failing.delete(id);
  }

  isResting(id: string, nowMs: number): boolean {
    return nowMs < (this.#failing.get(id)?.untilMs ?? -Infinity);
  }

  /** Returns the reason why the last try failed. Undefined if it did not fail. */
  problemOf(id: string): string | undefined {
    return this.#failing.get(id)?.problem;
  }
}
