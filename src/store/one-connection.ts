// A Kysely dialect over one connection that is already open. Kysely builds and types the SQL; this hands it over. Used for
// both SQLite connections and for the writer's reserved Postgres connection, so that one kind of handle runs every job.

import {
  type DatabaseConnection,
  type Dialect as KyselyDialect,
  type Driver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type QueryResult,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from "kysely";
import type { Dialect } from "./tables.ts";

/** Runs one statement. May answer at once (SQLite) or later (Postgres). */
export interface Executor {
  execute<R>(sql: string, parameters: readonly unknown[]): QueryResult<R> | Promise<QueryResult<R>>;
}

export interface OneConnectionOptions {
  readonly dialect: Dialect;
  readonly executor: Executor;
  /** True if `db.transaction()` may be used; if so, it has the connection to itself. The writer's jobs may not use it. */
  readonly transactions: boolean;
}

export function kyselyOver<Schema>(options: OneConnectionOptions): Kysely<Schema> {
  const driver = new OneConnectionDriver(options);
  const db = new Kysely<Schema>({ dialect: dialectOver(options, driver) });
  drivers.set(db, driver);
  return db;
}

const drivers = new WeakMap<object, OneConnectionDriver>();

/**
 * Runs a statement that was compiled before, past Kysely's own way through builders, plugins and turns, which takes as long as
 * SQLite itself. Undefined when somebody has the connection, or it is another kind: then `db.executeQuery` is the way.
 */
export function runReady<R>(
  db: object,
  query: { readonly sql: string; readonly parameters: readonly unknown[] },
): QueryResult<R> | Promise<QueryResult<R>> | undefined {
  const driver = drivers.get(db);
  return driver?.isFree === true ? driver.executor.execute<R>(query.sql, query.parameters) : undefined;
}

function dialectOver(options: OneConnectionOptions, driver: OneConnectionDriver): KyselyDialect {
  const createDriver = (): Driver => driver;
  if (options.dialect === "sqlite") {
    return {
      createDriver,
      createAdapter: () => new SqliteAdapter(),
      createIntrospector: (db) => new SqliteIntrospector(db),
      createQueryCompiler: () => new SqliteQueryCompiler(),
    };
  }
  return {
    createDriver,
    createAdapter: () => new PostgresAdapter(),
    createIntrospector: (db) => new PostgresIntrospector(db),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  };
}

class OneConnectionDriver implements Driver {
  readonly #options: OneConnectionOptions;
  readonly #connection: DatabaseConnection;
  #last: Promise<void> = Promise.resolve();
  #release: () => void = () => {};
  /** The number of callers that have a turn or wait for one. */
  #holders = 0;
  readonly executor: Executor;

  constructor(options: OneConnectionOptions) {
    this.#options = options;
    const { executor } = options;
    this.executor = executor;
    this.#connection = {
      executeQuery: async <R>(query: { sql: string; parameters: readonly unknown[] }) =>
        executor.execute<R>(query.sql, query.parameters),
      streamQuery: () => {
        throw new Error("streaming is the work of store/read-only.ts");
      },
    };
  }

  /** No transaction is open on it, in which a statement of somebody else would see an older state. */
  get isFree(): boolean {
    return this.#holders === 0;
  }

  async init(): Promise<void> {}

  /** One at a time, in order of asking. Where no transaction is allowed, statements need no turn. */
  async acquireConnection(): Promise<DatabaseConnection> {
    if (!this.#options.transactions) return this.#connection;
    this.#holders++;
    const before = this.#last;
    const turn = Promise.withResolvers<void>();
    this.#last = turn.promise;
    await before;
    this.#release = turn.resolve;
    return this.#connection;
  }

  async releaseConnection(): Promise<void> {
    if (!this.#options.transactions) return;
    this.#holders--;
    this.#release();
  }

  async beginTransaction(): Promise<void> {
    if (!this.#options.transactions) throw new Error("a job already runs inside a transaction: use tx.db as it is");
    await this.#options.executor.execute("begin", []);
  }

  async commitTransaction(): Promise<void> {
    await this.#options.executor.execute("commit", []);
  }

  async rollbackTransaction(): Promise<void> {
    await this.#options.executor.execute("rollback", []);
  }

  async destroy(): Promise<void> {}
}
