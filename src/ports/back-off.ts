// How long to leave something alone that keeps failing: a second at first, twice as long each time, half a minute at most, so that it
// goes on by itself soon after the cause is gone. In memory: whoever begins anew tries at once.

const firstMs = 1_000;
const longestMs = 30_000;

export const backOffMs = (failures: number): number => Math.min(longestMs, firstMs * 2 ** Math.max(0, failures - 1));

interface Failing {
  readonly failures: number;
  readonly untilMs: number;
  readonly problem: string;
}

/** What failed, by its id. Times are of the monotonic clock. */
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

  /** Why the last try failed; undefined when it did not. */
  problemOf(id: string): string | undefined {
    return this.#failing.get(id)?.problem;
  }
}
