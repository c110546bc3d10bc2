// The tables that take part in a move, with their columns and keys: read from a schema that the migrations have just made, so that
// a new table is never forgotten. Each table belongs to constellations by its column `constellation`; the few without one are named here.

import { type RawBuilder, sql } from "kysely";
import type { Migration } from "../migrations/migration.ts";
import { emptyDatabase } from "../snapshot.ts";

export interface Column {
  readonly name: string;
  readonly kind: "text" | "integer";
}

export interface Part {
  readonly table: string;
  /** In the order of their names, which is the same in every database. */
  readonly columns: readonly Column[];
  /** The columns of the primary key, in its order. */
  readonly key: readonly Column[];
  /** The condition for rows of a constellation; `t` is the table. */
  readonly isOf: (constellation: string) => RawBuilder<boolean>;
  /** Columns that say who holds the row just now: they begin anew. */
  readonly fresh: Readonly<Record<string, string | null>>;
}

/** Belongs to the database and not to anybody in it: every database has its own. */
const ofTheDatabase = new Set(["schema_migrations"]);

const byRule: Readonly<Record<string, Part["isOf"]>> = {
  // `anchored:<constellation>`, `telegram:<constellation>:<bot>`; what names no constellation is the database's own.
  meta: (constellation) =>
    sql<boolean>`replace(':' || t.key || ':', ${`:${constellation}:`}, '') <> ':' || t.key || ':'
      and t.key not like 'moved:%' and t.key not like 'arrived:%'`,
  // `harvest <constellation>`
  task_leases: (constellation) => sql<boolean>`replace(t.name || '|', ${` ${constellation}|`}, '') <> t.name || '|'`,
};

const freshIn: Readonly<Record<string, Part["fresh"]>> = { chain_heads: { holder: null, held_until_ms: "0" } };

interface CatalogueRow {
  readonly table: string;
  readonly column: string;
  readonly type: string;
  readonly pk: number;
}

export async function partsOfSchema(migrations?: readonly Migration[]): Promise<readonly Part[]> {
  const database = await emptyDatabase(migrations);
  try {
    const rows = database
      .query<CatalogueRow, []>(
        `select s.name as "table", c.name as "column", c.type, c.pk from sqlite_schema s, pragma_table_info(s.name) c
          where s.type = 'table' and s.name not like 'sqlite_%' order by s.name, c.name`,
      )
      .all();
    const tables = Map.groupBy(rows, ({ table }) => table);
    const parts = [...tables].filter(([table]) => !ofTheDatabase.has(table)).map(([table, of]) => partOf(table, of));
    // The head comes last: a chain without one has not arrived.
    return parts.sort((a, b) => Number(a.table === "chain_heads") - Number(b.table === "chain_heads"));
  } finally {
    database.close();
  }
}

function partOf(table: string, rows: readonly CatalogueRow[]): Part {
  const columns = rows.map(({ column, type }) => ({ name: column, kind: kindOf(table, column, type) }));
  const key = rows
    .filter(({ pk }) => pk > 0)
    .sort((a, b) => a.pk - b.pk)
    .flatMap(({ column }) => columns.filter(({ name }) => name === column));
  const hasColumn = columns.some(({ name }) => name === "constellation");
  const isOf = hasColumn ? (constellation: string) => sql<boolean>`t.constellation = ${constellation}` : byRule[table];
  if (isOf === undefined || key.length === 0)
    throw new Error(`nothing says which rows of ${table} belong to a constellation, or it has no key`);
  return { table, columns, key, isOf, fresh: freshIn[table] ?? {} };
}

function kindOf(table: string, column: string, type: string): Column["kind"] {
  const kind = type.toLowerCase();
  if (kind === "text") return "text";
  if (kind === "bigint" || kind === "integer") return "integer";
  throw new Error(`${table}.${column} is of type ${type}, which a move cannot carry`);
}
