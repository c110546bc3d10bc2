// The row of a harvest as it is when it is asked for.

import { makeId } from "../../../protocol/ids.ts";
import type { HarvestsTable, TasksTable, WorkspacesTable } from "../../../store/tables/tasks.ts";
import type { TaskContext } from "../task-context.ts";

export type Where = Pick<WorkspacesTable, "origin" | "target">;

/** A row that asks for a task's work to be judged and landed. */
export function newRow(
  context: TaskContext,
  about: {
    nowMs: number;
    train: string;
    place: number;
    task: TasksTable;
    space: WorkspacesTable | undefined;
    where: Where;
  },
): HarvestsTable {
  return {
    id: makeId("hrv", about.nowMs, context.random.bytes(10)),
    constellation: context.constellation,
    train: about.train,
    task: about.task.number,
    place_in_train: about.place,
    workspace: about.space?.id ?? null,
    origin: about.where.origin,
    phase: "queued",
    outcome: null,
    reason: null,
    report: "{}",
    target: about.where.target,
    expected_old: null,
    new_tip: null,
    landed_sha: null,
    gate_commit: null,
    gate_outcome: null,
    gate_tail: null,
    gate_ms: null,
    attempts: 0,
    ready_sha: readyOf(about.task, about.space),
    outages: 0,
    retry_ms: null,
    fencing_token: 0,
    asked_by: context.actor,
    asked_ms: about.nowMs,
    started_ms: null,
    ended_ms: null,
  };
}

/** Stands for a task that was called ready but had nothing to see: no commit has this name. */
const nothing = "0".repeat(40);

function readyOf(task: TasksTable, space: WorkspacesTable | undefined): string | null {
  if (space === undefined || task.ready_sha === null) return task.ready_sha;
  return space.ready_sha ?? nothing;
}
