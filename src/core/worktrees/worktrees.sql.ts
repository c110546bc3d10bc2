// Every question repositories and worktrees ask of the database.

import type { Kysely } from "kysely";
import type { ObservedWorktree } from "../../ports/sensing.ts";
import type { Tx } from "../../store/group-commit.ts";
import type { Tables } from "../../store/tables.ts";
import type { RepositoriesTable, WorktreesTable } from "../../store/tables/observed.ts";

type Db = Kysely<Tables>;

export async function repositoriesOf(db: Db, constellation: string): Promise<RepositoriesTable[]> {
  return await db
    .selectFrom("repositories")
    .selectAll()
    .where("constellation", "=", constellation)
    .orderBy("name")
    .orderBy("identity")
    .execute();
}

export async function repositoryBy(
  db: Db,
  constellation: string,
  identity: string,
): Promise<RepositoriesTable | undefined> {
  return await db
    .selectFrom("repositories")
    .selectAll()
    .where("constellation", "=", constellation)
    .where("identity", "=", identity)
    .executeTakeFirst();
}

export async function updateRepository(
  tx: Tx,
  constellation: string,
  identity: string,
  change: Partial<RepositoriesTable>,
): Promise<void> {
  await tx.db
    .updateTable("repositories")
    .set(change)
    .where("constellation", "=", constellation)
    .where("identity", "=", identity)
    .execute();
}

export async function clonesOf(db: Db, constellation: string): Promise<{ repository: string; path: string }[]> {
  return await db
    .selectFrom("clones")
    .select(["repository", "path"])
    .where("constellation", "=", constellation)
    .orderBy("added_ms")
    .orderBy("path")
    .execute();
}

/** A path belongs to one repository: the one it was last found in. */
export async function putClone(tx: Tx, constellation: string, repository: string, path: string): Promise<void> {
  await tx.db
    .insertInto("clones")
    .values({ constellation, repository, path, added_ms: tx.nowMs })
    .onConflict((conflict) => conflict.columns(["constellation", "path"]).doUpdateSet({ repository }))
    .execute();
}

export async function removeClone(tx: Tx, constellation: string, path: string): Promise<void> {
  await tx.db.deleteFrom("clones").where("constellation", "=", constellation).where("path", "=", path).execute();
}

export async function removeClonesOf(tx: Tx, constellation: string, repository: string): Promise<void> {
  await tx.db
    .deleteFrom("clones")
    .where("constellation", "=", constellation)
    .where("repository", "=", repository)
    .execute();
}

export async function worktreesOf(db: Db, constellation: string, repository?: string): Promise<WorktreesTable[]> {
  let select = db.selectFrom("worktrees").selectAll().where("constellation", "=", constellation).orderBy("path");
  if (repository !== undefined) select = select.where("repository", "=", repository);
  return await select.execute();
}

/** By path, the commit that the workspace of a task began at. */
export async function workspaceBases(db: Db, constellation: string): Promise<Map<string, string>> {
  const rows = await db
    .selectFrom("workspaces")
    .select(["path", "base_sha"])
    .where("constellation", "=", constellation)
    .where("state", "=", "ready")
    .execute();
  return new Map(rows.map(({ path, base_sha }) => [path, base_sha]));
}

/** The commits of each workspace for which the gate was red, by its path. */
export async function redCommits(db: Db, constellation: string): Promise<Map<string, ReadonlySet<string>>> {
  const rows = await db
    .selectFrom("harvests as h")
    .innerJoin("workspaces as w", (join) =>
      join.onRef("w.constellation", "=", "h.constellation").onRef("w.id", "=", "h.workspace"),
    )
    .select(["w.path", "h.ready_sha"])
    .where("h.constellation", "=", constellation)
    .where("h.outcome", "=", "red")
    .where("w.state", "=", "ready")
    .execute();
  const byPath = Map.groupBy(rows, ({ path }) => path);
  return new Map([...byPath].map(([path, found]) => [path, new Set(found.flatMap(({ ready_sha: sha }) => sha ?? []))]));
}

export async function putWorktree(tx: Tx, row: WorktreesTable): Promise<void> {
  await tx.db
    .insertInto("worktrees")
    .values(row)
    .onConflict((conflict) => conflict.columns(["constellation", "path"]).doUpdateSet(row))
    .execute();
}

export async function removeWorktree(tx: Tx, constellation: string, path: string): Promise<void> {
  await tx.db.deleteFrom("worktrees").where("constellation", "=", constellation).where("path", "=", path).execute();
}

export function asRow(seen: ObservedWorktree) {
  return {
    path: seen.path.toWellFormed(),
    branch: seen.branch?.toWellFormed() ?? null,
    head: seen.head,
    snapshot_commit: seen.commit,
    snapshot_tree: seen.tree,
    operation: seen.operation,
    skipped: seen.skipped,
    detail: seen.detail?.replaceAll("\0", "").toWellFormed() ?? null,
    ahead: seen.ahead,
    behind: seen.behind,
    uncommitted: seen.uncommitted ? 1 : 0,
  };
}
