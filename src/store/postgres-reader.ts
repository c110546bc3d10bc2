// Users' SQL on Postgres: each statement alone in a read-only transaction, its rows through a cursor. The server ends a
// statement that takes too long, and one whose asker has gone.

import { messageOf, Refusal, systemCode } from "../protocol/errors.ts";
import { isServerTrouble } from "./errors.ts";
import { oneSelect } from "./one-select.ts";
import { asOutage, connect, type Postgres, probe } from "./postgres-connection.ts";
import { type Answer, type Reader, type Relation, unknownTable } from "./reader.ts";

/** Rows fetched at a time. */
const pageRows = 500;

const endingSeconds = 0.25;

/** How often the server looks whether the asker is still there while it works on an answer. */
const askerLookMs = 1000;

export async function postgresReader(url: string, { timeoutMs }: { timeoutMs?: number | undefined }): Promise<Reader> {
  const pool = connect(url, {
    max: 4,
    readOnly: true,
    ...(timeoutMs === undefined ? {} : { statementTimeoutMs: timeoutMs }),
  });
  try {
    await probe(pool, url);
  } catch (cause) {
    await pool.end({ timeout: 0 });
    throw cause;
  }
  const meaning = async (cause: unknown): Promise<unknown> => {
    const code = systemCode(cause) ?? "";
    const message = messageOf(cause);
    if (code === "42P01") return unknownTable(/"(.+)"/.exec(message)?.[1] ?? "", await relations(pool));
    if (code === "25006") return new Refusal("query.not-read-only", message);
    if (code === "57014")
      return new Refusal("query.too-slow", `the server ended the query: ${message}`, { timeout_ms: timeoutMs ?? null });
    if (/^(42|22|0A|2201)/.test(code)) return new Refusal("query.invalid", message);
    return asOutage(cause, url);
  };
  return {
    dialect: "postgres",
    async rows(sql, { maxRows = Infinity } = {}): Promise<Answer> {
      const text = oneSelect(sql);
      try {
        const described = await pool.unsafe(text, [], { prepare: true }).describe();
        return { columns: described.columns.map((column) => column.name), rows: stream(pool, text, maxRows, meaning) };
      } catch (cause) {
        throw await meaning(cause);
      }
    },
    async tables() {
      try {
        return await relations(pool);
      } catch (cause) {
        throw await meaning(cause);
      }
    },
    async explain(sql) {
      const text = oneSelect(sql);
      try {
        const rows = await pool.unsafe(`explain ${text}`, [], { prepare: true }).values();
        return rows.map((row) => String(row[0]));
      } catch (cause) {
        throw await meaning(cause);
      }
    },
    // A refused statement leaves postgres.js waiting for the server for ever; other connections end within this.
    close: () => pool.end({ timeout: endingSeconds }),
  };
}

/** Servers before Postgres 14 have no such setting, and nothing happens. */
const endWithTheAsker = `select set_config(name, '${askerLookMs}', false) from pg_settings
  where name = 'client_connection_check_interval'`;

async function* stream(
  pool: Postgres,
  text: string,
  maxRows: number,
  meaning: (cause: unknown) => Promise<unknown>,
): AsyncGenerator<readonly unknown[]> {
  if (maxRows <= 0) return;
  const connection = await pool.reserve().catch(async (cause: unknown) => {
    throw await meaning(cause);
  });
  let given = 0;
  let broken = false;
  try {
    await connection.unsafe(endWithTheAsker).catch(() => {}); // a server on another system than Linux may not know how
    await connection.unsafe("begin read only");
    // Prepared: the extended protocol takes one statement only.
    const cursor = connection.unsafe(text, [], { prepare: true }).values().cursor(pageRows);
    for await (const page of cursor) {
      for (const row of page) {
        yield row as readonly unknown[];
        if (++given >= maxRows) return;
      }
    }
  } catch (cause) {
    broken = isServerTrouble(cause);
    throw await meaning(cause);
  } finally {
    // A lost connection has left the pool by itself, and nothing may be sent on it.
    if (!broken) {
      await connection.unsafe("rollback").catch(() => {});
      connection.release();
    }
  }
}

async function relations(pool: Postgres): Promise<Relation[]> {
  const rows = await pool<{ name: string; kind: "table" | "view"; columns: string[] }[]>`
    select t.table_name as name, case t.table_type when 'VIEW' then 'view' else 'table' end as kind,
      json_agg(c.column_name::text order by c.ordinal_position) as columns
    from information_schema.tables t join information_schema.columns c using (table_schema, table_name)
    where t.table_schema = current_schema() group by 1, 2 order by 1`;
  return rows.map(({ name, kind, columns }) => ({ name, kind, columns }));
}
