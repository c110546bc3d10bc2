// Looking at tasks: lists, the whole story of one, what can be done next, and everything for export. Answers from a
// snapshot when no daemon runs.

import type { Criterion } from "../../protocol/acceptance.ts";
import type { HarvestsTable, TaskEventsTable, TasksTable, WorkspacesTable } from "../../store/tables/tasks.ts";
import { mapInTurns } from "../../ports/turns.ts";
import type { ReadContext } from "../context.ts";
import { costOfTask, type TaskCost } from "./costs.ts";
import { type Artefact, listArtefacts } from "./evidence/artefacts.ts";
import { criteriaOf } from "./evidence/criteria.sql.ts";
import { criterionOf } from "./evidence/criteria.ts";
import { dispatchesOfTask } from "./assigning/dispatches.sql.ts";
import { type HeadVerdict, verdictOf } from "../reviews/verdict.ts";
import { taskEvents } from "./task-events.sql.ts";
import { messagesOfTask } from "./task-messages.sql.ts";
import { allowedMoves, taskStates } from "./task.ts";
import { gatesOfLandings, harvestsOfTask } from "./landing/harvests.sql.ts";
import {
  countByState,
  findTask,
  listNumbers,
  listTasks,
  startable,
  type TaskFilter,
  tasksAfter,
  tasksInHand,
  tasksNumbered,
  waitsOf,
} from "./tasks.sql.ts";
import { readinessOfTasks, type TaskReadiness, workspacesOf } from "./workspaces/workspaces.sql.ts";

const unfinished = taskStates.filter((state) => state !== "closed" && state !== "cancelled");

export type TaskRow = Omit<TasksTable, "scope" | "repositories"> & {
  repositories: string[];
  scope: string[];
  after: number[];
  blocked_by: number[];
};

export async function listAll(
  context: ReadContext,
  input: {
    states?: readonly string[] | undefined;
    all: boolean;
    agent?: string | undefined;
    priority?: string | undefined;
    limit: number;
  },
): Promise<{ total: number; tasks: TaskRow[] }> {
  const { db, constellation } = context.store;
  const states = input.states ?? (input.all ? taskStates : unfinished);
  const { agent, priority, limit } = input;
  // Side by side, where the database can: it may be another process.
  const [tasks, counts] = await Promise.all([
    limit <= listedAtOnce
      ? listTasks(db, constellation, { states, agent, priority, limit }).then((rows) => withWaiting(context, rows))
      : listInPages(context, { states, agent, priority, limit }),
    countByState(db, constellation, { agent, priority }),
  ]);
  const total = states.reduce((sum, state) => sum + (counts.get(state) ?? 0), 0);
  return { total, tasks };
}

/** Which tasks and in which order is asked at one moment, so that none is missed or listed twice; each is told as it is when its page is read. */
async function listInPages(context: ReadContext, asked: TaskFilter & { readonly limit: number }): Promise<TaskRow[]> {
  const { db, constellation } = context.store;
  const numbers = await listNumbers(db, constellation, asked);
  const all: TaskRow[] = [];
  for (let from = 0; from < numbers.length; from += listedAtOnce) {
    const page = numbers.slice(from, from + listedAtOnce);
    const byNumber = new Map((await tasksNumbered(db, constellation, page)).map((row) => [Number(row.number), row]));
    all.push(
      ...(await withWaiting(
        context,
        page.flatMap((number) => byNumber.get(number) ?? []),
      )),
    );
  }
  return all;
}

/** More rows in one answer of the database would hold whoever asks for something else meanwhile. */
const listedAtOnce = 1_000;

/** The few that the owner should see first, and how many are not finished. */
export async function foremostTasks(
  { store }: ReadContext,
  limit: number,
): Promise<{ total: number; tasks: TasksTable[] }> {
  const counts = await countByState(store.db, store.constellation);
  const tasks: TasksTable[] = [];
  for (const state of foremostFirst) {
    if (tasks.length >= limit || !counts.has(state)) continue;
    const rows = await listTasks(store.db, store.constellation, { states: [state], limit: limit - tasks.length });
    tasks.push(...rows.sort((a, b) => a.number - b.number));
  }
  return { total: unfinished.reduce((sum, state) => sum + (counts.get(state) ?? 0), 0), tasks };
}

/** By task, how ready its work is to land; of a task in several repositories, the least ready. */
export async function readinessByTask(
  { store }: ReadContext,
  tasks: readonly TasksTable[],
): Promise<ReadonlyMap<number, TaskReadiness>> {
  const atWork = tasks.filter(({ state }) => state !== "open" && state !== "queued").map(({ number }) => number);
  const rows = await readinessOfTasks(store.db, store.constellation, atWork);
  return new Map(rows.toReversed().map((row) => [row.task, row]));
}

/** By agent, the numbers of the tasks that it has in hand. */
export async function inHandByAgent({ store }: ReadContext): Promise<ReadonlyMap<string, readonly number[]>> {
  const rows = await tasksInHand(store.db, store.constellation);
  const byAgent = Map.groupBy(rows, ({ agent }) => agent ?? "");
  return new Map([...byAgent].map(([agent, those]) => [agent, those.map(({ number }) => number)]));
}

/** Tasks that wait for the owner come first, then those under way, then those that wait. */
const foremostFirst = ["taken_back", "needs_review", "ready", "in_progress", "queued", "open"];

/** List tasks that can be started now: open, and waiting for nothing that has not landed. */
export async function nextTasks(
  context: ReadContext,
  input: { limit: number },
): Promise<{ total: number; tasks: TaskRow[] }> {
  const { rows, total } = await startable(context.store.db, context.store.constellation, input.limit);
  return { total, tasks: await withWaiting(context, rows) };
}

export interface TaskStory {
  task: TaskRow;
  allowed: string[];
  workspaces: WorkspacesTable[];
  harvests: (Omit<HarvestsTable, "report"> & { report: Record<string, unknown> })[];
  dispatches: { id: string; agent: string | null; state: string; asked_ms: number; problem: string | null }[];
  events: (Omit<TaskEventsTable, "data"> & { data: Record<string, unknown> })[];
  messages: {
    sender: string;
    receiver: string;
    kind: string | null;
    text: string | null;
    state: string;
    sent_ms: number | null;
  }[];
  cost: TaskCost;
  criteria: Criterion[];
  artefacts: Artefact[];
  review: HeadVerdict;
}

export async function showTask(context: ReadContext, input: { task: number }): Promise<TaskStory> {
  const { db, constellation } = context.store;
  const row = await findTask(db, constellation, input.task);
  const [task] = await withWaiting(context, [row]);
  if (task === undefined) throw new Error("the task was there a moment ago");
  const harvests = await harvestsOfTask(db, constellation, row.number);
  return {
    task,
    allowed: allowedMoves(row.state),
    workspaces: await workspacesOf(db, constellation, { task: row.number, withRemoved: true }),
    harvests: harvests.map((one) => ({ ...one, report: JSON.parse(one.report) as Record<string, unknown> })),
    dispatches: await dispatchesOfTask(db, constellation, row.number),
    events: await eventsOf(context, { from: row.number, to: row.number }),
    messages: await messagesOfTask(db, constellation, row.number),
    cost: await costOfTask(context.store, row.number),
    criteria: (await criteriaOf(db, constellation, row.number)).map(criterionOf),
    artefacts: (await listArtefacts(context, { task: row.number })).artefacts,
    review: await verdictOf(context, row.number),
  };
}

export async function exportTasks(
  context: ReadContext,
): Promise<{ tasks: (TaskRow & { events: TaskStory["events"] })[] }> {
  const { db, constellation } = context.store;
  const all: (TaskRow & { events: TaskStory["events"] })[] = [];
  for (let last = 0; ;) {
    const rows = await tasksAfter(db, constellation, last, exportedAtOnce);
    const [first, end] = [rows[0]?.number, rows.at(-1)?.number];
    if (first === undefined || end === undefined) return { tasks: all };
    const events = await eventsOf(context, { from: first, to: end });
    const byTask = Map.groupBy(events, ({ task }) => task);
    const tasks = await withWaiting(context, rows);
    all.push(...tasks.map((task) => ({ ...task, events: byTask.get(task.number) ?? [] })));
    last = end;
  }
}

/** Each with its whole story. */
const exportedAtOnce = 500;

async function eventsOf(
  { store }: ReadContext,
  tasks: { readonly from: number; readonly to: number },
): Promise<TaskStory["events"]> {
  const rows = await taskEvents(store.db, store.constellation, tasks);
  return await mapInTurns(rows, (row) => ({ ...row, data: JSON.parse(row.data) as Record<string, unknown> }));
}

async function withWaiting({ store }: ReadContext, rows: readonly TasksTable[]): Promise<TaskRow[]> {
  const numbers = rows.map(({ number }) => number);
  const waits = Map.groupBy(await waitsOf(store.db, store.constellation, numbers), ({ task }) => task);
  return await mapInTurns(rows, (row) => {
    const own = waits.get(row.number) ?? [];
    const after = own.map((edge) => edge.after);
    const scope = JSON.parse(row.scope) as string[];
    const repositories = JSON.parse(row.repositories) as string[];
    return {
      ...row,
      repositories,
      scope,
      after,
      blocked_by: own.filter(({ ended }) => !ended).map((edge) => edge.after),
    };
  });
}

/** Returns the targets where work last landed without a gate. */
export async function withoutGate({ store }: ReadContext): Promise<{ origin: string; target: string }[]> {
  const rows = await gatesOfLandings(store.db, store.constellation);
  return rows.filter(({ gate }) => gate === "none").map(({ origin, target }) => ({ origin, target }));
}
