// Answers what git's merge says of many pairs with as little work as can be: remembered answers first, then pairs whose
// changes cannot meet, and only the rest are merged.

import {
  type GitAtWork,
  mayPass,
  type MergeOptions,
  type MergeOutcome,
  type Snapshot,
  type SnapshotPair,
} from "../../../ports/git.ts";
import { type Footprint, footprint, mayCollide } from "../objects/changed-files.ts";
import { type BareOutcome, type MergePlace, mergePairs } from "./merge.ts";
import { mergeDifferences } from "./merge-differences.ts";
import { basesIn, type HistoryGraph, mergeBases, readGraph } from "./merge-bases.ts";
import type { TreeDifferences } from "../objects/tree-differences.ts";
import { Bounded } from "../../../ports/bounded.ts";
import { keptForPairs, keptForSides, type Sides } from "../../../ports/kept-for-sides.ts";

export class PairMerger {
  readonly #place: MergePlace;
  readonly #differences: TreeDifferences;
  readonly #variables: () => Readonly<Record<string, string>>;
  readonly #outcomes: Bounded<MergeOutcome>;
  readonly #bases: Bounded<readonly string[]>;
  readonly #footprints: Bounded<Footprint>;
  readonly #treeOfCommit = new Bounded<string>(5_000);
  #graph: HistoryGraph | undefined;

  /** The place's `variables` name a git directory that sees all borrowed objects and where history is cut. */
  constructor(place: MergePlace, differences: TreeDifferences, sides?: Sides) {
    this.#place = place;
    this.#bases = new Bounded(50_000, undefined, keptForPairs(sides));
    this.#outcomes = new Bounded(outcomesBytes, bytesOf, keptForPairs(sides));
    this.#footprints = new Bounded(footprintsBytes, bytesOfFootprint, keptForSides(sides));
    this.#differences = differences;
    this.#variables = place.variables;
  }

  /** `others` are heads that will be asked for soon: their history is read in the same go. `isCut`: a clone is shallow, and no other has the rest. */
  async merge(
    pairs: readonly SnapshotPair[],
    { trees: wantsTrees = false, meanwhile }: MergeOptions,
    others: readonly string[] = [],
    isCut = false,
  ): Promise<MergeOutcome[]> {
    const answers: (MergeOutcome | undefined)[] = pairs.map((pair) => this.#remembered(pair, wantsTrees));
    const open = [...answers.keys()].filter((index) => answers[index] === undefined);
    const openPairs = open.map((index) => pairs[index]).filter((pair) => pair !== undefined);
    const bases = await this.bases(openPairs, others);
    const footprints = await this.#footprintsOf(openPairs, bases);
    const toMerge: number[] = [];
    for (const [at, pair] of openPairs.entries()) {
      const early =
        bases[at]?.length === 0 || bases[at] === undefined
          ? apart(isCut && [pair.ours, pair.theirs].every(({ parents }) => parents.length > 0))
          : await this.#withoutMerging(pair, bases[at], footprints[at], wantsTrees);
      if (early === undefined) toMerge.push(at);
      else answers[open[at] ?? -1] = this.#remember(pair, early);
    }
    const atWork = new AtWork();
    const take = (order: number, outcome: BareOutcome): void => {
      const at = toMerge[order] ?? -1;
      const pair = openPairs[at];
      if (pair !== undefined) answers[open[at] ?? -1] = this.#remember(pair, withBases(outcome, bases[at] ?? []));
    };
    const heard = async (order: number, outcome: BareOutcome): Promise<void> => {
      const at = toMerge[order] ?? -1;
      await this.#foreseeOne(openPairs[at], bases[at], outcome);
      if (atWork.isDone()) return;
      take(order, outcome);
      atWork.came();
    };
    const merging = mergePairs(
      this.#place,
      toMerge.map((at) => openPairs[at]).filter((pair) => pair !== undefined),
      // Below it is asked for again, and then it counts.
      (order, outcome) => void heard(order, outcome).catch(() => {}),
    ).finally(() => atWork.end());
    const [merged] = await Promise.all([merging, toMerge.length === 0 ? undefined : meanwhile?.(answers, atWork)]);
    await this.#foresee(openPairs, toMerge, merged);
    for (const [order, outcome] of merged.entries()) take(order, outcome);
    return answers.map((answer) => answer ?? { kind: "skipped", reason: "failed", detail: "git gave no answer" });
  }

  /** Whoever reviews a merge asks how it differs from our side, one pair after another: git is asked for all of them at once. */
  async #foresee(pairs: readonly SnapshotPair[], toMerge: readonly number[], merged: readonly BareOutcome[]) {
    const asked = toMerge.flatMap((at, order) => {
      const [before, outcome] = [pairs[at]?.ours.tree, merged[order]];
      const after = outcome === undefined || outcome.kind === "skipped" ? undefined : outcome.tree;
      return before === undefined || after === undefined ? [] : [{ before, after }];
    });
    const open = asked.filter((pair) => !this.#differences.knows(pair));
    if (open.length > 1) await this.#differences.of(open);
  }

  /** The same of one of a few, from what is known of both sides. */
  async #foreseeOne(
    pair: SnapshotPair | undefined,
    [base, ...more]: readonly string[] = [],
    outcome: BareOutcome,
  ): Promise<void> {
    const tree = outcome.kind === "skipped" ? undefined : outcome.tree;
    if (pair === undefined || tree === undefined || base === undefined || more.length > 0) return;
    const [before, { ours, theirs }] = [await this.treeOf(base), pair];
    if (before === undefined || this.#differences.knows({ before: ours.tree, after: tree })) return;
    const [our = [], their = []] = await this.#differences.of(
      [ours, theirs].map((one) => ({ before, after: one.tree })),
    );
    const files = await mergeDifferences(our, their, outcome, this.#place.find);
    if (files !== undefined) this.#differences.know({ before: ours.tree, after: tree }, files);
  }

  /** The merge bases of each pair; they depend on what was committed, so that most edits need no new ones. */
  async bases(pairs: readonly SnapshotPair[], others: readonly string[] = []): Promise<(readonly string[])[]> {
    const keys = pairs.map((pair) => [historyOf(pair.ours), historyOf(pair.theirs)] as const);
    // Bases that are found are answered from here: the memory may be too small for all pairs at once.
    const answers = new Map<string, readonly string[]>();
    const unknown = new Map<string, readonly [string, string]>();
    for (const [ours, theirs] of keys) {
      if (ours === undefined || theirs === undefined) continue;
      const key = `${ours} ${theirs}`;
      const known = this.#bases.get(key);
      if (known === undefined) unknown.set(key, [ours, theirs]);
      else answers.set(key, known);
    }
    if (unknown.size > 0) {
      const found = await this.#findBases([...unknown.values()], others);
      for (const [at, key] of [...unknown.keys()].entries()) {
        answers.set(key, found[at] ?? []);
        this.#bases.set(key, found[at] ?? []);
      }
    }
    return keys.map(([ours, theirs]) => answers.get(`${ours} ${theirs}`) ?? []);
  }

  async #findBases(
    pairs: readonly (readonly [string, string])[],
    others: readonly string[],
  ): Promise<(readonly string[])[]> {
    const place = { git: this.#place.git, variables: this.#variables() };
    const heads = new Set([...pairs.flat(), ...others]);
    if (others.length > 0 && heads.size > 2 && this.#graph?.covers(...pairs.flat()) !== true) {
      this.#graph = await readGraph(place, [...heads]);
    }
    if (this.#graph?.covers(...pairs.flat()) === true) return await basesIn(this.#graph, place, pairs);
    return await mergeBases(place, pairs);
  }

  /** Returns how far two heads are from each other, when that is known without asking git. */
  distance(ours: string, theirs: string): { ahead: number; behind: number } | undefined {
    return this.#graph?.covers(ours, theirs) === true ? this.#graph.distance(ours, theirs) : undefined;
  }

  /** Forgets answers that rest on objects which were removed. */
  forget(removed: ReadonlySet<string>): void {
    this.#outcomes.removeWhere((outcome) => outcome.kind !== "skipped" && removed.has(outcome.tree ?? ""));
  }

  /** Forgets what depends on the history that can be seen. */
  forgetHistory(): void {
    this.#graph = undefined;
    this.#bases.removeWhere(() => true);
    this.forgetSkipped();
  }

  /** Forgets that two could not be merged. */
  forgetSkipped(): void {
    this.#outcomes.removeWhere((outcome) => outcome.kind === "skipped");
  }

  async treeOf(commit: string): Promise<string | undefined> {
    const known = this.#treeOfCommit.get(commit);
    if (known !== undefined) return known;
    const content = await this.#place.blobs.read(commit, 16 * 1024 * 1024);
    const tree = /^tree ([0-9a-f]+)\n/.exec(Buffer.from(content ?? []).toString("latin1"))?.[1];
    if (tree !== undefined) this.#treeOfCommit.set(commit, tree);
    return tree;
  }

  async #withoutMerging(
    pair: SnapshotPair,
    bases: readonly string[],
    footprints: readonly [Footprint, Footprint] | undefined,
    wantsTrees: boolean,
  ): Promise<MergeOutcome | undefined> {
    const { ours, theirs } = pair;
    if (ours.tree === theirs.tree) return { kind: "clean", tree: ours.tree, bases };
    // Several bases are merged into one by git itself; what changed since that one is not known here.
    if (footprints === undefined) return undefined;
    const [left, right] = footprints;
    if (left.paths.size === 0) return { kind: "clean", tree: theirs.tree, bases };
    if (right.paths.size === 0) return { kind: "clean", tree: ours.tree, bases };
    return wantsTrees || mayCollide(left, right) ? undefined : { kind: "clean", tree: undefined, bases };
  }

  async #footprintsOf(
    pairs: readonly SnapshotPair[],
    bases: readonly (readonly string[])[],
  ): Promise<(readonly [Footprint, Footprint] | undefined)[]> {
    const wanted = new Map<string, { before: string; after: string }>();
    const keys: (readonly [string, string] | undefined)[] = [];
    for (const [at, pair] of pairs.entries()) {
      const [base, ...more] = bases[at] ?? [];
      const before = base === undefined || more.length > 0 ? undefined : await this.treeOf(base);
      if (before === undefined) {
        keys.push(undefined);
        continue;
      }
      keys.push([`${before} ${pair.ours.tree}`, `${before} ${pair.theirs.tree}`]);
      for (const after of [pair.ours.tree, pair.theirs.tree]) {
        const key = `${before} ${after}`;
        if (this.#footprints.get(key) === undefined) wanted.set(key, { before, after });
      }
    }
    const found = new Map<string, Footprint>();
    const changes = await this.#differences.of([...wanted.values()]);
    for (const [at, key] of [...wanted.keys()].entries()) found.set(key, footprint(changes[at] ?? []));
    const get = (key: string): Footprint | undefined => found.get(key) ?? this.#footprints.get(key);
    const answers = keys.map((key) => {
      const [left, right] = key === undefined ? [] : [get(key[0]), get(key[1])];
      return left === undefined || right === undefined ? undefined : ([left, right] as const);
    });
    for (const [key, value] of found) this.#footprints.set(key, value);
    return answers;
  }

  #remembered(pair: SnapshotPair, wantsTrees: boolean): MergeOutcome | undefined {
    const known = this.#outcomes.get(keyOfPair(pair));
    return known?.kind === "clean" && known.tree === undefined && wantsTrees ? undefined : known;
  }

  #remember(pair: SnapshotPair, outcome: MergeOutcome): MergeOutcome {
    // A failure is not a fact about the two.
    if (outcome.kind !== "skipped" || !mayPass(outcome.reason)) this.#outcomes.set(keyOfPair(pair), outcome);
    return outcome;
  }
}

/** Tells those that work beside git how far it has come. */
class AtWork implements GitAtWork {
  #isDone = false;
  #isNew = false;
  #waiting: (() => void)[] = [];

  readonly isDone = (): boolean => this.#isDone;

  readonly more = async (): Promise<boolean> => {
    if (!this.#isNew && !this.#isDone) await new Promise<void>((resolve) => this.#waiting.push(resolve));
    this.#isNew = false;
    return !this.#isDone;
  };

  came(): void {
    this.#isNew = true;
    for (const resolve of this.#waiting.splice(0)) resolve();
  }

  end(): void {
    this.#isDone = true;
    this.came();
  }
}

/** In bytes: room for the sides of a few hundred worktrees, for each is asked for with every pair. */
const footprintsBytes = 16_000_000;
/** In bytes: a clean merge takes some 400, and 200 worktrees have 20,000 pairs. */
const outcomesBytes = 12_000_000;

const bytesOfFootprint = ({ paths, directories }: Footprint): number => 500 + (paths.size + directories.size) * 120;

function bytesOf(outcome: MergeOutcome): number {
  let count = 400;
  if (outcome.kind !== "conflicted") return count;
  for (const { oursHunks, theirsHunks, message } of outcome.conflicts) {
    count += 400 + message.length;
    for (const { text } of [...oursHunks, ...theirsHunks]) count += 100 + text.length;
  }
  return count;
}

const keyOfPair = (pair: SnapshotPair): string => `${pair.ours.commit} ${pair.theirs.commit} ${pair.ours.context}`;

/** The commit whose ancestors are the snapshot's history. */
export function historyOf(snapshot: Snapshot): string | undefined {
  return snapshot.parents.length > 1 ? snapshot.commit : snapshot.parents[0];
}

/** Says that two have nothing in common. If history is cut off, it may only seem so. */
function apart(isCut: boolean): MergeOutcome {
  if (!isCut) return { kind: "skipped", reason: "unrelated", detail: "the two have no commit in common" };
  const detail =
    "the history of this shallow clone is cut off before the two meet; `git fetch --unshallow` brings the rest";
  return { kind: "skipped", reason: "cut", detail };
}

function withBases(outcome: BareOutcome, bases: readonly string[]): MergeOutcome {
  return outcome.kind === "skipped" ? outcome : { ...outcome, bases };
}
