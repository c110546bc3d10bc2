// Remembers the mailboxes that were found empty and have not changed since, for callers that look after many of them: two stats instead of a
// walk through four directories. With a hundred agents each finished delivery causes a look at all of them, and a message to all would cost
// a hundred times a hundred walks. It only ever saves a look; the look itself says what is in a mailbox.

import { type BigIntStats, statSync } from "node:fs";
import { join } from "node:path";
import type { Bus } from "./bus.ts";
import { directoryOf } from "./mailbox.ts";

/** Two changes within this time may leave the same time on a directory: the kernel's clock for files ticks every 1 to 10 ms. */
const tickMs = 50;
/** Some file systems tell whole seconds. */
const coarseTickMs = 2_500;

export class EmptyMailboxes {
  readonly #bus: Pick<Bus, "home" | "clock">;
  readonly #signs = new Map<string, string>();

  constructor(bus: Pick<Bus, "home" | "clock">) {
    this.#bus = bus;
  }

  /** Tells whether it was empty at the last look. */
  isKnown(agent: string): boolean {
    return this.#signs.has(agent);
  }

  isStillEmpty(agent: string): boolean {
    const known = this.#signs.get(agent);
    return known !== undefined && known === this.signOf(agent);
  }

  /** `sign` was taken before the look that found it empty or not. */
  note(agent: string, sign: string | undefined, isEmpty: boolean): void {
    if (isEmpty && sign !== undefined) this.#signs.set(agent, sign);
    else this.#signs.delete(agent);
  }

  /**
   * Returns a sign that differs once its directories change. Undefined when a change might not show: one is missing, or changed just now.
   */
  signOf(agent: string): string | undefined {
    const nowMs = this.#bus.clock.nowMs();
    const parts = ["inbox", "processing"].map((room) => {
      const path = join(this.#bus.home, directoryOf(agent), room);
      const stat = statSync(path, { bigint: true, throwIfNoEntry: false });
      return stat === undefined || isFresh(stat, nowMs) ? undefined : `${stat.dev} ${stat.ino} ${stat.ctimeNs}`;
    });
    return parts.includes(undefined) ? undefined : parts.join();
  }
}

function isFresh({ ctimeNs }: BigIntStats, nowMs: number): boolean {
  const ageMs = nowMs - Number(ctimeNs / 1_000_000n);
  return ageMs < (ctimeNs % 1_000_000_000n === 0n ? coarseTickMs : tickMs);
}
