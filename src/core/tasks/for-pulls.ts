// What pull requests ask of tasks: the words and the ready commits of one, having a commit judged anew, and what becomes of a task
// when its pull request has landed, was closed, or came back with something to mend.

import { Refusal } from "../../protocol/errors.ts";
import { makeId } from "../../protocol/ids.ts";
import type { LandingNote } from "../../ports/harvest.ts";
import type { Tx } from "../../store/group-commit.ts";
import type { HarvestsTable, TasksTable, WorkspacesTable } from "../../store/tables/tasks.ts";
import type { PullRequestsTable } from "../../store/tables/pulls.ts";
import { openPullOf } from "../pulls/propose.ts";
import { criteriaOf } from "./evidence/criteria.sql.ts";
import { endDispatches, insertDispatch, openDispatches } from "./assigning/dispatches.sql.ts";
import { findHarvest, openHarvests, updateHarvest } from "./landing/harvests.sql.ts";
import { newRow } from "./landing/new-harvest.ts";
import { noteLanded } from "./landing/landed-commits.sql.ts";
import { actualMs } from "./rules.ts";
import type { TaskContext } from "./task-context.ts";
import { moveOf } from "./task.ts";
import { edgesOf, findTask, recordTask, updateTask } from "./tasks.sql.ts";
import { workspacesOf } from "./workspaces/workspaces.sql.ts";

type Pull = PullRequestsTable;

export interface TaskOfPull {
  readonly task: TasksTable;
  readonly brief: string;
  readonly criteria: readonly { readonly kind: string; readonly text: string; readonly state: string }[];
  readonly gate: { readonly outcome: string | null; readonly commit: string | null };
  readonly notes: readonly LandingNote[];
  /** The commit that is ready now in this repository. */
  readonly ready: string | null;
  /** A harvest of it is asked for or under way. */
  readonly isJudging: boolean;
  readonly workspace: WorkspacesTable | undefined;
}

export async function taskOfPull(context: TaskContext, pull: Pull): Promise<TaskOfPull> {
  const { store, constellation, machine } = context;
  const task = await findTask(store.db, constellation, pull.task);
  const spaces = await workspacesOf(store.db, constellation, { task: pull.task, withRemoved: true });
  const workspace = spaces.find(({ id }) => id === pull.workspace);
  const harvest = await findHarvest(store.db, pull.harvest);
  const { notes = [] } = JSON.parse(harvest?.report ?? "{}") as { notes?: LandingNote[] };
  const open = await openHarvests(store.db, constellation);
  return {
    task,
    brief: briefOf(machine, task),
    criteria: await criteriaOf(store.db, constellation, pull.task),
    gate: { outcome: harvest?.gate_outcome ?? null, commit: harvest?.gate_commit ?? null },
    notes,
    ready: workspace === undefined ? task.ready_sha : workspace.ready_sha,
    isJudging: open.some((row) => row.task === pull.task),
    workspace,
  };
}

function briefOf(machine: TaskContext["machine"], { root, brief }: TasksTable): string {
  if (brief === null) return "";
  try {
    return machine.readBrief(root, brief).text;
  } catch (cause) {
    if (cause instanceof Refusal) return ""; // it is not there any more, or not to be shown
    throw cause;
  }
}

/** Has this commit judged like one that was called ready: claims, merge with the target, gate. */
export async function judgeAnew(context: TaskContext, pull: Pull, commit: string, because: string): Promise<void> {
  const { task, workspace, isJudging } = await taskOfPull(context, pull);
  if (isJudging) return;
  await context.store.write(async (tx) => {
    if ((await openHarvests(tx.db, context.constellation)).some((row) => row.task === task.number)) return;
    const train = makeId("trn", tx.nowMs, context.random.bytes(10));
    const where = { origin: pull.origin, target: pull.target };
    const row = newRow(context, { nowMs: tx.nowMs, train, place: 1, task, space: workspace, where });
    await tx.insert("harvests", { ...row, ready_sha: commit });
    await tx.record({
      type: "harvest.asked",
      subject: `train:${train}`,
      actor: context.actor,
      data: { tasks: [task.number], because },
    });
  });
}

/** The task that this one stands on: one that it waits for and whose pull request is open in the same repository. */
export async function parentsOf(
  { store, constellation }: Pick<TaskContext, "store" | "constellation">,
  row: Pick<HarvestsTable, "task" | "origin" | "target">,
): Promise<Pull[]> {
  const edges = (await edgesOf(store.db, constellation)).filter(({ task }) => task === row.task);
  const found: Pull[] = [];
  for (const { after } of edges) {
    const about = { task: after, origin: row.origin, target: row.target ?? "main" };
    const pull = await openPullOf(store.db, constellation, about);
    if (pull !== undefined) found.push(pull);
  }
  return found;
}

/** Inside a job. The origin has it: the harvest that judged it is the one that landed. */
export async function landByPull(
  context: TaskContext,
  tx: Tx,
  pull: Pull,
  at: { readonly sha: string; readonly isLast: boolean },
): Promise<void> {
  const { sha } = at;
  const row = await findHarvest(tx.db, pull.harvest);
  if (row !== undefined) {
    const landed = { phase: "ended", outcome: "landed", landed_sha: sha, ended_ms: tx.nowMs, reason: null };
    await updateHarvest(tx.db, row.id, landed);
    await noteLanded(tx, row, [{ from: pull.source_sha, to: pull.judged_tip }]);
  }
  const task = await findTask(tx.db, context.constellation, pull.task);
  const { number, url, origin, target } = pull;
  await recordTask(context, tx, task.number, "harvested", { sha, target, origin, pull: number, url, commits: null });
  if (!at.isLast || task.state === "closed") return;
  await endDispatches(tx, context.constellation, task.number, { state: "done", problem: null });
  const closed_ms = tx.nowMs;
  const actual_ms = actualMs(task, closed_ms);
  // Somebody may have merged it while its agent still worked on what came back.
  const state = task.state === "in_progress" ? "closed" : moveOf(task, "close");
  await updateTask(tx.db, task, { state, landed_sha: sha, closed_ms, actual_ms, reason: null, updated_ms: closed_ms });
  await recordTask(context, tx, task.number, "closed", { landed_sha: sha, actual_ms, estimate_ms: task.estimate_ms });
}

/** Inside a job. The task goes back to its agent with what stands in the pull request's row; to a person where it has none. */
export async function sendBackByPull(
  context: TaskContext,
  tx: Tx,
  pull: Pull,
  wish: { readonly reason: string; readonly about: string | undefined },
): Promise<void> {
  const task = await findTask(tx.db, context.constellation, pull.task);
  const state = moveOf(task, "review");
  await updateTask(tx.db, task, { state, reason: wish.reason, updated_ms: tx.nowMs });
  const { number, url } = pull;
  await recordTask(context, tx, task.number, "pull_sent_back", {
    reason: wish.reason,
    pull: number,
    url,
    to: task.agent,
  });
  if (wish.about === undefined || task.agent === null) return;
  if ((await openDispatches(tx.db, context.constellation, task.number)).length > 0) return;
  await insertDispatch(context, tx, { task: task.number, agent: task.agent, about: wish.about });
}

/** Inside a job. Somebody closed the pull request: the task is nobody's again, and everything of it stays where it is. */
export async function giveBackByPull(context: TaskContext, tx: Tx, pull: Pull, reason: string): Promise<void> {
  const { constellation } = context;
  const task = await findTask(tx.db, constellation, pull.task);
  if (task.state === "closed" || task.state === "cancelled") return;
  await endDispatches(tx, constellation, task.number, { state: "released", problem: reason });
  await updateTask(tx.db, task, { state: "open", agent: null, reason, updated_ms: tx.nowMs });
  await recordTask(context, tx, task.number, "pull_closed", { reason, pull: pull.number, url: pull.url });
}

/** Inside a job. */
export async function sayOfTask(
  context: TaskContext,
  tx: Tx,
  pull: Pull,
  wish: { readonly event?: string; readonly reason?: string | null; readonly data?: object },
): Promise<void> {
  const { event, reason, data = {} } = wish;
  const { number, url } = pull;
  if (event !== undefined) await recordTask(context, tx, pull.task, event, { pull: number, url, ...data });
  if (reason === undefined) return;
  const task = await findTask(tx.db, context.constellation, pull.task);
  if (task.state === "ready" && task.reason !== reason) await updateTask(tx.db, task, { reason, updated_ms: tx.nowMs });
}
