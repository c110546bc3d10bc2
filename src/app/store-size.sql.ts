// How large each table is, which kinds of events there are, and how fast they come. SQLite's file is of one constellation mostly; a Postgres database is
// shared, and its tables are told whole.

import { type Kysely, sql } from "kysely";
import type { Dialect, Tables } from "../store/tables.ts";

type Db = Kysely<Tables>;

export interface TableSize {
  readonly table: string;
  readonly rows: number;
  /** With its indexes; null where the database does not tell. */
  readonly bytes: number | null;
}

export async function tableSizes(db: Db, dialect: Dialect): Promise<TableSize[]> {
  const { rows: tables } = await (
    dialect === "sqlite"
      ? sql<{ name: string }>`select name from sqlite_schema where type = 'table' and name not like 'sqlite_%'`
      : sql<{ name: string }>`select table_name as name from information_schema.tables
        where table_schema = current_schema() and table_type = 'BASE TABLE'`
  ).execute(db);
  const bytes = await bytesOf(db, dialect);
  const found: TableSize[] = [];
  for (const { name } of tables) {
    const { rows } = await sql<{ n: number }>`select count(*) as n from ${sql.table(name)}`.execute(db);
    found.push({ table: name, rows: Number(rows[0]?.n ?? 0), bytes: bytes.get(name) ?? null });
  }
  return found.sort((a, b) => (b.bytes ?? 0) - (a.bytes ?? 0) || b.rows - a.rows || (a.table < b.table ? -1 : 1));
}

async function bytesOf(db: Db, dialect: Dialect): Promise<ReadonlyMap<string, number>> {
  const query =
    dialect === "sqlite"
      ? sql<{ name: string; bytes: number }>`select s.tbl_name as name, sum(d.pgsize) as bytes
          from dbstat d join sqlite_schema s on s.name = d.name group by s.tbl_name`
      : sql<{ name: string; bytes: number }>`select c.relname as name, pg_total_relation_size(c.oid) as bytes
          from pg_class c join pg_namespace n on n.oid = c.relnamespace
          where n.nspname = current_schema() and c.relkind in ('r', 'p')`;
  const { rows } = await query.execute(db);
  return new Map(rows.map((row) => [row.name, Number(row.bytes)]));
}

export interface EventKind {
  readonly type: string;
  readonly count: number;
  /** Of what the events say; not of the columns beside. */
  readonly bytes: number;
}

/** The kinds that take the most, of one constellation. */
export async function eventKinds(db: Db, constellation: string, limit: number): Promise<EventKind[]> {
  const { rows } = await sql<EventKind>`select type, count(*) as count, sum(length(data)) as bytes from events
    where constellation = ${constellation} group by type order by 3 desc, 1 limit ${limit}`.execute(db);
  return rows.map(({ type, count, bytes }) => ({ type, count: Number(count), bytes: Number(bytes) }));
}

export async function eventsSince(db: Db, constellation: string, sinceMs: number): Promise<number> {
  const { rows } = await sql<{ n: number }>`select count(*) as n from events
    where constellation = ${constellation} and at_ms >= ${sinceMs}`.execute(db);
  return Number(rows[0]?.n ?? 0);
}
