// Every question schedules ask of the database.

import type { Kysely } from "kysely";
import { notByIndex } from "../../store/not-by-index.ts";
import type { Tables } from "../../store/tables.ts";
import type { FiringsTable, SchedulesTable } from "../../store/tables/night.ts";

type Db = Kysely<Tables>;
export type ScheduleKind = "cron" | "loop";

export function scheduleRows(db: Db, constellation: string, kind?: ScheduleKind): Promise<SchedulesTable[]> {
  let select = db.selectFrom("schedules").selectAll().where("constellation", "=", constellation);
  if (kind !== undefined) select = select.where("kind", "=", kind);
  return select.orderBy("kind").orderBy("label").execute();
}

export async function putSchedule(db: Db, row: SchedulesTable): Promise<void> {
  await db
    .insertInto("schedules")
    .values(row)
    .onConflict((conflict) => conflict.columns(["constellation", "kind", "label"]).doUpdateSet(row))
    .execute();
}

/** Removes a schedule. Its waiting firings no longer happen; those under way go on. */
export async function dropSchedule(
  { db, nowMs }: { readonly db: Db; readonly nowMs: number },
  constellation: string,
  kind: string,
  label: string,
): Promise<void> {
  await db
    .updateTable("firings")
    .set({ state: "skipped", detail: "its schedule was removed", ended_ms: nowMs })
    .where("constellation", "=", constellation)
    .where("kind", "=", kind)
    .where("label", "=", label)
    .where("state", "=", "waiting")
    .execute();
  await db
    .deleteFrom("schedules")
    .where("constellation", "=", constellation)
    .where("kind", "=", kind)
    .where("label", "=", label)
    .execute();
}

export function firingRow(db: Db, constellation: string, key: string): Promise<FiringsTable | undefined> {
  return db
    .selectFrom("firings")
    .selectAll()
    .where("constellation", "=", constellation)
    .where("key", "=", key)
    .executeTakeFirst();
}

/** Waiting and running, the oldest first. */
export function openFirings(db: Db, constellation: string): Promise<FiringsTable[]> {
  return db
    .selectFrom("firings")
    .selectAll()
    .where("constellation", "=", constellation)
    .where("state", "in", ["waiting", "running"])
    .orderBy("at_ms")
    .orderBy("key")
    .execute();
}

export function newestFirings(
  db: Db,
  constellation: string,
  of: { readonly kind: string; readonly label: string },
  limit: number,
): Promise<FiringsTable[]> {
  return db
    .selectFrom("firings")
    .selectAll()
    .where("constellation", "=", constellation)
    .where("kind", "=", of.kind)
    .where("label", "=", of.label)
    .orderBy("at_ms", "desc")
    .orderBy("due_ms", "desc")
    .limit(limit)
    .execute();
}

export async function updateFiring(
  db: Db,
  constellation: string,
  key: string,
  changes: Partial<FiringsTable>,
): Promise<void> {
  await db
    .updateTable("firings")
    .set(changes)
    .where("constellation", "=", constellation)
    .where("key", "=", key)
    .execute();
}

/** Returns the state of a message that carries a prompt. Undefined while the bus was not read. */
export async function messageStanding(db: Db, constellation: string, id: string) {
  return await db
    .selectFrom("messages")
    .select(["state", "delivered_ms", "because"])
    .where(notByIndex("constellation"), "=", constellation)
    .where("message_id", "=", id)
    .orderBy("state", "asc") // acked, delivered, duplicate…
    .executeTakeFirst();
}

export async function agentStanding(db: Db, constellation: string, agent: string) {
  return await db
    .selectFrom("agents")
    .select(["seen", "since_ms", "wanted"])
    .where("constellation", "=", constellation)
    .where("agent", "=", agent)
    .executeTakeFirst();
}

/** Returns the workspace where an agent works or worked last, if that still stands: a task that is ready is no longer the agent's. */
export async function lastWorkspace(db: Db, constellation: string, agent: string): Promise<string | undefined> {
  const row = await db
    .selectFrom("dispatches")
    .innerJoin("workspaces", (join) =>
      join
        .onRef("workspaces.task", "=", "dispatches.task")
        .onRef("workspaces.constellation", "=", "dispatches.constellation"),
    )
    .select("workspaces.path")
    .where("dispatches.constellation", "=", constellation)
    .where("dispatches.agent", "=", agent)
    .where("dispatches.state", "<>", "failed")
    .where("workspaces.state", "=", "ready")
    .orderBy("dispatches.asked_ms", "desc")
    .orderBy("workspaces.name")
    .executeTakeFirst();
  return row?.path;
}
