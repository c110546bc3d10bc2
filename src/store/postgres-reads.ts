// Kysely's way of reading from Postgres, with the failures of the server told apart from our own: a server that restarts in
// the middle of a question is an outage wherever the question came from.

import {
  type DatabaseConnection,
  type Driver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type QueryResult,
} from "kysely";
import { asOutage, type PostgresClient } from "./postgres-client.ts";
import type { PostgresPool } from "./postgres-pool.ts";
import type { Tables } from "./tables.ts";

export function readsOver(pool: PostgresPool, url: string): Kysely<Tables> {
  return new Kysely<Tables>({
    dialect: {
      createDriver: () => new PoolDriver(pool, url),
      createAdapter: () => new PostgresAdapter(),
      createIntrospector: (db) => new PostgresIntrospector(db),
      createQueryCompiler: () => new PostgresQueryCompiler(),
    },
  });
}

/** One holder's turn: a statement, or a transaction from begin to end. */
class Turn implements DatabaseConnection {
  readonly #pool: PostgresPool;
  readonly #url: string;
  /** The connection that a transaction has to itself. */
  held: PostgresClient | undefined;

  constructor(pool: PostgresPool, url: string) {
    this.#pool = pool;
    this.#url = url;
  }

  async executeQuery<R>(query: { sql: string; parameters: readonly unknown[] }): Promise<QueryResult<R>> {
    try {
      const result = await (this.held === undefined
        ? this.#pool.read((client) => statement(client, query))
        : statement(this.held, query));
      return { rows: [...result] as unknown as R[], numAffectedRows: BigInt(result.count ?? 0) };
    } catch (cause) {
      throw asOutage(cause, this.#url);
    }
  }

  streamQuery(): never {
    throw new Error("streaming is the work of store/postgres-reader.ts");
  }
}

const statement = (
  client: PostgresClient,
  { sql: text, parameters }: { sql: string; parameters: readonly unknown[] },
) => client.ask((sql) => sql.unsafe(text, [...parameters] as never[], { prepare: true }));

class PoolDriver implements Driver {
  readonly #pool: PostgresPool;
  readonly #url: string;

  constructor(pool: PostgresPool, url: string) {
    this.#pool = pool;
    this.#url = url;
  }

  async init(): Promise<void> {}

  async acquireConnection(): Promise<Turn> {
    return new Turn(this.#pool, this.#url);
  }

  async beginTransaction(turn: Turn): Promise<void> {
    turn.held = await this.#pool.take();
    await this.#say(turn, turn.held.begin);
  }

  async commitTransaction(turn: Turn): Promise<void> {
    await this.#say(turn, "commit");
  }

  async rollbackTransaction(turn: Turn): Promise<void> {
    // A lost connection took its transaction with it.
    if (turn.held?.isLost === false) await this.#say(turn, "rollback");
  }

  async releaseConnection(turn: Turn): Promise<void> {
    if (turn.held !== undefined) this.#pool.giveBack(turn.held);
    turn.held = undefined;
  }

  async destroy(): Promise<void> {}

  async #say(turn: Turn, text: string): Promise<void> {
    try {
      await turn.held?.ask((sql) => sql.unsafe(text));
    } catch (cause) {
      throw asOutage(cause, this.#url);
    }
  }
}
