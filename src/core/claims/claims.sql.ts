// Every question claims ask of the database.

import type { Kysely } from "kysely";
import type { Tables } from "../../store/tables.ts";
import type { ClaimsTable, WorktreesTable } from "../../store/tables/observed.ts";

type Db = Kysely<Tables>;

/** `sinceMs`: those whose time was not over by then. */
export async function liveRows(
  db: Db,
  constellation: string,
  sinceMs: number,
  repository?: string,
): Promise<ClaimsTable[]> {
  let select = db
    .selectFrom("claims")
    .selectAll()
    .where("constellation", "=", constellation)
    .where("expires_ms", ">", sinceMs)
    .where("dropped_ms", "is", null)
    .orderBy("id");
  if (repository !== undefined) select = select.where("repository", "=", repository);
  return await select.execute();
}

/** Everybody who may hold a claim, and whether it is wanted here. */
export async function claimants(db: Db, constellation: string) {
  return await db
    .selectFrom("agents")
    .select(["agent", "role", "wanted"])
    .where("constellation", "=", constellation)
    .execute();
}

export async function updateClaim(db: Db, row: ClaimsTable): Promise<void> {
  await db.updateTable("claims").set(row).where("id", "=", row.id).execute();
}

/** Lists the worktrees where work is done, and by whom. */
export function workedWorktrees(
  db: Db,
  constellation: string,
): Promise<Pick<WorktreesTable, "path" | "agent" | "repository">[]> {
  return db
    .selectFrom("worktrees")
    .select(["path", "agent", "repository"])
    .where("constellation", "=", constellation)
    .orderBy("path")
    .execute();
}

/** By its id, or by the end of it. */
export async function rowsCalled(db: Db, constellation: string, word: string): Promise<ClaimsTable[]> {
  if (!/^[0-9a-z_]{4,40}$/.test(word)) return [];
  return await db
    .selectFrom("claims")
    .selectAll()
    .where("constellation", "=", constellation)
    .where((eb) => eb.or([eb("id", "=", word), eb("id", "like", `%${word.replaceAll("_", "")}`)]))
    .limit(20)
    .execute();
}
