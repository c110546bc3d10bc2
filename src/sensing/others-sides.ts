// The sides of other machines that a watched repository's worktrees are compared with. Each is held as it was taken in, until another state of it
// comes or it is withdrawn. They are compared with work on this machine and never with each other: their own machines do that.

import type { Snapshot } from "../ports/git.ts";
import type { ReviewedSide } from "./merged-pair.ts";

export interface TakenInSide {
  readonly ref: string;
  readonly label: string;
  readonly snapshot: Snapshot;
  readonly doubt: string | null;
}

export class OthersSides {
  readonly #sides = new Map<string, ReviewedSide>();

  /** The refs of all of them. */
  get all(): string[] {
    return [...this.#sides.keys()];
  }

  get(ref: string): ReviewedSide | undefined {
    return this.#sides.get(ref);
  }

  /** From now on these and no others. Answers which are new or different, and which are gone. */
  become(sides: readonly TakenInSide[]): { readonly changed: string[]; readonly gone: string[] } {
    const changed: string[] = [];
    const kept = new Set(sides.map(({ ref }) => ref));
    const gone = this.all.filter((ref) => !kept.has(ref));
    for (const ref of gone) this.#sides.delete(ref);
    for (const one of sides) {
      const side = asReviewed(one);
      if (stateOf(this.#sides.get(one.ref)) !== stateOf(side)) changed.push(one.ref);
      this.#sides.set(one.ref, side);
    }
    return { changed, gone };
  }
}

function asReviewed({ ref, label, snapshot, doubt }: TakenInSide): ReviewedSide {
  const { commit, tree } = snapshot;
  const open = doubt === null ? [] : [{ what: "origin" as const, why: doubt }];
  return { side: { label, worktree: null, branch: ref, commit, tree }, snapshot, open };
}

const stateOf = (side: ReviewedSide | undefined): string =>
  JSON.stringify([side?.side.commit, side?.side.label, side?.open, side?.snapshot.context]);
