// Tidies what harvests leave behind: worktrees of gates that were cut off, branches that have landed or gone back, grounds that
// nobody used for a month. The harvester calls it between its rounds, so that none is under way here.

import type { TaskContext } from "../task-context.ts";
import { openHarvests } from "./harvests.sql.ts";

const unusedMs = 30 * 86_400_000;

/** Returns what was removed: nothing while something waits to be harvested. */
export async function tidyGrounds({ store, constellation, machine, clock }: TaskContext): Promise<string[]> {
  if ((await openHarvests(store.db, constellation)).length > 0) return [];
  return machine.grounds.tidy({ unusedBeforeMs: clock.settledMs() - unusedMs });
}
