// Admitting a dispatch: the request is checked, one row is written (lease-clone.ts), and the caller has its answer. The dispatcher
// makes the workspace and sends the brief afterwards (deliver-assignment.ts); whoever wants to see it end asks
// `showAssignment`. When no clone is free the task is queued. To a person (`to_workspace`) the workspace is all there is to give.

import type { Criterion } from "../../../protocol/acceptance.ts";
import { Refusal } from "../../../protocol/errors.ts";
import type { TasksTable } from "../../../store/tables/tasks.ts";
import { type NewTask, createTask } from "../create.ts";
import { collisions } from "../collisions.ts";
import { findDispatch, refuseIfLeased } from "./dispatches.sql.ts";
import { footingOf } from "../footing.ts";
import { findFree, leaseClone, leaseForPerson } from "./lease-clone.ts";
import { enqueue } from "./queue.ts";
import type { TaskContext } from "../task-context.ts";
import { moveOf } from "../task.ts";
import { findTask } from "../tasks.sql.ts";
import { refuseUnableAgent } from "./who-can.ts";
import { workspacesOf } from "../workspaces/workspaces.sql.ts";

type Details = { readonly [Field in keyof Omit<NewTask, "title">]?: NewTask[Field] | undefined };

export interface DispatchInput extends Details {
  /** A task that exists; without one, `title` says what is to be created. */
  readonly task?: number | undefined;
  readonly title?: string | undefined;
  readonly to_workspace: boolean;
  readonly agent?: string | undefined;
  readonly runtime?: string | undefined;
  /** Keep it queued while its scope collides with work in progress. */
  readonly hold?: boolean | undefined;
  readonly fetch: boolean;
  readonly dry_run: boolean;
}

export interface Dispatched {
  /** Null only when a task would have been created and nothing was done. */
  readonly task: number | null;
  /** What it must show, when it was created now. */
  readonly criteria: Criterion[];
  /** The assignment to watch; null when there is none yet. */
  readonly dispatch: string | null;
  readonly state: string;
  readonly agent: string | null;
  readonly delivery: "assigned" | "queued" | "dry-run";
  readonly notes: string[];
}

export async function dispatchTask(context: TaskContext, input: DispatchInput): Promise<Dispatched> {
  if (input.task !== undefined) return { ...(await giveOut(context, input, input.task)), criteria: [] };
  const wish = await newTask(context, input);
  if (input.dry_run) return answer("dry-run", { state: "open", notes: [await wouldGo(context, input)] });
  const { number, criteria } = await createTask(context, wish);
  return { ...(await giveOut(context, input, number)), criteria };
}

/** Whatever would keep it from being given out is said before it is created: nobody must find half of it done. */
async function newTask(context: TaskContext, input: DispatchInput): Promise<NewTask> {
  const { title, root, agent, repositories = [], priority = "P2", scope = [], after = [] } = input;
  if (title === undefined || root === undefined)
    throw new Refusal("input.invalid", "a task's number is needed, or a title and a root directory for a new one", {});
  if (repositories.length === 0 && (await context.machine.identityOf(root)) === undefined)
    throw new Refusal("task.no-repository", `the task names no repository, and ${root} is not in one`, { root });
  if (!input.to_workspace && context.machine.deliver === undefined)
    throw new Refusal("task.no-agents", "no agents can be given work here", {});
  if (agent !== undefined && !input.to_workspace) await refuseUnableAgent(context, { number: undefined, root }, agent);
  return { ...input, title, root, repositories, priority, scope, after };
}

async function wouldGo(context: TaskContext, input: DispatchInput): Promise<string> {
  if (input.to_workspace) return "a task would be created, with a workspace to work on by hand";
  const { free } = await findFree(context, input);
  return `a task would be created, and go to ${free[0] ?? "the queue"}`;
}

async function giveOut(context: TaskContext, input: DispatchInput, number: number): Promise<Dispatched> {
  const { store, constellation, machine } = context;
  const task = await findTask(store.db, constellation, number);
  moveOf(task, "dispatch");
  await refuseIfLeased(store.db, constellation, task.number);
  // Anything missing is reported before anything is made, or queued for a clone that could not begin with it.
  if (task.repository === null && (await machine.identityOf(task.root)) === undefined)
    throw new Refusal("task.no-repository", `task ${task.number} names no repository, and ${task.root} is not in one`, {
      task: task.number,
    });
  if (task.brief !== null) machine.readBrief(task.root, task.brief);
  if (input.agent !== undefined && !input.to_workspace) await refuseUnableAgent(context, task, input.agent);
  const colliding = await collisions(context, task);
  const given = input.to_workspace
    ? await byHand(context, task, input, colliding)
    : await toAgent(context, task, input, colliding);
  return { ...given, task: task.number };
}

async function toAgent(
  context: TaskContext,
  task: TasksTable,
  input: DispatchInput,
  colliding: string[],
): Promise<Dispatched> {
  if (context.machine.deliver === undefined)
    throw new Refusal("task.no-agents", "no agents can be given work here", { task: task.number });
  const wish = { agent: input.agent, runtime: input.runtime };
  const { waiting } = await footingOf(context, task);
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
  const asked = { fetch: input.fetch, notes: colliding };
  const row = mustWait.length > 0 ? undefined : await leaseClone(context, task.number, wish, asked);
  if (row === undefined) {
    const state = await enqueue(context, task.number, { ...wish, hold: input.hold === true });
    return answer("queued", { state, notes: [...(mustWait.length > 0 ? mustWait : [nobody]), ...colliding] });
  }
  return answer("assigned", { dispatch: row.id, state: "in_progress", agent: row.agent });
}

const nobodyUp = ({ agent, runtime }: { agent?: string | undefined; runtime?: string | undefined }): string =>
  agent !== undefined ? `${agent} is not up` : runtime !== undefined ? `no ${runtime} clone is up` : "no clone is up";

async function byHand(
  context: TaskContext,
  task: TasksTable,
  input: DispatchInput,
  colliding: string[],
): Promise<Dispatched> {
  const { waiting } = await footingOf(context, task);
  if (waiting.length > 0)
    throw new Refusal("task.waits", `task ${task.number} waits for ${waiting.join(", ")}`, {
      task: task.number,
      waiting,
    });
  if (input.dry_run) {
    return answer("dry-run", { state: task.state, notes: ["would go to a workspace, by hand", ...colliding] });
  }
  const row = await leaseForPerson(context, task.number, { fetch: input.fetch, notes: colliding });
  return answer("assigned", { dispatch: row.id, state: "in_progress" });
}

function answer(delivery: Dispatched["delivery"], more: Partial<Dispatched> & { state: string }): Dispatched {
  return { task: null, criteria: [], dispatch: null, agent: null, notes: [], ...more, delivery };
}

export interface Assignment {
  readonly dispatch: string;
  readonly task: number;
  readonly agent: string | null;
  /** leased, prepared, sent, by-hand…: the journal. */
  readonly state: string;
  /** Nothing more is to be made: it was sent, or it ended. */
  readonly settled: boolean;
  /** The reason why it ended before anything was sent. */
  readonly problem: string | null;
  /** One for each repository, as far as they stand. */
  readonly workspaces: string[];
  readonly branch: string | null;
  readonly brief: string | null;
  readonly notes: string[];
}

/** Tells whoever waits for an assignment how far it is. */
export async function showAssignment(context: TaskContext, input: { dispatch: string }): Promise<Assignment> {
  const { db, constellation } = context.store;
  const row = await findDispatch(db, constellation, input.dispatch);
  if (row === undefined) throw new Refusal("task.unknown", `there is no assignment ${input.dispatch}`, { ...input });
  const isMade = row.state !== "leased";
  const places = isMade ? await workspacesOf(db, constellation, { task: row.task }) : [];
  const standing = places.filter(({ state }) => state === "ready");
  return {
    dispatch: row.id,
    task: row.task,
    agent: row.agent,
    state: row.state,
    settled: row.ended_ms !== null || (row.state !== "leased" && row.state !== "prepared"),
    problem: row.problem ?? context.machine.unended.problemOf(row.id) ?? null,
    workspaces: standing.map(({ path }) => path),
    branch: standing[0]?.branch ?? null,
    brief: row.brief,
    notes: JSON.parse(row.notes) as string[],
  };
}
