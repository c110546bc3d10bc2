// How we connect to Postgres: whole numbers as numbers, quiet notices, and an Outage that never shows the password.

import postgres from "postgres";
import { Outage } from "../protocol/errors.ts";
import { isServerTrouble } from "./errors.ts";

export type Postgres = postgres.Sql<{ bigint: number }>;

/** A transaction that its holder left standing keeps others from their rows; ours take milliseconds. */
const idleInTransactionMs = 60_000;

export interface ConnectOptions {
  readonly max: number;
  readonly readOnly?: boolean;
  /** How long one statement may take; the server ends it then. */
  readonly statementTimeoutMs?: number;
  readonly onClose?: () => void;
}

export function connect(url: string, options: ConnectOptions): Postgres {
  return postgres(url, {
    max: options.max,
    // (fetch_types stays on: with it off, postgres.js 3.4.9 never answers `reserve` on a new connection.)
    connect_timeout: 10,
    onnotice: () => {},
    ...(options.onClose === undefined ? {} : { onclose: options.onClose }),
    // count(), sum() and bigint columns come as strings otherwise; our numbers fit.
    types: { bigint: { to: 20, from: [20, 1700], parse: Number, serialize: String } },
    connection: {
      application_name: "constel",
      // A lock that is not had within this time is a lock error, which the group commit tries again.
      lock_timeout: 3000,
      idle_in_transaction_session_timeout: idleInTransactionMs,
      ...(options.statementTimeoutMs === undefined ? {} : { statement_timeout: options.statementTimeoutMs }),
      // Acknowledged means on the disk, whatever the server's default.
      ...(options.readOnly ? { default_transaction_read_only: true } : { synchronous_commit: "on" }),
    },
  });
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

/** One connection, held for the length of a transaction. */
export interface Held {
  /** Runs one statement; with parameters, prepared. */
  run(sql: string, parameters?: readonly unknown[]): Promise<HeldResult>;
  release(): void;
}

export interface HeldResult {
  readonly rows: readonly unknown[];
  readonly count: number;
  readonly command: string;
}

export interface HoldingPool {
  hold(): Promise<Held>;
  end(): Promise<void>;
}

/**
 * A pool of one connection that writes. It is made again when it was lost, but never under the feet of who holds it:
 * postgres.js fails outside of any promise when a query is sent on a reserved connection that has closed, so nothing is sent.
 */
export function holdingPool(url: string): HoldingPool {
  // A connection that was lost is not made again by its own pool, which sometimes never answers then, but by a new one.
  const fresh = () => {
    const state = { lost: false, pool: connect(url, { max: 1, onClose: () => (state.lost = true) }) };
    return state;
  };
  let current = fresh();
  return {
    async hold() {
      if (current.lost) {
        void current.pool.end({ timeout: 0 }).catch(() => {});
        current = fresh();
      }
      const held = current;
      const reserved = await reserve(held.pool, url);
      return {
        async run(sql, parameters) {
          if (held.lost) throw Object.assign(new Error("the connection was lost"), { code: "CONNECTION_CLOSED" });
          const asked =
            parameters === undefined
              ? reserved.unsafe(sql)
              : reserved.unsafe(sql, [...parameters] as never[], { prepare: true });
          const result = await asked.catch((cause: unknown) => {
            // The failure is told before the closing: what were sent in between would never be answered.
            if (isServerTrouble(cause)) held.lost = true;
            throw cause;
          });
          return { rows: [...result], count: result.count ?? 0, command: result.command };
        },
        release() {
          // A lost connection has left the pool by itself; given back, it would be handed out again.
          if (!held.lost) reserved.release();
        },
      };
    },
    end: () => current.pool.end({ timeout: 5 }),
  };
}

/** What a failed statement means: a server in trouble is an outage that may pass; anything else stays what it is. */
export function asOutage(cause: unknown, url: string): unknown {
  return isServerTrouble(cause) ? new Outage("ask", publicName(url), cause, { mayRetry: true }) : cause;
}

async function reserve(pool: Postgres, url: string): Promise<postgres.ReservedSql<{ bigint: number }>> {
  try {
    return await pool.reserve();
  } catch (cause) {
    throw new Outage("connect to", publicName(url), cause, { mayRetry: true });
  }
}

/** Whether the server answers at all. */
export async function probe(pool: Postgres, url: string): Promise<void> {
  (await reserve(pool, url)).release();
}
