// Finds the ids of findings, dismissals and claims, and the keys of gate runs, that nobody needs any more, and deletes them.

import type { Kysely } from "kysely";
import type { Tables } from "../../store/tables.ts";

type Db = Kysely<Tables>;

export async function oldClosedFindings(
  db: Db,
  constellation: string,
  beforeMs: number,
  most: number,
): Promise<string[]> {
  const rows = await db
    .selectFrom("findings")
    .select("id")
    .where("constellation", "=", constellation)
    .where("state", "=", "closed")
    .where("closed_ms", "<", beforeMs)
    .orderBy("closed_ms")
    .limit(most)
    .execute();
  return rows.map(({ id }) => id);
}

/** Findings that are dismissed, not seen for long, and of a worktree that is not there. Mostly sensing closes these itself. */
export async function lostFindings(db: Db, constellation: string, beforeMs: number, most: number): Promise<string[]> {
  const there = db.selectFrom("worktrees").select("path").where("constellation", "=", constellation);
  const rows = await db
    .selectFrom("findings")
    .select("id")
    .where("constellation", "=", constellation)
    .where("state", "=", "dismissed")
    .where("updated_ms", "<", beforeMs)
    .where((eb) =>
      eb.or([
        eb.and([eb("ours_worktree", "is not", null), eb("ours_worktree", "not in", there)]),
        eb.and([eb("theirs_worktree", "is not", null), eb("theirs_worktree", "not in", there)]),
      ]),
    )
    .limit(most)
    .execute();
  return rows.map(({ id }) => id);
}

/** Dismissals of one finding that is gone, or of a pair with a worktree that is gone. Those of files or kinds hold on. */
export async function idleDismissals(db: Db, constellation: string, beforeMs: number, most: number): Promise<string[]> {
  // People make them by hand, so there are never many.
  const rows = await db
    .selectFrom("dismissals")
    .leftJoin("findings", (join) =>
      join
        .onRef("findings.constellation", "=", "dismissals.constellation")
        .onRef("findings.repository", "=", "dismissals.repository")
        .onRef("findings.fingerprint", "=", "dismissals.fingerprint"),
    )
    .select(["dismissals.id", "dismissals.pair", "findings.id as finding"])
    .where("dismissals.constellation", "=", constellation)
    .where("dismissals.scope", "in", ["finding", "pair"])
    .where("dismissals.at_ms", "<", beforeMs)
    .execute();
  if (rows.length === 0) return [];
  const worktrees = await db
    .selectFrom("worktrees")
    .select("path")
    .where("constellation", "=", constellation)
    .execute();
  const there = new Set(worktrees.map(({ path }) => `worktree ${path}`));
  const isGone = (side: string): boolean => side.startsWith("worktree ") && !there.has(side);
  return rows
    .filter(({ pair, finding }) => (pair === null ? finding === null : (JSON.parse(pair) as string[]).some(isGone)))
    .map(({ id }) => id)
    .slice(0, most);
}

export async function endedClaims(db: Db, constellation: string, beforeMs: number, most: number): Promise<string[]> {
  const rows = await db
    .selectFrom("claims")
    .select("id")
    .where("constellation", "=", constellation)
    .where((eb) => eb.or([eb("expires_ms", "<", beforeMs), eb("dropped_ms", "<", beforeMs)]))
    .limit(most)
    .execute();
  return rows.map(({ id }) => id);
}

export async function oldGateRuns(db: Db, constellation: string, beforeMs: number, most: number): Promise<string[]> {
  const rows = await db
    .selectFrom("gate_runs")
    .select("key")
    .where("constellation", "=", constellation)
    .where("ran_ms", "<", beforeMs)
    .orderBy("ran_ms")
    .limit(most)
    .execute();
  return rows.map(({ key }) => key);
}

export async function deleteByIds(db: Db, table: "findings" | "dismissals" | "claims", ids: string[]): Promise<void> {
  if (ids.length > 0) await db.deleteFrom(table).where("id", "in", ids).execute();
}

export async function deleteGateRuns(db: Db, constellation: string, keys: string[]): Promise<void> {
  if (keys.length === 0) return;
  await db.deleteFrom("gate_runs").where("constellation", "=", constellation).where("key", "in", keys).execute();
}
