// Holds the queries that costs need from the database.

import { type Kysely, type RawBuilder, sql } from "kysely";
import type { Tables } from "../../store/tables.ts";

export type CostBy = "agent" | "task" | "day" | "model";

/** A day is its number since 1970; both databases divide whole numbers to whole numbers. */
const columns: Readonly<Record<CostBy, RawBuilder<string | number | null>>> = {
  agent: sql`agent`,
  task: sql`task`,
  model: sql`model`,
  day: sql`at_ms / 86400000`,
};

export interface Usage {
  readonly of: string | null;
  readonly answers: number;
  readonly input: number;
  readonly output: number;
  readonly cache_read: number;
  readonly cache_write: number;
  readonly cost_micros: number;
  readonly unpriced: number;
}

/** `until`: not included; without it, all that came later. */
export async function usageBy(
  db: Kysely<Tables>,
  constellation: string,
  by: CostBy,
  { sinceMs, untilMs }: { readonly sinceMs: number; readonly untilMs?: number | undefined },
): Promise<Usage[]> {
  const all = db
    .selectFrom("token_usage")
    .select((eb) => [
      columns[by].as("of"),
      eb.fn.countAll<number>().as("answers"),
      eb.fn.sum<number>("input").as("input"),
      eb.fn.sum<number>("output").as("output"),
      eb.fn.sum<number>("cache_read").as("cache_read"),
      eb.fn.sum<number>("cache_write").as("cache_write"),
      eb.fn.sum<number | null>("cost_micros").as("cost_micros"),
      eb.fn.count<number>("cost_micros").as("priced"),
    ])
    .where("constellation", "=", constellation)
    .where("at_ms", ">=", sinceMs);
  const rows = await (untilMs === undefined ? all : all.where("at_ms", "<", untilMs)).groupBy(columns[by]).execute();
  // Postgres gives sums of big integers as text.
  return rows.map((row) => ({
    of: row.of === null ? null : by === "day" ? dateOf(Number(row.of)) : String(row.of),
    answers: Number(row.answers),
    input: Number(row.input),
    output: Number(row.output),
    cache_read: Number(row.cache_read),
    cache_write: Number(row.cache_write),
    cost_micros: Number(row.cost_micros ?? 0),
    unpriced: Number(row.answers) - Number(row.priced),
  }));
}

const dateOf = (dayNumber: number): string => new Date(dayNumber * 86_400_000).toISOString().slice(0, 10);
