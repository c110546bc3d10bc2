// Lets go of notices and tellings that ended long ago, and of who edited where in worktrees that are gone.

import type { Context } from "../context.ts";
import { forgetGoneWorkplaces, hasEnded, removeEnded } from "./notices.sql.ts";

const batch = 500;

export async function pruneNotices(
  { store, constellation }: Pick<Context, "store" | "constellation">,
  beforeMs: number,
): Promise<{ removed: number; more: boolean }> {
  // Mostly there is nothing, and then nothing is written.
  if (!(await hasEnded(store.db, constellation, beforeMs))) return { removed: 0, more: false };
  const removed = await store.write(async (tx) => {
    await forgetGoneWorkplaces(tx, constellation);
    return await removeEnded(tx, constellation, beforeMs, batch);
  });
  return { removed, more: removed >= batch };
}
