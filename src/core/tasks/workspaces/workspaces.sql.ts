// Every question about workspaces.

import { type Kysely, sql } from "kysely";
import type { Tables } from "../../../store/tables.ts";
import type { WorkspacesTable } from "../../../store/tables/tasks.ts";

type Db = Kysely<Tables>;

export async function workspacesOf(
  db: Db,
  constellation: string,
  filter: { task?: number | undefined; name?: string | undefined; withRemoved?: boolean } = {},
): Promise<WorkspacesTable[]> {
  let select = db.selectFrom("workspaces").selectAll().where("constellation", "=", constellation);
  if (filter.task !== undefined) select = select.where("task", "=", filter.task);
  if (filter.name !== undefined) select = select.where("name", "=", filter.name);
  if (filter.withRemoved !== true) select = select.where("state", "<>", "removed");
  // Made in one millisecond, the one with the lower ports was made first.
  return select.orderBy("task").orderBy("created_ms").orderBy("port_first").orderBy("id").execute();
}

export function findWorkspace(db: Db, id: string): Promise<WorkspacesTable | undefined> {
  return db.selectFrom("workspaces").selectAll().where("id", "=", id).executeTakeFirst();
}

export async function updateWorkspace(db: Db, id: string, change: Partial<WorkspacesTable>): Promise<void> {
  await db.updateTable("workspaces").set(change).where("id", "=", id).execute();
}

export function workspacesInStates(
  db: Db,
  constellation: string,
  states: readonly string[],
): Promise<WorkspacesTable[]> {
  return db
    .selectFrom("workspaces")
    .selectAll()
    .where("constellation", "=", constellation)
    .where("state", "in", [...states])
    .execute();
}

/** Those that still keep what was called ready, although it has landed or was saved whole. */
export function keptWithoutNeed(db: Db, constellation: string): Promise<WorkspacesTable[]> {
  return db
    .selectFrom("workspaces")
    .innerJoin("tasks", (join) =>
      join.onRef("tasks.number", "=", "workspaces.task").onRef("tasks.constellation", "=", "workspaces.constellation"),
    )
    .selectAll("workspaces")
    .where("workspaces.constellation", "=", constellation)
    .where("workspaces.kept_ms", "is not", null)
    .where((is) =>
      is.or([
        is("tasks.state", "=", "closed"),
        is.and([is("workspaces.state", "=", "removed"), is("workspaces.rescue", "is not", null)]),
      ]),
    )
    .execute();
}

/** The directories below which workspaces are or were. */
export async function workspaceRoots(db: Db, constellation: string): Promise<string[]> {
  const rows = await db
    .selectFrom("workspaces")
    .select("root")
    .distinct()
    .where("constellation", "=", constellation)
    .execute();
  return rows.map(({ root }) => root);
}

export async function deleteWorkspace(db: Db, id: string): Promise<void> {
  await db.deleteFrom("workspaces").where("id", "=", id).execute();
}

export interface TaskReadiness {
  readonly task: number;
  readonly score: number;
  readonly reasons: string;
}

/** How ready the work of these tasks is to land, one row for each workspace that is looked at, the least ready first. */
export async function readinessOfTasks(
  db: Db,
  constellation: string,
  tasks: readonly number[],
): Promise<TaskReadiness[]> {
  if (tasks.length === 0) return [];
  const { rows } = await sql<TaskReadiness>`select k.task, m.score, m.reasons
    from workspaces k join merge_readiness m on m.constellation = k.constellation and m.worktree = k.path
    where k.constellation = ${constellation} and k.state = 'ready' and k.task in (${sql.join(tasks)})
    order by m.score`.execute(db);
  return rows;
}
