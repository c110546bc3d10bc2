// Runs gates one after the other, over all repositories: they cost whole minutes of a core, and nobody waits for them. What is
// asked anew before its turn has come takes the place of what was asked before, and waits until its side is quiet again.

import { messageOf } from "../protocol/errors.ts";
import type { Clock } from "../ports/machine.ts";

export type GateJob = (signal: AbortSignal) => Promise<void>;

interface Waiting {
  readonly fromMs: number;
  readonly job: GateJob;
}

export class QuietQueue {
  readonly #clock: Clock;
  readonly #log: (line: string) => void;
  readonly #waiting = new Map<string, Waiting>();
  readonly #closing = new AbortController();
  #running: { readonly key: string; readonly stop: AbortController } | undefined;
  #awake = new AbortController();
  #ended: Promise<void> | undefined;

  constructor(parts: { readonly clock: Clock; readonly log: (line: string) => void }) {
    this.#clock = parts.clock;
    this.#log = parts.log;
  }

  /** Soon, but not before `settleMs` have passed without this being asked again. */
  ask(key: string, settleMs: number, job: GateJob): void {
    if (this.#closing.signal.aborted) return;
    this.#waiting.delete(key);
    this.#waiting.set(key, { fromMs: this.#clock.monotonicMs() + settleMs, job });
    this.#awake.abort();
    this.#ended ??= this.#run();
  }

  /** Drops what is asked under keys that begin so, and stops it if it is under way. */
  forget(prefix: string): void {
    for (const key of this.#waiting.keys()) if (key.startsWith(prefix)) this.#waiting.delete(key);
    if (this.#running?.key.startsWith(prefix) === true) this.#running.stop.abort();
  }

  async close(): Promise<void> {
    this.#closing.abort();
    this.#waiting.clear();
    this.#running?.stop.abort();
    await this.#ended;
  }

  async #run(): Promise<void> {
    while (this.#waiting.size > 0 && !this.#closing.signal.aborted) {
      this.#awake = new AbortController();
      const nowMs = this.#clock.monotonicMs();
      const next = [...this.#waiting].find(([, { fromMs }]) => fromMs <= nowMs);
      if (next === undefined) {
        const firstMs = Math.min(...[...this.#waiting.values()].map(({ fromMs }) => fromMs));
        await this.#clock.sleep(firstMs - nowMs, AbortSignal.any([this.#awake.signal, this.#closing.signal]));
        continue;
      }
      const [key, { job }] = next;
      this.#waiting.delete(key);
      const stop = new AbortController();
      this.#running = { key, stop };
      try {
        await job(stop.signal);
      } catch (cause) {
        this.#log(`gate: ${messageOf(cause)}`);
      } finally {
        this.#running = undefined;
      }
    }
    this.#ended = undefined;
  }
}
