// Limits how many directories this process may watch, over all repositories together. The machine's limit is the user's, shared with every
// editor and build tool: a program that takes all of it breaks them. Busy worktrees come before resting ones: when there is not enough left,
// worktrees where nothing happened for a while give their watches back and are polled instead. Whoever asks for a few, to watch where the work of
// a worktree is, gets them from those that hold many: a hundred worktrees watched in part are worth more than five watched in full.

import { readFileSync } from "node:fs";

/** One worktree, as far as its watches go. */
export interface WatchHolder {
  /** The time when something last happened there. */
  readonly activeMs: number;
  /** It has no more than a few, where the work is, and keeps them. */
  readonly isModest?: boolean;
  /** Ends its watches: somebody else needs them more. */
  giveUp(): void;
}

/** A worktree comes before another if it was active this much later: else two that take turns would take each other's watches. */
const aheadMs = 10 * 60_000;
/** Whoever has no more than this is watched where its work is, and nowhere else. */
export const modestCount = 128;

export class WatchBudget {
  readonly most: number;
  readonly #held = new Map<WatchHolder, number>();
  #used = 0;

  constructor(most: number) {
    this.most = most;
  }

  get used(): number {
    return this.#used;
  }

  /** Takes so many more for the holder; false when there are not enough, and then nothing is different. */
  take(holder: WatchHolder, count: number): boolean {
    const missing = this.#used + count - this.most;
    if (missing > 0) {
      const resting =
        this.#thatRest(holder, missing) ?? (holder.isModest === true ? this.#thatHoldMany(missing) : undefined);
      if (resting === undefined) return false;
      for (const one of resting) {
        this.giveBack(one);
        one.giveUp();
      }
    }
    this.#held.set(holder, (this.#held.get(holder) ?? 0) + count);
    this.#used += count;
    return true;
  }

  giveBack(holder: WatchHolder, count = this.#held.get(holder) ?? 0): void {
    const left = (this.#held.get(holder) ?? 0) - count;
    this.#used -= count;
    if (left > 0) this.#held.set(holder, left);
    else this.#held.delete(holder);
  }

  /** Those that have rested longest and hold enough together; undefined when they do not. */
  #thatRest(before: WatchHolder, missing: number): WatchHolder[] | undefined {
    const resting = [...this.#held].filter(
      ([one]) => one !== before && one.isModest !== true && before.activeMs - one.activeMs >= aheadMs,
    );
    const going: WatchHolder[] = [];
    let free = 0;
    for (const [one, count] of resting.sort(([one], [other]) => one.activeMs - other.activeMs)) {
      if (free >= missing) break;
      going.push(one);
      free += count;
    }
    return free >= missing ? going : undefined;
  }

  /** The one that rested longest among those that hold far more than a modest share; undefined when that is not enough. */
  #thatHoldMany(missing: number): WatchHolder[] | undefined {
    const many = [...this.#held].filter(([, count]) => count > 2 * modestCount && count >= missing);
    const [first] = many.sort(([one, held], [other, holds]) => one.activeMs - other.activeMs || holds - held);
    return first === undefined ? undefined : [first[0]];
  }
}

const shareOfLimit = 4;

/** Allows the watches that were asked for, but never more than a quarter of what the user may watch on this machine. */
export function watchBudget(wanted: number, limit: number | undefined = userLimit()): WatchBudget {
  return new WatchBudget(limit === undefined ? wanted : Math.min(wanted, Math.floor(limit / shareOfLimit)));
}

/** undefined where the kernel has no such limit to tell of. */
function userLimit(): number | undefined {
  try {
    const limit = Number(readFileSync("/proc/sys/fs/inotify/max_user_watches", "latin1"));
    return Number.isSafeInteger(limit) && limit > 0 ? limit : undefined;
  } catch {
    return undefined; // another kernel
  }
}
