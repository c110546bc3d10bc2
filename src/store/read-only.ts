// The way for SQL that users wrote: read-only by construction, streaming, and working whether or not a daemon runs. It does
// not load Kysely, because `constel query` starts for every question.

import { Database } from "bun:sqlite";
import { messageOf, Refusal, systemCode } from "../protocol/errors.ts";
import { isCorruption } from "./errors.ts";
import { oneSelect } from "./one-select.ts";
import { type Reader, type Relation, unknownTable } from "./reader.ts";
import { sqlitePath } from "./store-address.ts";
import { damaged } from "./sqlite-file.ts";
import { openIfBuilt, type ReadingOptions } from "./sqlite-read-only.ts";

export interface ReaderOptions extends ReadingOptions {
  /** The time that a statement may take on a server that others use too. */
  readonly timeoutMs?: number | undefined;
}

export async function openReader(url: string, options: ReaderOptions = {}): Promise<Reader> {
  const path = sqlitePath(url);
  if (path !== undefined) {
    // Only the very first questions, before there is a database, pay for building an empty one.
    const database = openIfBuilt(path, options) ?? (await (await import("./snapshot.ts")).emptyDatabase());
    return sqliteReader(database, path, options.backupDirectory);
  }
  const { postgresReader } = await import("./postgres-reader.ts");
  return postgresReader(url, options);
}

function sqliteReader(database: Database, path: string, backupDirectory: string | undefined): Reader {
  const tables = (): Relation[] =>
    database
      .query<{ name: string; kind: "table" | "view"; columns: string }, []>(
        `select s.name, s.type as kind, (select json_group_array(name) from pragma_table_info(s.name)) as columns
          from sqlite_schema s where s.type in ('table', 'view') and s.name not like 'sqlite_%' order by s.name`,
      )
      .all()
      .map((row) => ({ name: row.name, kind: row.kind, columns: JSON.parse(row.columns) as string[] }));
  const meaning = (cause: unknown): unknown => {
    if (isCorruption(cause)) return damaged(path, backupDirectory ?? "", messageOf(cause));
    return refusalOf(cause, tables);
  };
  return {
    dialect: "sqlite",
    async rows(sql, { maxRows = Infinity } = {}) {
      const text = oneSelect(sql);
      const statement = attempt(() => database.prepare<Record<string, unknown>, []>(text), meaning);
      const columns = statement.columnNames;
      if (new Set(columns).size === columns.length)
        return { columns, rows: stream(statement, columns, maxRows, meaning) };
      // Rows come as objects, so columns of the same name would hide each other: give them names of their own.
      statement.finalize();
      const names = columns.map((_, index) => `c${index}`);
      const renamed = `with answer(${names.join(", ")}) as (${text}\n) select * from answer`;
      const again = attempt(() => database.prepare<Record<string, unknown>, []>(renamed), meaning);
      return { columns, rows: stream(again, names, maxRows, meaning) };
    },
    async tables() {
      return tables();
    },
    async explain(sql) {
      const text = oneSelect(sql);
      type Step = { id: number; parent: number; detail: string };
      const steps = attempt(() => database.query<Step, []>(`explain query plan ${text}`).all(), meaning);
      const depth = new Map<number, number>();
      return steps.map((step) => {
        const level = (depth.get(step.parent) ?? -1) + 1;
        depth.set(step.id, level);
        return "  ".repeat(level) + step.detail;
      });
    },
    async close() {
      database.close();
    },
  };
}

type Statement = ReturnType<typeof Database.prototype.prepare<Record<string, unknown>, []>>;

async function* stream(
  statement: Statement,
  names: readonly string[],
  maxRows: number,
  meaning: (cause: unknown) => unknown,
): AsyncGenerator<readonly unknown[]> {
  let given = 0;
  try {
    if (maxRows <= 0) return;
    for (const row of statement.iterate()) {
      yield names.map((name) => row[name]);
      if (++given >= maxRows) return;
    }
  } catch (cause) {
    throw meaning(cause);
  } finally {
    statement.finalize();
  }
}

function attempt<T>(call: () => T, meaning: (cause: unknown) => unknown): T {
  try {
    return call();
  } catch (cause) {
    throw meaning(cause);
  }
}

/** Turns what the database complains of into one of our refusals. Anything else is given back as it is. */
function refusalOf(cause: unknown, tables: () => Relation[]): unknown {
  const code = systemCode(cause) ?? "";
  const message = messageOf(cause);
  const missing = /no such table: (.+)/.exec(message)?.[1];
  if (missing !== undefined) return unknownTable(missing, tables());
  if (code.startsWith("SQLITE_READONLY") || code === "SQLITE_AUTH") return new Refusal("query.not-read-only", message);
  if (code === "SQLITE_ERROR" || /SQLITE_(RANGE|MISMATCH|TOOBIG)/.test(code))
    return new Refusal("query.invalid", message);
  return cause;
}
