// The events of tasks' stories.

import type { Kysely } from "kysely";
import type { Tables } from "../../store/tables.ts";
import type { TaskEventsTable } from "../../store/tables/tasks.ts";

type Db = Kysely<Tables>;

/** Oldest first. */
export function taskEvents(
  db: Db,
  constellation: string,
  filter: { readonly task?: number | undefined; readonly type?: string } = {},
): Promise<TaskEventsTable[]> {
  let select = db.selectFrom("task_events").selectAll().where("constellation", "=", constellation);
  if (filter.task !== undefined) select = select.where("task", "=", filter.task);
  if (filter.type !== undefined) select = select.where("type", "=", filter.type);
  return select.orderBy("seq").execute();
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
