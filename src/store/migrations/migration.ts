// Defines what a migration is, and the small words its files share.

import { type Kysely, sql } from "kysely";
import type { Dialect } from "../tables.ts";

/** A migration sees the database without types: the types describe today, a migration describes its own day. */
export type Untyped = Kysely<unknown>;

export interface Migration {
  /** Whole numbers without gaps, from 1. */
  readonly version: number;
  readonly name: string;
  up(db: Untyped, dialect: Dialect): Promise<void>;
  /** Throws when the new state is not what it should be: then nothing has happened. Runs inside the same transaction. */
  verify(db: Untyped, dialect: Dialect): Promise<void>;
  /** The way back, keeping what the older schema can hold. Without it, only a backup leads back. */
  down?(db: Untyped, dialect: Dialect): Promise<void>;
}

/** The column names of a table or view, none when it does not exist. */
export async function columnsOf(db: Untyped, dialect: Dialect, table: string): Promise<string[]> {
  const query =
    dialect === "sqlite"
      ? sql<{ name: string }>`select name from pragma_table_info(${table})`
      : sql<{ name: string }>`select column_name as name from information_schema.columns
          where table_schema = current_schema() and table_name = ${table} order by ordinal_position`;
  return (await query.execute(db)).rows.map((row) => row.name);
}

/** For `verify`: the table has exactly these columns, in any order. */
export async function expectColumns(
  db: Untyped,
  dialect: Dialect,
  table: string,
  columns: readonly string[],
): Promise<void> {
  const found = await columnsOf(db, dialect, table);
  const missing = columns.filter((column) => !found.includes(column));
  const extra = found.filter((column) => !columns.includes(column));
  if (missing.length > 0 || extra.length > 0) {
    throw new Error(`table ${table}: missing [${missing.join(", ")}], unexpected [${extra.join(", ")}]`);
  }
}
