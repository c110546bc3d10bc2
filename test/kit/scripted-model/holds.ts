// Answers held back until a test lets them go. A name once released stays so until a reset, so that the order of holding and
// releasing does not matter.

export class Holds {
  readonly #waiting = new Map<string, Set<() => void>>();
  readonly #released = new Set<string>();

  /** Resolves when the name is released, or at the signal. */
  wait(name: string, signal: AbortSignal): Promise<void> {
    if (this.#released.has(name) || signal.aborted) return Promise.resolve();
    const waiting = this.#waiting.get(name) ?? new Set();
    this.#waiting.set(name, waiting);
    return new Promise((resolve) => {
      const end = (): void => {
        waiting.delete(end);
        if (waiting.size === 0 && this.#waiting.get(name) === waiting) this.#waiting.delete(name);
        resolve();
      };
      waiting.add(end);
      signal.addEventListener("abort", end, { once: true });
    });
  }

  get names(): readonly string[] {
    return [...this.#waiting.keys()];
  }

  release(name: string): void {
    this.#released.add(name);
    for (const end of this.#waiting.get(name) ?? []) end();
  }

  /** Forgets what was released; what waits goes on waiting. */
  reset(): void {
    this.#released.clear();
  }
}
