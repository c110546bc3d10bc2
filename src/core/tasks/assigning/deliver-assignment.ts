// Delivering an assignment: workspace, branch and brief are made, and the brief is put into the clone's inbox. The row's state is
// the journal; whoever finds it after a crash goes on from there:
//
//   leased ──► prepared ──► sent ──► delivered          (delivered and unknown are told by the account of messages)
//                  │         └────► unknown ──► delivered
//                  └──► by-hand                         (to a person: the workspace is all there is to give)
//
// Making a workspace again takes up the interrupted try, and putting the same message again is one message to the agent, so
// each step may be repeated.

import { messageOf, Refusal } from "../../../protocol/errors.ts";
import type { DispatchesTable, TasksTable, WorkspacesTable } from "../../../store/tables/tasks.ts";
import { changesText, isReviewId } from "../../reviews/changes.ts";
import { briefFile, messageText, type Reason, reviewFile } from "./brief-text.ts";
import { criteriaOf } from "../evidence/criteria.sql.ts";
import { findDispatch, updateDispatch } from "./dispatches.sql.ts";
import { type Footing, footingOf } from "../footing.ts";
import { capsuleFor } from "../handover/handovers.sql.ts";
import { workspaceName } from "../names.ts";
import { repositoriesOf, type TaskRepository } from "../repositories.ts";
import type { TaskContext, TaskMachine } from "../task-context.ts";
import { moveOf } from "../task.ts";
import { harvestsWithWorkspaces } from "../landing/harvests.sql.ts";
import { feedbackOf } from "../../pulls/feedback.ts";
import { isAboutPull } from "../../pulls/pull.ts";
import { findTask, recordTask, updateTask } from "../tasks.sql.ts";
import { updateWorkspace, workspacesOf } from "../workspaces/workspaces.sql.ts";
import { cloneWorkspace, workspacesOfAgent } from "../workspaces/workspace.ts";

/** The steps between which the daemon may die. Fault tests end it at each in turn, beside those of workspaces and the bus. */
export const dispatchSteps = [
  "dispatch.leased",
  "dispatch.laid",
  "dispatch.prepared",
  "dispatch.put",
  "dispatch.sent",
] as const;

const step = (machine: TaskMachine, name: (typeof dispatchSteps)[number]): void => machine.step(name);

interface Workspaces {
  readonly workspaces: readonly [WorkspacesTable, ...WorkspacesTable[]];
  readonly notes: string[];
}

/**
 * Nothing when it is being delivered already. What cannot be done ends the assignment, and the task says why. Where not even that can
 * be written, as on a full disk, the assignment rests for a while, and whoever waits for it hears why.
 */
export async function deliverAssignment(context: TaskContext, row: DispatchesTable): Promise<void> {
  const { inHand, unended } = context.machine;
  if (inHand.has(row.id)) return;
  inHand.add(row.id);
  try {
    await go(context, row);
    unended.worked(row.id);
  } catch (cause) {
    try {
      await giveUp(context, row, messageOf(cause));
      unended.worked(row.id);
    } catch (unwritten) {
      unended.failed(row.id, context.clock.monotonicMs(), messageOf(unwritten));
      throw unwritten;
    }
    throw cause;
  } finally {
    inHand.delete(row.id);
  }
}

async function go(context: TaskContext, row: DispatchesTable): Promise<void> {
  const { store, constellation, machine } = context;
  const task = await findTask(store.db, constellation, row.task);
  step(machine, "dispatch.leased");
  const { workspaces, notes } = await workspacesFor(context, task, row);
  const below = `${workspacesOfAgent(context, row.agent)}/${task.number}`;
  const { file, text } =
    row.about === null
      ? await layBrief(context, task, { below, dispatch: row.id })
      : await layReview(context, task, { about: row.about, below });
  step(machine, "dispatch.laid");
  if (row.state === "leased") {
    const told = JSON.stringify([...(JSON.parse(row.notes) as string[]), ...notes]);
    await note(context, row, { state: "prepared", workspace: workspaces[0].id, notes: told, brief: file });
    step(machine, "dispatch.prepared");
  }
  if (row.agent === null) return await note(context, row, { state: "by-hand" });
  const { onto } = await footingOf(context, task);
  put(context, row, row.agent, { task, workspaces, text, file, below: onto });
  step(machine, "dispatch.put");
  await noteSent(context, row);
  step(machine, "dispatch.sent");
}

interface Given {
  readonly task: TasksTable;
  readonly text: string;
  readonly file: string;
  readonly below: Footing["onto"];
}

function put(
  { machine: { deliver } }: TaskContext,
  row: DispatchesTable,
  to: string,
  { task, workspaces, text, file, below }: Pick<Workspaces, "workspaces"> & Given,
): void {
  if (deliver === undefined) throw new Refusal("task.no-agents", "no agents can be given work here");
  const words = {
    task,
    places: workspaces,
    text,
    file: `${task.root}/${file}`,
    below,
    program: deliver.program,
    byTool: deliver.hasOnlyTools(to),
    carries: (whole: string) => deliver.carries(whole),
  };
  deliver.put({
    id: row.id,
    to,
    kind: "brief",
    task: task.number,
    text: messageText(words, reasonOf(row)),
  });
}

const reasonOf = ({ about }: DispatchesTable): Reason =>
  about === null ? "new" : isReviewId(about) ? "changes" : "not-landed";

/** One for each repository of the task: those that stand, and new ones for the rest. */
async function workspacesFor(context: TaskContext, task: TasksTable, row: DispatchesTable): Promise<Workspaces> {
  const { store, constellation } = context;
  const agent = row.agent ?? undefined;
  const standing = (await workspacesOf(store.db, constellation, { task: task.number })).filter(
    ({ state }) => state === "ready",
  );
  const notes: string[] = [];
  const workspaceOf = async ({ name, repository }: TaskRepository): Promise<WorkspacesTable> => {
    const found = standing.find((one) => name === undefined || one.name === workspaceName(name));
    const before = found === undefined || (await isStanding(context, found)) ? found : undefined;
    if (found !== undefined && before === undefined)
      notes.push(`the workspace ${found.path} was gone, and ${whatWentWith(found)}; this is a new one`);
    if (before !== undefined) refuseOutOfSight(context, before, agent);
    const wish = {
      task: task.number,
      agent,
      fetch: row.fetch === 1,
      ...(name === undefined ? {} : { name, repository }),
    };
    const cloned = before === undefined ? await cloneWorkspace(context, wish) : undefined;
    const workspace = cloned?.workspace ?? before;
    if (workspace === undefined) throw new Error("a workspace was neither there nor made");
    notes.push(...(cloned?.notes ?? []), ...(workspace.problem === null ? [] : [workspace.problem]));
    return workspace;
  };
  const [first, ...rest] = repositoriesOf(task);
  const workspaces: [WorkspacesTable, ...WorkspacesTable[]] = [await workspaceOf(first)];
  for (const one of rest) workspaces.push(await workspaceOf(one));
  return { workspaces, notes };
}

/** A workspace that was made for others is not where a confined agent could see it. */
function refuseOutOfSight(
  context: TaskContext,
  { place, path, task }: WorkspacesTable,
  agent: string | undefined,
): void {
  const own = agent === undefined ? undefined : context.machine.ownWorkspaces?.(agent);
  if (own === undefined || place.startsWith(`${own}/`)) return;
  throw new Refusal("confined.workspace", `task ${task} has a workspace at ${path}, which ${agent} cannot see`, {
    task,
    path,
    agent,
  });
}

function whatWentWith({ kept_ms: keptMs }: WorkspacesTable): string {
  if (keptMs === null) return "what was not pushed from it with it";
  return "what was neither pushed nor called ready with it (`task show --all` says where the rest is kept)";
}

/** One that somebody deleted is noted as removed, with nothing saved. */
async function isStanding(context: TaskContext, { id, task, path, branch }: WorkspacesTable): Promise<boolean> {
  const { exists } = await context.machine.workspaces.look(path, "HEAD", branch);
  if (exists) return true;
  await context.store.write(async (tx) => {
    await updateWorkspace(tx.db, id, { state: "removed", removed_ms: tx.nowMs, problem: "it was deleted by hand" });
    await recordTask(context, tx, task, "workspace_lost", { path });
  });
  return false;
}

/** The brief as the worker sees it, beside the workspace. */
async function layBrief(
  { store, constellation, machine }: TaskContext,
  task: TasksTable,
  { below, dispatch }: { readonly below: string; readonly dispatch: string },
): Promise<{ file: string; text: string }> {
  const written = task.brief === null ? "" : machine.readBrief(task.root, task.brief).text;
  const file = `${below}/brief.md`;
  const brief = briefFile(task, written, await criteriaOf(store.db, constellation, task.number));
  const capsule = await capsuleFor(store.db, constellation, dispatch);
  const text = capsule === undefined ? brief : `${brief}\n${capsule}\n`;
  machine.writeFile(task.root, file, text);
  return { file, text };
}

async function layReview(
  { store, constellation, machine }: TaskContext,
  task: TasksTable,
  { about, below }: { readonly about: string; readonly below: string },
): Promise<{ file: string; text: string }> {
  const file = `${below}/review.md`;
  const asked = isReviewId(about) ? await changesText({ db: store.db, constellation }, task, about) : undefined;
  const wish = { constellation, train: about, task: task.number };
  const text = isAboutPull(about)
    ? await feedbackOf({ store }, about)
    : (asked ?? reviewFile(task, await harvestsWithWorkspaces(store.db, wish)));
  machine.writeFile(task.root, file, text);
  return { file, text };
}

/** The agent may have been faster than this note: what it proved stays, and that it is done already, too. */
async function noteSent(context: TaskContext, row: DispatchesTable): Promise<void> {
  const isOurs = await context.store.write(async (tx) => {
    const now = await findDispatch(tx.db, context.constellation, row.id);
    const hasArrived = now !== undefined && now.delivered_ms !== null;
    return hasArrived || (await updateDispatch(tx.db, row.id, { state: "sent" }));
  });
  if (!isOurs) throw leaseLost(row);
}

async function note(context: TaskContext, row: DispatchesTable, change: Partial<DispatchesTable>): Promise<void> {
  const isOurs = await context.store.write((tx) => updateDispatch(tx.db, row.id, change));
  if (!isOurs) throw leaseLost(row);
}

function leaseLost({ task, agent }: DispatchesTable): Refusal {
  const from = agent === null ? "" : ` from ${agent}`;
  return new Refusal("task.lease-lost", `task ${task} was taken back${from} meanwhile`, { task, agent });
}

/** Nothing reached the clone. The task is open again, with the reason; one that had come back for review stays so. */
export async function giveUp(context: TaskContext, row: DispatchesTable, problem: string): Promise<void> {
  const { store, constellation } = context;
  await store.write(async (tx) => {
    const ended = { state: "failed", problem, ended_ms: tx.nowMs, told_ms: tx.nowMs };
    if (!(await updateDispatch(tx.db, row.id, ended))) return;
    const task = await findTask(tx.db, constellation, row.task);
    if (task.state === "in_progress") {
      const state = moveOf(task, "release");
      await updateTask(tx.db, task, { state, agent: null, reason: problem, updated_ms: tx.nowMs });
    }
    await recordTask(context, tx, row.task, "dispatch_failed", { agent: row.agent, reason: problem });
  });
}
