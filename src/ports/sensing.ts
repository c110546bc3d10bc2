// Declares what the part of the program that looks at repositories tells the part that decides. It is plain data, because the two may run in
// different threads.

import type { PairVerdict } from "../protocol/findings.ts";
import type { RepositoryIdentity } from "./git.ts";

/** A worktree as it was just seen. */
export interface ObservedWorktree {
  readonly path: string;
  readonly branch: string | null;
  readonly head: string | null;
  /** The snapshot; null when it could not be taken. */
  readonly commit: string | null;
  readonly tree: string | null;
  readonly operation: string | null;
  /** The reason why it cannot be looked at now, and git's own words for it. */
  readonly skipped: string | null;
  readonly detail: string | null;
  /** Compared with the default branch; null when that is not known. */
  readonly ahead: number | null;
  readonly behind: number | null;
  readonly uncommitted: boolean;
}

export interface RepositoryReport {
  readonly repository: RepositoryIdentity;
  /** The branch where work lands: `origin/main`. Null if there is no such branch. */
  readonly defaultBranch: string | null;
  /** Those that changed since the last report. */
  readonly worktrees: readonly ObservedWorktree[];
  /** The paths of every worktree there is now, whether it can be looked at or not. */
  readonly present: readonly string[];
  /** The identities of every side that can be compared: findings about others are over. */
  readonly sides: readonly string[];
  /** Those that are there, but have nothing that the default branch lacks. */
  readonly landed: readonly string[];
  /** Those that were looked at since the last report. */
  readonly pairs: readonly PairVerdict[];
  /** The number of pairs that are still to be looked at. */
  readonly left: number;
  /** The reason why the repository as a whole cannot be observed; null if it can. */
  readonly problem: string | null;
  /** No look came to its end: but for `problem` nothing is told, and nothing that was told before is over. */
  readonly isUnlooked?: true;
}
