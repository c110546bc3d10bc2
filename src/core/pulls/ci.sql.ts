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
  /** Tasks land on it. */
  readonly isTarget: boolean;
}

export interface Noted {
  /** It says something else than before, or of another commit. */
  readonly isNew: boolean;
  readonly sinceMs: number;
}

/** Inside a job. */
export async function noteChecks(tx: Tx, about: CheckedBranch): Promise<Noted> {
  const { constellation, origin, branch, commit: commit_sha, task } = about;
  const { state, red } = about.checks;
  const before = await findCi(tx.db, about);
  const isNew = before === undefined || before.commit_sha !== commit_sha || before.state !== state;
  const sinceMs = isNew ? tx.nowMs : before.since_ms;
  const row = {
    commit_sha,
    state,
    red: JSON.stringify(red.map(({ name, url, tail }) => ({ name, url, tail: tail.slice(-2_000) }))),
    task,
    is_target: about.isTarget ? 1 : null,
    since_ms: sinceMs,
    seen_ms: tx.nowMs,
    ...redness(tx.nowMs, about.checks, before),
  };
  if (before === undefined) await tx.insert("branch_checks", { constellation, origin, branch, ...row });
  else
    await tx.db
      .updateTable("branch_checks")
      .set(row)
      .where("constellation", "=", constellation)
      .where("origin", "=", origin)
      .where("branch", "=", branch)
      .execute();
  return { isNew, sinceMs };
}

/** A branch that was red stays so while its next commit is being checked. */
function redness(
  nowMs: number,
  { state, red }: Checks,
  before: BranchChecksTable | undefined,
): Pick<BranchChecksTable, "red_ms" | "says"> {
  if (state === "green") return { red_ms: null, says: null };
  if (state !== "red") return { red_ms: before?.red_ms ?? null, says: before?.says ?? null };
  const names = red.map(({ name }) => name.slice(0, 60)).join(", ");
  return { red_ms: before?.red_ms ?? nowMs, says: names.slice(0, 300) };
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

/** The branches on which tasks land, looked at since then, and whose last word was red. */
export function redTargets(db: Tx["db"], constellation: string, sinceMs: number): Promise<BranchChecksTable[]> {
  return db
    .selectFrom("branch_checks")
    .selectAll()
    .where("constellation", "=", constellation)
    .where("is_target", "=", 1)
    .where("red_ms", "is not", null)
    .where("seen_ms", ">", sinceMs)
    .orderBy("red_ms")
    .execute();
}
