// A database as one end of a move: pages of rows out, pages of rows in, and a transaction around them. Integers are carried exactly:
// as bigint, and never as a number of JavaScript.

import { type RawBuilder, sql } from "kysely";
import { existsSync } from "node:fs";
import { Refusal } from "../../protocol/errors.ts";
import { expectColumns, type Untyped } from "../migrations/migration.ts";
import { readVersion } from "../migrate.ts";
import { kyselyOver } from "../one-connection.ts";
import { asOutage, openClient, publicName } from "../postgres-client.ts";
import { type HeldResult, postgresExecutor, runOn } from "../postgres-engine.ts";
import { executorOver, makeDurable, OwningDatabase } from "../sqlite-connection.ts";
import { sqlitePath } from "../store-address.ts";
import type { Dialect } from "../tables.ts";
import type { Column, Part } from "./parts.ts";

export type Value = string | bigint | null;
/** In the order of the part's columns. */
export type Row = readonly Value[];

export interface Side {
  readonly dialect: Dialect;
  readonly url: string;
  /** For messages; holds no password. */
  readonly name: string;
  readonly db: Untyped;
  transaction<T>(work: () => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

/** Opens a database that is there, with tables of ours. */
export async function openSide(url: string): Promise<Side> {
  const path = sqlitePath(url);
  return path === undefined ? openPostgresSide(url) : openSqliteSide(url, path);
}

/** The name of a database for messages. */
export const sideName = (url: string): string => sqlitePath(url) ?? publicName(url);

function openSqliteSide(url: string, path: string): Side {
  if (!existsSync(path)) throw new Refusal("store.not-there", `there is no database ${path}`, { path });
  const database = new OwningDatabase(path, { readwrite: true, create: false, safeIntegers: true });
  makeDurable(database);
  database.run("pragma busy_timeout = 10000");
  return {
    dialect: "sqlite",
    url,
    name: path,
    db: kyselyOver<unknown>({ dialect: "sqlite", executor: executorOver(database), transactions: false }),
    async transaction(work) {
      database.run("begin immediate");
      try {
        const value = await work();
        database.run("commit");
        return value;
      } catch (cause) {
        if (database.inTransaction) database.run("rollback");
        throw cause;
      }
    },
    close: async () => database.close(),
  };
}

const endingSeconds = 5;

async function openPostgresSide(url: string): Promise<Side> {
  const client = await openClient(url, {});
  const run = async (text: string, parameters?: readonly unknown[]): Promise<HeldResult> => {
    try {
      return await runOn(client, text, parameters);
    } catch (cause) {
      throw asOutage(cause, url);
    }
  };
  return {
    dialect: "postgres",
    url,
    name: publicName(url),
    db: kyselyOver<unknown>({
      dialect: "postgres",
      executor: postgresExecutor(() => ({ run })),
      transactions: false,
    }),
    async transaction(work) {
      await run(client.begin);
      try {
        const value = await work();
        const { command } = await run("commit");
        if (command !== "COMMIT") throw new Error("the transaction was rolled back instead of committed");
        return value;
      } catch (cause) {
        if (!client.isLost) await run("rollback");
        throw cause;
      }
    },
    close: () => client.end(endingSeconds),
  };
}

/** Throws where the tables are not those of this program: another schema version, or changed by hand. */
export async function expectOurTables(
  { db, dialect, name }: Side,
  parts: readonly Part[],
  known: number,
): Promise<void> {
  const schema = await readVersion(db, dialect);
  if (Number(schema) !== known) {
    const code = Number(schema) < known ? "store.older-schema" : "store.newer-schema";
    throw new Refusal(code, `${name} has schema version ${schema}; this constel has ${known}`, {
      schema: Number(schema),
      known,
    });
  }
  for (const { table, columns } of parts)
    await expectColumns(
      db,
      dialect,
      table,
      columns.map((column) => column.name),
    );
}

/** The next rows of a constellation after a key, in the order of the key. */
export async function readPage(
  { db, dialect, name }: Side,
  part: Part,
  {
    constellation,
    after,
    limit,
  }: { readonly constellation: string; readonly after: Row | undefined; readonly limit: number },
): Promise<Row[]> {
  const of = part.isOf(constellation);
  const from =
    after === undefined
      ? sql``
      : sql` and (${keyOf(part)}) > (${sql.join(after.map((one, at) => bound(dialect, part.key[at], one)))})`;
  const { rows } = await sql<
    Record<string, unknown>
  >`select ${sql.join(part.columns.map((column) => selected(dialect, column)))}
    from ${sql.table(part.table)} as t where ${of}${from} order by ${keyOf(part)} limit ${limit}`.execute(db);
  return rows.map((row) => part.columns.map((column) => exact(row[column.name], { column, table: part.table, name })));
}

export async function countRows({ db }: Side, part: Part, constellation: string): Promise<number> {
  const { rows } = await sql<{ n: number | bigint }>`select count(*) as n from ${sql.table(part.table)} as t
    where ${part.isOf(constellation)}`.execute(db);
  return Number(rows[0]?.n ?? 0);
}

const keyOf = ({ key }: Part): RawBuilder<unknown> => sql.join(key.map(({ name }) => sql.ref(`t.${name}`)));

export const keyValues = ({ columns, key }: Part, row: Row): Row =>
  key.map(({ name }) => row[columns.findIndex((column) => column.name === name)] ?? null);

/** The client of Postgres makes numbers of its integers, which are not exact beyond 2^53: so they come as text. */
const selected = (dialect: Dialect, { name, kind }: Column): RawBuilder<unknown> =>
  dialect === "postgres" && kind === "integer"
    ? sql`${sql.ref(`t.${name}`)}::text as ${sql.id(name)}`
    : sql`${sql.ref(`t.${name}`)}`;

const bound = (dialect: Dialect, column: Column | undefined, value: Value): unknown =>
  column?.kind !== "integer" || value === null ? value : dialect === "sqlite" ? BigInt(value) : String(value);

function exact(
  value: unknown,
  { column, table, name }: { readonly column: Column; readonly table: string; readonly name: string },
): Value {
  if (value === null) return null;
  if (column.kind === "text" && typeof value === "string") return value;
  if (column.kind === "integer" && typeof value === "bigint") return value;
  if (column.kind === "integer" && typeof value === "string" && /^-?\d+$/.test(value)) return BigInt(value);
  throw new Refusal(
    "store.not-carried",
    `${name}: ${table}.${column.name} holds ${typeof value === "number" ? `the number ${value}` : `a ${typeof value}`}, which the other database could not hold alike`,
    { table, column: column.name },
  );
}

/** Inside a transaction of the caller. */
export async function insertRows({ db, dialect }: Side, part: Part, rows: readonly Row[]): Promise<void> {
  if (rows.length === 0) return;
  const given = rows.map((row) => row.map((value, at) => freshOf(part, at, value)));
  const names = sql.join(part.columns.map(({ name }) => sql.id(name)));
  if (dialect === "sqlite") {
    for (const row of given)
      await sql`insert into ${sql.table(part.table)} (${names}) values (${sql.join(row)})`.execute(db);
    return;
  }
  for (const row of given) refuseUnstorable(part, row);
  const records = given.map((row) =>
    Object.fromEntries(
      part.columns.map(({ name }, at) => [name, typeof row[at] === "bigint" ? String(row[at]) : row[at]]),
    ),
  );
  const shape = sql.join(
    part.columns.map(({ name, kind }) => sql`${sql.id(name)} ${sql.raw(kind === "text" ? "text" : "bigint")}`),
  );
  await sql`insert into ${sql.table(part.table)} (${names}) select ${names}
    from json_to_recordset(${JSON.stringify(records)}::text::json) as row(${shape})`.execute(db);
}

function freshOf(part: Part, at: number, value: Value): Value {
  const column = part.columns[at];
  if (column === undefined || !Object.hasOwn(part.fresh, column.name)) return value;
  const begins = part.fresh[column.name] ?? null;
  return begins !== null && column.kind === "integer" ? BigInt(begins) : begins;
}

/** Postgres has no text with a zero in it. */
function refuseUnstorable({ table, columns }: Part, row: Row): void {
  const at = row.findIndex((value) => typeof value === "string" && value.includes("\0"));
  if (at === -1) return;
  const column = columns[at]?.name ?? "";
  throw new Refusal(
    "store.not-carried",
    `${table}.${column} holds a text with a zero character in it, which Postgres cannot hold`,
    { table, column },
  );
}
