// A harvest has judged a task's work, and it is to land by pull request: the row says from now on which commit the branch at the
// origin is to have. What was told of it before stays.

import { makeId } from "../../protocol/ids.ts";
import type { Tx } from "../../store/group-commit.ts";
import type { PullRequestsTable } from "../../store/tables/pulls.ts";
import type { Context } from "../context.ts";
import { pullsOfTask, updatePull } from "./pulls.sql.ts";

export type Proposal = Pick<
  PullRequestsTable,
  | "task"
  | "workspace"
  | "origin"
  | "source"
  | "target"
  | "branch"
  | "base"
  | "on_task"
  | "want_sha"
  | "source_sha"
  | "onto_sha"
  | "target_sha"
  | "judged_tip"
  | "harvest"
  | "merge_by"
  | "method"
  | "most_rounds"
>;

/** Inside a job. */
export async function propose(
  { constellation, random }: Pick<Context, "constellation" | "random">,
  tx: Tx,
  wish: Proposal,
): Promise<void> {
  const before = await openPullOf(tx.db, constellation, wish);
  if (before !== undefined)
    return await updatePull(tx, before.id, {
      ...wish,
      phase: "wanted",
      rebase: 0,
      waits_for: null,
      asks_ms: null,
      retry_ms: null,
    });
  await tx.insert("pull_requests", {
    ...wish,
    id: makeId("pul", tx.nowMs, random.bytes(10)),
    constellation,
    phase: "wanted",
    outcome: null,
    number: null,
    url: null,
    head_sha: null,
    head_by: null,
    rebase: 0,
    checks: null,
    review: null,
    merge_state: null,
    rounds: 0,
    told: "[]",
    feedback: null,
    text_hash: null,
    waits_for: null,
    asks_ms: null,
    outages: 0,
    retry_ms: null,
    ended_by: null,
    landed_sha: null,
    created_ms: tx.nowMs,
    opened_ms: null,
    updated_ms: tx.nowMs,
    ended_ms: null,
  });
}

/** A task has at most one open pull request in each repository. */
export async function openPullOf(
  db: Tx["db"],
  constellation: string,
  { task, origin, target }: Pick<PullRequestsTable, "task" | "origin" | "target">,
): Promise<PullRequestsTable | undefined> {
  const rows = await openPullsOf(db, constellation, task);
  return rows.find((row) => row.origin === origin && row.target === target);
}

export async function openPullsOf(db: Tx["db"], constellation: string, task: number): Promise<PullRequestsTable[]> {
  return (await pullsOfTask(db, constellation, task)).filter((row) => row.ended_ms === null);
}
