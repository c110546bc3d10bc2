// Worktrees and branches as the two sides of a finding that reaches from one repository into another.

import { basename } from "node:path";
import type { PairSide } from "../../protocol/findings.ts";
import type { WorktreesTable } from "../../store/tables/observed.ts";
import type { watchedRepositories } from "./services.sql.ts";

export type WatchedRepository = Awaited<ReturnType<typeof watchedRepositories>>[number];

/** The branch that work lands on, as a side of a finding in another repository. */
export function landingSide({ name, default_branch }: WatchedRepository): PairSide {
  const branch = `${name} ${default_branch ?? ""}`;
  return {
    label: `${default_branch ?? "the default branch"} of ${basename(name)}`,
    worktree: null,
    branch,
    commit: "",
    tree: "",
  };
}

/** In the middle of a rebase files are nobody's word. */
export const isSettled = ({ operation, skipped }: WorktreesTable): boolean => operation === null && skipped === null;

export function sideOf({ path, branch, snapshot_commit, snapshot_tree }: WorktreesTable): PairSide {
  const label = branch ?? basename(path);
  return { label, worktree: path, branch, commit: snapshot_commit ?? "", tree: snapshot_tree ?? "" };
}
