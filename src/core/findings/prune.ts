// Lets go of findings that were closed long ago, of dismissed ones whose worktrees are gone, of dismissals that speak of
// nothing any more, of claims that have ended and of what gates said of old trees: one bounded batch in one transaction. The
// timeline keeps what happened; it is never touched.

import type { Context } from "../context.ts";

const batch = 500;

export async function prune(
  { store, constellation }: Pick<Context, "store" | "constellation">,
  beforeMs: number,
): Promise<{ removed: number; more: boolean }> {
  // Mostly there is nothing, and then nothing is written.
  if (!(await isAnything(store, constellation, beforeMs))) return { removed: 0, more: false };
  const counts = await store.write(async ({ db }) => {
    const closed = await closedIds(db, constellation, beforeMs);
    const lost = await lostIds(db, constellation, beforeMs);
    const ids = [...closed, ...lost].slice(0, batch);
    if (ids.length > 0) await db.deleteFrom("findings").where("id", "in", ids).execute();
    const idle = await idleDismissals(db, constellation, beforeMs);
    if (idle.length > 0) await db.deleteFrom("dismissals").where("id", "in", idle).execute();
    const claims = await endedClaims(db, constellation, beforeMs);
    if (claims.length > 0) await db.deleteFrom("claims").where("id", "in", claims).execute();
    const runs = await oldRuns(db, constellation, beforeMs);
    if (runs.length > 0)
      await db.deleteFrom("gate_runs").where("constellation", "=", constellation).where("key", "in", runs).execute();
    return [ids.length, idle.length, claims.length, runs.length];
  });
  return { removed: counts.reduce((sum, count) => sum + count, 0), more: counts.some((count) => count >= batch) };
}

type Db = Context["store"]["db"];

async function isAnything(store: Context["store"], constellation: string, beforeMs: number): Promise<boolean> {
  for (const find of [closedIds, lostIds, idleDismissals, endedClaims, oldRuns]) {
    if ((await find(store.db, constellation, beforeMs, 1)).length > 0) return true;
  }
  return false;
}

async function closedIds(db: Db, constellation: string, beforeMs: number, most = batch): Promise<string[]> {
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

/** Dismissed, not seen for long, and of a worktree that is not there: mostly sensing closes these itself. */
async function lostIds(db: Db, constellation: string, beforeMs: number, most = batch): Promise<string[]> {
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

/** About one finding that there is no more, or a pair of which a worktree is gone. What is said of files or kinds holds on. */
async function idleDismissals(db: Db, constellation: string, beforeMs: number, most = batch): Promise<string[]> {
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

async function endedClaims(db: Db, constellation: string, beforeMs: number, most = batch): Promise<string[]> {
  const rows = await db
    .selectFrom("claims")
    .select("id")
    .where("constellation", "=", constellation)
    .where((eb) => eb.or([eb("expires_ms", "<", beforeMs), eb("dropped_ms", "<", beforeMs)]))
    .limit(most)
    .execute();
  return rows.map(({ id }) => id);
}

async function oldRuns(db: Db, constellation: string, beforeMs: number, most = batch): Promise<string[]> {
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
