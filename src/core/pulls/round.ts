// One round over the pull requests that have not ended. One process at a time, over every daemon that shares the database.

import { whileHolding } from "../tasks/harvest-lease.ts";
import type { TaskContext } from "../tasks/task-context.ts";
import { followPull } from "./follow.ts";
import { duePulls } from "./pulls.sql.ts";

export async function pullsRound(context: TaskContext, signal: AbortSignal): Promise<boolean> {
  const { store, constellation, clock } = context;
  const due = await duePulls(store.db, constellation, clock.nowMs());
  if (due.length === 0) return false;
  const held = await whileHolding(context, "harvest", async () => {
    for (const { id } of due) {
      if (signal.aborted) return;
      await followPull(context, id);
    }
  });
  return held !== undefined;
}
