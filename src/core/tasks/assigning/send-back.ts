// Work that did not land, or that a review wants changed, goes back to the clone that did it, with the reason: an assignment of its own,
// once for each train and each review, carried out like the first one.

import { type WantedChange, wantedChanges } from "../../reviews/changes.ts";
import { insertDispatch, isDispatchedAbout, openDispatches } from "./dispatches.sql.ts";
import { newestHarvest, openHarvests } from "../landing/harvests.sql.ts";
import type { TaskContext } from "../task-context.ts";
import { moveOf } from "../task.ts";
import { findTask, listTasks, recordTask, updateTask } from "../tasks.sql.ts";

export async function leaseSentBack(context: TaskContext): Promise<void> {
  const { store, constellation } = context;
  const changes = await wantedChanges(context);
  for (const change of changes) await moveBack(context, change);
  const back = await listTasks(store.db, constellation, { states: ["needs_review"] });
  for (const { number, agent } of back) {
    if (agent === null) continue;
    const about = await whyBack(
      context,
      number,
      changes.find(({ task }) => task === number),
    );
    if (about === undefined) continue;
    await store.write(async (tx) => {
      const now = await findTask(tx.db, constellation, number);
      const isTold = await isDispatchedAbout(tx.db, constellation, { task: number, train: about });
      const open = await openDispatches(tx.db, constellation, number);
      if (now.state !== "needs_review" || now.agent !== agent || isTold || open.length > 0) return;
      await insertDispatch(context, tx, { task: number, agent, about });
    });
  }
}

/** While the work is being landed its state is the harvester's: then it waits for the end of that. */
async function moveBack(context: TaskContext, { task: number, reason, review }: WantedChange): Promise<void> {
  const { store, constellation } = context;
  await store.write(async (tx) => {
    const task = await findTask(tx.db, constellation, number);
    const isLanding = (await openHarvests(tx.db, constellation)).some((row) => row.task === number);
    if (task.state !== "ready" || isLanding) return;
    await updateTask(tx.db, task, { state: moveOf(task, "review"), reason, updated_ms: tx.nowMs });
    await recordTask(context, tx, number, "sent_back", { review, reason });
  });
}

/** The newest train of this task that ended against it, or the review that came after. Undefined while a train has not ended. */
async function whyBack(
  { store, constellation }: TaskContext,
  task: number,
  change: WantedChange | undefined,
): Promise<string | undefined> {
  const row = await newestHarvest(store.db, constellation, task);
  if (row !== undefined && row.ended_ms === null) return undefined;
  // What its pull request brings back, that brings back itself.
  const isHeld = row?.outcome === "held" || row?.outcome === "proposed";
  if (change !== undefined && (row === undefined || isHeld || change.answeredMs >= (row.ended_ms ?? 0)))
    return change.review;
  return isHeld ? undefined : row?.train;
}
