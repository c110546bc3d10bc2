// One bun:sqlite connection, its settings, and how Kysely's statements run on it. Statements are kept prepared.

import { Database, type SQLQueryBindings, type Statement } from "bun:sqlite";
import type { QueryResult } from "kysely";
import type { Executor } from "./one-connection.ts";

/** The time that the database itself waits for a lock while opening and migrating, when nothing else runs yet. */
const openingBusyMs = 10_000;

export function openForWriting(path: string): Database {
  const database = new OwningDatabase(path, { readwrite: true, create: false, strict: false });
  database.run(`pragma busy_timeout = ${openingBusyMs}`);
  database.run("pragma foreign_keys = on");
  return database;
}

/** WAL, so that reads never wait for the writer; FULL, so that a commit is on the disk before it is acknowledged. */
export function makeDurable(database: Database): void {
  database.run("pragma journal_mode = wal");
  database.run("pragma synchronous = full");
}

export function openForReading(path: string): Database {
  const database = new OwningDatabase(path, { readonly: true });
  database.run("pragma query_only = on");
  // Readers meet a lock only while a WAL is recovered after a crash.
  database.run(`pragma busy_timeout = ${openingBusyMs}`);
  return database;
}

type AnyStatement = Statement<unknown, SQLQueryBindings[]>;

/**
 * A connection that really ends when it is closed. SQLite keeps one alive, and writes its log back into the file at some later
 * moment, while a statement of it is left; bun:sqlite finalizes only the few that it caches, the others with the next
 * collection of garbage. By then the file may have been restored, moved or removed.
 */
export class OwningDatabase extends Database {
  #statements: Set<WeakRef<AnyStatement>> | undefined;
  readonly #gone = new FinalizationRegistry<WeakRef<AnyStatement>>((reference) => this.#statements?.delete(reference));

  override prepare: Database["prepare"] = (sql, parameters) => {
    const statement = super.prepare(sql, parameters);
    const reference = new WeakRef(statement as unknown as AnyStatement);
    (this.#statements ??= new Set()).add(reference);
    this.#gone.register(statement, reference);
    return statement as never;
  };

  override close(throwOnError?: boolean): void {
    for (const reference of this.#statements ?? []) reference.deref()?.finalize();
    this.#statements?.clear();
    super.close(throwOnError);
  }
}

/** bun:sqlite keeps the first twenty statements of a connection ready and prepares every other one each time, for 30 µs and more. */
const mostReady = 200;

export function executorOver(database: Database): Executor {
  const ready = new Map<string, { readonly statement: AnyStatement; readonly hasRows: boolean }>();
  const readyFor = (sql: string): NonNullable<ReturnType<typeof ready.get>> => {
    const known = ready.get(sql);
    if (known !== undefined) return known;
    for (const [oldest, { statement }] of ready) {
      if (ready.size < mostReady) break;
      ready.delete(oldest);
      statement.finalize();
    }
    const statement = database.prepare<unknown, SQLQueryBindings[]>(sql);
    // A statement with columns gives rows (select, returning); one without is a write.
    const made = { statement, hasRows: statement.columnNames.length > 0 };
    ready.set(sql, made);
    return made;
  };
  return {
    execute<R>(sql: string, parameters: readonly unknown[]): QueryResult<R> {
      const { statement, hasRows } = readyFor(sql);
      const bindings = parameters as SQLQueryBindings[];
      if (hasRows) return { rows: statement.all(...bindings) as R[] };
      const { changes, lastInsertRowid } = statement.run(...bindings);
      return { rows: [], numAffectedRows: BigInt(changes), insertId: BigInt(lastInsertRowid) };
    },
  };
}
