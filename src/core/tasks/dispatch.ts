// Giving a task to somebody: its workspace and branch are made, its brief is laid beside them, and the task is in progress.
// To an agent it goes through the port `Deliver`; when none is free the task is queued. To a person (`to_workspace`) the
// workspace is all there is to give. The dispatch row carries a fencing token, so that of two givings only the newest counts.

import { Refusal } from "../../protocol/errors.ts";
import { makeId } from "../../protocol/ids.ts";
import type { TasksTable } from "../../store/tables.ts";
import { scopeOverlap } from "./rules.ts";
import type { TaskContext } from "./task-context.ts";
import { moveOf } from "./task.ts";
import { edgesOf, findTask, listTasks, recordTask, refuseIfLanding, updateTask, workspacesOf } from "./tasks.sql.ts";
import { cloneWorkspace } from "./workspace.ts";

export interface DispatchInput {
  readonly task: number;
  readonly to_workspace: boolean;
  readonly agent?: string | undefined;
  readonly runtime?: string | undefined;
  readonly fetch: boolean;
  readonly dry_run: boolean;
}

export interface Dispatched {
  readonly state: string;
  readonly agent: string | null;
  readonly workspace: string | null;
  readonly branch: string | null;
  readonly brief: string | null;
  readonly delivery: "by-hand" | "delivered" | "unknown" | "queued" | "dry-run";
  readonly notes: string[];
}

export async function dispatchTask(context: TaskContext, input: DispatchInput): Promise<Dispatched> {
  const { store, constellation, machine } = context;
  const task = await findTask(store.db, constellation, input.task);
  moveOf(task, "dispatch");
  await refuseIfWaiting(context, task);
  const notes = await collisions(context, task);
  const agent = input.to_workspace ? undefined : await freeAgent(context, input);
  if (input.dry_run) {
    const to = input.to_workspace ? "a workspace, by hand" : (agent ?? "the queue: nobody is free");
    return answer("dry-run", { state: task.state, agent: agent ?? null, notes: [`would go to ${to}`, ...notes] });
  }
  if (!input.to_workspace && agent === undefined) return queue(context, task, notes);

  const before = (await workspacesOf(store.db, constellation, { task: task.number })).find(
    ({ state }) => state === "ready",
  );
  const cloned =
    before === undefined ? await cloneWorkspace(context, { task: task.number, fetch: input.fetch }) : undefined;
  const workspace = cloned?.workspace ?? before;
  if (workspace === undefined) throw new Error("a workspace was neither there nor made");
  const brief = layBrief(context, task);
  const { id, token } = await begin(context, task.number, workspace.id, agent ?? null, {
    path: workspace.path,
    branch: workspace.branch,
  });
  machine.step("dispatch.begun");
  const more = {
    state: "in_progress",
    agent: agent ?? null,
    workspace: workspace.path,
    branch: workspace.branch,
    brief,
    notes: [...notes, ...(cloned?.notes ?? []), ...(workspace.problem === null ? [] : [workspace.problem])],
  };
  if (agent === undefined || machine.deliver === undefined) return answer("by-hand", more);
  const given = {
    task: task.number,
    agent,
    workspace: workspace.path,
    branch: workspace.branch,
    brief,
    fencingToken: token,
  };
  const delivery = await machine.deliver.give(given);
  machine.step("dispatch.given");
  await store.write(async (tx) => {
    const delivered = delivery === "delivered" ? tx.nowMs : null;
    await tx.db
      .updateTable("dispatches")
      .set({ state: delivery, delivered_ms: delivered })
      .where("id", "=", id)
      .execute();
    if (delivery === "unknown") await recordTask(context, tx, task.number, "delivery_unknown", { agent });
  });
  return answer(delivery, more);
}

function answer(delivery: Dispatched["delivery"], more: Partial<Dispatched> & { state: string }): Dispatched {
  return { agent: null, workspace: null, branch: null, brief: null, notes: [], ...more, delivery };
}

async function freeAgent(context: TaskContext, input: DispatchInput): Promise<string | undefined> {
  const { deliver } = context.machine;
  if (deliver === undefined)
    throw new Refusal("task.no-agents", "no agents can be given work here", { task: input.task });
  return deliver.free({ agent: input.agent, runtime: input.runtime });
}

async function queue(context: TaskContext, task: TasksTable, notes: string[]): Promise<Dispatched> {
  const state = await context.store.write(async (tx) => {
    const now = await findTask(tx.db, context.constellation, task.number);
    if (now.state === "queued") return now.state;
    const next = moveOf(now, "queue");
    await updateTask(tx.db, now, { state: next, updated_ms: tx.nowMs });
    await recordTask(context, tx, now.number, "queued", {});
    return next;
  });
  return answer("queued", { state, notes });
}

/** In one transaction the task is taken and the giving is numbered: of two at once the second is refused. */
async function begin(
  context: TaskContext,
  number: number,
  workspace: string,
  agent: string | null,
  told: { path: string; branch: string },
): Promise<{ id: string; token: number }> {
  const { constellation } = context;
  return context.store.write(async (tx) => {
    const task = await findTask(tx.db, constellation, number);
    const state = moveOf(task, "dispatch");
    await refuseIfLanding(tx.db, constellation, number);
    const last = await tx.db
      .selectFrom("dispatches")
      .select((eb) => eb.fn.max("fencing_token").as("token"))
      .where("constellation", "=", constellation)
      .where("task", "=", number)
      .executeTakeFirst();
    const token = Number(last?.token ?? 0) + 1;
    const id = makeId("dsp", tx.nowMs, context.random.bytes(10));
    await tx.insert("dispatches", {
      id,
      constellation,
      task: number,
      agent,
      workspace,
      state: agent === null ? "by-hand" : "begun",
      fencing_token: token,
      asked_ms: tx.nowMs,
      delivered_ms: null,
      ended_ms: null,
      problem: null,
    });
    const started = task.started_ms ?? tx.nowMs;
    await updateTask(tx.db, task, { state, agent, reason: null, started_ms: started, updated_ms: tx.nowMs });
    await recordTask(context, tx, number, "dispatched", { agent, ...told, fencing_token: token });
    return { id, token };
  });
}

async function refuseIfWaiting(context: TaskContext, task: TasksTable): Promise<void> {
  const { store, constellation } = context;
  const after = (await edgesOf(store.db, constellation)).filter((edge) => edge.task === task.number);
  const waiting: number[] = [];
  for (const edge of after) {
    const other = await findTask(store.db, constellation, edge.after);
    if (other.state !== "closed" && other.state !== "cancelled") waiting.push(other.number);
  }
  if (waiting.length > 0)
    throw new Refusal("task.waits", `task ${task.number} waits for ${waiting.join(", ")}`, {
      task: task.number,
      waiting,
    });
}

async function collisions(context: TaskContext, task: TasksTable): Promise<string[]> {
  const scope = JSON.parse(task.scope) as string[];
  if (scope.length === 0) return [];
  const busy = await listTasks(context.store.db, context.constellation, { states: ["in_progress", "ready"] });
  return busy.flatMap((other) => {
    const shared = other.number === task.number ? [] : scopeOverlap(scope, JSON.parse(other.scope) as string[]);
    return shared.length === 0 ? [] : [`task ${other.number} works on ${shared.join(", ")} too`];
  });
}

/** The brief as the worker sees it, beside the workspace: what was asked, and how to say that it is done. */
function layBrief(context: TaskContext, task: TasksTable): string {
  const { machine } = context;
  const written = task.brief === null ? "" : machine.readBrief(task.root, task.brief).text;
  const path = `workspaces/${task.number}/brief.md`;
  const parts = [
    `# Task ${task.number}: ${task.title}`,
    task.directive,
    written,
    `Commit your work on this workspace's branch. When it is done: \`constel task ready ${task.number}\`.`,
  ];
  machine.writeFile(task.root, path, `${parts.filter((part) => part.trim() !== "").join("\n\n")}\n`);
  return path;
}
