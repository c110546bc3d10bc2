// Every question tasks ask of the database.

import type { Kysely, SelectQueryBuilder } from "kysely";
import { Refusal } from "../../protocol/errors.ts";
import { makeId } from "../../protocol/ids.ts";
import type { Tx } from "../../store/group-commit.ts";
import type { Tables } from "../../store/tables.ts";
import type { TasksTable } from "../../store/tables/tasks.ts";
import type { Context } from "../context.ts";

type Db = Kysely<Tables>;

export async function findTask(db: Db, constellation: string, number: number): Promise<TasksTable> {
  const row = await db
    .selectFrom("tasks")
    .selectAll()
    .where("constellation", "=", constellation)
    .where("number", "=", number)
    .executeTakeFirst();
  if (row === undefined) throw new Refusal("task.unknown", `there is no task ${number}`, { task: number });
  return row;
}

export async function isTask(db: Db, constellation: string, number: number): Promise<boolean> {
  const row = await db
    .selectFrom("tasks")
    .select("number")
    .where("constellation", "=", constellation)
    .where("number", "=", number)
    .executeTakeFirst();
  return row !== undefined;
}

/** True when a task was made from this entry of a source before. */
export async function isImported(db: Db, constellation: string, sourceKey: string): Promise<boolean> {
  const row = await db
    .selectFrom("tasks")
    .select("number")
    .where("constellation", "=", constellation)
    .where("source_key", "=", sourceKey)
    .executeTakeFirst();
  return row !== undefined;
}

/** The task that was made from this entry of a source. */
export async function findImported(db: Db, constellation: string, sourceKey: string): Promise<number> {
  const row = await db
    .selectFrom("tasks")
    .select("number")
    .where("constellation", "=", constellation)
    .where("source_key", "=", sourceKey)
    .executeTakeFirstOrThrow();
  return row.number;
}

export async function listTasks(
  db: Db,
  constellation: string,
  filter: TaskFilter & { readonly limit?: number } = {},
): Promise<TasksTable[]> {
  const select = selected(db.selectFrom("tasks").selectAll(), constellation, filter);
  // Without a limit, all of them: a caller that decides over tasks must not be given some.
  return (filter.limit === undefined ? select : select.limit(filter.limit)).execute();
}

/** The same in their order, by their numbers alone: whoever lists ten thousand reads the rows a part at a time. */
export async function listNumbers(
  db: Db,
  constellation: string,
  filter: TaskFilter & { readonly limit: number },
): Promise<number[]> {
  const select = selected(db.selectFrom("tasks").select("number"), constellation, filter);
  const rows = await select.limit(filter.limit).execute();
  return rows.map(({ number }) => Number(number));
}

/** Those with these numbers, in any order. */
export function tasksNumbered(db: Db, constellation: string, numbers: readonly number[]): Promise<TasksTable[]> {
  return db
    .selectFrom("tasks")
    .selectAll()
    .where("constellation", "=", constellation)
    .where("number", "in", [...numbers])
    .execute();
}

export interface TaskFilter {
  readonly states?: readonly string[];
  readonly agent?: string | undefined;
  readonly priority?: string | undefined;
}

function selected<Row>(
  from: SelectQueryBuilder<Tables, "tasks", Row>,
  constellation: string,
  { states, agent, priority }: TaskFilter,
): SelectQueryBuilder<Tables, "tasks", Row> {
  let select = from.where("constellation", "=", constellation);
  if (states !== undefined) select = select.where("state", "in", [...states]);
  if (agent !== undefined) select = select.where("agent", "=", agent);
  if (priority !== undefined) select = select.where("priority", "=", priority);
  return select.orderBy("priority").orderBy("number");
}

/** The tasks that agents have in hand: given to them, and neither ready nor over. */
export async function tasksInHand(db: Db, constellation: string): Promise<{ agent: string | null; number: number }[]> {
  return await db
    .selectFrom("tasks")
    .select(["agent", "number"])
    .where("constellation", "=", constellation)
    .where("state", "in", ["in_progress", "needs_review"])
    .where("agent", "is not", null)
    .orderBy("number")
    .execute();
}

/** A page of all tasks, by their numbers. */
export function tasksAfter(db: Db, constellation: string, number: number, limit: number): Promise<TasksTable[]> {
  return db
    .selectFrom("tasks")
    .selectAll()
    .where("constellation", "=", constellation)
    .where("number", ">", number)
    .orderBy("number")
    .limit(limit)
    .execute();
}

export async function countByState(
  db: Db,
  constellation: string,
  filter: { readonly agent?: string | undefined; readonly priority?: string | undefined } = {},
): Promise<Map<string, number>> {
  let select = db
    .selectFrom("tasks")
    .select(["state", (eb) => eb.fn.countAll<number>().as("count")])
    .where("constellation", "=", constellation);
  if (filter.agent !== undefined) select = select.where("agent", "=", filter.agent);
  if (filter.priority !== undefined) select = select.where("priority", "=", filter.priority);
  const rows = await select.groupBy("state").execute();
  return new Map(rows.map(({ state, count }) => [state, Number(count)]));
}

/** The most urgent open tasks that wait for nothing which has not landed, and how many there are. */
export async function startable(
  db: Db,
  constellation: string,
  limit: number,
): Promise<{ rows: TasksTable[]; total: number }> {
  const free = db
    .selectFrom("tasks")
    .where("constellation", "=", constellation)
    .where("state", "in", ["open", "needs_review"])
    .where((eb) =>
      eb.not(
        eb.exists(
          eb
            .selectFrom("task_after")
            .innerJoin("tasks as other", (join) =>
              join
                .onRef("other.constellation", "=", "task_after.constellation")
                .onRef("other.number", "=", "task_after.after"),
            )
            .select("task_after.task")
            .whereRef("task_after.constellation", "=", "tasks.constellation")
            .whereRef("task_after.task", "=", "tasks.number")
            .where("other.state", "not in", ["closed", "cancelled"]),
        ),
      ),
    );
  // Side by side, where the database can: it may be another process, to which each way takes longer than the question.
  const [rows, counted] = await Promise.all([
    free.selectAll().orderBy("priority").orderBy("number").limit(limit).execute(),
    free.select((eb) => eb.fn.countAll<number>().as("count")).executeTakeFirst(),
  ]);
  return { rows, total: Number(counted?.count ?? 0) };
}

export async function nextNumber(db: Db, constellation: string): Promise<number> {
  const row = await db
    .selectFrom("tasks")
    .select((eb) => eb.fn.max("number").as("last"))
    .where("constellation", "=", constellation)
    .executeTakeFirst();
  return Number(row?.last ?? 0) + 1;
}

export async function updateTask(
  db: Db,
  task: Pick<TasksTable, "constellation" | "number">,
  change: Partial<TasksTable>,
): Promise<void> {
  await db
    .updateTable("tasks")
    .set(change)
    .where("constellation", "=", task.constellation)
    .where("number", "=", task.number)
    .execute();
}

/** An event of a task's story, in its own table and on the timeline. */
export async function recordTask(
  context: Pick<Context, "random" | "constellation" | "actor">,
  tx: Tx,
  task: number,
  type: string,
  data: object = {},
): Promise<void> {
  const { constellation, actor } = context;
  const { seq } = await tx.record({ type: `task.${type}`, subject: `task:${task}`, actor, data });
  const id = makeId("tev", tx.nowMs, context.random.bytes(10));
  const row = { id, constellation, task, seq, at_ms: tx.nowMs, type, actor, data: JSON.stringify(data) };
  await tx.insert("task_events", row);
}

export async function edgesOf(db: Db, constellation: string): Promise<{ task: number; after: number }[]> {
  return db.selectFrom("task_after").select(["task", "after"]).where("constellation", "=", constellation).execute();
}

/** The task waits for nothing any more. */
export async function removeEdgesOf(
  db: Db,
  { constellation, number }: Pick<TasksTable, "constellation" | "number">,
): Promise<void> {
  await db.deleteFrom("task_after").where("constellation", "=", constellation).where("task", "=", number).execute();
}

/** The tasks that these wait for. `ended`: nothing is left to wait for. */
export async function waitsOf(
  db: Db,
  constellation: string,
  tasks: readonly number[],
): Promise<{ task: number; after: number; ended: boolean }[]> {
  const found: { task: number; after: number; ended: boolean }[] = [];
  for (let from = 0; from < tasks.length; from += askedAtOnce) {
    const rows = await db
      .selectFrom("task_after")
      .leftJoin("tasks", (join) =>
        join
          .onRef("tasks.constellation", "=", "task_after.constellation")
          .onRef("tasks.number", "=", "task_after.after"),
      )
      .select(["task_after.task", "task_after.after", "tasks.state"])
      .where("task_after.constellation", "=", constellation)
      .where("task_after.task", "in", tasks.slice(from, from + askedAtOnce))
      .execute();
    for (const { task, after, state } of rows)
      found.push({ task, after, ended: state === "closed" || state === "cancelled" });
  }
  return found;
}

/** Numbers in one statement. */
const askedAtOnce = 500;

/** Notes what git was asked to do to a repository, for people who want to know later. */
export async function recordGit(
  context: Pick<Context, "random" | "constellation">,
  tx: Tx,
  row: Omit<Tables["git_operations"], "id" | "constellation" | "at_ms">,
): Promise<void> {
  const id = makeId("git", tx.nowMs, context.random.bytes(10));
  await tx.insert("git_operations", { id, constellation: context.constellation, at_ms: tx.nowMs, ...row });
}
