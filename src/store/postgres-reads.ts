// Kysely's way of reading from Postgres, with the failures of the server told apart from our own: a server that restarts in
// the middle of a question is an outage wherever the question came from. Statements outside a transaction go to the pool as
// they are: reserving a connection for each, as the usual dialect does, sometimes never answers once a connection was lost
// (postgres.js 3.4.9).

import {
  type DatabaseConnection,
  type Driver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type QueryResult,
} from "kysely";
import { asOutage, type Postgres } from "./postgres-connection.ts";
import type { Tables } from "./tables.ts";

export function readsOver(pool: Postgres, url: string): Kysely<Tables> {
  return new Kysely<Tables>({
    dialect: {
      createDriver: () => new PoolDriver(pool, url),
      createAdapter: () => new PostgresAdapter(),
      createIntrospector: (db) => new PostgresIntrospector(db),
      createQueryCompiler: () => new PostgresQueryCompiler(),
    },
  });
}

type Reserved = Awaited<ReturnType<Postgres["reserve"]>>;

class PoolConnection implements DatabaseConnection {
  readonly #pool: Postgres;
  readonly #url: string;
  /** The connection that a transaction has to itself. */
  held: Reserved | undefined;

  constructor(pool: Postgres, url: string) {
    this.#pool = pool;
    this.#url = url;
  }

  async executeQuery<R>(query: { sql: string; parameters: readonly unknown[] }): Promise<QueryResult<R>> {
    try {
      const asked = this.held ?? this.#pool;
      const result = await asked.unsafe(query.sql, [...query.parameters] as never[], { prepare: true });
      return { rows: [...result] as unknown as R[], numAffectedRows: BigInt(result.count ?? 0) };
    } catch (cause) {
      throw asOutage(cause, this.#url);
    }
  }

  streamQuery(): never {
    throw new Error("streaming is the work of store/postgres-reader.ts");
  }
}

class PoolDriver implements Driver {
  readonly #pool: Postgres;
  readonly #url: string;

  constructor(pool: Postgres, url: string) {
    this.#pool = pool;
    this.#url = url;
  }

  async init(): Promise<void> {}

  async acquireConnection(): Promise<PoolConnection> {
    return new PoolConnection(this.#pool, this.#url);
  }

  async beginTransaction(connection: PoolConnection): Promise<void> {
    try {
      connection.held = await this.#pool.reserve();
      await connection.held.unsafe("begin");
    } catch (cause) {
      throw asOutage(cause, this.#url);
    }
  }

  async commitTransaction(connection: PoolConnection): Promise<void> {
    await connection.held?.unsafe("commit");
  }

  async rollbackTransaction(connection: PoolConnection): Promise<void> {
    await connection.held?.unsafe("rollback");
  }

  async releaseConnection(connection: PoolConnection): Promise<void> {
    connection.held?.release();
    connection.held = undefined;
  }

  async destroy(): Promise<void> {}
}
