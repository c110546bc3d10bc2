// The events of tasks' stories.

import type { Kysely } from "kysely";
import type { Tables } from "../../store/tables.ts";
import type { TaskEventsTable } from "../../store/tables/tasks.ts";

type Db = Kysely<Tables>;

/** Of these tasks, oldest first. */
export function taskEvents(
  db: Db,
  constellation: string,
  { from, to }: { readonly from: number; readonly to: number },
): Promise<TaskEventsTable[]> {
  return db
    .selectFrom("task_events")
    .selectAll()
    .where("constellation", "=", constellation)
    .where("task", ">=", from)
    .where("task", "<=", to)
    .orderBy("seq")
    .execute();
}

export function taskEventsOfType(
  db: Db,
  constellation: string,
  { task, type }: { readonly task: number; readonly type: string },
): Promise<Pick<TaskEventsTable, "data">[]> {
  return db
    .selectFrom("task_events")
    .select("data")
    .where("constellation", "=", constellation)
    .where("task", "=", task)
    .where("type", "=", type)
    .execute();
}

export function newestTaskEvent(
  db: Db,
  constellation: string,
  { task, type }: { readonly task: number; readonly type: string },
): Promise<Pick<TaskEventsTable, "data"> | undefined> {
  return db
    .selectFrom("task_events")
    .select("data")
    .where("constellation", "=", constellation)
    .where("task", "=", task)
    .where("type", "=", type)
    .orderBy("seq", "desc")
    .executeTakeFirst();
}
