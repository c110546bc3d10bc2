// Watches the few directories of a worktree where its work is, where there are not enough watches for all. What happens there is heard at once;
// the rest of the worktree is polled (stat-poll.ts). A hint like every watch: what it misses, the poll finds.

import { join } from "node:path";
import { type DirectoryListener, type DirectoryWatch, watchDirectory } from "./watch-directory.ts";
import { heavy, maxNamedPaths } from "./watch.ts";
import { modestCount, type WatchBudget, type WatchHolder } from "./watch-budget.ts";

export interface HotWatchOptions {
  readonly top: string;
  readonly gitDirectory: string;
  readonly budget: WatchBudget;
  readonly touched: () => void;
  readonly activeMs: () => number;
}

/** Beside these: the git directory and the top. */
export const mostHot = modestCount - 2;

export class HotWatch implements WatchHolder, DirectoryListener {
  readonly isModest = true;
  readonly #options: HotWatchOptions;
  readonly #watches = new Map<string, DirectoryWatch>();
  #paths = new Set<string>();
  #closed = false;

  constructor(options: HotWatchOptions) {
    this.#options = options;
    if (this.#options.budget.take(this, 2)) {
      this.#watch(gitName, options.gitDirectory);
      this.#watch("", options.top);
    } else this.#closed = true;
  }

  get activeMs(): number {
    return this.#options.activeMs();
  }

  /** Watches these directories, as far as there is room, and no others. */
  follow(directories: readonly string[]): void {
    if (this.#closed) return;
    const wanted = new Set(directories.slice(0, mostHot));
    for (const [key, watch] of this.#watches) {
      if (key === gitName || key === "" || wanted.has(key)) continue;
      watch.close();
      this.#forget(key);
    }
    for (const directory of wanted) {
      if (this.#watches.has(directory)) continue;
      if (!this.#options.budget.take(this, 1)) return;
      this.#watch(directory, join(this.#options.top, directory));
    }
  }

  /** The paths that were touched since the last call. Undefined for none: then it is the poll's turn. */
  take(): readonly string[] | undefined {
    const paths = [...this.#paths];
    this.#paths = new Set();
    return paths.length === 0 || paths.length >= maxNamedPaths ? undefined : paths;
  }

  heard(key: string, name: string | undefined): void {
    if (this.#closed) return;
    if (key === gitName) {
      if (name === undefined || gitFiles.has(name)) this.#options.touched();
      return;
    }
    if (name === undefined || heavy.has(name) || name.includes("\uFFFD")) return;
    if (this.#paths.size < maxNamedPaths) this.#paths.add(key === "" ? name : `${key}/${name}`);
    this.#options.touched();
  }

  /** Made anew in its place, it is watched anew when the worktree is followed next. */
  lost(key: string): void {
    this.#forget(key);
  }

  giveUp(): void {
    this.close();
  }

  close(): void {
    this.#closed = true;
    for (const watch of this.#watches.values()) watch.close();
    this.#watches.clear();
    this.#options.budget.giveBack(this);
  }

  #watch(key: string, path: string): void {
    try {
      this.#watches.set(key, watchDirectory(path, key, this));
    } catch {
      // Gone, or the machine has none left: it is polled like the rest.
      this.#options.budget.giveBack(this, 1);
    }
  }

  #forget(key: string): void {
    if (this.#watches.delete(key)) this.#options.budget.giveBack(this, 1);
  }
}

// No directory below the top has such a name.
const gitName = "/";
const gitFiles = new Set(["HEAD", "index", "MERGE_HEAD"]);
