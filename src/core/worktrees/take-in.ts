// Takes in what was seen of a repository: worktrees, what is gone, and the findings that follow, in one transaction. A
// report that changes nothing writes nothing.

import type { RepositoryReport } from "../../ports/sensing.ts";
import type { Tx } from "../../store/group-commit.ts";
import type { WorktreesTable } from "../../store/tables/observed.ts";
import { movesFor, reviewIn } from "../findings/apply-findings.ts";
import { keepOpen, openMovesFor } from "../findings/open-pairs.ts";
import type { Context } from "../context.ts";
import {
  asRow,
  putWorktree,
  removeClone,
  removeWorktree,
  repositoryBy,
  updateRepository,
  worktreesOf,
} from "./worktrees.sql.ts";

export async function takeIn(
  context: Pick<Context, "store" | "constellation" | "random">,
  report: RepositoryReport,
): Promise<void> {
  const { store, constellation } = context;
  const before = await repositoryBy(store.db, constellation, report.repository);
  // Forgotten while it was being looked at.
  if (before === undefined || before.wanted !== "observed") return;
  const problem = report.problem?.toWellFormed() ?? null;
  if (report.isUnlooked === true) {
    if (before.problem === problem) return;
    return await store.write((tx) => updateRepository(tx, constellation, report.repository, { problem }));
  }
  const changes = changesIn(report, await worktreesOf(store.db, constellation, report.repository));
  const isNews = before.problem !== problem || before.default_branch !== report.defaultBranch;
  const isQuiet = changes.seen.length === 0 && changes.gone.length === 0 && !isNews;
  if (isQuiet && (await isSettled(context, report))) return;
  await store.write(async (tx) => {
    const repository = await repositoryBy(tx.db, constellation, report.repository);
    if (repository === undefined || repository.wanted !== "observed") return;
    await updateRepository(tx, constellation, report.repository, {
      problem,
      default_branch: report.defaultBranch?.toWellFormed() ?? null,
      last_observed_ms: tx.nowMs,
      pairs: (report.sides.length * (report.sides.length - 1)) / 2,
    });
    await storeWorktrees(context, tx, report);
    await reviewIn(context, tx, report);
    await keepOpen(context, tx, report);
  });
}

/** Nothing is to be said of findings, nor of what is open. */
async function isSettled(
  context: Pick<Context, "store" | "constellation" | "random">,
  report: RepositoryReport,
): Promise<boolean> {
  if ((await movesFor(context, context.store, report)).length > 0) return false;
  const { put, remove } = await openMovesFor(context, context.store, report);
  return put.length + remove.length === 0;
}

async function storeWorktrees(
  { constellation }: Pick<Context, "constellation">,
  tx: Tx,
  report: RepositoryReport,
): Promise<void> {
  const { repository } = report;
  const { seen, gone } = changesIn(report, await worktreesOf(tx.db, constellation, repository));
  for (const { row, before, isTold } of seen) {
    await putWorktree(tx, {
      constellation,
      repository,
      ...row,
      agent: before?.agent ?? null,
      first_seen_ms: before?.first_seen_ms ?? tx.nowMs,
      changed_ms: row.snapshot_tree === before?.snapshot_tree ? before.changed_ms : tx.nowMs,
      last_observed_ms: tx.nowMs,
    });
    if (!isTold) continue;
    const { path, branch, head, operation, skipped, uncommitted } = row;
    const data = { repository, path, branch, head, operation, skipped, uncommitted: uncommitted === 1 };
    await tx.record({ type: "worktree.observed", subject: `worktree:${path}`, actor: "daemon", data });
  }
  for (const { path, branch } of gone) {
    await removeWorktree(tx, constellation, path);
    if (report.present.length > 0) await removeClone(tx, constellation, path);
    const data = { repository, path, branch };
    await tx.record({ type: "worktree.gone", subject: `worktree:${path}`, actor: "daemon", data });
  }
}

type Row = ReturnType<typeof asRow>;

interface Changes {
  readonly seen: readonly { row: Row; before: WorktreesTable | undefined; isTold: boolean }[];
  readonly gone: readonly WorktreesTable[];
}

/** Pure. Every keystroke makes another snapshot; the timeline hears only of what people would call a change. */
export function changesIn(report: RepositoryReport, stored: readonly WorktreesTable[]): Changes {
  const byPath = new Map(stored.map((row) => [row.path, row]));
  const seen = report.worktrees
    .map(asRow)
    .map((row) => ({ row, before: byPath.get(row.path) }))
    .filter(({ row, before }) => before === undefined || columnsOf(row).some((key) => row[key] !== before[key]))
    .map(({ row, before }) => ({ row, before, isTold: told.some((key) => row[key] !== before?.[key]) }));
  const present = new Set(report.present.map((path) => path.toWellFormed()));
  return { seen, gone: stored.filter(({ path }) => !present.has(path)) };
}

const told = ["path", "branch", "head", "operation", "skipped", "uncommitted"] as const;

function columnsOf(row: Row): (keyof Row)[] {
  return Object.keys(row) as (keyof Row)[];
}
