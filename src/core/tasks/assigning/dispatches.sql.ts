// Every question about assignments and the queue.

import type { Kysely } from "kysely";
import { Refusal } from "../../../protocol/errors.ts";
import { makeId } from "../../../protocol/ids.ts";
import type { Tx } from "../../../store/group-commit.ts";
import type { Tables } from "../../../store/tables.ts";
import type { DispatchesTable, TaskQueueTable } from "../../../store/tables/tasks.ts";
import type { Context } from "../../context.ts";

type Db = Kysely<Tables>;

/**
 * Those that have not ended: while an assignment to an agent is open, its task is with that agent. One to a person is open
 * only until its workspace stands: from then on the task's state says all there is to say.
 */
export function openDispatches(db: Db, constellation: string, task?: number): Promise<DispatchesTable[]> {
  let select = db
    .selectFrom("dispatches")
    .selectAll()
    .where("constellation", "=", constellation)
    .where("ended_ms", "is", null)
    .where((eb) => eb.or([eb("agent", "is not", null), eb("state", "in", ["leased", "prepared"])]));
  if (task !== undefined) select = select.where("task", "=", task);
  return select.orderBy("asked_ms").orderBy("id").execute();
}

export async function refuseIfLeased(db: Db, constellation: string, task: number): Promise<void> {
  const [row] = await openDispatches(db, constellation, task);
  if (row === undefined) return;
  const who = row.agent ?? "a person, whose workspace is being made";
  const doubt = row.state === "unknown" ? ", though whether it heard of it is not known" : "";
  throw new Refusal("task.leased", `task ${task} is with ${who}${doubt}`, {
    task,
    agent: row.agent,
    state: row.state,
  });
}

export async function insertDispatch(
  context: Pick<Context, "random" | "constellation">,
  tx: Tx,
  given: Pick<DispatchesTable, "task" | "agent" | "about"> & Partial<Pick<DispatchesTable, "fetch" | "notes">>,
): Promise<DispatchesTable> {
  const { constellation } = context;
  const last = await tx.db
    .selectFrom("dispatches")
    .select((eb) => eb.fn.max("fencing_token").as("token"))
    .where("constellation", "=", constellation)
    .where("task", "=", given.task)
    .executeTakeFirst();
  const row: DispatchesTable = {
    state: "leased",
    workspace: null,
    fetch: 1,
    notes: "[]",
    brief: null,
    ...given,
    id: makeId("dsp", tx.nowMs, context.random.bytes(10)),
    constellation,
    fencing_token: Number(last?.token ?? 0) + 1,
    asked_ms: tx.nowMs,
    delivered_ms: null,
    ended_ms: null,
    problem: null,
    said_ready_ms: null,
    told_ms: null,
    left_ms: null,
  };
  await tx.insert("dispatches", row);
  return row;
}

/** False when it had ended: whoever writes then was asleep while somebody took the task back. */
export async function updateDispatch(db: Db, id: string, change: Partial<DispatchesTable>): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable("dispatches")
    .set(change)
    .where("id", "=", id)
    .where("ended_ms", "is", null)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Unlike `updateDispatch`, it also changes an assignment that has ended. */
export async function updateDispatchEvenEnded(db: Db, id: string, change: Partial<DispatchesTable>): Promise<void> {
  await db.updateTable("dispatches").set(change).where("id", "=", id).execute();
}

export function findDispatch(db: Db, constellation: string, id: string): Promise<DispatchesTable | undefined> {
  return db
    .selectFrom("dispatches")
    .selectAll()
    .where("id", "=", id)
    .where("constellation", "=", constellation)
    .executeTakeFirst();
}

/** All assignments of a task, oldest first. */
export function dispatchesOfTask(
  db: Db,
  constellation: string,
  task: number,
): Promise<Pick<DispatchesTable, "id" | "agent" | "state" | "asked_ms" | "problem">[]> {
  return db
    .selectFrom("dispatches")
    .select(["id", "agent", "state", "asked_ms", "problem"])
    .where("constellation", "=", constellation)
    .where("task", "=", task)
    .orderBy("asked_ms")
    .execute();
}

/** Assignments to agents that have ended without the agent being told. */
export function endedUntold(db: Db, constellation: string): Promise<DispatchesTable[]> {
  return db
    .selectFrom("dispatches")
    .selectAll()
    .where("constellation", "=", constellation)
    .where("ended_ms", "is not", null)
    .where("told_ms", "is", null)
    .where("agent", "is not", null)
    .orderBy("ended_ms")
    .execute();
}

/** True when the task was sent back because of this train before. */
export async function isDispatchedAbout(
  db: Db,
  constellation: string,
  { task, train }: { readonly task: number; readonly train: string },
): Promise<boolean> {
  const row = await db
    .selectFrom("dispatches")
    .select("id")
    .where("constellation", "=", constellation)
    .where("task", "=", task)
    .where("about", "=", train)
    .executeTakeFirst();
  return row !== undefined;
}

/** The last assignment of a task: only who was given it last can speak for it. */
export function newestDispatch(db: Db, constellation: string, task: number): Promise<DispatchesTable | undefined> {
  return db
    .selectFrom("dispatches")
    .selectAll()
    .where("constellation", "=", constellation)
    .where("task", "=", task)
    .orderBy("fencing_token", "desc")
    .executeTakeFirst();
}

/** The brief reached the agent, or may yet: it lies in the inbox, or is being given to it at this moment. */
export function mayHear(row: Pick<DispatchesTable, "state">): boolean {
  return row.state !== "leased" && row.state !== "prepared";
}

/** Whoever has the task has it no more. Answers who that was. Who can never have heard of it need not be told. */
export async function endDispatches(
  tx: Tx,
  constellation: string,
  task: number,
  end: Pick<DispatchesTable, "state" | "problem">,
): Promise<DispatchesTable[]> {
  const open = await openDispatches(tx.db, constellation, task);
  for (const row of open) {
    const told_ms = end.state !== "done" && mayHear(row) ? null : tx.nowMs;
    await updateDispatch(tx.db, row.id, { ...end, ended_ms: tx.nowMs, said_ready_ms: null, told_ms });
  }
  return open;
}

export function queueRows(db: Db, constellation: string): Promise<TaskQueueTable[]> {
  return db.selectFrom("task_queue").selectAll().where("constellation", "=", constellation).execute();
}

export async function putInQueue(tx: Tx, row: TaskQueueTable): Promise<void> {
  await takeFromQueue(tx, row.constellation, row.task);
  await tx.insert("task_queue", row);
}

export async function takeFromQueue(tx: Tx, constellation: string, task: number): Promise<void> {
  await tx.db.deleteFrom("task_queue").where("constellation", "=", constellation).where("task", "=", task).execute();
}
