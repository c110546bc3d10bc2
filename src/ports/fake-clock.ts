// A clock that stands still until a test moves it, and a source of randomness that repeats.

import type { Clock, Random } from "./machine.ts";
import { type Moment, settledMs, witness, type Witnessed } from "./witnessed-time.ts";

export class FakeClock implements Clock {
  #nowMs: number;
  #monotonicMs = 0;
  #witnessed: Witnessed;
  #sleepers: { wakeAtMs: number; wake: () => void }[] = [];

  constructor(nowMs = Date.UTC(2026, 0, 2, 3, 4, 5)) {
    this.#nowMs = nowMs;
    this.#witnessed = witness(undefined, this.#moment());
  }

  settledMs(madeMs?: number): number {
    this.#witnessed = witness(this.#witnessed, this.#moment());
    return settledMs(this.#witnessed, madeMs);
  }

  #moment(): Moment {
    return { boot: "fake", upMs: this.#monotonicMs, wallMs: this.#nowMs };
  }

  nowMs(): number {
    return this.#nowMs;
  }

  monotonicMs(): number {
    return this.#monotonicMs;
  }

  sleep(ms: number, signal?: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      if (signal?.aborted) return resolve();
      const sleeper = { wakeAtMs: this.#monotonicMs + ms, wake: resolve };
      this.#sleepers.push(sleeper);
      const callOff = (): void => {
        this.#sleepers = this.#sleepers.filter((other) => other !== sleeper);
        resolve();
      };
      signal?.addEventListener("abort", callOff, { once: true });
    });
  }

  /** The number of sleepers. A test waits for this instead of for time. */
  get sleeping(): number {
    return this.#sleepers.length;
  }

  /** Time passes; sleepers whose time has come wake, in order. */
  advance(ms: number): void {
    this.#nowMs += ms;
    this.#monotonicMs += ms;
    const due = this.#sleepers.filter((sleeper) => sleeper.wakeAtMs <= this.#monotonicMs);
    this.#sleepers = this.#sleepers.filter((sleeper) => sleeper.wakeAtMs > this.#monotonicMs);
    for (const sleeper of due.sort((a, b) => a.wakeAtMs - b.wakeAtMs)) sleeper.wake();
  }

  /** The wall clock is set, as by a person or NTP; the monotonic one does not notice. */
  jumpTo(nowMs: number): void {
    this.#nowMs = nowMs;
  }
}

/** Deterministic: the same seed gives the same bytes. */
export function seededRandom(seed = 1): Random {
  let state = seed >>> 0;
  const next = (): number => {
    // mulberry32
    state = (state + 0x6d2b79f5) >>> 0;
    let t = state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
  return { bytes: (count) => Uint8Array.from({ length: count }, () => Math.floor(next() * 256)), fraction: next };
}
