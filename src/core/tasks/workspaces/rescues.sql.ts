// The rows of what was saved of removed workspaces.

import type { Kysely } from "kysely";
import type { Tables } from "../../../store/tables.ts";
import type { RescuesTable, WorkspacesTable } from "../../../store/tables/tasks.ts";

type Db = Kysely<Tables>;

/** Oldest first. */
export function findRescues(
  db: Db,
  constellation: string,
  filter: { readonly task?: number | undefined; readonly withPruned: boolean },
): Promise<RescuesTable[]> {
  let select = db.selectFrom("rescues").selectAll().where("constellation", "=", constellation);
  if (filter.task !== undefined) select = select.where("task", "=", filter.task);
  if (!filter.withPruned) select = select.where("pruned_ms", "is", null);
  return select.orderBy("saved_ms").orderBy("id").execute();
}

/** Those saved until then that are still kept, oldest first, each with its workspace. */
export function rescuesSavedUntil(
  db: Db,
  constellation: string,
  untilMs: number,
): Promise<(RescuesTable & Pick<WorkspacesTable, "path" | "state">)[]> {
  return db
    .selectFrom("rescues")
    .innerJoin("workspaces", "workspaces.id", "rescues.workspace")
    .selectAll("rescues")
    .select(["workspaces.path", "workspaces.state"])
    .where("rescues.constellation", "=", constellation)
    .where("rescues.pruned_ms", "is", null)
    .where("rescues.saved_ms", "<=", untilMs)
    .orderBy("rescues.saved_ms")
    .execute();
}

export async function updateRescue(db: Db, id: string, change: Partial<RescuesTable>): Promise<void> {
  await db.updateTable("rescues").set(change).where("id", "=", id).execute();
}

/** A workspace came back from its rescue: what was announced of that holds no longer. */
export async function setRestored(
  db: Db,
  { id, rescue }: Pick<WorkspacesTable, "id" | "rescue">,
  atMs: number,
): Promise<void> {
  await db
    .updateTable("rescues")
    .set({ restored_ms: atMs, announced_ms: null })
    .where("workspace", "=", id)
    .where("kept_as", "=", rescue ?? "")
    .execute();
}

/** The workspace no longer names this rescue. If it names a newer one, that stays. */
export async function forgetRescue(
  db: Db,
  { workspace, kept_as: keptAs }: Pick<RescuesTable, "workspace" | "kept_as">,
): Promise<void> {
  await db
    .updateTable("workspaces")
    .set({ rescue: null })
    .where("id", "=", workspace)
    .where("rescue", "=", keptAs)
    .execute();
}

/** When the last rescue of a workspace went; null if none did. */
export async function lastPruned(db: Db, workspace: string): Promise<number | null> {
  const row = await db
    .selectFrom("rescues")
    .select("pruned_ms")
    .where("workspace", "=", workspace)
    .where("pruned_ms", "is not", null)
    .orderBy("pruned_ms", "desc")
    .executeTakeFirst();
  return row?.pruned_ms ?? null;
}
