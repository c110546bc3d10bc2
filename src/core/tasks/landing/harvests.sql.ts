// Every question about harvests.

import type { Kysely } from "kysely";
import { Refusal } from "../../../protocol/errors.ts";
import type { Tx } from "../../../store/group-commit.ts";
import type { Tables } from "../../../store/tables.ts";
import type { HarvestsTable } from "../../../store/tables/tasks.ts";

type Db = Kysely<Tables>;

export function harvestTimes(db: Db, id: string): Promise<Pick<HarvestsTable, "started_ms" | "ended_ms"> | undefined> {
  return db.selectFrom("harvests").select(["started_ms", "ended_ms"]).where("id", "=", id).executeTakeFirst();
}

export function harvestsOfTrain(db: Db, train: string): Promise<HarvestsTable[]> {
  return db.selectFrom("harvests").selectAll().where("train", "=", train).orderBy("place_in_train").execute();
}

export function findHarvest(db: Db, id: string): Promise<HarvestsTable | undefined> {
  return db.selectFrom("harvests").selectAll().where("id", "=", id).executeTakeFirst();
}

/** A task's rows of one train, each with its workspace where it has one. */
export function harvestsWithWorkspaces(
  db: Db,
  { constellation, train, task }: Pick<HarvestsTable, "constellation" | "train" | "task">,
): Promise<(HarvestsTable & { name: string | null; path: string | null })[]> {
  return db
    .selectFrom("harvests")
    .leftJoin("workspaces", "workspaces.id", "harvests.workspace")
    .selectAll("harvests")
    .select(["workspaces.name", "workspaces.path"])
    .where("harvests.train", "=", train)
    .where("harvests.task", "=", task)
    .where("harvests.constellation", "=", constellation)
    .orderBy("harvests.place_in_train")
    .execute();
}

/** Oldest first. */
export function harvestsOfTask(db: Db, constellation: string, task: number): Promise<HarvestsTable[]> {
  return db
    .selectFrom("harvests")
    .selectAll()
    .where("constellation", "=", constellation)
    .where("task", "=", task)
    .orderBy("asked_ms")
    .orderBy("id")
    .execute();
}

export function newestHarvest(
  db: Db,
  constellation: string,
  task: number,
): Promise<Pick<HarvestsTable, "train" | "ended_ms" | "outcome"> | undefined> {
  return db
    .selectFrom("harvests")
    .select(["train", "ended_ms", "outcome"])
    .where("constellation", "=", constellation)
    .where("task", "=", task)
    .orderBy("asked_ms", "desc")
    .orderBy("id", "desc")
    .executeTakeFirst();
}

/** A harvest that was asked for and has not begun lands this commit of its workspace. */
export async function landInstead(db: Db, workspace: string, commit: string): Promise<void> {
  await db
    .updateTable("harvests")
    .set({ ready_sha: commit })
    .where("workspace", "=", workspace)
    .where("ended_ms", "is", null)
    .where("phase", "in", ["queued", "waiting"])
    .execute();
}

export async function openHarvests(db: Db, constellation: string): Promise<HarvestsTable[]> {
  return db
    .selectFrom("harvests")
    .selectAll()
    .where("constellation", "=", constellation)
    .where("ended_ms", "is", null)
    .orderBy("asked_ms")
    .orderBy("train")
    .orderBy("place_in_train")
    .execute();
}

/** While a task lands, its state is the harvester's. */
export async function refuseIfLanding(db: Db, constellation: string, task: number): Promise<void> {
  const [row] = (await openHarvests(db, constellation)).filter((one) => one.task === task);
  if (row !== undefined)
    throw new Refusal("task.landing", `task ${task} is being harvested`, { task, harvest: row.id });
}

/** Inside a job. A harvest that waits after an outage is called off; one that is under way, or about to be, is left alone. */
export async function callOffWaiting(tx: Tx, constellation: string, task: number): Promise<void> {
  await tx.db
    .updateTable("harvests")
    .set({ phase: "ended", outcome: "called-off", ended_ms: tx.nowMs })
    .where("constellation", "=", constellation)
    .where("task", "=", task)
    .where("ended_ms", "is", null)
    .where("phase", "=", "waiting")
    .where("retry_ms", ">", tx.nowMs + aboutToBeMs)
    .execute();
}

/** A harvester that has just read the row may not have written so yet. */
const aboutToBeMs = 1_000;

export async function updateHarvest(db: Db, id: string, change: Partial<HarvestsTable>): Promise<void> {
  await db.updateTable("harvests").set(change).where("id", "=", id).execute();
}

/** The last landing of each task in each repository, of tasks that count as landed or did. */
export async function landedHarvests(db: Db, constellation: string, sinceMs: number): Promise<HarvestsTable[]> {
  const rows = await db
    .selectFrom("harvests")
    .innerJoin("tasks", (join) =>
      join.onRef("tasks.number", "=", "harvests.task").onRef("tasks.constellation", "=", "harvests.constellation"),
    )
    .selectAll("harvests")
    .where("harvests.constellation", "=", constellation)
    .where("harvests.outcome", "=", "landed")
    .where("harvests.ended_ms", ">", sinceMs)
    .where("tasks.state", "in", ["closed", "taken_back"])
    .orderBy("harvests.ended_ms")
    .orderBy("harvests.fencing_token") // of two in one millisecond the later round's
    .execute();
  const newest = new Map(rows.map((row) => [JSON.stringify([row.task, row.origin, row.target]), row]));
  return [...newest.values()];
}

/** The outcome of the gate at the last landing on each target. */
export async function gatesOfLandings(
  db: Db,
  constellation: string,
): Promise<{ origin: string; target: string; gate: string | null }[]> {
  const rows = await db
    .selectFrom("harvests")
    .select((is) => ["origin", "target", is.fn.max("ended_ms").as("ended_ms")])
    .where("constellation", "=", constellation)
    .where("outcome", "=", "landed")
    .where("gate_outcome", "is not", null)
    .groupBy(["origin", "target"])
    .execute();
  const found: { origin: string; target: string; gate: string | null }[] = [];
  for (const { origin, target, ended_ms: ended } of rows) {
    const row = await db
      .selectFrom("harvests")
      .select("gate_outcome")
      .where("constellation", "=", constellation)
      .where("origin", "=", origin)
      .where("target", "=", target)
      .where("outcome", "=", "landed")
      .where("ended_ms", "=", Number(ended))
      .executeTakeFirst();
    found.push({ origin, target: target ?? "main", gate: row?.gate_outcome ?? null });
  }
  return found;
}
