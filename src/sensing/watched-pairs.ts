// Finds the pairs of a watched repository that can be compared and are not what they were when they were last reported, what each side is,
// and how git merges them.

import { pairKey } from "../core/findings/lifecycle.ts";
import { suspicionOf } from "../ports/budget.ts";
import type { MergeOptions, MergeOutcome, RepositoryObserver, SnapshotPair } from "../ports/git.ts";
import { hasLanded, settle, unsettled } from "./landed.ts";
import type { ReviewedSide } from "./merged-pair.ts";
import type { OthersSides } from "./others-sides.ts";
import { defaultBranchSide, identityOfQueued, isOursToCompare, type Pair } from "./pair-queue.ts";
import { type DefaultBranch, defaultAsSide, flagsOf, sideOf, type WatchedWorktree } from "./watched-worktree.ts";
import type { WatchedRepository } from "./watched-repository.ts";

export interface OpenPair {
  readonly ours: ReviewedSide;
  readonly theirs: ReviewedSide;
  readonly key: string;
  /** The pair's state now: a pair with the mark of its last report need not be looked at. */
  readonly mark: string;
  /** One of the two has landed and is here only for what it has claimed. */
  readonly isOver: boolean;
  readonly queued: Pair;
  readonly merge: MergeOutcome;
}

export interface WatchedPairsParts {
  readonly observer: RepositoryObserver;
  readonly watched: WatchedRepository;
  readonly others: OthersSides;
  /** Tells whether whoever works there has claimed something: then it counts even with no work of its own. */
  readonly hasClaims: (worktree: string) => boolean;
  /** The work of this worktree has landed, or is no longer all landed: its pairs are to be looked at. */
  readonly landedChanged: (path: string) => void;
}

/** `seen`: what of it counts for the mark of a pair. */
type Side = ReviewedSide & { readonly isOver: boolean; readonly seen: string };

const unanswered: MergeOutcome = { kind: "skipped", reason: "failed", detail: "git gave no answer" };

export class WatchedPairs {
  readonly #parts: WatchedPairsParts;
  /** The mark of each pair when it was last reported. */
  readonly #reported = new Map<string, string>();
  /**
   * The number of times each pair was to be worked out anew. It is part of the mark, so that a look under way does not pass for a new one.
   */
  readonly #renewed = new Map<string, number>();

  constructor(parts: WatchedPairsParts) {
    this.#parts = parts;
  }

  /** Something beside the trees is different for the two: what is said of them is worked out anew. */
  renew(one: string, other: string): void {
    const key = JSON.stringify([this.#named(one), this.#named(other)].sort());
    this.#renewed.set(key, (this.#renewed.get(key) ?? 0) + 1);
  }

  reported(marks: ReadonlyMap<string, string>): void {
    for (const [key, mark] of marks) this.#reported.set(key, mark);
  }

  forget(path: string): void {
    for (const known of [this.#reported, this.#renewed]) {
      for (const key of known.keys()) if (isAbout(key, this.#named(path))) known.delete(key);
    }
  }

  /** What was said of this side must be said again, but for what was looked at just now. */
  repeat(side: string, marks: ReadonlyMap<string, string>): void {
    for (const key of this.#reported.keys()) if (isAbout(key, side) && !marks.has(key)) this.#reported.delete(key);
  }

  /** A side whose work has all landed takes part only for what it has claimed. */
  takesPart(path: string): boolean {
    return !this.#isOver(path) || this.#parts.hasClaims(path);
  }

  /**
   * Those of the queued pairs that are open, with git's word on each. While git works out some, `ahead` is told of others, one at a time: what
   * it makes of them holds for those of the answer that have the same key and mark.
   */
  async merged(queued: readonly Pair[], ahead: (pair: OpenPair) => Promise<void>): Promise<OpenPair[]> {
    const { observer, watched } = this.#parts;
    const { landing } = watched;
    const toSettle = unsettled(watched.all(), landing);
    const possible = this.#open(queued);
    const snapshots = possible.map(({ ours, theirs }) => ({ ours: ours.snapshot, theirs: theirs.snapshot }));
    // In one go: whether work has landed comes out of the same merges.
    const asked = [...snapshots, ...toSettle.map(({ pair }) => pair)];
    const meanwhile: MergeOptions["meanwhile"] = async (known, git) => {
      const told = new Set<string>();
      do {
        for (const [at, pair] of possible.entries()) {
          const merge = known[at];
          if (git.isDone()) return;
          if (merge === undefined || told.has(pair.key)) continue;
          told.add(pair.key);
          await ahead({ ...pair, merge });
        }
      } while (await git.more());
    };
    const merges = asked.length === 0 ? [] : await observer.merge(asked, { meanwhile });
    for (const [at, { member, pair }] of toSettle.entries()) {
      if (landing !== undefined) await this.#settle(member, landing, pair, merges[possible.length + at]);
    }
    return this.#open(queued, new Map(possible.map(({ key }, at) => [key, merges[at]])));
  }

  #open(queued: readonly Pair[], merges?: ReadonlyMap<string, MergeOutcome | undefined>): OpenPair[] {
    const open: OpenPair[] = [];
    const sides = this.#sidesOf(new Set(queued.flat()));
    for (const [one, other] of queued) {
      if (!isOursToCompare(one, other)) continue;
      const ours = sides.get(one);
      const theirs = sides.get(other);
      if (ours === undefined || theirs === undefined) continue;
      const key = pairKey(ours.side, theirs.side);
      const isOver = ours.isOver || theirs.isOver;
      const mark = `${ours.seen}\n${theirs.seen}\n${this.#renewed.get(key) ?? 0}\n${isOver}`;
      if (this.#reported.get(key) === mark) continue;
      open.push({ ours, theirs, mark, key, isOver, queued: [one, other], merge: merges?.get(key) ?? unanswered });
    }
    // What ran over before may do so again, and everybody else would wait for it.
    const suspicion = new Map(
      open.map((one) => [one, suspicionOf([one.ours.snapshot.tree, one.theirs.snapshot.tree])]),
    );
    return open.sort((one, other) => (suspicion.get(one) ?? 0) - (suspicion.get(other) ?? 0));
  }

  async #settle(member: WatchedWorktree, landing: DefaultBranch, pair: SnapshotPair, merge: MergeOutcome | undefined) {
    const before = member.landed?.work;
    await settle(this.#parts.observer, member, landing, { pair, outcome: merge });
    // It leaves the others, or comes back to them: what was said of it before is not what holds now.
    if (before !== member.landed?.work) this.#parts.landedChanged(member.path);
  }

  #isOver(path: string): boolean {
    const { watched } = this.#parts;
    const member = watched.get(path);
    return member !== undefined && hasLanded(member, watched.all(), watched.landing);
  }

  /** Those of them that can be compared. */
  #sidesOf(paths: ReadonlySet<string>): Map<string, Side> {
    const { watched, others, hasClaims } = this.#parts;
    const all = watched.all();
    const sides = new Map<string, Side>();
    for (const path of paths) {
      const member = watched.get(path);
      const isOver = this.#isOver(path);
      if (isOver && !hasClaims(path)) continue;
      const side =
        path === defaultBranchSide
          ? defaultAsSide(watched.landing, all)
          : member === undefined
            ? others.get(path)
            : sideOf(member, all, watched.landing);
      if (side !== undefined) sides.set(path, { ...side, isOver, seen: seenOf(side) });
    }
    return sides;
  }

  #named(path: string): string {
    return identityOfQueued(path, this.#parts.watched.landing?.name);
  }
}

function seenOf({ side, snapshot, operation, open = [] }: ReviewedSide): string {
  return `${side.commit} ${flagsOf(snapshot)} ${side.label} ${operation ?? ""} ${open.map(({ why }) => why).join(" ")}`;
}

const isAbout = (key: string, side: string): boolean => (JSON.parse(key) as string[]).includes(side);
