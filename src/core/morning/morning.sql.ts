// Asks the database what happened since a moment.

import type { Kysely } from "kysely";
import type { Tables } from "../../store/tables.ts";

type Db = Kysely<Tables>;

/** A page is read, not searched: of a night with more than this, the rest is in `query`. */
const most = 200;

export function landedSince(db: Db, constellation: string, sinceMs: number) {
  return db
    .selectFrom("tasks")
    .select(["number", "title", "agent", "landed_sha", "target", "evidence"])
    .where("constellation", "=", constellation)
    .where("state", "=", "closed")
    .where("landed_sha", "is not", null)
    .where("closed_ms", ">=", sinceMs)
    .orderBy("closed_ms")
    .limit(most)
    .execute();
}

export function failedSince(db: Db, constellation: string, sinceMs: number) {
  return db
    .selectFrom("tasks")
    .select(["number", "title", "agent", "state", "reason"])
    .where("constellation", "=", constellation)
    .where("state", "in", ["needs_review", "taken_back"])
    .where("updated_ms", ">=", sinceMs)
    .orderBy("updated_ms")
    .limit(most)
    .execute();
}

export async function crashesSince(db: Db, constellation: string, sinceMs: number) {
  const rows = await db
    .selectFrom("crashes")
    .select(["agent"])
    .select((eb) => [eb.fn.countAll<number>().as("times"), eb.fn.max("what").as("what")])
    .where("constellation", "=", constellation)
    .where("at_ms", ">=", sinceMs)
    .groupBy("agent")
    .orderBy("agent")
    .limit(most)
    .execute();
  return rows.map(({ agent, times, what }) => ({ agent: agent ?? "", times: Number(times), what }));
}

export function failedFiringsSince(db: Db, constellation: string, sinceMs: number) {
  return db
    .selectFrom("firings")
    .select(["label", "detail"])
    .where("constellation", "=", constellation)
    .where("state", "=", "failed")
    .where("ended_ms", ">=", sinceMs)
    .orderBy("ended_ms")
    .limit(most)
    .execute();
}

export async function spentSince(db: Db, constellation: string, sinceMs: number) {
  const row = await db
    .selectFrom("token_usage")
    .select((eb) => [
      eb.fn.countAll<number>().as("answers"),
      eb.fn.count<number>("cost_micros").as("priced"),
      eb.fn.sum<number | null>("cost_micros").as("micros"),
    ])
    .where("constellation", "=", constellation)
    .where("at_ms", ">=", sinceMs)
    .executeTakeFirst();
  const answers = Number(row?.answers ?? 0);
  return { cost_micros: Number(row?.micros ?? 0), answers, unpriced: answers - Number(row?.priced ?? 0) };
}
