// Holds the queries that costs need from the database.

import { type Kysely, type RawBuilder, sql } from "kysely";
import type { Tables } from "../../store/tables.ts";

export type CostBy = "agent" | "task" | "day" | "model" | "account";

/** A day is its number since 1970; both databases divide whole numbers to whole numbers. */
const columns: Readonly<Record<CostBy, RawBuilder<string | number | null>>> = {
  agent: sql`agent`,
  task: sql`task`,
  model: sql`model`,
  account: sql`coalesce(account, 'usual')`,
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

interface TimeRow {
  of: string | null;
  title: string | null;
  tasks: number;
  clone_minutes: number;
  start_minutes: number;
  work_minutes: number;
  owner_minutes: number;
  land_minutes: number;
  all_minutes: number;
}

/** Of tasks that changed since then, from the view `task_phases`; the longest first. */
export async function timeBy(
  db: Kysely<Tables>,
  constellation: string,
  by: "task" | "agent",
  since: string,
): Promise<TimeRow[]> {
  const of = sql.raw(by === "task" ? "cast(task as text)" : "agent");
  const title = sql.raw(by === "task" ? "min(title)" : "cast(null as text)");
  const sums = sql.raw(minutes.map((name) => `sum(${name}) as ${name}`).join(", "));
  const { rows } = await sql<Record<keyof TimeRow, string | number | null>>`select ${of} as "of", ${title} as title,
    count(*) as tasks, ${sums} from task_phases where constellation = ${constellation} and last_at >= ${since}
    group by 1 order by sum(all_minutes) desc, 1`.execute(db);
  const name = (value: string | number | null): string | null => (value === null ? null : String(value));
  // Postgres gives sums of decimals as text.
  return rows.map((row) => {
    const amounts = Object.fromEntries(minutes.map((one) => [one, Math.round(Number(row[one]) * 10) / 10]));
    return { of: name(row.of), title: name(row.title), tasks: Number(row.tasks), ...amounts } as TimeRow;
  });
}

const minutes = [
  "clone_minutes",
  "start_minutes",
  "work_minutes",
  "owner_minutes",
  "land_minutes",
  "all_minutes",
] as const;
