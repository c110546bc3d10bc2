// Assigning: in one transaction a free clone is found, the task becomes its, and the assignment is numbered. The open row is the
// lease: while it stands, neither the task goes to another clone nor another task to this one. It ends when the clone says
// that it is done, when the task is cancelled, or when the owner takes it back.

import type { DispatchesTable } from "../../store/tables/tasks.ts";
import { freeClones, type FreeWish } from "../agents/free.ts";
import { insertDispatch, openDispatches, refuseIfLeased, takeFromQueue } from "./dispatches.sql.ts";
import type { TaskContext } from "./task-context.ts";
import { moveOf } from "./task.ts";
import { findTask, recordTask, refuseIfLanding, updateTask } from "./tasks.sql.ts";

/** Undefined when nobody is free. */
export async function assignTask(
  context: TaskContext,
  number: number,
  wish: FreeWish,
): Promise<DispatchesTable | undefined> {
  const { constellation, store } = context;
  return store.write(async (tx) => {
    const task = await findTask(tx.db, constellation, number);
    const state = moveOf(task, "dispatch");
    await refuseIfLanding(tx.db, constellation, number);
    await refuseIfLeased(tx.db, constellation, number);
    const [agent] = (await findFree(context, wish, tx.db)).free;
    if (agent === undefined) return undefined;
    const row = await insertDispatch(context, tx, {
      task: number,
      agent,
      workspace: null,
      state: "leased",
      about: null,
    });
    await takeFromQueue(tx, constellation, number);
    const started_ms = task.started_ms ?? tx.nowMs;
    await updateTask(tx.db, task, { state, agent, reason: null, started_ms, updated_ms: tx.nowMs });
    await recordTask(context, tx, number, "dispatched", {
      agent,
      dispatch: row.id,
      fencing_token: row.fencing_token,
    });
    return row;
  });
}

/** Clones that could take a task now, and those that are up at all. */
export async function findFree(
  context: TaskContext,
  wish: FreeWish,
  db = context.store.db,
): Promise<{ free: string[]; up: string[] }> {
  const { constellation, machine, clock } = context;
  const budget = machine.deliver?.budget ?? { tokensPerDay: 0, microsPerDay: 0 };
  const { free, up } = await freeClones(db, { constellation, budget, nowMs: clock.nowMs() }, wish);
  const taken = new Set((await openDispatches(db, constellation)).map(({ agent }) => agent));
  return { free: free.filter((agent) => !taken.has(agent)), up };
}
