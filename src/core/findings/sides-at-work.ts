// Who works on the two sides of a finding: the agent, the task, and whether all of it is committed.

import type { FindingsTable } from "../../store/tables/observed.ts";
import type { ReadContext } from "../context.ts";
import { worktreesAt, workspaceTasks } from "./queries.sql.ts";

export interface SideAtWork {
  readonly label: string;
  readonly worktree: string | null;
  readonly agent: string | null;
  readonly task: number | null;
  /** Null when that is not known, as of a plain branch. */
  readonly uncommitted: boolean | null;
}

export async function sidesOf(
  { store: { db, constellation } }: Pick<ReadContext, "store">,
  finding: Pick<FindingsTable, "ours_label" | "ours_worktree" | "theirs_label" | "theirs_worktree">,
): Promise<[SideAtWork, SideAtWork]> {
  const paths = [finding.ours_worktree, finding.theirs_worktree].flatMap((path) => (path === null ? [] : [path]));
  const worktrees = new Map((await worktreesAt(db, constellation, paths)).map((one) => [one.path, one]));
  const tasks = new Map((await workspaceTasks(db, constellation, paths)).map((one) => [one.path, one]));
  const side = (label: string, path: string | null): SideAtWork => {
    const tree = path === null ? undefined : worktrees.get(path);
    const task = path === null ? undefined : tasks.get(path);
    return {
      label,
      worktree: path,
      agent: tree?.agent ?? task?.agent ?? null,
      task: task?.number ?? null,
      uncommitted: tree === undefined ? null : tree.uncommitted === 1,
    };
  };
  return [side(finding.ours_label, finding.ours_worktree), side(finding.theirs_label, finding.theirs_worktree)];
}
