// How we connect to Postgres: whole numbers as numbers, quiet notices, and an Outage that never shows the password.

import postgres from "postgres";
import { Outage } from "../protocol/errors.ts";

export type Postgres = postgres.Sql<{ bigint: number }>;

export function connect(url: string, options: { max: number; readOnly?: boolean }): Postgres {
  return postgres(url, {
    max: options.max,
    // (fetch_types stays on: with it off, postgres.js 3.4.9 never answers `reserve` on a new connection.)
    connect_timeout: 10,
    onnotice: () => {},
    // count(), sum() and bigint columns come as strings otherwise; our numbers fit.
    types: { bigint: { to: 20, from: [20, 1700], parse: Number, serialize: String } },
    connection: {
      application_name: "constel",
      // A lock that is not had within this time is a lock error, which the group commit tries again.
      lock_timeout: 3000,
      ...(options.readOnly ? { default_transaction_read_only: true } : {}),
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

export async function reserve(sql: Postgres, url: string): Promise<postgres.ReservedSql<{ bigint: number }>> {
  try {
    return await sql.reserve();
  } catch (cause) {
    throw new Outage("connect to", publicName(url), cause, { mayRetry: true });
  }
}
