// One worktree over time: looks at it as little as the hints allow, one look at a time, and remembers the last snapshot.
// Hints are HEAD, index and settings (the stamp), paths named by hooks, and the watch or, where the machine has none left,
// the times of all files. Every few minutes, and where there is no hint, git looks at every file.

import { lstatSync } from "node:fs";
import { dirname } from "node:path";
import type {
  SkippedWorktree,
  Snapshot,
  SnapshotOptions,
  SnapshotOutcome,
  WatchState,
  WorktreeFacts,
} from "../../ports/git.ts";
import type { Clock } from "../../ports/machine.ts";
import type { Blobs } from "./objects/blobs.ts";
import type { Clones } from "./repository/clones.ts";
import { describeWorktree, isLockedAway, lockedAway } from "./repository/discover.ts";
import { type Git, GitFailure } from "./git.ts";
import type { KnownNames } from "./watch/known-names.ts";
import { comparableMs, momentOf, type ReadMoment } from "./watch/read-moment.ts";
import { type PathLists, sortDirectories } from "./watch/followed-paths.ts";
import { commonDirectoryOf, gitDirectoryOf } from "./repository/locate.ts";
import type { PrivateStore } from "./objects/private-store.ts";
import { freshMemory, LostCommit, retakeSnapshot, type SnapshotMemory, takeSnapshot } from "./snapshot/snapshot.ts";
import { HotWatch, mostHot } from "./watch/hot-watch.ts";
import { directoriesOf, type WorkPlaces } from "./watch/work-places.ts";
import { type Stamp, stampOf } from "./watch/stamp.ts";
import { StatPoll } from "./watch/stat-poll.ts";
import { WorktreeWatch } from "./watch/watch.ts";
import type { WatchBudget } from "./watch/watch-budget.ts";
import { readState } from "./repository/worktree-state.ts";

/** The parts that a worktree shares with the others of its repository. */
export interface Surroundings {
  readonly git: Git;
  readonly store: PrivateStore;
  readonly blobs: Blobs;
  readonly clones: Clones;
  readonly clock: Clock;
  readonly fullEveryMs: number;
  /** Directories that may be watched in one worktree. */
  readonly maxWatched: number | undefined;
  /** Shared by all worktrees of all repositories. */
  readonly watches: WatchBudget | undefined;
  readonly pathLists: PathLists;
  readonly names: KnownNames;
  readonly workPlaces: WorkPlaces;
  variables(): Readonly<Record<string, string>>;
  shallow(): Promise<string>;
  /** Runs the work when there is room for it. */
  inPlace<T>(work: () => Promise<T>): Promise<T>;
  /** HEAD or a setting moved, so that new objects or a new end of history may be there. */
  headMoved(): Promise<void>;
  taken(): Promise<void>;
}

/** Polled at least so often, also while something is heard all the time. */
const longestUnpolledMs = 60_000;
const mostLately = 50;

interface SeenWorktree {
  readonly snapshot: Snapshot;
  readonly facts: WorktreeFacts;
  readonly stamp: Stamp;
  /** The time when every file was last looked at. */
  readonly fullAt: ReadMoment;
}

export class WorktreeObserver {
  readonly #path: string;
  readonly #around: Surroundings;
  #memory: SnapshotMemory = freshMemory();
  #last: SeenWorktree | undefined;
  /** The snapshot that the private index stands for, and the one made of it since. */
  #indexed: Snapshot | undefined;
  #kept: Snapshot | undefined;
  #watch: WorktreeWatch | undefined;
  /** In place of the watch, when that cannot be. */
  #poll: StatPoll | undefined;
  /** Beside the poll: watches where the work is. */
  #hot: HotWatch | undefined;
  /** The directories that were edited here, the last ones first. */
  #lately: readonly string[] = [];
  /** The state of the work places that the hot watch goes by. */
  #placesKnown = -1;
  #polledAtMs = -Infinity;
  #touched: () => void = () => {};
  /** The tree whose files that follows. */
  #followed: string | undefined;
  /** The time when it was last seen to differ from before. */
  #activeMs = -Infinity;
  #turn: Promise<unknown> = Promise.resolve();

  constructor(path: string, around: Surroundings) {
    this.#path = path;
    this.#around = around;
  }

  /** The newest snapshot. */
  get kept(): Snapshot | undefined {
    return this.#kept;
  }

  /** The snapshots whose objects are still needed: the private index may have fallen behind. */
  get needed(): Snapshot[] {
    return [this.#kept, this.#indexed].filter((one) => one !== undefined);
  }

  async snapshot(options: SnapshotOptions): Promise<SnapshotOutcome> {
    return await this.#inTurn(() => this.#look(options));
  }

  async #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const turn = this.#turn.then(() => this.#around.inPlace(work));
    this.#turn = turn.catch(() => undefined);
    return await turn;
  }

  async #followLast(): Promise<void> {
    if (this.#last !== undefined) await this.#follow(this.#last.snapshot, []);
  }

  async watch(touched: () => void): Promise<WatchState> {
    const gitDirectory = gitDirectoryOf(this.#path);
    if (gitDirectory === undefined) return { kind: "polling", reason: "the worktree is not there" };
    this.#watch?.close();
    this.#touched = touched;
    const { clock, watches: budget, maxWatched: maxDirectories } = this.#around;
    const limit = maxDirectories === undefined ? {} : { maxDirectories };
    const activeMs = (): number => this.#activeMs;
    this.#watch = new WorktreeWatch({ top: this.#path, gitDirectory, clock, touched, budget, activeMs, ...limit });
    // A snapshot says which directories to watch; the next that nothing happened before they were.
    if (this.#last === undefined) await this.snapshot({});
    else await this.#inTurn(() => this.#followLast());
    // Where it is polled, what may have changed was asked for just now, and the next look names it.
    if (this.#watch?.state.kind === "watching") await this.snapshot({});
    return this.#watch?.state ?? { kind: "polling", reason: "the worktree is not there" };
  }

  async close(): Promise<void> {
    this.#watch?.close();
    this.#hot?.close();
    await this.#turn;
  }

  /** The cost of looking when no watch tells of changes. */
  get #polledMs(): number | undefined {
    return this.#watch?.state.kind === "polling" ? this.#poll?.costMs : undefined;
  }

  async #look(options: SnapshotOptions): Promise<SnapshotOutcome> {
    const gitDirectory = gitDirectoryOf(this.#path);
    if (gitDirectory === undefined) return this.#notThere();
    const commonDirectory = commonDirectoryOf(gitDirectory);
    if (!this.#around.clones.has(commonDirectory))
      return this.#lose("foreign", "it belongs to no clone that was added");
    const stamp = stampOf(this.#path, gitDirectory, commonDirectory);
    const last = this.#last;
    // Its watches went to somebody else: the times of files say what happened since all was read.
    if (last !== undefined && this.#watch?.state.kind === "polling" && this.#poll === undefined)
      await this.#followLast();
    const only = this.#whereToLook(stamp, options);
    if (last !== undefined && only?.length === 0) {
      this.#watchWork(last.snapshot);
      return { kind: "taken", snapshot: last.snapshot, facts: last.facts, isNew: false, polledMs: this.#polledMs };
    }
    // The hints are used up: until this look has succeeded, only a look at everything would do.
    this.#last = undefined;
    const startedAt = momentOf(this.#around.clock);
    const startedMs = startedAt.monotonicMs;
    try {
      const { snapshot, facts } = await this.#take(gitDirectory, commonDirectory, stamp, last, only);
      const fullAt = only === undefined || last === undefined ? startedAt : last.fullAt;
      this.#last = { snapshot, facts, stamp, fullAt };
      this.#kept = snapshot;
      const isNew = snapshot.commit !== last?.snapshot.commit;
      if (isNew && last !== undefined) this.#activeMs = startedMs;
      if (isNew && last !== undefined && only !== undefined) this.#edited(only);
      await this.#follow(snapshot, only ?? []);
      await this.#around.taken();
      return { kind: "taken", snapshot, facts, isNew, polledMs: this.#polledMs };
    } catch (cause) {
      if (cause instanceof Skip) return this.#lose(cause.skipped.reason, cause.skipped.detail);
      // Removed while we looked: whatever failed, failed for that. Without its directory git does not even start.
      if (gitDirectoryOf(this.#path) === undefined) return this.#notThere();
      if (cause instanceof LostCommit) return this.#lose("corrupt", cause.message);
      if (!(cause instanceof GitFailure)) throw cause;
      return this.#lose(cause.outcome.timedOut ? "timed-out" : "corrupt", cause.message);
    }
  }

  /** The paths to look at, none when nothing was touched; undefined for everything. */
  #whereToLook(stamp: Stamp, options: SnapshotOptions): readonly string[] | undefined {
    const touched = options.touched?.map((path) => within(this.#path, path));
    const hinted = this.#hinted(touched);
    const last = this.#last;
    if (last === undefined || hinted === "everything" || options.full === true) return undefined;
    if (last.stamp.rest !== stamp.rest || last.stamp.index !== stamp.index) return undefined;
    if (this.#around.clock.monotonicMs() - last.fullAt.monotonicMs >= this.#around.fullEveryMs) return undefined;
    const named = [...new Set([...hinted, ...(touched ?? [])])];
    return named.some(changesMeaning) ? undefined : named;
  }

  #hinted(touched: readonly string[] | undefined): readonly string[] | "everything" {
    if (this.#watch?.state.kind === "watching") return this.#watch.take();
    // A caller that names files wants just these looked at; the others have their turn.
    if (touched !== undefined && (touched.length > 0 || this.#watch === undefined)) return [];
    const heard = this.#hot?.take();
    const nowMs = this.#around.clock.monotonicMs();
    // What happens all the time where it is watched must not keep from the rest.
    if (heard !== undefined && nowMs - this.#polledAtMs < longestUnpolledMs) return heard;
    this.#polledAtMs = nowMs;
    const found = this.#poll?.take() ?? "everything";
    return found === "everything" ? found : [...found, ...(heard ?? [])];
  }

  #edited(paths: readonly string[]): void {
    const directories = directoriesOf(paths);
    this.#around.workPlaces.edited(paths);
    this.#lately = [...new Set([...directories, ...this.#lately])].slice(0, mostLately);
    this.#placesKnown = -1;
  }

  /** Where not all can be watched, the directories are where the work of this worktree is, and that of others. */
  #watchWork(snapshot: Snapshot): void {
    const { watches: budget, workPlaces } = this.#around;
    const gitDirectory = gitDirectoryOf(this.#path);
    if (this.#watch?.state.kind !== "polling" || this.#poll === undefined || gitDirectory === undefined) {
      this.#hot?.close();
      this.#hot = undefined;
      return;
    }
    if (budget === undefined || this.#placesKnown === workPlaces.version) return;
    this.#placesKnown = workPlaces.version;
    const [touched, activeMs] = [() => this.#touched(), () => this.#activeMs];
    this.#hot ??= new HotWatch({ top: this.#path, gitDirectory, budget, touched, activeMs });
    this.#hot.follow(workPlaces.first(snapshot.tree, this.#lately, this.#poll.followed, mostHot));
  }

  async #take(
    gitDirectory: string,
    commonDirectory: string,
    stamp: Stamp,
    last: SeenWorktree | undefined,
    only: readonly string[] | undefined,
  ): Promise<{ snapshot: Snapshot; facts: WorktreeFacts }> {
    const { git, store, blobs, clones } = this.#around;
    const settings = await clones.settingsOf(gitDirectory, commonDirectory, this.#path, stamp.rest);
    const facts = await describeWorktree(git, this.#path, commonDirectory, false, async () => settings);
    if ("reason" in facts) throw new Skip(facts);
    if (last?.stamp.rest !== stamp.rest) await this.#around.headMoved();
    const mergeHeads = (await readState(git, gitDirectory, commonDirectory))?.mergeHeads ?? [];
    const shallow = await this.#around.shallow();
    const place = { git, store, blobs, facts, settings, mergeHeads, shallow };
    const retaken =
      last === undefined || only === undefined
        ? undefined
        : await retakeSnapshot(place, this.#memory, last.snapshot, only);
    if (retaken !== undefined) return { snapshot: retaken, facts };
    // After a snapshot past the index, what it took from disk is not in the index yet: then all is looked at.
    const isBehind = last !== undefined && this.#indexed?.tree !== last.snapshot.tree;
    const snapshot = await takeSnapshot(place, this.#memory, isBehind ? [] : (only ?? []));
    this.#indexed = snapshot;
    return { snapshot, facts };
  }

  #notThere(): SnapshotOutcome {
    const isAway =
      lstatSync(this.#path, { throwIfNoEntry: false }) === undefined &&
      [...this.#around.clones.all].some(({ commonDirectory }) => isLockedAway(commonDirectory, this.#path));
    return isAway
      ? this.#lose("unreadable", lockedAway, true)
      : this.#lose("gone", "the worktree is not there any more");
  }

  /** Forgets the private index too: nothing keeps its objects any more. */
  #lose(reason: SkippedWorktree["reason"], detail: string, isAway = reason === "gone"): SnapshotOutcome {
    this.#last = undefined;
    this.#kept = undefined;
    this.#indexed = undefined;
    this.#memory = freshMemory();
    if (isAway) {
      // One that comes back at this path is another worktree: its watch would be deaf.
      this.#watch?.close();
      this.#watch = undefined;
      this.#hot?.close();
      this.#hot = undefined;
      this.#poll = undefined;
      this.#followed = undefined;
    }
    return { kind: "skipped", path: this.#path, reason, detail };
  }

  /** New directories are watched; when only known ones were touched, there are none. */
  async #follow(snapshot: Snapshot, touched: readonly string[]): Promise<void> {
    const watch = this.#watch;
    let names: Uint8Array | undefined;
    if (watch?.state.kind === "watching") {
      const isKnown = (path: string): boolean =>
        watch.isWatching(dirname(path)) && !watch.isWatching(path) && !watch.isBare(path);
      if (touched.length > 0 && touched.every(isKnown)) return;
      names = await this.#around.names.of(snapshot.tree);
      watch.follow(sortDirectories(names));
      this.#catchUp(watch, names);
    }
    // It may have had to give up just now.
    if (this.#watch?.state.kind !== "polling") return this.#watchWork(snapshot);
    if (this.#followed !== snapshot.tree && !(touched.length > 0 && this.#poll?.covers(touched) === true)) {
      names ??= await this.#around.names.of(snapshot.tree);
      this.#poll ??= new StatPoll(this.#path, this.#around.clock);
      this.#poll.follow(this.#around.pathLists.of(names), this.#readMs());
      this.#followed = snapshot.tree;
    }
    if (this.#poll !== undefined && this.#watch?.isWaiting === true && this.#activeMs > -Infinity)
      this.#watch.resume(this.#poll.directories);
    this.#watchWork(snapshot);
  }

  /** The watches stand now: what may have changed since all was read is named, so that not all is read again. */
  #catchUp(watch: WorktreeWatch, names: Uint8Array): void {
    const readMs = watch.isLate && watch.state.kind === "watching" ? this.#readMs() : undefined;
    if (readMs === undefined) return;
    watch.catchUp(new StatPoll(this.#path, this.#around.clock).follow(this.#around.pathLists.of(names), readMs));
  }

  /** Undefined where the times of files do not tell what changed since all was read. */
  #readMs(): number | undefined {
    return this.#last === undefined ? undefined : comparableMs(this.#last.fullAt, this.#around.clock, this.#path);
  }
}

const changesMeaning = (path: string): boolean => /(^|\/)\.git(ignore|attributes|modules)$/.test(path);

/** A touched path as git has it; hooks often name whole paths. */
function within(worktree: string, path: string): string {
  const inside = path.startsWith(`${worktree}/`) ? path.slice(worktree.length + 1) : path;
  return inside.replace(/^\.\//, "");
}

/** A worktree that turned out not to be observable half-way. */
class Skip extends Error {
  readonly skipped: SkippedWorktree;

  constructor(skipped: SkippedWorktree) {
    super(skipped.detail);
    this.skipped = skipped;
  }
}
