// Work that did not land goes back to the clone that did it, with the reason: an assignment of its own, once for each train, carried
// out like the first one.

import { insertDispatch, openDispatches } from "./dispatches.sql.ts";
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
      const told = await tx.db
        .selectFrom("dispatches")
        .select("id")
        .where("constellation", "=", constellation)
        .where("task", "=", number)
        .where("about", "=", train)
        .executeTakeFirst();
      const open = await openDispatches(tx.db, constellation, number);
      if (now.state !== "needs_review" || now.agent !== agent || told !== undefined || open.length > 0) return;
      await insertDispatch(context, tx, { task: number, agent, about: train });
    });
  }
}

/** The newest train that has ended for this task. */
async function newestTrain({ store, constellation }: TaskContext, task: number): Promise<string | undefined> {
  const row = await store.db
    .selectFrom("harvests")
    .select(["train", "ended_ms"])
    .where("constellation", "=", constellation)
    .where("task", "=", task)
    .orderBy("asked_ms", "desc")
    .orderBy("id", "desc")
    .executeTakeFirst();
  return row === undefined || row.ended_ms === null ? undefined : row.train;
}
