// Work that is between two states.

import type { Kysely } from "kysely";
import type { Tables } from "../store/tables.ts";
import type { DispatchesTable, HarvestsTable, WorkspacesTable } from "../store/tables/tasks.ts";

type Db = Kysely<Tables>;

/** Workspaces that are being made, removed or brought back. */
export async function unsettledWorkspaces(
  db: Db,
  constellation: string,
): Promise<Pick<WorkspacesTable, "task" | "name" | "state" | "holder" | "created_ms" | "removing_ms">[]> {
  return await db
    .selectFrom("workspaces")
    .select(["task", "name", "state", "holder", "created_ms", "removing_ms"])
    .where("constellation", "=", constellation)
    .where("state", "in", ["making", "removing", "restoring"])
    .execute();
}

/** Assignments that have not been sent. */
export async function unsentDispatches(
  db: Db,
  constellation: string,
): Promise<Pick<DispatchesTable, "task" | "agent" | "state" | "asked_ms">[]> {
  return await db
    .selectFrom("dispatches")
    .select(["task", "agent", "state", "asked_ms"])
    .where("constellation", "=", constellation)
    .where("state", "in", ["leased", "prepared"])
    .where("ended_ms", "is", null)
    .execute();
}

export async function unendedHarvests(
  db: Db,
  constellation: string,
): Promise<Pick<HarvestsTable, "task" | "phase" | "asked_ms">[]> {
  return await db
    .selectFrom("harvests")
    .select(["task", "phase", "asked_ms"])
    .where("constellation", "=", constellation)
    .where("ended_ms", "is", null)
    .execute();
}
