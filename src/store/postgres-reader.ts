// Users' SQL on Postgres: each statement alone in a read-only transaction, its rows through a cursor. The server ends a
// statement that takes too long, and one whose asker has gone.

import { messageOf, Refusal, systemCode } from "../protocol/errors.ts";
import { isServerTrouble } from "./errors.ts";
import { oneSelect } from "./one-select.ts";
import { asOutage } from "./postgres-client.ts";
import { PostgresPool } from "./postgres-pool.ts";
import { type Answer, type Reader, type Relation, unknownTable } from "./reader.ts";

/** Rows fetched at a time. */
const pageRows = 500;

const endingSeconds = 0.25;

/** The interval at which the server looks whether the asker is still there while it works on an answer. */
const askerLookMs = 1000;

export async function postgresReader(url: string, { timeoutMs }: { timeoutMs?: number | undefined }): Promise<Reader> {
  const limit = timeoutMs === undefined ? {} : { statementTimeoutMs: timeoutMs };
  const pool = new PostgresPool(url, { max: 4, readOnly: true, ...limit });
  pool.giveBack(await pool.take());
  const meaning = async (cause: unknown): Promise<unknown> => {
    const code = systemCode(cause) ?? "";
    const message = messageOf(cause);
    if (isServerTrouble(cause)) return asOutage(cause, url);
    if (code === "42P01") {
      const known = await relations(pool).catch(() => []);
      return unknownTable(/"(.+)"/.exec(message)?.[1] ?? "", known);
    }
    if (code === "25006") return new Refusal("query.not-read-only", message);
    if (code === "57014")
      return new Refusal("query.too-slow", `the server ended the query: ${message}`, { timeout_ms: timeoutMs ?? null });
    if (/^(42|22|0A|2201)/.test(code)) return new Refusal("query.invalid", message);
    return cause;
  };
  const asked = async <T>(question: () => Promise<T>): Promise<T> => {
    try {
      return await question();
    } catch (cause) {
      throw await meaning(cause);
    }
  };
  return {
    dialect: "postgres",
    async rows(sql, { maxRows = Infinity } = {}): Promise<Answer> {
      const text = oneSelect(sql);
      const columns = await asked(() => columnsOf(pool, text));
      return { columns, rows: stream(pool, text, maxRows, meaning) };
    },
    tables: () => asked(() => relations(pool)),
    async explain(sql) {
      const text = oneSelect(sql);
      const rows = await asked(() =>
        pool.read((client) => client.ask((on) => on.unsafe(`explain ${text}`, [], { prepare: true }).values())),
      );
      return rows.map((row) => String(row[0]));
    },
    close: () => pool.end(endingSeconds),
  };
}

async function columnsOf(pool: PostgresPool, text: string): Promise<string[]> {
  const client = await pool.take();
  try {
    const described = await client.ask((sql) => sql.unsafe(text, [], { prepare: true }).describe());
    return described.columns.map((column) => column.name);
  } catch (cause) {
    // A refused statement leaves the library waiting for the server for ever: nothing more is asked there.
    client.abandon(cause);
    throw cause;
  } finally {
    pool.giveBack(client);
  }
}

/** Servers before Postgres 14 have no such setting, and nothing happens. */
const endWithTheAsker = `select set_config(name, '${askerLookMs}', false) from pg_settings
  where name = 'client_connection_check_interval'`;

async function* stream(
  pool: PostgresPool,
  text: string,
  maxRows: number,
  meaning: (cause: unknown) => Promise<unknown>,
): AsyncGenerator<readonly unknown[]> {
  if (maxRows <= 0) return;
  const client = await pool.take();
  let given = 0;
  let finished = false;
  try {
    // A server on another system than Linux may not know how; a pooler would give the setting to whoever comes next.
    if (!client.isPooled) await client.ask((sql) => sql.unsafe(endWithTheAsker)).catch(() => {});
    await client.ask((sql) => sql.unsafe(client.begin));
    // Prepared: the extended protocol takes one statement only.
    let pages: AsyncIterator<readonly unknown[][]> | undefined;
    for (;;) {
      const next = await client.ask((sql) => {
        pages ??= sql.unsafe(text, [], { prepare: true }).values().cursor(pageRows)[Symbol.asyncIterator]();
        return pages.next();
      });
      finished = next.done === true;
      if (next.done === true) return;
      for (const row of next.value) {
        yield row;
        if (++given >= maxRows) return;
      }
    }
  } catch (cause) {
    throw await meaning(cause);
  } finally {
    // Half way through a cursor nothing else can be asked: the transaction, which only read, ends with its connection.
    if (finished) await client.ask((sql) => sql.unsafe("rollback")).catch(() => {});
    else client.abandon(undefined);
    pool.giveBack(client);
  }
}

async function relations(pool: PostgresPool): Promise<Relation[]> {
  const rows = await pool.ask(
    (sql) => sql<{ name: string; kind: "table" | "view"; columns: string[] }[]>`
    select t.table_name as name, case t.table_type when 'VIEW' then 'view' else 'table' end as kind,
      json_agg(c.column_name::text order by c.ordinal_position) as columns
    from information_schema.tables t join information_schema.columns c using (table_schema, table_name)
    where t.table_schema = current_schema() group by 1, 2 order by 1`,
  );
  return rows.map(({ name, kind, columns }) => ({ name, kind, columns }));
}
