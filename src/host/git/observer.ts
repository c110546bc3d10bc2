// One repository as core sees it: its worktrees over all clones, their snapshots, and what merges of them would be.
// What is done for one worktree is in worktree-observer.ts; different worktrees go side by side, a few at once.

import { mayPass } from "../../ports/git.ts";
import { realpathSync } from "node:fs";
import { join } from "node:path";
import { asPlace, placeBelow, type TrustedPlace } from "../../files/trusted-place.ts";
import { Refusal } from "../../protocol/errors.ts";
import type {
  ChangedFile,
  KnownBranch,
  LocalBranches,
  MergeOptions,
  MergeOutcome,
  ObservedSides,
  OriginAnswer,
  OriginWish,
  RepositoryIdentity,
  RepositoryObserver,
  SkippedWorktree,
  Snapshot,
  SnapshotOptions,
  SnapshotOutcome,
  SnapshotPair,
  Standing,
  TreeEntry,
  WatchState,
  WorktreeFacts,
} from "../../ports/git.ts";
import type { Clock } from "../../ports/machine.ts";
import { privateConfig, readSettings } from "./repository/allowed-settings.ts";
import { askOrigin } from "./repository/ask-origin.ts";
import { Blobs } from "./objects/blobs.ts";
import { localBranches } from "./repository/branches.ts";
import { Clones } from "./repository/clones.ts";
import { CompareTrees } from "./objects/compare-trees.ts";
import { discover } from "./repository/discover.ts";
import { PathLists } from "./watch/followed-paths.ts";
import { KnownNames } from "./watch/known-names.ts";
import { Git, type GitOptions } from "./git.ts";
import { identify, identityHash } from "./repository/identity.ts";
import { type Location, locate, notARepository, type ObjectFormat, readSmall } from "./repository/locate.ts";
import { attributeFilesOfTree, makeContext } from "./merge/merge-context.ts";
import { historyOf, PairMerger } from "./merge/pair-merger.ts";
import { PrivateStore } from "./objects/private-store.ts";
import { prune } from "./objects/prune.ts";
import { defaultBranch, distance, fetchedMs } from "./repository/standing.ts";
import { Places } from "./places.ts";
import { TreeDifferences } from "./objects/tree-differences.ts";
import { type SideLimits, sideLimits } from "../../ports/sides.ts";
import { observedSides } from "./sides/observed-sides.ts";
import { TreeMerges } from "./merge/tree-merges.ts";
import { Bounded } from "../../ports/bounded.ts";
import type { Sides } from "../../ports/kept-for-sides.ts";
import { readNames, TreeReader } from "./objects/trees.ts";
import type { WatchBudget } from "./watch/watch-budget.ts";
import { WorkPlaces } from "./watch/work-places.ts";
import { WorktreeObserver } from "./worktree-observer.ts";

export interface ObserverOptions extends GitOptions {
  /** The place for private directories, one per repository: `<home>/state/observe`. */
  readonly directory: string | TrustedPlace;
  readonly clock: Clock;
  /** While watching, every file is looked at anyway this often. */
  readonly fullEveryMs?: number;
  /** Directories that may be watched in one worktree; where more would have to be, files are asked for their times. */
  readonly maxWatched?: number;
  /** The limit on watched directories over all repositories. */
  readonly watches?: WatchBudget | undefined;
  /** Objects younger than this are not pruned, unless there are too many. */
  readonly pruneGraceMs?: number;
  /** About how much the private objects of a repository may take before those that nobody needs go sooner. */
  readonly maxBytes?: number;
  /** The number of worktrees that are watched. Without it, nobody edits meanwhile. */
  readonly sides?: Sides;
  /** Bounds for what comes from other machines and goes to them, where they are not the usual ones. */
  readonly sideLimits?: Partial<SideLimits>;
}

/** A loose object takes a block of the file system, however small it is. */
const objectBytes = 4096;
const defaultMaxBytes = 128 * 1024 * 1024;

/** Opens the repository that a path is in. Refuses a path that is in none. */
export async function observe(path: string, options: ObserverOptions): Promise<RepositoryObserver> {
  const git = new Git(options);
  const location = await locateOrRefuse(git, path);
  const settings = await readSettings(git, location.commonDirectory, location.top);
  const identity = await identify(git, location.commonDirectory, settings);
  const observer = new Observer(git, identity, location.objectFormat, options);
  await observer.addLocation(location);
  return observer;
}

/** The identity of the repository that a path is in; undefined when it is in none, refused when it is another account's. */
export async function identityAt(path: string, options: GitOptions): Promise<RepositoryIdentity | undefined> {
  const git = new Git(options);
  const location = await locate(git, path);
  if ("reason" in location) {
    if (location.anothers !== undefined || location.isUnknown === true) throw notARepository(path, location);
    return undefined;
  }
  return await identify(git, location.commonDirectory, await readSettings(git, location.commonDirectory, location.top));
}

async function locateOrRefuse(git: Git, path: string): Promise<Location> {
  const location = await locate(git, path);
  if ("reason" in location) throw notARepository(path, location);
  return location;
}

/** Whole trees are asked for seldom: others are kept as what differs from them. */
const treesBytes = 24_000_000;
const atOnce = 4;
const snapshotsBetweenPrunes = 500;
/** So often it is looked whether there are too many objects: one listing of a small directory. */
const snapshotsBetweenLooks = 20;
/** Objects younger than this may belong to a merge or a compiler's run under way, also when there is too much. */
const crowdedGraceMs = 120_000;
/** A prune lists every tree that is in use; one that could not remove enough is not repeated at once. */
const crowdedRestMs = 30_000;

class Observer implements RepositoryObserver {
  readonly identity: RepositoryIdentity;
  readonly #git: Git;
  readonly #options: ObserverOptions;
  readonly #store: PrivateStore;
  readonly #blobs: Blobs;
  readonly #differences: TreeDifferences;
  readonly #merges: TreeMerges;
  readonly #clones: Clones;
  readonly #merger: PairMerger;
  readonly #plain: string;
  readonly #observed = new Map<string, WorktreeObserver>();
  readonly #trees = new Bounded<ReadonlyMap<string, TreeEntry>>(treesBytes, ({ size }) => size * 250);
  readonly #treeReader = new TreeReader();
  readonly #distances = new Bounded<Pick<Standing, "ahead" | "behind">>(500);
  readonly #places = new Places(atOnce);
  readonly #pathLists = new PathLists();
  readonly #names: KnownNames;
  readonly #workPlaces = new WorkPlaces();
  /** The commit last asked for by name: the branch that work lands on, while sensing. */
  #named: string | undefined;
  #sides: ObservedSides | undefined;
  #shallow: string | undefined;
  #sincePrune = 0;
  #sinceLook = 0;
  #crowdedMs = -Infinity;
  #closed = false;

  constructor(git: Git, identity: RepositoryIdentity, format: ObjectFormat, options: ObserverOptions) {
    this.identity = identity;
    this.#git = git;
    this.#options = options;
    this.#store = new PrivateStore(placeBelow(asPlace(options.directory), identityHash(identity)), format);
    this.#plain = this.#store.gitDirectory("merge", "plain");
    this.#store.writeIfChanged(join(this.#plain, "config"), privateConfig(new Map(), format));
    this.#blobs = new Blobs(git, this.#variables(), () => this.#store.places);
    const compare = new CompareTrees(this.#blobs, format, options.sides);
    this.#differences = new TreeDifferences(git, this.#variables(), compare, options.sides, (pair, files) =>
      this.#workPlaces.differs(pair, files),
    );
    this.#names = new KnownNames(compare, (tree) => readNames(git, this.#variables(), tree));
    this.#merges = new TreeMerges(git, this.#store);
    this.#clones = new Clones(git, this.#store, () => options.clock.monotonicMs());
    const tops = (): string[] => [...this.#observed.keys(), ...[...this.#clones.all].flatMap((one) => [...one.tops])];
    const [store, blobs, merges] = [this.#store, this.#blobs, this.#merges];
    const find = (tree: string, path: string) => compare.find(tree, path);
    const place = { git, store, blobs, merges, tops, find, variables: () => this.#variables() };
    this.#merger = new PairMerger(place, this.#differences, options.sides);
  }

  async add(path: string): Promise<void> {
    const location = await locateOrRefuse(this.#git, path);
    await this.addLocation(location);
  }

  async addLocation(location: Location): Promise<void> {
    if (location.objectFormat !== this.#store.format) {
      throw new Refusal("git.not-a-repository", `${location.commonDirectory} uses another object format`);
    }
    if (this.#clones.add(location)) await this.#seeNewObjects();
  }

  async branches(most: number): Promise<LocalBranches> {
    const [first] = this.#clones.all;
    return first === undefined
      ? { names: [], leftOut: 0 }
      : await localBranches(this.#git, first.commonDirectory, most);
  }

  async worktrees(): Promise<{ found: WorktreeFacts[]; skipped: SkippedWorktree[] }> {
    const found: WorktreeFacts[] = [];
    const skipped: SkippedWorktree[] = [];
    for (const clone of this.#clones.all) {
      const one = await discover(this.#git, clone.commonDirectory, [...clone.tops], (...worktree) =>
        this.#clones.readSettings(...worktree),
      );
      found.push(...one.found);
      skipped.push(...one.skipped);
    }
    return { found, skipped };
  }

  async snapshot(given: string, options: SnapshotOptions = {}): Promise<SnapshotOutcome> {
    return await this.#reaching(() => this.#observedAt(realOr(given)).snapshot(options));
  }

  async snapshotOf(revision: string): Promise<Snapshot | undefined> {
    for (const clone of this.#clones.all) {
      const commit = await this.#git.ask({
        args: ["rev-parse", "--verify", "--quiet", "--end-of-options", `${revision}^{commit}`],
        variables: { GIT_DIR: clone.commonDirectory },
      });
      if (commit === undefined) continue;
      const found = await this.#asSnapshot(commit, clone.commonDirectory);
      if (found !== undefined) return this.#asNamed(found);
    }
    // The origin may have a commit that no clone has.
    const [first] = this.#clones.all;
    if (first === undefined || !isId(revision)) return undefined;
    const found = await this.#asSnapshot(revision, first.commonDirectory);
    return found && this.#asNamed(found);
  }

  #asNamed(snapshot: Snapshot): Snapshot {
    this.#named = snapshot.commit;
    return snapshot;
  }

  /** A commit, with what the clone that has it says about how files merge. */
  async #asSnapshot(commit: string, commonDirectory: string): Promise<Snapshot | undefined> {
    const tree = await this.#merger.treeOf(commit);
    if (tree === undefined) return undefined;
    const settings = await readSettings(this.#git, commonDirectory, undefined);
    const files = await attributeFilesOfTree(this.#git, this.#variables(), tree);
    const shallow = await this.#cuts();
    const cloneAttributes = readSmall(join(commonDirectory, "info", "attributes")) ?? "";
    const parts = { files, cloneAttributes, settings: settings.values, shallow };
    const context = await makeContext(this.#store, this.#blobs, parts);
    return { commit, tree, parents: [commit], flags: [], context };
  }

  async defaultBranch(): Promise<KnownBranch | undefined> {
    for (const clone of this.#clones.all) {
      const found = await defaultBranch(this.#git, clone.commonDirectory);
      if (found !== undefined) return found;
    }
    return undefined;
  }

  async askOrigin(wish: OriginWish): Promise<OriginAnswer> {
    const [git, store, blobs, clones] = [this.#git, this.#store, this.#blobs, this.#clones];
    const talking = { processes: this.#options.processes, environment: this.#options.environment };
    const answer = await askOrigin({ git, talking, store, blobs, clones, identity: this.identity }, wish);
    // Objects that were missing for a merge may be there now.
    if (answer.kind === "told" && !this.#closed) this.#merger.forgetSkipped();
    return answer;
  }

  get sides(): ObservedSides {
    return (this.#sides ??= observedSides({
      git: this.#git,
      talking: { processes: this.#options.processes, environment: this.#options.environment },
      store: this.#store,
      blobs: this.#blobs,
      clones: this.#clones,
      identity: this.identity,
      shallow: () => this.#cuts(),
      asSnapshot: async (commit) => {
        const [first] = this.#clones.all;
        return first === undefined ? undefined : await this.#asSnapshot(commit, first.commonDirectory);
      },
      came: () => this.#merger.forgetSkipped(),
      limits: { ...sideLimits, ...this.#options.sideLimits },
    }));
  }

  fetchedMs(branch: string): number | undefined {
    const [first] = this.#clones.all;
    return first === undefined ? undefined : fetchedMs(first.commonDirectory, branch);
  }

  async commitsTouching(from: string, to: string, paths: readonly string[], most: number): Promise<string[]> {
    const args = ["rev-list", `--max-count=${most}`, "--end-of-options", `${from}..${to}`, "--", ...paths];
    const outcome = await this.#git.hear({ args, variables: this.#variables() });
    return outcome.code === 0 ? Buffer.from(outcome.stdout).toString("latin1").split("\n").filter(Boolean) : [];
  }

  async committedMs(commit: string): Promise<number | undefined> {
    const args = ["log", "-1", "--no-show-signature", "--format=%ct", "--end-of-options", commit];
    const { code, stdout } = await this.#git.hear({ args, variables: this.#variables() });
    const seconds = Number(Buffer.from(stdout).toString("latin1").trim());
    return code === 0 && seconds > 0 ? seconds * 1_000 : undefined;
  }

  async lastTouchedMs(tip: string, paths: readonly string[]): Promise<number | undefined> {
    const args = ["log", "-1", "--no-show-signature", "--format=%ct", "--end-of-options", tip, "--", ...paths];
    const { code, stdout } = await this.#git.hear({ args, variables: this.#variables() });
    const seconds = Number(Buffer.from(stdout).toString("latin1").trim());
    return code === 0 && seconds > 0 ? seconds * 1_000 : undefined;
  }

  async commitBefore(tip: string, atMs: number): Promise<string | undefined> {
    const before = `--before=${Math.floor(atMs / 1_000)}`;
    const args = ["rev-list", "--max-count=1", "--first-parent", before, "--end-of-options", tip];
    const { code, stdout } = await this.#git.hear({ args, variables: this.#variables() });
    const found = Buffer.from(stdout).toString("latin1").trim();
    return code === 0 && found !== "" ? found : undefined;
  }

  async standing(snapshot: Snapshot, commit: string | undefined): Promise<Standing> {
    const [head] = snapshot.parents;
    const committed = head === undefined ? undefined : await this.#merger.treeOf(head);
    const uncommitted = committed !== snapshot.tree || snapshot.parents.length > 1;
    if (head === undefined || commit === undefined) return { ahead: undefined, behind: undefined, uncommitted };
    const key = `${head} ${commit}`;
    const known =
      this.#distances.get(key) ??
      this.#merger.distance(head, commit) ??
      (await distance(this.#git, this.#variables(), head, commit));
    this.#distances.set(key, known);
    return { ...known, uncommitted };
  }

  async merge(pairs: readonly SnapshotPair[], options: MergeOptions = {}): Promise<MergeOutcome[]> {
    const isCut = (await this.#cuts()) !== "";
    const current = [...this.#observed.values()].map(({ kept }) => (kept === undefined ? undefined : historyOf(kept)));
    const heads = [...current, this.#named].filter((head) => head !== undefined);
    const outcomes = await this.#reaching(() => this.#merger.merge(pairs, options, heads, isCut));
    if (outcomes.some((one) => one.kind === "skipped" && mayPass(one.reason))) await this.#reachAgain();
    return outcomes;
  }

  async mergeBases(ours: Snapshot, theirs: Snapshot): Promise<readonly string[]> {
    await this.#cuts();
    return (await this.#merger.bases([{ ours, theirs }]))[0] ?? [];
  }

  async changedFiles(base: string, snapshot: Snapshot): Promise<readonly ChangedFile[]> {
    const before = (await this.#merger.treeOf(base)) ?? base;
    return (await this.#differences.of([{ before, after: snapshot.tree }]))[0] ?? [];
  }

  async tree(id: string): Promise<ReadonlyMap<string, TreeEntry>> {
    const known = this.#trees.get(id);
    if (known !== undefined) return known;
    const files = await this.#treeReader.read(this.#git, this.#variables(), id);
    this.#trees.set(id, files);
    return files;
  }

  async read(blob: string, maxBytes = 1024 * 1024): Promise<Uint8Array | undefined> {
    return await this.#blobs.read(blob, maxBytes);
  }

  async isThere(object: string): Promise<boolean> {
    return (await this.#blobs.info(object)) !== undefined;
  }

  async mergeDrivers(): Promise<ReadonlySet<string>> {
    const all = [...this.#clones.all].map(({ commonDirectory }) => readSettings(this.#git, commonDirectory, undefined));
    return new Set((await Promise.all(all)).flatMap(({ mergeDrivers }) => [...mergeDrivers]));
  }

  async watch(given: string, touched: (worktree: string) => void): Promise<WatchState> {
    return await this.#observedAt(realOr(given)).watch(() => touched(given));
  }

  async prune(): Promise<{ removed: number; kept: number }> {
    return await this.#prune(this.#options.pruneGraceMs ?? 600_000);
  }

  async #prune(graceMs: number): Promise<{ removed: number; kept: number }> {
    this.#sincePrune = 0;
    const current = [...this.#observed.values()].flatMap((one) => one.needed);
    const live = { commits: current.map((one) => one.commit), trees: current.map((one) => one.tree) };
    const before = this.#options.clock.nowMs() - graceMs;
    const { removed, kept } = await prune(this.#git, this.#store, this.#variables(), live, before);
    this.#merger.forget(removed);
    return { removed: removed.size, kept };
  }

  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    await Promise.all([...this.#observed.values()].map((observed) => observed.close()));
    await Promise.all([this.#blobs.close(), this.#differences.close(), this.#merges.close()]);
    this.#store.close();
  }

  #variables(): Record<string, string> {
    return this.#store.variables(this.#plain);
  }

  #observedAt(worktree: string): WorktreeObserver {
    const known = this.#observed.get(worktree);
    if (known !== undefined) return known;
    const made = new WorktreeObserver(worktree, {
      git: this.#git,
      store: this.#store,
      blobs: this.#blobs,
      clones: this.#clones,
      clock: this.#options.clock,
      fullEveryMs: this.#options.fullEveryMs ?? 300_000,
      maxWatched: this.#options.maxWatched,
      watches: this.#options.watches,
      pathLists: this.#pathLists,
      names: this.#names,
      workPlaces: this.#workPlaces,
      variables: () => this.#variables(),
      shallow: () => this.#cuts(),
      inPlace: (work) => this.#places.run(work),
      headMoved: () => this.#headMoved(),
      taken: () => this.#taken(),
    });
    this.#observed.set(worktree, made);
    return made;
  }

  async #headMoved(): Promise<void> {
    this.#shallow = undefined;
    if (this.#clones.refresh()) await this.#seeNewObjects();
  }

  async #taken(): Promise<void> {
    if (++this.#sincePrune >= snapshotsBetweenPrunes) await this.prune();
    else if (++this.#sinceLook >= snapshotsBetweenLooks) {
      this.#sinceLook = 0;
      if (this.#isCrowded()) await this.#prune(Math.min(crowdedGraceMs, this.#options.pruneGraceMs ?? crowdedGraceMs));
    }
  }

  #isCrowded(): boolean {
    const { clock, maxBytes = defaultMaxBytes } = this.#options;
    if (clock.monotonicMs() - this.#crowdedMs < crowdedRestMs) return false;
    if (this.#store.estimatedObjects() * objectBytes <= maxBytes) return false;
    this.#crowdedMs = clock.monotonicMs();
    return true;
  }

  async #seeNewObjects(): Promise<void> {
    this.#shallow = undefined;
    this.#merger.forgetHistory();
    await this.#restartReaders();
  }

  async #reaching<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (cause) {
      await this.#reachAgain();
      throw cause;
    }
  }

  /** Clones whose objects were out of reach when that was last looked at, and processes that began then, would never find them. */
  async #reachAgain(): Promise<void> {
    this.#clones.refresh();
    await this.#restartReaders();
  }

  async #restartReaders(): Promise<void> {
    await Promise.all([this.#blobs.restart(), this.#differences.restart(), this.#merges.restart()]);
  }

  async #cuts(): Promise<string> {
    if (this.#shallow === undefined) {
      this.#shallow = await this.#clones.shallow(this.#blobs);
      // An empty list would still make git believe that history is cut.
      if (this.#shallow === "") this.#store.remove(join(this.#plain, "shallow"));
      else this.#store.writeIfChanged(join(this.#plain, "shallow"), this.#shallow);
    }
    return this.#shallow;
  }
}

const isId = (text: string): boolean => /^[0-9a-f]{40,64}$/.test(text);

function realOr(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path; // gone: the look will say so
  }
}
