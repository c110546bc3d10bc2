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
    const moved = await storeWorktrees(context, tx, report);
    await reviewIn(context, tx, { ...report, moved });
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

/** Answers which sides are the same work in another directory now, and where. */
async function storeWorktrees(
  { constellation }: Pick<Context, "constellation">,
  tx: Tx,
  report: RepositoryReport,
): Promise<ReadonlyMap<string, string>> {
  const { repository } = report;
  const changes = changesIn(report, await worktreesOf(tx.db, constellation, repository));
  const { seen, gone } = changes;
  const moves = movesIn(changes);
  for (const { row, before, isTold } of seen) {
    const from = moves.find(({ to }) => to === row.path)?.from;
    await putWorktree(tx, {
      constellation,
      repository,
      ...row,
      agent: before?.agent ?? from?.agent ?? null,
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
    const movedTo = moves.find(({ from }) => from.path === path)?.to;
    const data = { repository, path, branch, ...(movedTo === undefined ? {} : { movedTo }) };
    await tx.record({ type: "worktree.gone", subject: `worktree:${path}`, actor: "daemon", data });
  }
  return new Map(moves.map(({ from, to }) => [`worktree ${from.path}`, to]));
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

/**
 * Worktrees that are gone while another came with their branch and commit: git moved them, or somebody did. A branch is checked out once in
 * a clone, so it is the same work, and it collides where it did.
 */
function movesIn({ seen, gone }: Changes): { readonly from: WorktreesTable; readonly to: string }[] {
  const fresh = seen.filter(({ row, before }) => before === undefined && row.snapshot_tree !== null);
  return gone.flatMap((from) => {
    const isSame = ({ row }: (typeof fresh)[number]): boolean =>
      row.head === from.head &&
      (from.branch === null ? row.snapshot_tree : row.branch) === (from.branch ?? from.snapshot_tree);
    const to = fresh.filter(isSame);
    return to.length === 1 && to[0] !== undefined ? [{ from, to: to[0].row.path }] : [];
  });
}

const told = ["path", "branch", "head", "operation", "skipped", "uncommitted"] as const;

function columnsOf(row: Row): (keyof Row)[] {
  return Object.keys(row) as (keyof Row)[];
}
