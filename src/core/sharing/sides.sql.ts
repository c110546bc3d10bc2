// Every question that sharing asks of the database.

import type { Kysely } from "kysely";
import type { Tx } from "../../store/group-commit.ts";
import type { Tables } from "../../store/tables.ts";
import type { SharedRepositoriesTable, SharedSidesTable } from "../../store/tables/sharing.ts";

type Db = Kysely<Tables>;

export async function sharedRepositories(db: Db, constellation: string): Promise<SharedRepositoriesTable[]> {
  return await db
    .selectFrom("shared_repositories")
    .selectAll()
    .where("constellation", "=", constellation)
    .orderBy("repository")
    .execute();
}

export async function putShared(tx: Tx, row: SharedRepositoriesTable): Promise<void> {
  const { mark: _, ...change } = row;
  await tx.db
    .insertInto("shared_repositories")
    .values(row)
    .onConflict((conflict) => conflict.columns(["constellation", "repository"]).doUpdateSet(change))
    .execute();
}

export async function updateShared(
  tx: Tx,
  constellation: string,
  repository: string,
  change: Partial<Pick<SharedRepositoriesTable, "heard_ms" | "problem" | "wanted">>,
): Promise<void> {
  await tx.db
    .updateTable("shared_repositories")
    .set(change)
    .where("constellation", "=", constellation)
    .where("repository", "=", repository)
    .execute();
}

export async function removeShared(tx: Tx, constellation: string, repository: string): Promise<void> {
  for (const table of ["side_bundles", "shared_sides", "shared_repositories"] as const)
    await tx.db
      .deleteFrom(table)
      .where("constellation", "=", constellation)
      .where("repository", "=", repository)
      .execute();
}

export async function sidesOf(db: Db, constellation: string, repository: string): Promise<SharedSidesTable[]> {
  return await db
    .selectFrom("shared_sides")
    .selectAll()
    .where("constellation", "=", constellation)
    .where("repository", "=", repository)
    .orderBy("key")
    .execute();
}

export async function putSide(tx: Tx, row: SharedSidesTable): Promise<void> {
  await tx.db
    .insertInto("shared_sides")
    .values(row)
    .onConflict((conflict) => conflict.columns(["constellation", "repository", "key"]).doUpdateSet(row))
    .execute();
}

export async function removeSide(tx: Tx, constellation: string, repository: string, key: string): Promise<void> {
  for (const table of ["side_bundles", "shared_sides"] as const)
    await tx.db
      .deleteFrom(table)
      .where("constellation", "=", constellation)
      .where("repository", "=", repository)
      .where("key", "=", key)
      .execute();
}

export async function putBundle(
  tx: Tx,
  row: { constellation: string; repository: string; key: string; content: string },
): Promise<void> {
  const { content } = row;
  await tx.db
    .insertInto("side_bundles")
    .values(row)
    .onConflict((conflict) => conflict.columns(["constellation", "repository", "key"]).doUpdateSet({ content }))
    .execute();
}

/** Undefined where it is longer than that, so that it is never read. */
export async function bundleOf(
  db: Db,
  {
    constellation,
    repository,
    key,
    longest,
  }: { constellation: string; repository: string; key: string; longest: number },
): Promise<string | undefined> {
  const row = await db
    .selectFrom("side_bundles")
    .select("content")
    .where("constellation", "=", constellation)
    .where("repository", "=", repository)
    .where("key", "=", key)
    .where((is) => is(is.fn<number>("length", ["content"]), "<=", longest))
    .executeTakeFirst();
  return row?.content;
}

/** Of all other constellations whose owners share the repository, the newest first. */
export async function othersSides(
  db: Db,
  constellation: string,
  repository: string,
  most: number,
): Promise<(SharedSidesTable & { heard_ms: number })[]> {
  return await db
    .selectFrom("shared_sides as s")
    .innerJoin("shared_repositories as r", (join) =>
      join.onRef("r.constellation", "=", "s.constellation").onRef("r.repository", "=", "s.repository"),
    )
    .selectAll("s")
    .select("r.heard_ms")
    .where("s.repository", "=", repository)
    .where("s.constellation", "<>", constellation)
    .where("r.wanted", "=", "shared")
    .orderBy("s.at_ms", "desc")
    .orderBy("s.constellation")
    .orderBy("s.key")
    .limit(most)
    .execute();
}

/** By path: who works there, and on which task. */
export async function workWords(
  db: Db,
  constellation: string,
  repository: string,
): Promise<Map<string, { readonly agent: string | null; readonly task: string | null }>> {
  const rows = await db
    .selectFrom("worktrees as t")
    .leftJoin("workspaces as w", (join) =>
      join.onRef("w.constellation", "=", "t.constellation").onRef("w.path", "=", "t.path").on("w.state", "=", "ready"),
    )
    .leftJoin("tasks as k", (join) =>
      join.onRef("k.constellation", "=", "w.constellation").onRef("k.number", "=", "w.task"),
    )
    .select(["t.path", "t.agent", "k.number", "k.title", "k.agent as doer"])
    .where("t.constellation", "=", constellation)
    .where("t.repository", "=", repository)
    .execute();
  return new Map(
    rows.map(({ path, agent, number, title, doer }) => [
      path,
      { agent: doer ?? agent, task: number === null ? null : `${number}: ${title}` },
    ]),
  );
}
