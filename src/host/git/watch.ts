// Notices that something under a worktree was touched: a hint, never the truth. One plain watch for each directory that
// holds files of the snapshot, so that node_modules and other ignored trees are never watched, and one for the worktree's
// git directory (HEAD, index, and the log of HEAD, which tells of commits). Past a bound, or when there are no watches left, it says so and
// the caller polls; where only the budget was used up, it may begin again when there is more going on here than elsewhere.

import { lstatSync } from "node:fs";
import { join } from "node:path";
import type { WatchState } from "../../ports/git.ts";
import { messageOf, systemCode } from "../../protocol/errors.ts";
import type { Clock } from "../../ports/machine.ts";
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
  /** When something last happened here; without, never. */
  readonly activeMs?: () => number;
}

const defaultMaxDirectories = 8_192;
/** An editor writes, renames and touches within a few milliseconds. */
const defaultSettleMs = 25;
/** More than this many paths at once are not worth naming. */
export const maxNamedPaths = 100;
/** Never watched, even before git has said that they are ignored. */
export const heavy = new Set([".git", "node_modules", ".venv", "target", "__pycache__", ".cache", "dist", "build"]);

export class WorktreeWatch implements WatchHolder, DirectoryListener {
  readonly #options: WatchOptions;
  readonly #watchers = new Map<string, DirectoryWatch>();
  #state: WatchState = { kind: "watching" };
  #paths = new Set<string>();
  #everything = true;
  #closed = false;
  #telling = false;
  readonly #closing = new AbortController();

  constructor(options: WatchOptions) {
    this.#options = options;
    this.#begin(new Set());
  }

  get state(): WatchState {
    return this.#state;
  }

  /** What was touched since the last call: nothing, some paths, or possibly anything. */
  take(): readonly string[] | "everything" {
    const answer = this.#everything || this.#state.kind === "polling" ? "everything" : [...this.#paths];
    this.#everything = false;
    this.#paths = new Set();
    return answer;
  }

  get isClean(): boolean {
    return this.#state.kind === "watching" && !this.#everything && this.#paths.size === 0;
  }

  isWatching(directory: string): boolean {
    return this.#watchers.has(directory === "." ? "" : directory);
  }

  /** Watches these directories (paths below the top) and no others. New ones may have changed before they were watched. */
  follow(directories: ReadonlySet<string>): void {
    if (this.#closed || this.#state.kind === "polling") return;
    for (const [name, watcher] of this.#watchers) {
      if (name === gitName || name === logName || name === "" || directories.has(name)) continue;
      if (lstatSync(join(this.#options.top, name), { throwIfNoEntry: false })?.isDirectory() === true) continue;
      watcher.close();
      this.#watchers.delete(name);
      this.#options.budget?.giveBack(this, 1);
    }
    const fresh = [...directories].filter((directory) => !this.#watchers.has(directory));
    if (!this.#take(fresh.length)) return;
    for (const directory of fresh) {
      this.#add(directory);
      this.#note(directory);
      if (this.#state.kind !== "watching") return;
    }
  }

  get activeMs(): number {
    return this.#options.activeMs?.() ?? -Infinity;
  }

  /** Whether it polls for no other reason than that others have the watches. */
  get isWaiting(): boolean {
    return this.#state.kind === "polling" && this.#state.reason === noneLeft;
  }

  /** Watches again, if others rest so that there are enough watches now. Anything may have happened meanwhile. */
  resume(directories: ReadonlySet<string>): void {
    if (this.#closed || !this.isWaiting) return;
    this.#state = { kind: "watching" };
    this.#begin(directories);
  }

  giveUp(): void {
    if (this.#closed || this.#state.kind === "polling") return;
    this.#degrade(noneLeft);
    // Who polls must look now, to know from when on.
    this.#tell();
  }

  close(): void {
    this.#closed = true;
    this.#closing.abort();
    this.#endAll();
  }

  #begin(directories: ReadonlySet<string>): void {
    const { gitDirectory, top } = this.#options;
    if (!this.#take(3 + directories.size)) return;
    this.#everything = true;
    this.#watch(gitName, gitDirectory);
    this.#watch(logName, join(gitDirectory, "logs"));
    this.#watch("", top);
    for (const directory of directories) if (this.#state.kind === "watching") this.#add(directory);
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
    if (lstatSync(join(this.#options.top, path), { throwIfNoEntry: false })?.isDirectory() === true) {
      if (!this.#watchers.has(path) && this.#take(1)) this.#add(path);
    }
    this.#tell();
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
  }
}

const noneLeft = "other worktrees use the watches that there may be (sense.watches)";

// No directory below the top has such a name.
const gitName = "/";
const logName = "/logs";
