// Connections to one Postgres server, up to so many, each lent to one asker at a time. One that was lost is not lent again.

import { Outage } from "../protocol/errors.ts";
import { type ConnectOptions, openClient, type PostgresClient, publicName, type Sql } from "./postgres-client.ts";

/** The time that an ending waits for questions under way. */
const endingSeconds = 5;

export class PostgresPool {
  readonly #url: string;
  readonly #options: ConnectOptions & { readonly max: number };
  readonly #clients = new Set<PostgresClient>();
  #idle: PostgresClient[] = [];
  /** Those being made count too. */
  #made = 0;
  #waiting: (() => void)[] = [];
  #ended = false;

  constructor(url: string, options: ConnectOptions & { readonly max: number }) {
    this.#url = url;
    this.#options = options;
  }

  /** Lends a connection; whoever takes it gives it back, also when it was lost meanwhile. */
  async take(): Promise<PostgresClient> {
    for (;;) {
      if (this.#ended) throw new Outage("ask", publicName(this.#url), new Error("the connections are closed"));
      const client = this.#idle.pop();
      if (client !== undefined && !client.isLost) return client;
      if (client !== undefined) continue;
      if (this.#made < this.#options.max) return this.#open();
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    }
  }

  giveBack(client: PostgresClient): void {
    if (!client.isLost) this.#idle.push(client);
    this.#waiting.shift()?.();
  }

  /** One question on a connection of its own. */
  async ask<T>(question: (sql: Sql) => PromiseLike<T>): Promise<T> {
    const client = await this.take();
    try {
      return await client.ask(question);
    } finally {
      this.giveBack(client);
    }
  }

  /** One question that only reads. Behind a pooler a transaction says so; elsewhere the connection does. */
  async read<T>(question: (client: PostgresClient) => Promise<T>): Promise<T> {
    const client = await this.take();
    try {
      if (!client.isPooled) return await question(client);
      await client.ask((sql) => sql.unsafe(client.begin));
      try {
        return await question(client);
      } finally {
        if (!client.isLost) await client.ask((sql) => sql.unsafe("rollback"));
      }
    } finally {
      this.giveBack(client);
    }
  }

  async end(seconds: number = endingSeconds): Promise<void> {
    this.#ended = true;
    for (const wake of this.#waiting.splice(0)) wake();
    await Promise.all([...this.#clients].map((client) => client.end(seconds)));
  }

  async #open(): Promise<PostgresClient> {
    this.#made++;
    try {
      const client = await openClient(this.#url, this.#options);
      this.#clients.add(client);
      client.onLost(() => {
        this.#made--;
        this.#clients.delete(client);
        this.#waiting.shift()?.();
      });
      if (this.#ended) await client.end(0);
      return client;
    } catch (cause) {
      this.#made--;
      this.#waiting.shift()?.();
      throw cause;
    }
  }
}
