// Rows of workspaces that are between two states, or keep something that is needed no longer.

import type { Kysely } from "kysely";
import type { Tables } from "../../store/tables.ts";
import type { WorkspacesTable } from "../../store/tables/tasks.ts";

type Db = Kysely<Tables>;

export function findWorkspace(db: Db, id: string): Promise<WorkspacesTable | undefined> {
  return db.selectFrom("workspaces").selectAll().where("id", "=", id).executeTakeFirst();
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
