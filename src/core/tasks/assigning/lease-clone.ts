// Leasing: in one transaction a free clone is found, the task becomes its, and the assignment is numbered. The open row is the
// lease: while it stands, neither the task goes to another clone nor another task to this one. It ends when the clone says
// that it is done, when the task is cancelled, or when the owner takes it back. What the assignment needs is made and sent
// later, by deliver-assignment.ts.

import type { Tx } from "../../../store/group-commit.ts";
import type { DispatchesTable } from "../../../store/tables/tasks.ts";
import { freeClones, type FreeWish } from "../../agents/free.ts";
import { insertDispatch, openDispatches, refuseIfLeased, takeFromQueue } from "./dispatches.sql.ts";
import type { TaskContext } from "../task-context.ts";
import { moveOf } from "../task.ts";
import { refuseIfLanding } from "../landing/harvests.sql.ts";
import { findTask, recordTask, updateTask } from "../tasks.sql.ts";

/** The wishes of the request besides the clone. */
export interface AssignmentWish {
  readonly fetch: boolean;
  /** Things that the caller should know already. */
  readonly notes: readonly string[];
}

const plainWish: AssignmentWish = { fetch: true, notes: [] };

/** The assignment to a clone; undefined when nobody is free. */
export async function leaseClone(
  context: TaskContext,
  number: number,
  who: FreeWish,
  wish: AssignmentWish = plainWish,
): Promise<DispatchesTable | undefined> {
  return await context.store.write(async (tx) => {
    const [agent] = (await findFree(context, who, tx.db)).free;
    return agent === undefined ? undefined : await leaseIn(context, tx, number, agent, wish);
  });
}

/** The assignment to a person, who gets a workspace. */
export async function leaseForPerson(
  context: TaskContext,
  number: number,
  wish: AssignmentWish,
): Promise<DispatchesTable> {
  return await context.store.write((tx) => leaseIn(context, tx, number, null, wish));
}

/** Inside a job. Of two at once the second is refused. */
export async function leaseIn(
  context: TaskContext,
  tx: Tx,
  number: number,
  agent: string | null,
  { fetch, notes }: AssignmentWish,
): Promise<DispatchesTable> {
  const { constellation } = context;
  const task = await findTask(tx.db, constellation, number);
  const state = moveOf(task, "dispatch");
  await refuseIfLanding(tx.db, constellation, number);
  await refuseIfLeased(tx.db, constellation, number);
  const asked = { fetch: fetch ? 1 : 0, notes: JSON.stringify(notes) };
  const row = await insertDispatch(context, tx, { task: number, agent, about: null, ...asked });
  await takeFromQueue(tx, constellation, number);
  const started_ms = task.started_ms ?? tx.nowMs;
  await updateTask(tx.db, task, { state, agent, reason: null, started_ms, updated_ms: tx.nowMs });
  const { id: dispatch, fencing_token } = row;
  await recordTask(context, tx, number, "dispatched", { agent, dispatch, fencing_token });
  return row;
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
