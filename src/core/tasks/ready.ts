// `task ready`: whoever worked on a task says that it can land.

import { isPersonalAgentId } from "../../protocol/envelope.ts";
import { Refusal } from "../../protocol/errors.ts";
import { arrived } from "./arrival.ts";
import { endDispatches, newestDispatch } from "./dispatches.sql.ts";
import { keepReady } from "./ready-refs.ts";
import { whyNotTheirs } from "./rules.ts";
import type { TaskContext } from "./task-context.ts";
import { moveOf } from "./task.ts";
import type { Tx } from "../../store/group-commit.ts";
import type { TasksTable, WorkspacesTable } from "../../store/tables/tasks.ts";
import { findTask, recordTask, updateTask, updateWorkspace, workspacesOf } from "./tasks.sql.ts";

export async function readyTask(
  context: TaskContext,
  input: { task: number; branch?: string | undefined; because?: string | undefined },
): Promise<{ state: string; branch: string; commits: number | null; uncommitted: number }> {
  const { store, constellation, machine } = context;
  const task = await findTask(store.db, constellation, input.task);
  moveOf(task, "ready");
  await refuseStranger(context, store.db, task);
  const spaces = (await workspacesOf(store.db, constellation, { task: task.number })).filter(
    ({ state }) => state === "ready",
  );
  const branch = input.branch ?? spaces[0]?.branch ?? task.branch;
  if (branch === null)
    throw new Refusal("task.no-workspace", `task ${task.number} has no workspace and no branch`, { task: task.number });
  const looks = await Promise.all(
    spaces.map((one) => machine.workspaces.look(one.path, one.base_sha, input.branch ?? one.branch)),
  );
  const there = looks.filter(({ exists }) => exists);
  const works = spaces.flatMap((workspace, at) => {
    const { tip: commit, ahead = 0 } = looks[at] ?? {};
    return commit === undefined || ahead === 0 ? [] : [{ workspace, commit }];
  });
  const uncommitted = there.reduce((sum, one) => sum + one.uncommitted, 0);
  if (there.length === 0) await refuseIfLost(context, task, spaces, branch);
  else if (there.every(({ ahead }) => ahead === 0)) {
    const unsaved = uncommitted === 0 ? "" : `, and ${uncommitted} uncommitted files`;
    throw new Refusal("task.nothing-to-land", `${branch} has no commits of its own${unsaved}`, { branch, uncommitted });
  }
  const commits = there.length === 0 ? null : there.reduce((sum, one) => sum + one.ahead, 0);
  const tips = there.flatMap(({ tip }) => (tip === undefined ? [] : [tip]));
  // Before it is said to be ready: from then on it must not depend on a directory that anybody may delete.
  const kept = await keepReady(context, works);
  const state = await store.write(async (tx) => {
    const now = await findTask(tx.db, constellation, input.task);
    const next = moveOf(now, "ready");
    await refuseStranger(context, tx.db, now);
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
    if (input.branch !== undefined) for (const { id } of spaces) await updateWorkspace(tx.db, id, { branch });
    await recordTask(context, tx, now.number, "ready", {
      branch,
      commits,
      uncommitted,
      tips,
      kept,
      ...(input.because === undefined ? {} : { because: input.because }),
    });
    return next;
  });
  return { state, branch, commits, uncommitted };
}

/** Agents answer only for what they have; the owner, and the owner's own agent, for everything. */
async function refuseStranger({ actor, constellation }: TaskContext, db: Tx["db"], task: TasksTable): Promise<void> {
  if (!isPersonalAgentId(actor) || actor === "agent0") return;
  const newest = await newestDispatch(db, constellation, task.number);
  const why = whyNotTheirs(newest, { agent: actor });
  if (why === undefined) return;
  throw new Refusal("task.not-yours", `task ${task.number} is not ${actor}'s: ${why}`, {
    task: task.number,
    agent: newest?.agent ?? null,
    actor,
  });
}

/** A workspace that somebody deleted: the work is at the origin, or nowhere that we know. */
async function refuseIfLost(
  { machine }: TaskContext,
  task: TasksTable,
  spaces: readonly WorkspacesTable[],
  branch: string,
): Promise<void> {
  for (const { origin } of spaces) {
    if ((await machine.workspaces.atOrigin(origin, branch)) !== undefined) return;
  }
  const [first] = spaces;
  if (first === undefined) return;
  throw new Refusal(
    "task.no-workspace",
    `the workspace ${first.path} is gone, and the origin has no branch ${branch}`,
    { task: task.number, path: first.path, branch },
    `If the work is lost: \`constel task update ${task.number} --release\`, then dispatch it again.`,
  );
}
