// Giving a task to somebody. To an agent: the next free clone is leased (lease-clone.ts) and everything is made and sent
// (deliver-assignment.ts); when none is free the task is queued. To a person (`to_workspace`) the workspace is all there is to give.

import { Refusal } from "../../protocol/errors.ts";
import type { TasksTable } from "../../store/tables/tasks.ts";
import { assignTask, findFree } from "./lease-clone.ts";
import { carryOut, layBrief, workspacesFor } from "./deliver-assignment.ts";
import { collisions } from "./collisions.ts";
import { insertDispatch, refuseIfLeased, takeFromQueue } from "./dispatches.sql.ts";
import { enqueue } from "./queue.ts";
import type { TaskContext } from "./task-context.ts";
import { moveOf } from "./task.ts";
import { edgesOf, findTask, recordTask, refuseIfLanding, updateTask } from "./tasks.sql.ts";

export interface DispatchInput {
  readonly task: number;
  readonly to_workspace: boolean;
  readonly agent?: string | undefined;
  readonly runtime?: string | undefined;
  /** Keep it queued while its scope collides with work in flight. */
  readonly hold?: boolean | undefined;
  readonly fetch: boolean;
  readonly dry_run: boolean;
}

export interface Dispatched {
  readonly state: string;
  readonly agent: string | null;
  readonly workspace: string | null;
  /** All of them, one for each repository. */
  readonly workspaces: string[];
  readonly branch: string | null;
  readonly brief: string | null;
  /** `sent`: in the clone's inbox; whether it arrives is told by the task's events. */
  readonly delivery: "by-hand" | "sent" | "queued" | "dry-run";
  readonly notes: string[];
}

export async function dispatchTask(context: TaskContext, input: DispatchInput): Promise<Dispatched> {
  const { store, constellation, machine } = context;
  const task = await findTask(store.db, constellation, input.task);
  moveOf(task, "dispatch");
  await refuseIfLeased(store.db, constellation, task.number);
  // A brief that is missing is said before anything is made.
  if (task.brief !== null) machine.readBrief(task.root, task.brief);
  const colliding = await collisions(context, task);
  return input.to_workspace ? byHand(context, task, input, colliding) : toAgent(context, task, input, colliding);
}

async function toAgent(
  context: TaskContext,
  task: TasksTable,
  input: DispatchInput,
  colliding: string[],
): Promise<Dispatched> {
  if (context.machine.deliver === undefined)
    throw new Refusal("task.no-agents", "no agents can be given work here", { task: input.task });
  const wish = { agent: input.agent, runtime: input.runtime };
  const waiting = await waitsFor(context, task);
  const isHeld = input.hold === true && colliding.length > 0;
  const mustWait = [
    ...(waiting.length > 0 ? [`it waits for ${waiting.join(", ")}`] : []),
    ...(isHeld ? ["it is held back while its scope collides"] : []),
  ];
  const { free, up } = await findFree(context, wish);
  const nobody = up.length > 0 ? "nobody is free" : `${nobodyUp(wish)}; \`constel up\` starts clones`;
  if (input.dry_run) {
    const why = mustWait.length > 0 ? mustWait.join(", ") : nobody;
    const agent = mustWait.length > 0 ? null : (free[0] ?? null);
    const to = agent ?? `the queue: ${why}`;
    return answer("dry-run", { state: task.state, agent, notes: [`would go to ${to}`, ...colliding] });
  }
  const row = mustWait.length > 0 ? undefined : await assignTask(context, task.number, wish);
  if (row === undefined) {
    const state = await enqueue(context, task.number, { ...wish, hold: input.hold === true });
    return answer("queued", { state, notes: [...(mustWait.length > 0 ? mustWait : [nobody]), ...colliding] });
  }
  const carried = await carryOut(context, row, { fetch: input.fetch });
  return answer("sent", {
    state: "in_progress",
    agent: row.agent,
    workspace: carried?.workspaces[0]?.path ?? null,
    workspaces: carried?.workspaces.map(({ path }) => path) ?? [],
    branch: carried?.workspaces[0]?.branch ?? null,
    brief: carried?.brief ?? null,
    notes: [...colliding, ...(carried?.notes ?? [])],
  });
}

const nobodyUp = ({ agent, runtime }: { agent?: string | undefined; runtime?: string | undefined }): string =>
  agent !== undefined ? `${agent} is not up` : runtime !== undefined ? `no ${runtime} clone is up` : "no clone is up";

async function byHand(
  context: TaskContext,
  task: TasksTable,
  input: DispatchInput,
  colliding: string[],
): Promise<Dispatched> {
  const { machine } = context;
  const waiting = await waitsFor(context, task);
  if (waiting.length > 0)
    throw new Refusal("task.waits", `task ${task.number} waits for ${waiting.join(", ")}`, {
      task: task.number,
      waiting,
    });
  if (input.dry_run) {
    return answer("dry-run", { state: task.state, notes: ["would go to a workspace, by hand", ...colliding] });
  }
  const { workspaces, notes } = await workspacesFor(context, task, input.fetch);
  const [workspace] = workspaces;
  const brief = layBrief(context, task).file;
  await begin(context, task.number, workspace);
  machine.step("dispatch.begun");
  return answer("by-hand", {
    state: "in_progress",
    workspace: workspace.path,
    workspaces: workspaces.map(({ path }) => path),
    branch: workspace.branch,
    brief,
    notes: [...colliding, ...notes],
  });
}

function answer(delivery: Dispatched["delivery"], more: Partial<Dispatched> & { state: string }): Dispatched {
  return { agent: null, workspace: null, workspaces: [], branch: null, brief: null, notes: [], ...more, delivery };
}

/** In one transaction the task is taken and the assignment is numbered: of two at once the second is refused. */
async function begin(
  context: TaskContext,
  number: number,
  workspace: { id: string; path: string; branch: string },
): Promise<void> {
  const { constellation } = context;
  const { path, branch } = workspace;
  await context.store.write(async (tx) => {
    const task = await findTask(tx.db, constellation, number);
    const state = moveOf(task, "dispatch");
    await refuseIfLanding(tx.db, constellation, number);
    await refuseIfLeased(tx.db, constellation, number);
    const given = { task: number, agent: null, workspace: workspace.id, state: "by-hand", about: null };
    const { fencing_token } = await insertDispatch(context, tx, given);
    await takeFromQueue(tx, constellation, number);
    const started_ms = task.started_ms ?? tx.nowMs;
    await updateTask(tx.db, task, { state, agent: null, reason: null, started_ms, updated_ms: tx.nowMs });
    await recordTask(context, tx, number, "dispatched", { agent: null, path, branch, fencing_token });
  });
}

/** The tasks that must land first. */
async function waitsFor(context: TaskContext, task: TasksTable): Promise<number[]> {
  const { store, constellation } = context;
  const after = (await edgesOf(store.db, constellation)).filter((edge) => edge.task === task.number);
  const waiting: number[] = [];
  for (const edge of after) {
    const other = await findTask(store.db, constellation, edge.after);
    if (other.state !== "closed" && other.state !== "cancelled") waiting.push(other.number);
  }
  return waiting;
}
