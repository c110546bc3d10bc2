// Looking at pull requests.

import type { PullRequestsTable } from "../../store/tables/pulls.ts";
import type { ReadContext } from "../context.ts";
import { countPulls, listPullRows, pullsOfTask } from "./pulls.sql.ts";

export async function listPulls({ store }: ReadContext, input: { readonly all: boolean; readonly limit: number }) {
  const total = await countPulls(store.db, store.constellation, input.all);
  const rows = await listPullRows(store.db, store.constellation, input.all, input.limit);
  return { total, pulls: rows.map(describe) };
}

export function pullsOf({ store }: ReadContext, task: number): Promise<PullRequestsTable[]> {
  return pullsOfTask(store.db, store.constellation, task);
}

export { pullsThatAsk, tasksWithOpenPull } from "./pulls.sql.ts";

function describe(row: PullRequestsTable) {
  const { task, number, url, branch, base, target, phase, outcome, checks, review, rounds } = row;
  return {
    task,
    number,
    url,
    branch,
    base,
    target,
    state: outcome ?? phase,
    checks,
    review,
    rounds,
    most_rounds: row.most_rounds,
    waits_for: row.waits_for,
    head: row.head_sha,
    created_ms: row.created_ms,
    ended_ms: row.ended_ms,
  };
}
