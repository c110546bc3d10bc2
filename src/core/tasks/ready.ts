// `task ready`: whoever worked on a task says that it can land.

import { isPersonalAgentId } from "../../protocol/envelope.ts";
import { Refusal } from "../../protocol/errors.ts";
import { arrived } from "./arrival.ts";
import { endDispatches } from "./dispatches.sql.ts";
import type { TaskContext } from "./task-context.ts";
import { moveOf } from "./task.ts";
import type { TasksTable } from "../../store/tables/tasks.ts";
import { findTask, recordTask, updateTask, workspacesOf } from "./tasks.sql.ts";

export async function readyTask(
  context: TaskContext,
  input: { task: number; branch?: string | undefined },
): Promise<{ state: string; branch: string; commits: number | null; uncommitted: number }> {
  const { store, constellation, machine } = context;
  const task = await findTask(store.db, constellation, input.task);
  moveOf(task, "ready");
  refuseStranger(context.actor, task);
  const [workspace] = (await workspacesOf(store.db, constellation, { task: task.number })).filter(
    ({ state }) => state === "ready",
  );
  const branch = input.branch ?? workspace?.branch ?? task.branch;
  if (branch === null || (workspace === undefined && input.branch === undefined && task.branch === null))
    throw new Refusal("task.no-workspace", `task ${task.number} has no workspace and no branch`, { task: task.number });
  const facts =
    workspace === undefined ? undefined : await machine.workspaces.look(workspace.path, workspace.base_sha, branch);
  if (facts?.exists === true && facts.ahead === 0) {
    const unsaved = facts.uncommitted === 0 ? "" : `, and ${facts.uncommitted} uncommitted files`;
    throw new Refusal("task.nothing-to-land", `${branch} has no commits of its own${unsaved}`, {
      branch,
      uncommitted: facts.uncommitted,
    });
  }
  const commits = facts?.exists === true ? facts.ahead : null;
  const uncommitted = facts?.uncommitted ?? 0;
  const state = await store.write(async (tx) => {
    const now = await findTask(tx.db, constellation, input.task);
    const next = moveOf(now, "ready");
    refuseStranger(context.actor, now);
    // Who says that it is done has heard of it; after that it is free for other work.
    const given = await endDispatches(tx, constellation, now.number, { state: "done", problem: null });
    for (const row of given) {
      if (row.agent === context.actor)
        await arrived(context, tx, { ...row, state: "done", ended_ms: tx.nowMs }, "it says that it is done");
    }
    const started = now.started_ms ?? now.created_ms;
    await updateTask(tx.db, now, {
      state: next,
      branch,
      reason: null,
      ready_ms: tx.nowMs,
      started_ms: started,
      updated_ms: tx.nowMs,
    });
    await recordTask(context, tx, now.number, "ready", { branch, commits, uncommitted });
    return next;
  });
  return { state, branch, commits, uncommitted };
}

/** Agents answer only for what they have; the owner, and the owner's own agent, for everything. */
function refuseStranger(actor: string, task: TasksTable): void {
  if (!isPersonalAgentId(actor) || actor === "agent0" || actor === task.agent) return;
  const holder = task.agent === null ? "no agent has it" : `${task.agent} has it`;
  throw new Refusal("task.not-yours", `task ${task.number} is not ${actor}'s: ${holder}`, {
    task: task.number,
    agent: task.agent,
    actor,
  });
}
