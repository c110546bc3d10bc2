// Finds the answers that are late. One timer serves all that are waited for: a timer for each request was a part of its cost that could be
// measured.

export const late = Symbol("late");

interface Waiting {
  readonly dueMs: number;
  readonly resolve: (what: typeof late) => void;
}

export class LateAnswers {
  readonly #afterMs: number;
  /** The oldest first: all wait equally long. */
  readonly #waiting = new Set<Waiting>();
  #isTimed = false;

  constructor(afterMs: number) {
    this.#afterMs = afterMs;
  }

  /** The answer, or `late` when it is not known in time. */
  inTime<T>(answer: Promise<T>): Promise<T | typeof late> {
    return new Promise((resolve, reject) => {
      const one: Waiting = { dueMs: performance.now() + this.#afterMs, resolve };
      this.#waiting.add(one);
      if (!this.#isTimed) this.#lookIn(this.#afterMs);
      const over =
        <Value>(tell: (value: Value) => void) =>
        (value: Value): void => {
          this.#waiting.delete(one);
          tell(value);
        };
      answer.then(over(resolve), over(reject));
    });
  }

  #lookIn(ms: number): void {
    this.#isTimed = true;
    setTimeout(() => this.#look(), ms).unref();
  }

  #look(): void {
    this.#isTimed = false;
    const nowMs = performance.now();
    for (const one of this.#waiting) {
      if (one.dueMs > nowMs) return this.#lookIn(one.dueMs - nowMs);
      this.#waiting.delete(one);
      one.resolve(late);
    }
  }
}
