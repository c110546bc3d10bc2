// One round over the pull requests that have not ended. One process at a time, over every daemon of the constellation.

import { harvestLease, whileHolding } from "../tasks/landing/harvest-lease.ts";
import type { TaskContext } from "../tasks/task-context.ts";
import { followPull } from "./follow.ts";
import { duePulls } from "./pulls.sql.ts";

export async function pullsRound(context: TaskContext, signal: AbortSignal): Promise<boolean> {
  const { store, constellation, clock } = context;
  const due = await duePulls(store.db, constellation, clock.nowMs());
  if (due.length === 0) return false;
  const held = await whileHolding(context, harvestLease(context.constellation), async () => {
    // A forge that is away answers none of the others either, and each try takes a minute in which nothing lands.
    const away = new Set<string>();
    for (const { id, origin } of due) {
      if (signal.aborted) return;
      if (away.has(origin)) continue;
      if ((await followPull(context, id)) === "away") away.add(origin);
    }
  });
  return held !== undefined;
}
