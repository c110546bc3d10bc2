// Remembers in which directories of a repository work happens, over all its worktrees: where a side differs from what it began with, and what was
// edited lately. Where there are not enough watches for all directories of a worktree, these come first: an edit collides where others edit.

import { dirname } from "node:path";
import type { ChangedFile } from "../../../ports/git.ts";
import type { TreePair } from "../objects/changed-files.ts";
import { Bounded } from "../../../ports/bounded.ts";
import type { FollowedPaths } from "./followed-paths.ts";

/** Sides whose own directories are remembered. */
const mostTrees = 1_000;
/** Of one side: whoever changed more has work everywhere. */
const mostOfOne = 200;
/** Of all sides together. */
const mostShared = 2_000;

export class WorkPlaces {
  readonly #own = new Bounded<readonly string[]>(mostTrees);
  /** The number of times that somebody changed something there. */
  readonly #shared = new Map<string, number>();
  #version = 0;

  /** Another number when more is known. */
  get version(): number {
    return this.#version;
  }

  /** A side is this different from what it began with. */
  differs({ after }: TreePair, files: readonly ChangedFile[]): void {
    const directories = directoriesOf(files.map(({ path }) => path)).slice(0, mostOfOne);
    this.#own.set(after, directories);
    this.#count(directories);
  }

  edited(paths: readonly string[]): void {
    this.#count(directoriesOf(paths).slice(0, mostOfOne));
  }

  /**
   * The directories to watch first, at most so many: those of the worktree's own work, those where others work, then those with most files.
   * `tree`: the worktree as it is; `lately`: directories that were edited there, the last ones first.
   */
  first(tree: string, lately: readonly string[], all: FollowedPaths, most: number): string[] {
    const others = [...this.#shared].sort(([, one], [, other]) => other - one).map(([directory]) => directory);
    const chosen = new Set<string>();
    for (const directory of [...lately, ...(this.#own.get(tree) ?? []), ...others, ...all.fullestFirst]) {
      if (chosen.size >= most) break;
      if (directory !== "" && all.sorted.holding.has(directory)) chosen.add(directory);
    }
    return [...chosen];
  }

  #count(directories: readonly string[]): void {
    this.#version += 1;
    for (const directory of directories) {
      const before = this.#shared.get(directory) ?? 0;
      // The last one again, so that the first is the one that nobody edited for longest.
      this.#shared.delete(directory);
      this.#shared.set(directory, before + 1);
    }
    for (const directory of this.#shared.keys()) {
      if (this.#shared.size <= mostShared) break;
      this.#shared.delete(directory);
    }
  }
}

export function directoriesOf(paths: readonly string[]): string[] {
  return [...new Set(paths.map((path) => dirname(path)).map((directory) => (directory === "." ? "" : directory)))];
}
