// Carrying out a giving: workspace, branch and brief are made, and the brief is put into the clone's inbox. The row's state is
// the journal; whoever finds it after a crash goes on from there:
//
//   leased ──► prepared ──► sent ──► delivered          (delivered and unknown are told by the account of messages)
//                            └────► unknown ──► delivered
//
// Making a workspace again takes up the interrupted try, and putting the same message again is one message to the agent, so
// each step may be repeated.

import { messageOf, Refusal } from "../../protocol/errors.ts";
import type { DispatchesTable, TasksTable, WorkspacesTable } from "../../store/tables/tasks.ts";
import { briefFile, messageText, reviewFile } from "./brief-text.ts";
import { updateDispatch } from "./dispatches.sql.ts";
import type { TaskContext } from "./task-context.ts";
import { moveOf } from "./task.ts";
import { findTask, recordTask, updateTask, workspacesOf } from "./tasks.sql.ts";
import { cloneWorkspace } from "./workspace.ts";

/** The steps between which the daemon may die. Fault tests end it at each in turn, beside those of workspaces and the bus. */
export const dispatchSteps = [
  "dispatch.leased",
  "dispatch.laid",
  "dispatch.prepared",
  "dispatch.put",
  "dispatch.sent",
] as const;

export interface Carried {
  readonly workspace: WorkspacesTable;
  readonly brief: string;
  readonly notes: string[];
}

/** Undefined when it is being carried out already. What cannot be done ends the giving, and the task says why. */
export async function carryOut(
  context: TaskContext,
  row: DispatchesTable,
  options: { readonly fetch: boolean },
): Promise<Carried | undefined> {
  const { inHand } = context.machine;
  if (inHand.has(row.id)) return undefined;
  inHand.add(row.id);
  try {
    return await go(context, row, options);
  } catch (cause) {
    await giveUp(context, row, messageOf(cause));
    throw cause;
  } finally {
    inHand.delete(row.id);
  }
}

async function go(context: TaskContext, row: DispatchesTable, options: { readonly fetch: boolean }): Promise<Carried> {
  const { store, constellation, machine } = context;
  const { deliver } = machine;
  const { agent } = row;
  const task = await findTask(store.db, constellation, row.task);
  if (deliver === undefined || agent === null) throw new Refusal("task.no-agents", "no agents can be given work here");
  machine.step("dispatch.leased");
  const { workspace, notes } = await workspaceFor(context, task, options.fetch);
  const { file, text } = row.about === null ? layBrief(context, task) : await layReview(context, task, row.about);
  machine.step("dispatch.laid");
  if (row.state === "leased") {
    await note(context, row, { state: "prepared", workspace: workspace.id });
    machine.step("dispatch.prepared");
  }
  const words = {
    task,
    place: workspace,
    text,
    file: `${task.root}/${file}`,
    program: deliver.program,
    carries: (whole: string) => deliver.carries(whole),
  };
  deliver.put({
    id: row.id,
    to: agent,
    kind: "brief",
    task: task.number,
    text: messageText(words, row.about !== null),
  });
  machine.step("dispatch.put");
  await note(context, row, { state: "sent" });
  machine.step("dispatch.sent");
  return { workspace, brief: file, notes };
}

async function workspaceFor(
  context: TaskContext,
  task: TasksTable,
  fetch: boolean,
): Promise<{ workspace: WorkspacesTable; notes: string[] }> {
  const { store, constellation } = context;
  const before = (await workspacesOf(store.db, constellation, { task: task.number })).find(
    ({ state }) => state === "ready",
  );
  const cloned = before === undefined ? await cloneWorkspace(context, { task: task.number, fetch }) : undefined;
  const workspace = cloned?.workspace ?? before;
  if (workspace === undefined) throw new Error("a workspace was neither there nor made");
  const problem = workspace.problem === null ? [] : [workspace.problem];
  return { workspace, notes: [...(cloned?.notes ?? []), ...problem] };
}

/** The brief as the worker sees it, beside the workspace. */
export function layBrief({ machine }: TaskContext, task: TasksTable): { file: string; text: string } {
  const written = task.brief === null ? "" : machine.readBrief(task.root, task.brief).text;
  const file = `workspaces/${task.number}/brief.md`;
  const text = briefFile(task, written);
  machine.writeFile(task.root, file, text);
  return { file, text };
}

async function layReview(
  { store, constellation, machine }: TaskContext,
  task: TasksTable,
  train: string,
): Promise<{ file: string; text: string }> {
  const rows = await store.db
    .selectFrom("harvests")
    .selectAll()
    .where("train", "=", train)
    .where("task", "=", task.number)
    .where("constellation", "=", constellation)
    .orderBy("place_in_train")
    .execute();
  const file = `workspaces/${task.number}/review.md`;
  const text = reviewFile(task, rows);
  machine.writeFile(task.root, file, text);
  return { file, text };
}

async function note(context: TaskContext, row: DispatchesTable, change: Partial<DispatchesTable>): Promise<void> {
  const isOurs = await context.store.write((tx) => updateDispatch(tx.db, row.id, change));
  if (!isOurs)
    throw new Refusal("task.lease-lost", `task ${row.task} was taken back from ${row.agent} meanwhile`, {
      task: row.task,
      agent: row.agent,
    });
}

/** Nothing reached the clone. The task is open again, with the reason; one that had come back for review stays so. */
export async function giveUp(context: TaskContext, row: DispatchesTable, problem: string): Promise<void> {
  const { store, constellation } = context;
  await store.write(async (tx) => {
    const ended = { state: "failed", problem, ended_ms: tx.nowMs };
    if (!(await updateDispatch(tx.db, row.id, ended))) return;
    const task = await findTask(tx.db, constellation, row.task);
    if (task.state === "in_progress") {
      const state = moveOf(task, "release");
      await updateTask(tx.db, task, { state, agent: null, reason: problem, updated_ms: tx.nowMs });
    }
    await recordTask(context, tx, row.task, "dispatch_failed", { agent: row.agent, reason: problem });
  });
}
