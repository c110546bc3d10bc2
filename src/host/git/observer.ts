// One repository as core sees it: its worktrees over all clones, their snapshots, and what merges of them would be.
// Work on one worktree is done one at a time; different worktrees go side by side, a few at once.

import { mkdirSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { Refusal } from "../../protocol/errors.ts";
import type {
  ChangedFile,
  MergeOutcome,
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
} from "../../protocol/git.ts";
import type { Clock } from "../../protocol/ports.ts";
import { privateConfig, readSettings } from "./allowed-settings.ts";
import { Blobs } from "./blobs.ts";
import { changedFiles } from "./changed-files.ts";
import { Clones } from "./clones.ts";
import { describeWorktree, discover } from "./discover.ts";
import { Git, type GitOptions, GitFailure } from "./git.ts";
import { identify, identityHash } from "./identity.ts";
import { commonDirectoryOf, gitDirectoryOf, type Location, locate, type ObjectFormat } from "./locate.ts";
import { attributeFilesOfTree, makeContext } from "./merge-context.ts";
import { PairMerger } from "./pair-merger.ts";
import { PrivateStore, writeIfChanged } from "./private-store.ts";
import { prune } from "./prune.ts";
import { freshMemory, type SnapshotMemory, takeSnapshot } from "./snapshot.ts";
import { type Stamp, stampOf } from "./stamp.ts";
import { defaultBranch, distance } from "./standing.ts";
import { readDirectories, readTree, Recent } from "./trees.ts";
import { WorktreeWatch } from "./watch.ts";
import { readState } from "./worktree-state.ts";

export interface ObserverOptions extends GitOptions {
  /** Where private directories live, one per repository: `<home>/state/observe`. */
  readonly directory: string;
  readonly clock: Clock;
  /** While watching, every file is looked at anyway this often. */
  readonly fullEveryMs?: number;
  /** Objects younger than this are never pruned. */
  readonly pruneGraceMs?: number;
}

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

/** The identity of the repository that a path is in; undefined when it is in none. */
export async function identityOf(path: string, options: GitOptions): Promise<RepositoryIdentity | undefined> {
  const git = new Git(options);
  const location = await locate(git, path);
  if ("reason" in location) return undefined;
  return await identify(git, location.commonDirectory, await readSettings(git, location.commonDirectory, location.top));
}

async function locateOrRefuse(git: Git, path: string): Promise<Location> {
  const location = await locate(git, path);
  if ("reason" in location) {
    throw new Refusal("git.not-a-repository", `${path} is in no git repository`, { path, detail: location.reason });
  }
  return location;
}

interface Observed {
  readonly memory: SnapshotMemory;
  last: { snapshot: Snapshot; facts: WorktreeFacts; stamp: Stamp; fullAtMs: number } | undefined;
  watch: WorktreeWatch | undefined;
  turn: Promise<unknown>;
}

const atOnce = 4;
const snapshotsBetweenPrunes = 500;

class Observer implements RepositoryObserver {
  readonly identity: RepositoryIdentity;
  readonly #git: Git;
  readonly #options: ObserverOptions;
  readonly #store: PrivateStore;
  readonly #blobs: Blobs;
  readonly #clones: Clones;
  readonly #merger: PairMerger;
  readonly #plain: string;
  readonly #observed = new Map<string, Observed>();
  readonly #trees = new Recent<ReadonlyMap<string, TreeEntry>>(12);
  readonly #distances = new Recent<Pick<Standing, "ahead" | "behind">>(500);
  readonly #places = new Places(atOnce);
  #shallow: string | undefined;
  #sincePrune = 0;
  #closed = false;

  constructor(git: Git, identity: RepositoryIdentity, format: ObjectFormat, options: ObserverOptions) {
    this.identity = identity;
    this.#git = git;
    this.#options = options;
    const directory = join(options.directory, identityHash(identity));
    mkdirSync(directory, { recursive: true, mode: 0o700 });
    this.#store = new PrivateStore(directory, format);
    this.#plain = this.#store.gitDirectory("merge", "plain");
    writeIfChanged(join(this.#plain, "config"), privateConfig(new Map(), format));
    this.#blobs = new Blobs(git, this.#variables());
    this.#clones = new Clones(git, this.#store);
    this.#merger = new PairMerger({ git, store: this.#store, blobs: this.#blobs }, () => this.#variables());
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

  async worktrees(): Promise<{ found: WorktreeFacts[]; skipped: SkippedWorktree[] }> {
    const found: WorktreeFacts[] = [];
    const skipped: SkippedWorktree[] = [];
    for (const clone of this.#clones.all) {
      const one = await discover(this.#git, clone.commonDirectory, [...clone.tops]);
      found.push(...one.found);
      skipped.push(...one.skipped);
    }
    return { found, skipped };
  }

  async snapshot(worktree: string, options: SnapshotOptions = {}): Promise<SnapshotOutcome> {
    const observed = this.#observedAt(worktree);
    const turn = observed.turn.then(() => this.#places.run(() => this.#look(worktree, observed, options)));
    observed.turn = turn.catch(() => undefined);
    return await turn;
  }

  async snapshotOf(revision: string): Promise<Snapshot | undefined> {
    for (const clone of this.#clones.all) {
      const outcome = await this.#git.try({
        args: ["rev-parse", "--verify", "--quiet", "--end-of-options", `${revision}^{commit}`],
        variables: { GIT_DIR: clone.commonDirectory },
      });
      const commit = Buffer.from(outcome.stdout).toString("utf8").trim();
      if (outcome.code !== 0 || commit === "") continue;
      const tree = await this.#merger.treeOf(commit);
      if (tree === undefined) continue;
      const settings = await readSettings(this.#git, clone.commonDirectory, undefined);
      const files = await attributeFilesOfTree(this.#git, this.#variables(), tree);
      const shallow = await this.#cuts();
      const parts = { files, cloneAttributes: "", settings: settings.values, shallow };
      const context = await makeContext(this.#store, this.#blobs, parts);
      return { commit, tree, parents: [commit], flags: [], context };
    }
    return undefined;
  }

  async defaultBranch(): Promise<{ name: string; commit: string } | undefined> {
    for (const clone of this.#clones.all) {
      const found = await defaultBranch(this.#git, clone.commonDirectory);
      if (found !== undefined) return found;
    }
    return undefined;
  }

  async standing(snapshot: Snapshot, commit: string | undefined): Promise<Standing> {
    const [head] = snapshot.parents;
    const committed = head === undefined ? undefined : await this.#merger.treeOf(head);
    const uncommitted = committed !== snapshot.tree || snapshot.parents.length > 1;
    if (head === undefined || commit === undefined) return { ahead: undefined, behind: undefined, uncommitted };
    const key = `${head} ${commit}`;
    const known = this.#distances.get(key) ?? (await distance(this.#git, this.#variables(), head, commit));
    this.#distances.set(key, known);
    return { ...known, uncommitted };
  }

  async merge(pairs: readonly SnapshotPair[], options: { trees?: boolean } = {}): Promise<MergeOutcome[]> {
    await this.#cuts();
    return await this.#merger.merge(pairs, options.trees ?? false);
  }

  async mergeBases(ours: Snapshot, theirs: Snapshot): Promise<readonly string[]> {
    await this.#cuts();
    return (await this.#merger.bases([{ ours, theirs }]))[0] ?? [];
  }

  async changedFiles(base: string, snapshot: Snapshot): Promise<readonly ChangedFile[]> {
    const before = (await this.#merger.treeOf(base)) ?? base;
    const pair = { before, after: snapshot.tree };
    return (await changedFiles(this.#git, this.#variables(), [pair], { renames: true }))[0] ?? [];
  }

  async tree(id: string): Promise<ReadonlyMap<string, TreeEntry>> {
    const known = this.#trees.get(id);
    if (known !== undefined) return known;
    const files = await readTree(this.#git, this.#variables(), id);
    this.#trees.set(id, files);
    return files;
  }

  async read(blob: string, maxBytes = 1024 * 1024): Promise<Uint8Array | undefined> {
    return await this.#blobs.read(blob, maxBytes);
  }

  async watch(worktree: string, touched: (worktree: string) => void): Promise<WatchState> {
    const gitDirectory = gitDirectoryOf(worktree);
    if (gitDirectory === undefined) return { kind: "polling", reason: "the worktree is not there" };
    const observed = this.#observedAt(worktree);
    observed.watch?.close();
    observed.watch = new WorktreeWatch({ top: worktree, gitDirectory, touched: () => touched(worktree) });
    // The first snapshot says which directories to watch; the second that nothing happened before they were.
    await this.snapshot(worktree);
    await this.snapshot(worktree);
    return observed.watch.state;
  }

  async prune(): Promise<{ removed: number; kept: number }> {
    this.#sincePrune = 0;
    const current = [...this.#observed.values()].map((one) => one.last?.snapshot).filter((one) => one !== undefined);
    const live = { commits: current.map((one) => one.commit), trees: current.map((one) => one.tree) };
    const before = this.#options.clock.nowMs() - (this.#options.pruneGraceMs ?? 600_000);
    const { removed, kept } = await prune(this.#git, this.#store, this.#variables(), live, before);
    this.#merger.forget(removed);
    return { removed: removed.size, kept };
  }

  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    for (const observed of this.#observed.values()) observed.watch?.close();
    await Promise.all([...this.#observed.values()].map((observed) => observed.turn));
    await this.#blobs.close();
  }

  #variables(): Record<string, string> {
    return this.#store.variables(this.#plain);
  }

  #observedAt(worktree: string): Observed {
    const known = this.#observed.get(worktree);
    if (known !== undefined) return known;
    const made = { memory: freshMemory(), last: undefined, watch: undefined, turn: Promise.resolve() };
    this.#observed.set(worktree, made);
    return made;
  }

  async #look(worktree: string, observed: Observed, options: SnapshotOptions): Promise<SnapshotOutcome> {
    const gitDirectory = gitDirectoryOf(worktree);
    if (gitDirectory === undefined) return this.#lose(worktree, observed, "gone", "the worktree is not there any more");
    const commonDirectory = commonDirectoryOf(gitDirectory);
    const stamp = stampOf(worktree, gitDirectory, commonDirectory);
    const now = this.#options.clock.monotonicMs();
    const last = observed.last;
    const isStill = last !== undefined && last.stamp.rest === stamp.rest && last.stamp.index === stamp.index;
    const isDue = last === undefined || now - last.fullAtMs >= (this.#options.fullEveryMs ?? 300_000);
    const hinted = observed.watch?.take() ?? (options.touched === undefined ? "everything" : []);
    const named = hinted === "everything" ? hinted : [...new Set([...hinted, ...(options.touched ?? [])])];
    const mayLimit =
      isStill && !isDue && options.full !== true && named !== "everything" && !named.some(changesMeaning);
    if (mayLimit && named.length === 0)
      return { kind: "taken", snapshot: last.snapshot, facts: last.facts, isNew: false };
    try {
      const only = mayLimit ? named : [];
      const { snapshot, facts } = await this.#take(worktree, commonDirectory, stamp, observed, only);
      observed.last = { snapshot, facts, stamp, fullAtMs: mayLimit ? last.fullAtMs : now };
      if (observed.watch !== undefined) await this.#follow(observed.watch, snapshot, only);
      return { kind: "taken", snapshot, facts, isNew: snapshot.commit !== last?.snapshot.commit };
    } catch (cause) {
      if (cause instanceof Skip) return this.#lose(worktree, observed, cause.skipped.reason, cause.skipped.detail);
      if (!(cause instanceof GitFailure)) throw cause;
      const isThere = gitDirectoryOf(worktree) !== undefined;
      const reason = !isThere ? "gone" : cause.outcome.timedOut ? "timed-out" : "corrupt";
      return this.#lose(worktree, observed, reason, cause.message);
    }
  }

  async #take(
    worktree: string,
    commonDirectory: string,
    stamp: Stamp,
    observed: Observed,
    touched: readonly string[],
  ): Promise<{ snapshot: Snapshot; facts: WorktreeFacts }> {
    const gitDirectory = gitDirectoryOf(worktree) ?? "";
    const settings = await this.#clones.settingsOf(gitDirectory, worktree, stamp.rest);
    const facts = await describeWorktree(this.#git, worktree, commonDirectory, false, settings);
    if ("reason" in facts) throw new Skip(facts);
    if (observed.last?.stamp.rest !== stamp.rest) {
      this.#shallow = undefined;
      if (this.#clones.refresh()) await this.#seeNewObjects();
    }
    const state = await readState(this.#git, gitDirectory, commonDirectory);
    const shallow = await this.#cuts();
    const mergeHeads = state?.mergeHeads ?? [];
    const place = { git: this.#git, store: this.#store, blobs: this.#blobs, facts, settings, mergeHeads, shallow };
    const snapshot = await takeSnapshot(place, observed.memory, touched);
    if (++this.#sincePrune >= snapshotsBetweenPrunes) await this.prune();
    return { snapshot, facts };
  }

  #lose(worktree: string, observed: Observed, reason: SkippedWorktree["reason"], detail: string): SnapshotOutcome {
    observed.last = undefined;
    if (reason === "gone") {
      // One that comes back at this path begins anew.
      observed.watch?.close();
      this.#observed.delete(worktree);
    }
    return { kind: "skipped", path: worktree, reason, detail };
  }

  /** New directories are watched; when only known ones were touched, there are none. */
  async #follow(watch: WorktreeWatch, snapshot: Snapshot, touched: readonly string[]): Promise<void> {
    if (watch.state.kind === "polling") return;
    if (touched.length > 0 && touched.every((path) => watch.isWatching(dirname(path)) && !watch.isWatching(path)))
      return;
    watch.follow(await readDirectories(this.#git, this.#variables(), snapshot.tree));
  }

  async #seeNewObjects(): Promise<void> {
    this.#shallow = undefined;
    this.#merger.forgetHistory();
    await this.#blobs.restart();
  }

  async #cuts(): Promise<string> {
    if (this.#shallow === undefined) {
      this.#shallow = await this.#clones.shallow(this.#blobs);
      // An empty list would still make git believe that history is cut.
      if (this.#shallow === "") rmSync(join(this.#plain, "shallow"), { force: true });
      else writeIfChanged(join(this.#plain, "shallow"), this.#shallow);
    }
    return this.#shallow;
  }
}

const changesMeaning = (path: string): boolean => /(^|\/)\.git(ignore|attributes|modules)$/.test(path);

/** A worktree that turned out not to be observable half-way. */
class Skip extends Error {
  readonly skipped: SkippedWorktree;

  constructor(skipped: SkippedWorktree) {
    super(skipped.detail);
    this.skipped = skipped;
  }
}

/** So many at once and no more; the others wait in line. */
class Places {
  readonly #waiting: (() => void)[] = [];
  #free: number;

  constructor(count: number) {
    this.#free = count;
  }

  async run<T>(work: () => Promise<T>): Promise<T> {
    if (this.#free > 0) this.#free -= 1;
    else await new Promise<void>((resolve) => this.#waiting.push(resolve));
    try {
      return await work();
    } finally {
      const next = this.#waiting.shift();
      if (next === undefined) this.#free += 1;
      else next();
    }
  }
}
