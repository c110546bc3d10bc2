// The rows of harvests: one by its id, those of a train, those of a task.

import type { Kysely } from "kysely";
import type { Tables } from "../../store/tables.ts";
import type { HarvestsTable } from "../../store/tables/tasks.ts";

type Db = Kysely<Tables>;

export function harvestTimes(db: Db, id: string): Promise<Pick<HarvestsTable, "started_ms" | "ended_ms"> | undefined> {
  return db.selectFrom("harvests").select(["started_ms", "ended_ms"]).where("id", "=", id).executeTakeFirst();
}

export function harvestsOfTrain(db: Db, train: string): Promise<HarvestsTable[]> {
  return db.selectFrom("harvests").selectAll().where("train", "=", train).orderBy("place_in_train").execute();
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
): Promise<Pick<HarvestsTable, "train" | "ended_ms"> | undefined> {
  return db
    .selectFrom("harvests")
    .select(["train", "ended_ms"])
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
