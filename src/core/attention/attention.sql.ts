// Asks the database what needs the owner (the view `attention`), and keeps what they put aside.

import { type Kysely, sql } from "kysely";
import type { Tables } from "../../store/tables.ts";
import type { SnoozesTable } from "../../store/tables/night.ts";

type Db = Kysely<Tables>;

/** A row of the view. */
export interface AttentionViewRow {
  readonly key: string;
  readonly place: number;
  readonly kind: string;
  readonly says: string;
  readonly evidence: string;
  readonly agent: string | null;
  readonly task: number | null;
  readonly finding: string | null;
  readonly request: string | null;
  readonly causes: number;
  readonly since: string;
  readonly next: string;
  readonly snoozed: number;
  readonly snoozed_until: string | null;
}

export async function attentionRows(db: Db, constellation: string): Promise<AttentionViewRow[]> {
  const { rows } = await sql<AttentionViewRow>`select key, place, kind, says, evidence, agent, task, finding, request,
    causes, since, next, snoozed, snoozed_until from attention where constellation = ${constellation}
    order by snoozed, place, since, key`.execute(db);
  return rows;
}

export async function putSnooze(db: Db, row: SnoozesTable): Promise<void> {
  await db
    .insertInto("snoozes")
    .values(row)
    .onConflict((conflict) => conflict.columns(["constellation", "key"]).doUpdateSet(row))
    .execute();
}

export async function dropSnooze(db: Db, constellation: string, key: string): Promise<void> {
  await db.deleteFrom("snoozes").where("constellation", "=", constellation).where("key", "=", key).execute();
}
