// What checks say of pushed branches, as rows: one for each branch, about the commit it has.

import type { Checks } from "../../ports/forge.ts";
import type { Tx } from "../../store/group-commit.ts";
import type { BranchChecksTable } from "../../store/tables/pulls.ts";

export interface CheckedBranch {
  readonly constellation: string;
  readonly origin: string;
  readonly branch: string;
  readonly commit: string;
  readonly checks: Checks;
  readonly task: number | null;
}

/** Inside a job. True when it says something else than before. */
export async function noteChecks(tx: Tx, about: CheckedBranch): Promise<boolean> {
  const { constellation, origin, branch, commit: commit_sha, task } = about;
  const { state } = about.checks;
  const red = JSON.stringify(about.checks.red.map(({ name, url, tail }) => ({ name, url, tail: tail.slice(-2_000) })));
  const before = await findCi(tx.db, about);
  if (before === undefined) {
    const at = { since_ms: tx.nowMs, seen_ms: tx.nowMs };
    await tx.insert("branch_checks", {
      constellation,
      origin,
      branch,
      commit_sha,
      state,
      red,
      task,
      red_ms: null,
      is_target: null,
      says: null,
      ...at,
    });
    return true;
  }
  const isSame = before.commit_sha === commit_sha && before.state === state;
  await tx.db
    .updateTable("branch_checks")
    .set({ commit_sha, state, red, task, seen_ms: tx.nowMs, ...(isSame ? {} : { since_ms: tx.nowMs }) })
    .where("constellation", "=", constellation)
    .where("origin", "=", origin)
    .where("branch", "=", branch)
    .execute();
  return !isSame;
}

export function findCi(
  db: Tx["db"],
  { constellation, origin, branch }: Pick<CheckedBranch, "constellation" | "origin" | "branch">,
): Promise<BranchChecksTable | undefined> {
  return db
    .selectFrom("branch_checks")
    .selectAll()
    .where("constellation", "=", constellation)
    .where("origin", "=", origin)
    .where("branch", "=", branch)
    .executeTakeFirst();
}
