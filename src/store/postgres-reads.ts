// Kysely's way of reading from Postgres, with the failures of the server told apart from our own: a server that restarts in
// the middle of a question is an outage wherever the question came from.

import type { DatabaseConnection, Driver } from "kysely";
import { PostgresJSDialect } from "kysely-postgres-js";
import { asOutage, type Postgres } from "./postgres-connection.ts";

export class ReadingDialect extends PostgresJSDialect {
  readonly #url: string;

  constructor(pool: Postgres, url: string) {
    super({ postgres: pool });
    this.#url = url;
  }

  override createDriver(): Driver {
    const driver = super.createDriver();
    const acquire = driver.acquireConnection.bind(driver);
    driver.acquireConnection = async () => {
      const connection = await telling(acquire, this.#url);
      const execute = connection.executeQuery.bind(connection) as DatabaseConnection["executeQuery"];
      connection.executeQuery = (query) => telling(() => execute(query), this.#url) as never;
      return connection;
    };
    return driver;
  }
}

async function telling<T>(ask: () => Promise<T>, url: string): Promise<T> {
  try {
    return await ask();
  } catch (cause) {
    throw asOutage(cause, url);
  }
}
