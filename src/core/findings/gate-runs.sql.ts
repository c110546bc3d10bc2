// The rows of what gates said of trees.

import type { Kysely } from "kysely";
import type { Tx } from "../../store/group-commit.ts";
import type { Tables } from "../../store/tables.ts";
import type { GateRunsTable } from "../../store/tables/observed.ts";

export async function findGateRun(
  db: Kysely<Tables>,
  constellation: string,
  key: string,
): Promise<Pick<GateRunsTable, "outcome" | "confirmed" | "detail"> | undefined> {
  return await db
    .selectFrom("gate_runs")
    .select(["outcome", "confirmed", "detail"])
    .where("constellation", "=", constellation)
    .where("key", "=", key)
    .executeTakeFirst();
}

export async function putGateRun(tx: Tx, row: GateRunsTable): Promise<void> {
  await tx.db
    .insertInto("gate_runs")
    .values(row)
    .onConflict((conflict) => conflict.columns(["constellation", "key"]).doUpdateSet(row))
    .execute();
}
