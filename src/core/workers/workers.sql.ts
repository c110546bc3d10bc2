// Every question workers ask of the database, but for what wakes them (wake.sql.ts).

import { type Kysely, sql } from "kysely";
import type { Tables } from "../../store/tables.ts";
import type { WorkersTable, WorkerTurnsTable } from "../../store/tables/workers.ts";

type Db = Kysely<Tables>;
type Worker = Pick<WorkersTable, "constellation" | "agent">;

export function workerRows(db: Db, constellation: string): Promise<WorkersTable[]> {
  return db.selectFrom("workers").selectAll().where("constellation", "=", constellation).orderBy("name").execute();
}

export function workerRow(db: Db, { constellation, agent }: Worker): Promise<WorkersTable | undefined> {
  return db
    .selectFrom("workers")
    .selectAll()
    .where("constellation", "=", constellation)
    .where("agent", "=", agent)
    .executeTakeFirst();
}

export async function updateWorker(
  db: Db,
  { constellation, agent }: Worker,
  change: Partial<WorkersTable>,
): Promise<void> {
  await db
    .updateTable("workers")
    .set(change)
    .where("constellation", "=", constellation)
    .where("agent", "=", agent)
    .execute();
}

/** Its causes up to this one are taken up; whatever came later still waits. */
export async function takeCauses(db: Db, { constellation, agent }: Worker, seq: number): Promise<void> {
  await db
    .updateTable("workers")
    .set({ taken_seq: seq, woken_ms: sql`case when wake_seq > ${seq} then woken_ms end` })
    .where("constellation", "=", constellation)
    .where("agent", "=", agent)
    .execute();
}

/** The turn that is not closed yet; there is one at most. */
export function openTurn(db: Db, { constellation, agent }: Worker): Promise<WorkerTurnsTable | undefined> {
  return db
    .selectFrom("worker_turns")
    .selectAll()
    .where("constellation", "=", constellation)
    .where("agent", "=", agent)
    .where("state", "<>", "closed")
    .orderBy("turn", "desc")
    .limit(1)
    .executeTakeFirst();
}

export function newestTurns(db: Db, { constellation, agent }: Worker, limit: number): Promise<WorkerTurnsTable[]> {
  return db
    .selectFrom("worker_turns")
    .selectAll()
    .where("constellation", "=", constellation)
    .where("agent", "=", agent)
    .orderBy("turn", "desc")
    .limit(limit)
    .execute();
}

export async function updateTurn(
  db: Db,
  { constellation, agent, turn }: Worker & { readonly turn: number },
  change: Partial<WorkerTurnsTable>,
): Promise<void> {
  await db
    .updateTable("worker_turns")
    .set(change)
    .where("constellation", "=", constellation)
    .where("agent", "=", agent)
    .where("turn", "=", turn)
    .execute();
}

export async function turnsBetween(
  db: Db,
  { constellation, agent }: Worker,
  fromMs: number,
  untilMs: number,
): Promise<number> {
  const row = await db
    .selectFrom("worker_turns")
    .select((eb) => eb.fn.countAll<number | string>().as("count"))
    .where("constellation", "=", constellation)
    .where("agent", "=", agent)
    .where("asked_ms", ">=", fromMs)
    .where("asked_ms", "<=", untilMs)
    .executeTakeFirst();
  return Number(row?.count ?? 0);
}

/** A turn has taken this message up, whether or not it has ended. */
export async function isTakenUp(db: Db, worker: Worker, message: string): Promise<boolean> {
  const rows = await newestTurns(db, worker, 200);
  return rows.some(({ causes }) =>
    (JSON.parse(causes) as { message?: string }[]).some((one) => one.message === message),
  );
}

/** Tokens of its model since a moment, as budgets count them; and the longest input. */
export async function tokensBetween(
  db: Db,
  { constellation, agent }: Worker,
  fromMs: number,
  untilMs: number = Number.MAX_SAFE_INTEGER,
): Promise<{ readonly tokens: number; readonly context: number }> {
  const row = await db
    .selectFrom("token_usage")
    .select([
      sql<number | string | null>`sum(input + output + cache_write)`.as("tokens"),
      sql<number | string | null>`max(input + cache_read + cache_write)`.as("context"),
    ])
    .where("constellation", "=", constellation)
    .where("agent", "=", agent)
    .where("at_ms", ">=", fromMs)
    .where("at_ms", "<=", untilMs)
    .executeTakeFirst();
  return { tokens: Number(row?.tokens ?? 0), context: Number(row?.context ?? 0) };
}

/** Titles of what is urgent for it and was not told. */
export async function urgentNotices(db: Db, { constellation, agent }: Worker): Promise<string[]> {
  const rows = await db
    .selectFrom("agent_notices")
    .select(["id", "title"])
    .where("constellation", "=", constellation)
    .where("agent", "=", agent)
    .where("state", "=", "waiting")
    .where("severity", "=", "high")
    .where("ended_ms", "is", null)
    .orderBy("due_ms")
    .limit(10)
    .execute();
  return rows.map(({ id, title }) => `${title} (${id})`);
}
