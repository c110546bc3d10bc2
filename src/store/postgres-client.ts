// One connection to a Postgres server, from its making to its end and never again: when it is lost, everything that was asked
// of it fails at once, and whoever needs another opens another (postgres-pool.ts).
//
// The client library, postgres.js 3.4.9, makes a lost connection again by itself, and forgets things on the way: a write that
// was planned when the connection closed keeps the next one from ever saying hello, a connection that is lost while its types
// are fetched leaves its asker waiting and a rejection that nobody hears, and a query on a reserved connection that has closed
// throws outside of any promise. So it never comes to that: each of its pools has one connection, the socket is ours, and a pool
// whose socket closed gets no second one.

import { Socket } from "node:net";
import postgres from "postgres";
import { messageOf, Outage } from "../protocol/errors.ts";
import { isServerTrouble } from "./errors.ts";

export type Sql = postgres.Sql<{ bigint: number }>;

export interface ConnectOptions {
  readonly readOnly?: boolean;
  /** What is written here may be lost with the server. */
  readonly isForHints?: boolean;
  /** The time that one statement may take; the server ends it then. */
  readonly statementTimeoutMs?: number;
  /** After so long without an answer it is looked whether the server is still there. */
  readonly patienceMs?: number;
}

/** Much longer than a statement of ours takes; one that takes longer may, while the server is there. */
const defaultPatienceMs = 10_000;

/** A connection on which nothing is asked (one that listens) finds out by this that the other end has gone. */
const keepAliveMs = 60_000;

/** The time that the server may take to answer a new connection. */
const connectTimeoutSeconds = 10;

const lockTimeoutMs = 3_000;

/** A transaction that its holder left standing keeps others from their rows, and another daemon from taking over; ours take milliseconds. */
const idleInTransactionMs = 15_000;

export class PostgresClient {
  readonly #sql: Sql;
  readonly #sockets = new Set<Socket>();
  readonly #unanswered = new Set<(cause: unknown) => void>();
  readonly #whenLost: (() => void)[] = [];
  readonly #stillThere: () => Promise<unknown>;
  readonly #patienceMs: number;
  #lost: unknown;
  /** A pooler lends the server's connection for a transaction only: nothing that is set or prepared outlives one. */
  readonly isPooled: boolean;
  /** Begins a transaction, with what a pooler did not let us set for the connection. */
  readonly begin: string;

  constructor(url: string, options: ConnectOptions) {
    this.isPooled = pooled.has(url);
    this.begin = beginOf(options, this.isPooled);
    this.#patienceMs = options.patienceMs ?? defaultPatienceMs;
    this.#stillThere = () => askBeside(url, this.#patienceMs);
    const settings = { ...settingsOf(options, this.isPooled), socket: (to: Address) => this.#openSocket(to) };
    this.#sql = postgres(url, settings) as Sql;
  }

  get isLost(): boolean {
    return this.#lost !== undefined;
  }

  /** Calls back when the connection is lost or ended, once. */
  onLost(listener: () => void): void {
    if (this.isLost) listener();
    else this.#whenLost.push(listener);
  }

  /** Answers what the library answers, or fails when the connection is lost, whatever the library makes of that. */
  ask<T>(question: (sql: Sql) => PromiseLike<T>): Promise<T> {
    if (this.isLost) return Promise.reject(this.#lost);
    return new Promise((resolve, reject) => {
      this.#unanswered.add(reject);
      const looking = setInterval(() => void this.#lookForServer(), this.#patienceMs);
      void this.#answer(question)
        .then(resolve, reject)
        .finally(() => {
          clearInterval(looking);
          this.#unanswered.delete(reject);
        });
    });
  }

  /** A server that is frozen, or that the network no longer reaches, closes nothing: whoever waited for it would wait for ever. */
  async #lookForServer(): Promise<void> {
    try {
      await this.#stillThere();
    } catch (cause) {
      this.abandon(cause);
    }
  }

  async #answer<T>(question: (sql: Sql) => PromiseLike<T>): Promise<T> {
    try {
      return await question(this.#sql);
    } catch (cause) {
      // The failure is told before the closing: what were sent in between would never be answered.
      if (isServerTrouble(cause)) this.abandon(cause);
      throw cause;
    }
  }

  /** Lets a question that is under way finish for so long, then tears the connection down. */
  async end(seconds: number): Promise<void> {
    if (!this.isLost) await this.#sql.end({ timeout: seconds }).catch(() => {});
    this.abandon(connectionClosed());
  }

  /** Fails everything that waits, and never connects again. */
  abandon(cause: unknown): void {
    if (this.isLost) return;
    this.#lost = isServerTrouble(cause) ? cause : connectionClosed();
    const [waiting, told] = [[...this.#unanswered], this.#whenLost.splice(0)];
    this.#unanswered.clear();
    for (const reject of waiting) reject(this.#lost);
    for (const listener of told) listener();
    void this.#sql.end({ timeout: 0 }).catch(() => {});
    for (const socket of this.#sockets) socket.destroy();
  }

  /** The addresses in turn, as the library would try them. */
  async #openSocket(to: Address): Promise<Socket> {
    let failure: unknown = connectionClosed();
    for (const [at, host] of to.host.entries()) {
      if (this.isLost) break;
      const socket = new WatchedSocket(() => this.abandon(connectionClosed()));
      this.#sockets.add(socket);
      try {
        if (to.path) await connected(socket, (done) => socket.connect(to.path as string, done));
        else await connected(socket, (done) => socket.connect(to.port[at] ?? 5432, host, done));
        // (the library asks for it when the connection is encrypted)
        return Object.assign(socket.setKeepAlive(true, keepAliveMs).watched(), { host, port: to.port[at] });
      } catch (cause) {
        failure = cause;
        this.#sockets.delete(socket);
        socket.destroy();
      }
    }
    this.abandon(failure);
    throw failure;
  }
}

/** Addresses that were found to lead to a pooler. Found once for a process, or each connection would be tried twice. */
const pooled = new Set<string>();

/** A pooler that lends connections by transaction stands there. */
export const isPooled = (url: string): boolean => pooled.has(url);

/** A client whose server has answered. */
export async function openClient(url: string, options: ConnectOptions): Promise<PostgresClient> {
  for (;;) {
    const client = new PostgresClient(url, options);
    try {
      const [seen] = await client.ask((sql) => sql.unsafe("select current_setting('lock_timeout') as lock"));
      if (client.isPooled || seen?.["lock"] === lockTimeoutShown) return client;
      void client.end(0);
    } catch (cause) {
      client.abandon(cause);
      // It refuses what a server would take: `unsupported startup parameter`.
      if (client.isPooled || !/unsupported startup parameter/.test(messageOf(cause)))
        throw new Outage("connect to", publicName(url), cause, { mayRetry: true });
    }
    pooled.add(url);
  }
}

/** As the server shows `lockTimeoutMs`. */
const lockTimeoutShown = "3s";

function beginOf({ readOnly, isForHints, statementTimeoutMs }: ConnectOptions, isBehindPooler: boolean): string {
  const begin = readOnly === true ? "begin read only" : "begin";
  if (!isBehindPooler) return begin;
  const settings = {
    lock_timeout: lockTimeoutMs,
    idle_in_transaction_session_timeout: idleInTransactionMs,
    ...(statementTimeoutMs === undefined ? {} : { statement_timeout: statementTimeoutMs }),
    ...(readOnly === true ? {} : { synchronous_commit: isForHints === true ? "off" : "on" }),
  };
  return [begin, ...Object.entries(settings).map(([name, value]) => `set local ${name} = ${value}`)].join("; ");
}

/** On a connection of its own, which the server gives to nobody while it is frozen. */
async function askBeside(url: string, deadlineMs: number): Promise<void> {
  const client = new PostgresClient(url, { readOnly: true, patienceMs: 2 ** 30 });
  const late = Object.assign(new Error("the server does not answer"), { code: "CONNECT_TIMEOUT" });
  const timer = setTimeout(() => client.abandon(late), deadlineMs);
  try {
    await client.ask((sql) => sql.unsafe("select 1"));
  } finally {
    clearTimeout(timer);
    void client.end(0);
  }
}

/** The address without its password, for messages. */
export function publicName(url: string): string {
  try {
    const parsed = new URL(url);
    return `postgres://${parsed.host}${parsed.pathname}`;
  } catch {
    return "postgres";
  }
}

/** Says what a failed statement means: a server in trouble is an outage that may pass; anything else stays what it is. */
export function asOutage(cause: unknown, url: string): unknown {
  return isServerTrouble(cause) ? new Outage("ask", publicName(url), cause, { mayRetry: true }) : cause;
}

function connectionClosed(): Error {
  return Object.assign(new Error("the connection to the server was lost"), { code: "CONNECTION_CLOSED" });
}

/** The address of the server, as the library knows it. */
interface Address {
  readonly path: string | false;
  readonly host: readonly string[];
  readonly port: readonly number[];
}

/** Tells of its closing whoever took its listeners off, as the library does. */
class WatchedSocket extends Socket {
  readonly #gone: () => void;
  #isWatched = false;

  constructor(gone: () => void) {
    super();
    this.#gone = gone;
  }

  watched(): this {
    this.#isWatched = true;
    return this;
  }

  override emit(event: string | symbol, ...rest: unknown[]): boolean {
    if (event === "close" && this.#isWatched) this.#gone();
    return super.emit(event as "close", ...(rest as [boolean]));
  }
}

function connected(socket: Socket, connect: (done: () => void) => void): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      reject(Object.assign(new Error("the server does not answer"), { code: "CONNECT_TIMEOUT" }));
    }, connectTimeoutSeconds * 1000);
    const settle = (end: () => void): void => {
      clearTimeout(timer);
      socket.off("error", failed).off("close", closed);
      end();
    };
    const failed = (cause: unknown): void => settle(() => reject(cause));
    const closed = (): void => settle(() => reject(connectionClosed()));
    socket.on("error", failed).on("close", closed);
    connect(() => settle(resolve));
  });
}

function settingsOf(
  options: ConnectOptions,
  isBehindPooler: boolean,
): postgres.Options<{ bigint: postgres.PostgresType<number> }> {
  return {
    max: 1,
    // For every statement, not by each: one that is only described is prepared by the library whatever is asked for it.
    prepare: !isBehindPooler,
    // Array types are fetched in a way that leaves rejections nobody hears; no table of ours has an array.
    fetch_types: false,
    max_lifetime: null,
    connect_timeout: connectTimeoutSeconds,
    onnotice: () => {},
    // count(), sum() and bigint columns come as strings otherwise; our numbers fit.
    types: { bigint: { to: 20, from: [20, 1700], parse: Number, serialize: String } },
    connection: isBehindPooler ? { application_name: "constel" } : connectionOf(options),
  };
}

function connectionOf(options: ConnectOptions): Record<string, string | number | boolean> {
  return {
    application_name: "constel",
    // A lock that is not had within this time is a lock error, which the group commit tries again.
    lock_timeout: lockTimeoutMs,
    idle_in_transaction_session_timeout: idleInTransactionMs,
    ...(options.statementTimeoutMs === undefined ? {} : { statement_timeout: options.statementTimeoutMs }),
    // Acknowledged means on the disk, whatever the server's default.
    ...(options.readOnly
      ? { default_transaction_read_only: true }
      : { synchronous_commit: options.isForHints === true ? "off" : "on" }),
  };
}
