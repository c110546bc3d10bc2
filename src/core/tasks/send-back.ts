// Work that did not land goes back to the clone that did it, with the reason: an assignment of its own, once for each train, carried
// out like the first one.

import { insertDispatch, isDispatchedAbout, openDispatches } from "./dispatches.sql.ts";
import { newestHarvest } from "./harvests.sql.ts";
import type { TaskContext } from "./task-context.ts";
import { findTask, listTasks } from "./tasks.sql.ts";

export async function leaseSentBack(context: TaskContext): Promise<void> {
  const { store, constellation } = context;
  const back = await listTasks(store.db, constellation, { states: ["needs_review"] });
  for (const { number, agent } of back) {
    if (agent === null) continue;
    const train = await newestTrain(context, number);
    if (train === undefined) continue;
    await store.write(async (tx) => {
      const now = await findTask(tx.db, constellation, number);
      const isTold = await isDispatchedAbout(tx.db, constellation, { task: number, train });
      const open = await openDispatches(tx.db, constellation, number);
      if (now.state !== "needs_review" || now.agent !== agent || isTold || open.length > 0) return;
      await insertDispatch(context, tx, { task: number, agent, about: train });
    });
  }
}

/** The newest train of this task. Undefined while that has not ended, and where its pull request says what came back. */
async function newestTrain({ store, constellation }: TaskContext, task: number): Promise<string | undefined> {
  const row = await newestHarvest(store.db, constellation, task);
  const isOver = row !== undefined && row.ended_ms !== null && row.outcome !== "proposed";
  return isOver ? row.train : undefined;
}
