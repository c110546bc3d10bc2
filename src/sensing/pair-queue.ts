// Pairs that wait to be looked at, each once: those a hook or the watch asked for first.

import { isElsewhere } from "../protocol/elsewhere.ts";
import type { PairSide } from "../protocol/findings.ts";

export type Pair = readonly [ours: string, theirs: string];

/** Stands for the default branch among paths: no path is empty. */
export const defaultBranchSide = "";

export class PairQueue {
  readonly #urgent = new Map<string, Pair>();
  readonly #later = new Map<string, Pair>();

  get size(): number {
    return this.#urgent.size + this.#later.size;
  }

  get hasUrgent(): boolean {
    return this.#urgent.size > 0;
  }

  put(one: string, other: string, isUrgent: boolean): void {
    if (one === other) return;
    const pair = ordered(one, other);
    const key = pair.join("\0");
    if (isUrgent) {
      this.#later.delete(key);
      this.#urgent.set(key, pair);
    } else if (!this.#urgent.has(key)) this.#later.set(key, pair);
  }

  /** The next ones, of one urgency. */
  take(most: number): Pair[] {
    const queue = this.hasUrgent ? this.#urgent : this.#later;
    const taken: Pair[] = [];
    for (const [key, pair] of queue) {
      if (taken.length === most) break;
      queue.delete(key);
      taken.push(pair);
    }
    return taken;
  }
}

/** In one order, so that a pair is one pair; the default branch always comes second. */
function ordered(one: string, other: string): Pair {
  if (one === defaultBranchSide) return [other, one];
  return one < other || other === defaultBranchSide ? [one, other] : [other, one];
}

/** A side as the queues of pairs name it: its worktree, the ref of another machine's, else the branch that work lands on. */
export const queuedName = ({ worktree, branch }: Pick<PairSide, "worktree" | "branch">): string =>
  worktree ?? (isElsewhere(branch) ? branch : defaultBranchSide);

/** As its identity in findings begins. */
export const identityOfQueued = (name: string, landing: string | undefined): string =>
  name === defaultBranchSide ? `branch ${landing}` : isElsewhere(name) ? `branch ${name}` : `worktree ${name}`;

/** One of the two must stand on this machine. */
export const isOursToCompare = (one: string, other: string): boolean =>
  [one, other].some((name) => name !== defaultBranchSide && !isElsewhere(name));
