// The real clock and the real source of randomness.

import type { Clock, Random } from "../../ports/machine.ts";
import { settledMs } from "../../ports/witnessed-time.ts";
import { witnessedNow } from "./kept-time.ts";

export const systemClock: Clock = {
  nowMs: () => Date.now(),
  settledMs: (madeMs) => settledMs(witnessedNow(), madeMs),
  monotonicMs: () => performance.now(),
  sleep(ms, signal) {
    return new Promise((resolve) => {
      if (signal?.aborted) return resolve();
      const timer = setTimeout(done, ms);
      function done(): void {
        clearTimeout(timer);
        signal?.removeEventListener("abort", done);
        resolve();
      }
      signal?.addEventListener("abort", done, { once: true });
    });
  },
};

export const systemRandom: Random = {
  bytes: (count) => crypto.getRandomValues(new Uint8Array(count)),
  fraction: () => Math.random(),
};
