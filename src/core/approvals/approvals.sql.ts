// Every question approvals ask of the database.

import type { Kysely } from "kysely";
import type { Tables } from "../../store/tables.ts";
import type { ApprovalsTable } from "../../store/tables/night.ts";

type Db = Kysely<Tables>;

export function approvalOfRequest(db: Db, constellation: string, request: string): Promise<ApprovalsTable | undefined> {
  return db
    .selectFrom("approvals")
    .selectAll()
    .where("constellation", "=", constellation)
    .where("request", "=", request)
    .executeTakeFirst();
}

export function approvalRow(db: Db, constellation: string, id: string): Promise<ApprovalsTable | undefined> {
  return db
    .selectFrom("approvals")
    .selectAll()
    .where("constellation", "=", constellation)
    .where("id", "=", id)
    .executeTakeFirst();
}

export function waitingApprovals(db: Db, constellation: string): Promise<ApprovalsTable[]> {
  return db
    .selectFrom("approvals")
    .selectAll()
    .where("constellation", "=", constellation)
    .where("state", "=", "waiting")
    .orderBy("asked_ms")
    .orderBy("id")
    .execute();
}

/** Those that ended without a yes since then, when no hook had asked about them for so long. */
export function unheardEndings(
  db: Db,
  constellation: string,
  { sinceMs, unheardMs }: { readonly sinceMs: number; readonly unheardMs: number },
): Promise<ApprovalsTable[]> {
  return db
    .selectFrom("approvals")
    .selectAll()
    .where("constellation", "=", constellation)
    .where("state", "in", ["denied", "timed_out", "withdrawn"])
    .where("answered_ms", ">=", sinceMs)
    .whereRef("answered_ms", ">", (eb) => eb("seen_ms", "+", unheardMs))
    .orderBy("answered_ms")
    .execute();
}

export function newestApprovals(db: Db, constellation: string, limit: number): Promise<ApprovalsTable[]> {
  return db
    .selectFrom("approvals")
    .selectAll()
    .where("constellation", "=", constellation)
    .orderBy("asked_ms", "desc")
    .orderBy("id", "desc")
    .limit(limit)
    .execute();
}

/** By its id, or by the end of it. */
export async function approvalsCalled(db: Db, constellation: string, word: string): Promise<ApprovalsTable[]> {
  if (!/^[0-9a-z_]{4,40}$/.test(word)) return [];
  return await db
    .selectFrom("approvals")
    .selectAll()
    .where("constellation", "=", constellation)
    .where((eb) => eb.or([eb("id", "=", word), eb("id", "like", `%${word.replaceAll("_", "")}`)]))
    .limit(20)
    .execute();
}

export async function updateApproval(db: Db, id: string, changes: Partial<ApprovalsTable>): Promise<void> {
  await db.updateTable("approvals").set(changes).where("id", "=", id).execute();
}
