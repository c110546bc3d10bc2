// Lets go of findings that were closed long ago, of dismissed ones whose worktrees are gone, of dismissals that speak of
// nothing any more, of claims that have ended and of what gates said of old trees: one bounded batch in one transaction. The
// timeline keeps what happened; it is never touched.

import type { Context } from "../context.ts";
import {
  oldClosedFindings,
  deleteByIds,
  deleteGateRuns,
  endedClaims,
  idleDismissals,
  lostFindings,
  oldGateRuns,
} from "./prune.sql.ts";

const batch = 500;

export async function prune(
  { store, constellation }: Pick<Context, "store" | "constellation">,
  beforeMs: number,
): Promise<{ removed: number; more: boolean }> {
  // Mostly there is nothing, and then nothing is written.
  if (!(await isAnything(store, constellation, beforeMs))) return { removed: 0, more: false };
  const counts = await store.write(async ({ db }) => {
    const closed = await oldClosedFindings(db, constellation, beforeMs, batch);
    const lost = await lostFindings(db, constellation, beforeMs, batch);
    const ids = [...closed, ...lost].slice(0, batch);
    await deleteByIds(db, "findings", ids);
    const idle = await idleDismissals(db, constellation, beforeMs, batch);
    await deleteByIds(db, "dismissals", idle);
    const claims = await endedClaims(db, constellation, beforeMs, batch);
    await deleteByIds(db, "claims", claims);
    const runs = await oldGateRuns(db, constellation, beforeMs, batch);
    await deleteGateRuns(db, constellation, runs);
    return [ids.length, idle.length, claims.length, runs.length];
  });
  return { removed: counts.reduce((sum, count) => sum + count, 0), more: counts.some((count) => count >= batch) };
}

async function isAnything(store: Context["store"], constellation: string, beforeMs: number): Promise<boolean> {
  for (const find of [oldClosedFindings, lostFindings, idleDismissals, endedClaims, oldGateRuns]) {
    if ((await find(store.db, constellation, beforeMs, 1)).length > 0) return true;
  }
  return false;
}
