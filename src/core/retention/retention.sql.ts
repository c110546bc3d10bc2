// The oldest rows of what grows with every day: which may go, and letting go of them.

import { type Kysely, sql } from "kysely";
import type { Tables } from "../../store/tables.ts";

type Db = Kysely<Tables>;

export interface OldRows {
  readonly constellation: string;
  readonly beforeMs: number;
  readonly limit: number;
}

/** Tables whose rows have an id and a time, and that nothing else refers to. */
export const recordTables = ["cli_invocations", "source_errors", "ticks", "watchdog_events", "crashes"] as const;

export async function dropOldRecords(db: Db, table: (typeof recordTables)[number], old: OldRows): Promise<number> {
  const rows = await db
    .selectFrom(table)
    .select("id")
    .where("constellation", "=", old.constellation)
    .where("at_ms", "<", old.beforeMs)
    .orderBy("at_ms")
    .limit(old.limit)
    .execute();
  const ids = rows.map(({ id }) => id);
  if (ids.length > 0) await db.deleteFrom(table).where("id", "in", ids).execute();
  return ids.length;
}

/** Only of messages whose way is at its end: what waits or is in doubt stays, however old it is. */
export async function dropOldMessages(db: Db, old: OldRows): Promise<number> {
  const rows = await db
    .selectFrom("messages")
    .select(["receiver", "name"])
    .where("constellation", "=", old.constellation)
    .where("sent_ms", "<", old.beforeMs)
    .where("state", "in", ["delivered", "acked", "duplicate", "poisoned"])
    .orderBy("sent_ms")
    .limit(old.limit)
    .execute();
  for (const receiver of new Set(rows.map((row) => row.receiver))) {
    const names = rows.filter((row) => row.receiver === receiver).map(({ name }) => name);
    await db
      .deleteFrom("messages")
      .where("constellation", "=", old.constellation)
      .where("receiver", "=", receiver)
      .where("name", "in", names)
      .execute();
  }
  return rows.length;
}

/** Drops what an agent's launches and spent budgets left: they are kept as long as what they used. */
export async function dropOldSessions(db: Db, { constellation, beforeMs, limit }: OldRows): Promise<number> {
  const sessions = await sql`delete from sessions where (constellation, agent, started_ms) in
    (select constellation, agent, started_ms from sessions
      where constellation = ${constellation} and ended_ms < ${beforeMs} order by ended_ms limit ${limit})`.execute(db);
  const budgets = await sql`delete from budgets_reached where (constellation, agent, day, kind) in
    (select constellation, agent, day, kind from budgets_reached
      where constellation = ${constellation} and at_ms < ${beforeMs} order by at_ms limit ${limit})`.execute(db);
  return Math.max(Number(sessions.numAffectedRows ?? 0), Number(budgets.numAffectedRows ?? 0));
}

export async function dropOldUsage(db: Db, old: OldRows): Promise<number> {
  const rows = await db
    .selectFrom("token_usage")
    .select(["agent", "id"])
    .where("constellation", "=", old.constellation)
    .where("at_ms", "<", old.beforeMs)
    .orderBy("at_ms")
    .limit(old.limit)
    .execute();
  for (const agent of new Set(rows.map((row) => row.agent))) {
    const ids = rows.filter((row) => row.agent === agent).map(({ id }) => id);
    await db
      .deleteFrom("token_usage")
      .where("constellation", "=", old.constellation)
      .where("agent", "=", agent)
      .where("id", "in", ids)
      .execute();
  }
  return rows.length;
}

/**
 * The beginning of the chain, up to the first event that is young enough: a clock that jumped keeps more, never less. The head
 * remembers the last one that went, so that the rest still verifies from there.
 */
export async function eventsToDrop(db: Db, old: OldRows): Promise<readonly DroppedEvent[]> {
  const { constellation } = old;
  const head = await db
    .selectFrom("chain_heads")
    .select(["seq", "pruned_seq"])
    .where("constellation", "=", constellation)
    .executeTakeFirst();
  if (head === undefined) return [];
  const rows = await db
    .selectFrom("events")
    .select(["seq", "hash", "at_ms"])
    .where("constellation", "=", constellation)
    .where("seq", ">", head.pruned_seq)
    // The newest event stays: it is what the head names.
    .where("seq", "<", head.seq)
    .orderBy("seq")
    .limit(old.limit)
    .execute();
  const young = rows.findIndex(({ at_ms: atMs }) => atMs >= old.beforeMs);
  return young === -1 ? rows : rows.slice(0, young);
}

export interface DroppedEvent {
  readonly seq: number;
  readonly hash: string;
}

export async function dropEvents(db: Db, constellation: string, last: DroppedEvent): Promise<void> {
  await db
    .updateTable("chain_heads")
    .set({ pruned_seq: last.seq, pruned_hash: last.hash })
    .where("constellation", "=", constellation)
    .execute();
  await db.deleteFrom("events").where("constellation", "=", constellation).where("seq", "<=", last.seq).execute();
  await db
    .deleteFrom("event_signatures")
    .where("constellation", "=", constellation)
    .where("last_seq", "<=", last.seq)
    .execute();
}

/**
 * Returns the time of the oldest event, which tells whether the chain begins with one that may go. It is asked before anything is written.
 */
export async function oldestEventMs(db: Db, constellation: string): Promise<number | undefined> {
  const row = await db
    .selectFrom("events")
    .select("at_ms")
    .where("constellation", "=", constellation)
    .orderBy("seq")
    .limit(1)
    .executeTakeFirst();
  return row?.at_ms;
}
