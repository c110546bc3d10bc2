// The things of this constellation that its root is told of.

import type { Kysely } from "kysely";
import type { Tables } from "../../store/tables.ts";

type Db = Kysely<Tables>;

export function agentsToTell(db: Db, constellation: string) {
  return db
    .selectFrom("agents")
    .select(["agent", "role", "runtime", "wanted", "seen", "task", "since_ms"])
    .where("constellation", "=", constellation)
    .limit(2_000)
    .execute();
}

/** Those that are not over, and those that changed since then. */
export function tasksToTell(db: Db, constellation: string, sinceMs: number) {
  return db
    .selectFrom("tasks")
    .select(["number", "title", "state", "priority", "agent", "branch", "landed_sha", "reason", "updated_ms"])
    .where("constellation", "=", constellation)
    .where((where) => where.or([where("closed_ms", "is", null), where("updated_ms", ">=", sinceMs)]))
    .orderBy("number", "desc")
    .limit(5_000)
    .execute();
}

export function usageToTell(db: Db, constellation: string, sinceMs: number) {
  return db
    .selectFrom("token_usage")
    .select(({ fn, ref }) => [
      "agent",
      fn
        .sum<number>(({ eb }) =>
          eb(eb(eb(ref("input"), "+", ref("output")), "+", ref("cache_read")), "+", ref("cache_write")),
        )
        .as("tokens"),
      fn.sum<number | null>("cost_micros").as("cost_micros"),
    ])
    .where("constellation", "=", constellation)
    .where("at_ms", ">=", sinceMs)
    .groupBy("agent")
    .execute();
}

export async function openFindingsAndNeeds(
  db: Db,
  constellation: string,
): Promise<{ findings: number; waits: number }> {
  const { findings } = await db
    .selectFrom("findings")
    .select(({ fn }) => fn.countAll().as("findings"))
    .where("constellation", "=", constellation)
    .where("state", "=", "open")
    .executeTakeFirstOrThrow();
  const { waits } = await db
    .selectFrom("owner_needs")
    .select(({ fn }) => fn.countAll().as("waits"))
    .where("constellation", "=", constellation)
    .where("ended_ms", "is", null)
    .executeTakeFirstOrThrow();
  return { findings: Number(findings), waits: Number(waits) };
}
