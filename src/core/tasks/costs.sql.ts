// Assignments as the account of costs needs them, and the tokens that a task used.

import type { Kysely } from "kysely";
import type { Tables } from "../../store/tables.ts";
import type { AgentsTable } from "../../store/tables/agents.ts";
import type { DispatchesTable } from "../../store/tables/tasks.ts";

type Db = Kysely<Tables>;

/** An agent's assignments that had been asked for by then and were not left before. */
export function dispatchesAt(
  db: Db,
  at: { readonly constellation: string; readonly agent: string; readonly atMs: number },
): Promise<Pick<DispatchesTable, "task" | "about" | "asked_ms" | "delivered_ms" | "left_ms">[]> {
  return db
    .selectFrom("dispatches")
    .select(["task", "about", "asked_ms", "delivered_ms", "left_ms"])
    .where("constellation", "=", at.constellation)
    .where("agent", "=", at.agent)
    .where("state", "<>", "failed")
    .where((eb) => eb.or([eb("left_ms", "is", null), eb("left_ms", ">=", at.atMs)]))
    .where("asked_ms", "<=", at.atMs)
    .execute();
}

/** Assignments that have ended and were not left, of agents whose turn is over. */
export function endedButNotLeft(
  db: Db,
  constellation: string,
): Promise<(Pick<DispatchesTable, "id" | "task" | "agent" | "ended_ms"> & Pick<AgentsTable, "since_ms">)[]> {
  return db
    .selectFrom("dispatches")
    .innerJoin("agents", (join) =>
      join
        .onRef("agents.agent", "=", "dispatches.agent")
        .onRef("agents.constellation", "=", "dispatches.constellation"),
    )
    .select(["dispatches.id", "dispatches.task", "dispatches.agent", "dispatches.ended_ms", "agents.since_ms"])
    .where("dispatches.constellation", "=", constellation)
    .where("dispatches.ended_ms", "is not", null)
    .where("dispatches.left_ms", "is", null)
    .where("agents.seen", "not in", ["busy", "waiting-permission", "waiting-answer", "starting", "unknown"])
    .execute();
}

/** `priced` counts the answers whose cost is known. */
export async function usageOfTask(
  db: Db,
  constellation: string,
  task: number,
): Promise<{ answers: number; input: number; output: number; micros: number; priced: number }> {
  const row = await db
    .selectFrom("token_usage")
    .select((eb) => [
      eb.fn.countAll().as("answers"),
      eb.fn.sum("input").as("input"),
      eb.fn.sum("output").as("output"),
      eb.fn.sum("cost_micros").as("micros"),
      eb.fn.count("cost_micros").as("priced"),
    ])
    .where("constellation", "=", constellation)
    .where("task", "=", String(task))
    .executeTakeFirst();
  return {
    answers: Number(row?.answers ?? 0),
    input: Number(row?.input ?? 0),
    output: Number(row?.output ?? 0),
    micros: Number(row?.micros ?? 0),
    priced: Number(row?.priced ?? 0),
  };
}
