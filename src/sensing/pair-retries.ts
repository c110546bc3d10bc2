// Pairs that could not be compared because something failed: git was ended, an object was being moved, a mistake of ours. Nothing in the two may
// ever change again, so that nobody would ask; they are looked at again after a while, ever more rarely.

import type { PairVerdict } from "../protocol/findings.ts";
import { type Pair, queuedName } from "./pair-queue.ts";

interface Failed {
  readonly pair: Pair;
  readonly times: number;
  readonly dueMs: number;
}

export class PairRetries {
  readonly #firstMs: number;
  readonly #mostMs: number;
  readonly #failed = new Map<string, Failed>();

  constructor(firstMs: number, mostMs: number) {
    this.#firstMs = firstMs;
    this.#mostMs = mostMs;
  }

  /** Takes in what was said of pairs just now. */
  heard(verdicts: readonly PairVerdict[], nowMs: number): void {
    for (const { ours, theirs, open } of verdicts) {
      const pair: Pair = [queuedName(ours), queuedName(theirs)];
      const key = pair.toSorted().join("\0");
      const times = (this.#failed.get(key)?.times ?? 0) + 1;
      const afterMs = Math.min(this.#mostMs, this.#firstMs * 2 ** (times - 1));
      if (open.some(({ mayPass }) => mayPass === true)) this.#failed.set(key, { pair, times, dueMs: nowMs + afterMs });
      else this.#failed.delete(key);
    }
  }

  /** Those whose time has come, each once. */
  take(nowMs: number): Pair[] {
    const due: Pair[] = [];
    for (const [key, failed] of this.#failed) {
      if (failed.dueMs > nowMs) continue;
      this.#failed.set(key, { ...failed, dueMs: Infinity });
      due.push(failed.pair);
    }
    return due;
  }

  /** Returns how long there is nothing to do. */
  restMs(nowMs: number): number {
    let dueMs = Infinity;
    for (const failed of this.#failed.values()) dueMs = Math.min(dueMs, failed.dueMs);
    return Math.max(1, dueMs - nowMs);
  }

  forget(path: string): void {
    for (const [key, { pair }] of this.#failed) if (pair.includes(path)) this.#failed.delete(key);
  }
}
