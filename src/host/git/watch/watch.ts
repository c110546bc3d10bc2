// Notices that something under a worktree was touched: a hint, never the truth. One plain watch for each directory that
// holds files of the snapshot, so that node_modules and other ignored trees are never watched, and one for the worktree's
// git directory (HEAD, index, and the log of HEAD, which tells of commits). Directories that hold only others are asked for their times
// now and then (bare-directories.ts). Past a bound, or when there are no watches left, it says so and
// the caller polls; where only the budget was used up, it may begin again when there is more going on here than elsewhere.

import { readdirSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import type { WatchState } from "../../../ports/git.ts";
import { messageOf, systemCode } from "../../../protocol/errors.ts";
import type { Clock } from "../../../ports/machine.ts";
import { BareDirectories } from "./bare-directories.ts";
import { timesOf } from "./file-times.ts";
import type { Directories } from "./followed-paths.ts";
import type { WatchBudget, WatchHolder } from "./watch-budget.ts";
import { type DirectoryListener, type DirectoryWatch, watchDirectory } from "./watch-directory.ts";

export interface WatchOptions {
  readonly top: string;
  readonly gitDirectory: string;
  /** Called once for a burst of events, when it has settled. */
  readonly touched: () => void;
  readonly clock: Clock;
  readonly settleMs?: number;
  /** Directories per worktree. The machine's limit is shared by all programs of the user. */
  readonly maxDirectories?: number;
  /** Shared with all other worktrees; without one there is no other bound. */
  readonly budget?: WatchBudget | undefined;
  /** Returns the time when something last happened here. Without it, never. */
  readonly activeMs?: () => number;
}

const defaultMaxDirectories = 8_192;
/** An editor writes, renames and touches within a few milliseconds. */
const defaultSettleMs = 25;
/**
 * The interval at which directories that hold no files are asked for their times: 120 of them in 30 worktrees take not half a percent of a
 * core, and what comes there is seen within two seconds.
 */
const askEveryMs = 1_500;
/** More than this many paths at once are not worth naming. */
export const maxNamedPaths = 100;
/** Never watched, even before git has said that they are ignored. */
export const heavy = new Set([".git", "node_modules", ".venv", "target", "__pycache__", ".cache", "dist", "build"]);

export class WorktreeWatch implements WatchHolder, DirectoryListener {
  readonly #options: WatchOptions;
  readonly #watchers = new Map<string, DirectoryWatch>();
  readonly #bare: BareDirectories;
  /** The entries that lay in bare directories and are not in the snapshot: ignored, or of no weight. */
  readonly #left = new Set<string>();
  #state: WatchState = { kind: "watching" };
  #paths = new Set<string>();
  #everything = false;
  /** The watches stand, and nobody has said what happened before they did. */
  #isLate = true;
  #closed = false;
  #telling = false;
  #isAsking = false;
  readonly #closing = new AbortController();

  constructor(options: WatchOptions) {
    this.#options = options;
    this.#bare = new BareDirectories(options.top, options.clock);
    this.#begin({ holding: new Set(), bare: new Set() });
  }

  get state(): WatchState {
    return this.#state;
  }

  /** Returns what was touched since the last call: nothing, some paths, or possibly anything. */
  take(): readonly string[] | "everything" {
    this.#lookAtBare();
    const isAll = this.#everything || this.#isLate || this.#state.kind === "polling";
    const answer = isAll ? "everything" : [...this.#paths];
    this.#everything = false;
    this.#isLate = false;
    this.#paths = new Set();
    return answer;
  }

  get isClean(): boolean {
    return this.#state.kind === "watching" && !this.#everything && !this.#isLate && this.#paths.size === 0;
  }

  /** Nobody has said what happened before the watches stood. */
  get isLate(): boolean {
    return this.#isLate;
  }

  /** All that may have changed between the last look and the watches. */
  catchUp(changed: readonly string[] | "everything"): void {
    this.#isLate = false;
    if (changed === "everything") this.#everything = true;
    else for (const path of changed) this.#note(path);
  }

  isWatching(directory: string): boolean {
    return this.#watchers.has(directory === "." ? "" : directory);
  }

  /** Tells whether it holds nothing but directories, so that its time is asked for. */
  isBare(directory: string): boolean {
    return this.#bare.has(directory);
  }

  /** Watches these directories (paths below the top) and no others. New ones may have changed before they were watched. */
  follow({ holding, bare }: Directories): void {
    if (this.#closed || this.#state.kind === "polling") return;
    for (const [name, watcher] of this.#watchers) {
      if (name === gitName || name === logName || name === "" || holding.has(name)) continue;
      if (this.#isDirectory(name)) continue;
      watcher.close();
      this.#watchers.delete(name);
      this.#options.budget?.giveBack(this, 1);
    }
    const fresh = [...holding].filter((directory) => !this.#watchers.has(directory));
    if (!this.#take(fresh.length)) return;
    this.#followBare(bare, holding);
    for (const directory of fresh) {
      this.#add(directory);
      if (!this.#isLate) this.#note(directory);
      if (this.#state.kind !== "watching") return;
    }
  }

  get activeMs(): number {
    return this.#options.activeMs?.() ?? -Infinity;
  }

  /** True if it polls only because others have the watches. */
  get isWaiting(): boolean {
    return this.#state.kind === "polling" && this.#state.reason === noneLeft;
  }

  /** Watches again, if others rest so that there are enough watches now. Anything may have happened meanwhile. */
  resume(directories: Directories): void {
    if (this.#closed || !this.isWaiting) return;
    this.#state = { kind: "watching" };
    this.#begin(directories);
  }

  giveUp(): void {
    if (this.#closed || this.#state.kind === "polling") return;
    this.#degrade(noneLeft);
    // A worktree that is polled must be looked at now, to know from when on.
    this.#tell();
  }

  close(): void {
    this.#closed = true;
    this.#closing.abort();
    this.#endAll();
  }

  #begin({ holding, bare }: Directories): void {
    const { gitDirectory, top } = this.#options;
    if (!this.#take(3 + holding.size)) return;
    this.#isLate = true;
    this.#watch(gitName, gitDirectory);
    this.#watch(logName, join(gitDirectory, "logs"));
    this.#watch("", top);
    for (const directory of holding) if (this.#state.kind === "watching") this.#add(directory);
    this.#followBare(bare, holding);
  }

  #followBare(bare: ReadonlySet<string>, holding: ReadonlySet<string>): void {
    // One that is empty now is in no snapshot, and may be filled again.
    const emptied = this.#bare.paths.filter((one) => !bare.has(one) && !holding.has(one) && this.#isDirectory(one));
    const followed = [...bare, ...emptied].filter((directory) => !this.#watchers.has(directory));
    for (const directory of followed) {
      if (this.#bare.has(directory)) continue;
      if (!this.#isLate) this.#note(directory);
      // Listed before it is asked for its time: what comes in between makes that time a recent one, and then it is asked again.
      for (const path of pathsIn(this.#options.top, directory))
        if (!bare.has(path) && !holding.has(path)) this.#left.add(path);
    }
    this.#bare.follow(followed);
    void this.#keepAsking();
  }

  /** For as long as there are such directories. */
  async #keepAsking(): Promise<void> {
    if (this.#isAsking) return;
    this.#isAsking = true;
    const { clock } = this.#options;
    while (!this.#closed && this.#state.kind === "watching" && this.#bare.paths.length > 0) {
      // In all worktrees at the same moment: the thread wakes once for all of them.
      await clock.sleep(askEveryMs - (clock.monotonicMs() % askEveryMs), this.#closing.signal);
      if (!this.#closed && this.#lookAtBare()) this.#tell();
    }
    this.#isAsking = false;
  }

  /** Tells whether names came or went in directories that hold no files. */
  #lookAtBare(): boolean {
    if (this.#state.kind === "polling") return false;
    const changed = this.#bare.take();
    for (const directory of changed) {
      this.#note(directory);
      this.#renew(directory);
      this.#meetAllIn(directory);
    }
    return changed.length > 0;
  }

  /** Makes room for so many more; false, and polling, where there is none. */
  #take(count: number): boolean {
    const limit = this.#options.maxDirectories ?? defaultMaxDirectories;
    if (this.#watchers.size + count > limit) this.#degrade(`more than ${limit} directories`);
    else if (this.#options.budget?.take(this, count) === false) this.#degrade(noneLeft);
    return this.#state.kind === "watching";
  }

  /** Room has been made for it. */
  #add(directory: string): void {
    this.#watch(directory, join(this.#options.top, directory));
  }

  #watch(key: string, path: string): void {
    if (this.#state.kind === "polling") return;
    try {
      this.#watchers.set(key, watchDirectory(path, key, this));
    } catch (cause) {
      this.#options.budget?.giveBack(this, 1);
      this.#degradeFor(cause, path);
    }
  }

  heard(key: string, name: string | undefined): void {
    if (key === gitName || key === logName) this.#hearGit(name);
    else this.#hear(key, name);
  }

  /** One that is made anew in its place is watched anew, when the directory above tells of it. */
  lost(key: string, cause?: unknown): void {
    if (!this.#watchers.delete(key)) return;
    this.#options.budget?.giveBack(this, 1);
    if (cause !== undefined) this.#degradeFor(cause, key);
    // Nothing that is watched is above these.
    if (key === "" || key === gitName || cause !== undefined) this.#tell();
  }

  /** git's own files: the stamp sees what moved, and lock files come and go without meaning anything. */
  #hearGit(name: string | undefined): void {
    if (this.#closed) return;
    if (name === undefined || name === "HEAD" || name === "index" || name === "MERGE_HEAD") this.#tell();
  }

  #hear(directory: string, name: string | undefined): void {
    if (this.#closed) return;
    if (name === undefined) {
      this.#everything = true;
      return this.#tell();
    }
    if (heavy.has(name)) return;
    const path = directory === "" ? name : `${directory}/${name}`;
    this.#note(path);
    if (this.#watchers.has(path) || this.#bare.has(path)) this.#renew(path);
    this.#meet(path);
    this.#tell();
  }

  /** A watch goes with its directory when that is moved, and another may have its name now: what is watched at and below it is watched anew. */
  #renew(directory: string): void {
    const isConcerned = (key: string): boolean => key === directory || key.startsWith(`${directory}/`);
    for (const [key, watcher] of [...this.#watchers].filter(([one]) => isConcerned(one))) {
      // None is left when watching had to end meanwhile.
      if (!this.#watchers.delete(key)) return;
      watcher.close();
      if (this.#isDirectory(key)) this.#add(key);
      else this.#options.budget?.giveBack(this, 1);
    }
  }

  #isDirectory(path: string): boolean {
    return timesOf(join(this.#options.top, path))?.isDirectory === true;
  }

  /** A new directory is watched from now on, and all that was made in it before we came. */
  #meet(path: string): void {
    if (heavy.has(basename(path)) || this.#watchers.has(path) || this.#bare.has(path) || this.#left.has(path)) return;
    if (!this.#isDirectory(path)) return;
    if (!this.#take(1)) return;
    this.#add(path);
    this.#meetAllIn(path);
  }

  #meetAllIn(directory: string): void {
    const there = pathsIn(this.#options.top, directory);
    for (const path of this.#left) if (dirname(path) === directory && !there.includes(path)) this.#left.delete(path);
    for (const path of there) if (this.#state.kind === "watching") this.#meet(path);
  }

  #tell(): void {
    if (this.#telling) return;
    this.#telling = true;
    void this.#tellSoon();
  }

  async #tellSoon(): Promise<void> {
    await this.#options.clock.sleep(this.#options.settleMs ?? defaultSettleMs, this.#closing.signal);
    this.#telling = false;
    if (!this.#closed) this.#options.touched();
  }

  #note(path: string): void {
    // A name with odd bytes does not survive the watch, and rules for ignoring change what other paths mean.
    const isOdd = path.includes("\uFFFD") || /(^|\/)\.git(ignore|attributes)$/.test(path);
    if (isOdd || this.#paths.size >= maxNamedPaths) this.#everything = true;
    else this.#paths.add(path);
  }

  #degradeFor(cause: unknown, path: string): void {
    const code = systemCode(cause);
    if (this.#closed || code === "ENOENT" || code === "ENOTDIR") return; // gone before we could watch it
    this.#degrade(code === "ENOSPC" || code === "EMFILE" ? "no watches left" : `${path}: ${messageOf(cause)}`);
  }

  #degrade(reason: string): void {
    this.#state = { kind: "polling", reason };
    this.#endAll();
    this.#everything = true;
  }

  #endAll(): void {
    this.#options.budget?.giveBack(this);
    for (const watcher of this.#watchers.values()) watcher.close();
    this.#watchers.clear();
    this.#bare.follow([]);
    this.#left.clear();
    this.#paths.clear();
  }
}

/** None when it is gone, or not ours to read. */
function pathsIn(top: string, directory: string): readonly string[] {
  try {
    return readdirSync(join(top, directory)).map((name) => `${directory}/${name}`);
  } catch {
    return [];
  }
}

const noneLeft = "other worktrees use the watches that there may be (sense.watches)";

// No directory below the top has such a name.
const gitName = "/";
const logName = "/logs";
