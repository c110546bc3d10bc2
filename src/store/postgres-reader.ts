// Users' SQL on Postgres: each statement alone in a read-only transaction, its rows through a cursor.

import { messageOf, Refusal, systemCode } from "../protocol/errors.ts";
import { isStorageFailure } from "./errors.ts";
import { oneSelect } from "./one-select.ts";
import { connect, type Postgres, probe } from "./postgres-connection.ts";
import { type Answer, type Reader, type Relation, unknownTable } from "./reader.ts";

/** Rows fetched at a time. */
const pageRows = 500;

export async function postgresReader(url: string): Promise<Reader> {
  const pool = connect(url, { max: 4, readOnly: true });
  try {
    await probe(pool, url);
  } catch (cause) {
    await pool.end({ timeout: 1 });
    throw cause;
  }
  const meaning = async (cause: unknown): Promise<unknown> => {
    const code = systemCode(cause) ?? "";
    const message = messageOf(cause);
    if (code === "42P01") return unknownTable(/"(.+)"/.exec(message)?.[1] ?? "", await relations(pool));
    if (code === "25006") return new Refusal("query.not-read-only", message);
    if (/^(42|22|0A|2201)/.test(code)) return new Refusal("query.invalid", message);
    return cause;
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
    tables: () => relations(pool),
    async explain(sql) {
      const text = oneSelect(sql);
      try {
        const rows = await pool.unsafe(`explain ${text}`, [], { prepare: true }).values();
        return rows.map((row) => String(row[0]));
      } catch (cause) {
        throw await meaning(cause);
      }
    },
    close: () => pool.end({ timeout: 5 }),
  };
}

async function* stream(
  pool: Postgres,
  text: string,
  maxRows: number,
  meaning: (cause: unknown) => Promise<unknown>,
): AsyncGenerator<readonly unknown[]> {
  if (maxRows <= 0) return;
  const connection = await pool.reserve();
  let given = 0;
  let broken = false;
  try {
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
    broken = isStorageFailure(cause);
    throw await meaning(cause);
  } finally {
    // A lost connection has left the pool by itself, and nothing may be sent on it.
    if (!broken) {
      await connection.unsafe("rollback");
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
