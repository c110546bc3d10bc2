// `task ready`: whoever worked on a task says that it can land.

import type { Criterion } from "../../../protocol/acceptance.ts";
import { counted } from "../../../protocol/counted.ts";
import { isWorkingAgent } from "../../../protocol/agent-id.ts";
import { Refusal } from "../../../protocol/errors.ts";
import type { Context } from "../../context.ts";
import { noteNewHead } from "../../reviews/stale.ts";
import { arrived } from "../assigning/arrival.ts";
import { criteriaOf, forgetVerdicts } from "../evidence/criteria.sql.ts";
import { criterionOf } from "../evidence/criteria.ts";
import { endDispatches, newestDispatch } from "../assigning/dispatches.sql.ts";
import { heldAtReady } from "./held-by-claims.ts";
import { keepReady } from "./ready-refs.ts";
import { whyNotTheirs } from "../rules.ts";
import type { TaskContext } from "../task-context.ts";
import { moveOf } from "../task.ts";
import type { Tx } from "../../../store/group-commit.ts";
import type { TasksTable, WorkspacesTable } from "../../../store/tables/tasks.ts";
import { landInstead } from "./harvests.sql.ts";
import { findTask, recordTask, updateTask } from "../tasks.sql.ts";
import { updateWorkspace, workspacesOf } from "../workspaces/workspaces.sql.ts";

export interface ReadyAnswer {
  readonly state: string;
  readonly branch: string;
  readonly commits: number | null;
  readonly uncommitted: number;
  readonly held: string | null;
  /** What it must show, none of which has been seen of this work yet. */
  readonly criteria: Criterion[];
}

export async function readyTask(
  context: TaskContext,
  input: { task: number; branch?: string | undefined; evidence?: string | undefined; because?: string | undefined },
): Promise<ReadyAnswer> {
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
  // The commit that is ready now is the one that lands; anything committed later needs another word.
  const ready = new Map(spaces.map(({ id }, at) => [id, looks[at]?.tip]));
  const gone = spaces.filter((_, at) => looks[at]?.exists !== true);
  const pushed = await pushedTo(context, task, gone, branch, there.length === 0);
  for (const { id, origin } of gone) ready.set(id, pushed.get(origin));
  if (there.length > 0 && there.every(({ ahead }) => ahead === 0)) {
    const unsaved = uncommitted === 0 ? "" : `, and ${counted(uncommitted, "uncommitted file")}`;
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
    // An agent that says the task is done has heard of it; after that it is free for other work.
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
      ready_sha: tips.at(-1) ?? [...pushed.values()].at(-1) ?? null,
      ready_ms: tx.nowMs,
      evidence: input.evidence ?? null,
      started_ms: started,
      updated_ms: tx.nowMs,
    });
    await forgetVerdicts(tx, constellation, now.number);
    for (const { id } of spaces) {
      const named = input.branch === undefined ? {} : { branch };
      const commit = ready.get(id);
      await updateWorkspace(tx.db, id, { ...(commit === undefined ? {} : { ready_sha: commit }), ...named });
      if (commit === undefined) continue;
      // Asked for already and not begun: then it is this that lands.
      await landInstead(tx.db, id, commit);
    }
    await noteNewHead(tx, constellation, now.number);
    await recordTask(context, tx, now.number, "ready", {
      branch,
      commits,
      uncommitted,
      tips,
      kept,
      ...(input.evidence === undefined ? {} : { evidence: input.evidence }),
      ...(input.because === undefined ? {} : { because: input.because }),
    });
    return next;
  });
  const criteria = (await criteriaOf(store.db, constellation, task.number)).map(criterionOf);
  return { state, branch, commits, uncommitted, held: await heldAtReady(context, task, works), criteria };
}

/** Agents answer only for what they have; the owner, and the owner's own agent, for everything. */
export async function refuseStranger({ actor, constellation }: Context, db: Tx["db"], task: TasksTable): Promise<void> {
  if (!isWorkingAgent(actor) || actor === "agent0") return;
  const newest = await newestDispatch(db, constellation, task.number);
  const why = whyNotTheirs(newest, { agent: actor });
  if (why === undefined) return;
  throw new Refusal("task.not-yours", `task ${task.number} is not ${actor}'s: ${why}`, {
    task: task.number,
    agent: newest?.agent ?? null,
    actor,
  });
}

/** Without a workspace, or after somebody deleted it: the work is at the origin, or nowhere that we know. */
async function pushedTo(
  { machine }: TaskContext,
  task: TasksTable,
  gone: readonly WorkspacesTable[],
  branch: string,
  isAll: boolean,
): Promise<Map<string, string>> {
  const [first] = gone;
  const origins = new Set(gone.map(({ origin }) => origin));
  if (first === undefined && isAll)
    origins.add((await machine.workspaces.inspect(task.repository ?? task.root)).origin);
  const pushed = new Map<string, string>();
  for (const origin of origins) {
    const commit = await machine.workspaces.atOrigin(origin, branch);
    if (commit !== undefined) pushed.set(origin, commit);
  }
  if (pushed.size > 0 || !isAll) return pushed;
  if (first === undefined) {
    const message = `the origin has no branch ${branch}, and the task has no workspace`;
    throw new Refusal("task.no-workspace", message, { task: task.number, branch });
  }
  throw new Refusal(
    "task.no-workspace",
    `the workspace ${first.path} is gone, and the origin has no branch ${branch}`,
    { task: task.number, path: first.path, branch },
    `If the work is lost: \`constel task update ${task.number} --release\`, then dispatch it again.`,
  );
}
