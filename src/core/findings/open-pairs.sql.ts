// Every question about what is open in pairs.

import type { Kysely } from "kysely";
import type { Tx } from "../../store/group-commit.ts";
import type { Tables } from "../../store/tables.ts";
import type { OpenPairsTable } from "../../store/tables/observed.ts";

/** So many names in one question: what the database takes at once is bounded. */
const namesAtOnce = 500;

/** The pairs of a repository of which something is open or noted: their names alone, for a large fleet has tens of thousands. */
export async function openPairNames(
  db: Kysely<Tables>,
  constellation: string,
  repository: string,
): Promise<readonly string[]> {
  const rows = await db
    .selectFrom("open_pairs")
    .select("pair")
    .where("constellation", "=", constellation)
    .where("repository", "=", repository)
    .orderBy("pair")
    .execute();
  return rows.map(({ pair }) => pair);
}

/** Returns what is kept of these pairs. */
export async function openPairsNamed(
  db: Kysely<Tables>,
  constellation: string,
  repository: string,
  pairs: readonly string[],
): Promise<OpenPairsTable[]> {
  const rows: OpenPairsTable[] = [];
  for (let from = 0; from < pairs.length; from += namesAtOnce) {
    const some = await db
      .selectFrom("open_pairs")
      .selectAll()
      .where("constellation", "=", constellation)
      .where("repository", "=", repository)
      .where("pair", "in", pairs.slice(from, from + namesAtOnce))
      .execute();
    rows.push(...some);
  }
  return rows;
}

/** Pairs of which the same is open and noted, counted, in the order of the first of each. */
export async function openPairGroups(
  db: Kysely<Tables>,
  constellation: string,
  repository?: string,
): Promise<(Pick<OpenPairsTable, "repository" | "open" | "notes"> & { readonly pairs: number })[]> {
  let select = db
    .selectFrom("open_pairs")
    .select(({ fn }) => [
      "repository",
      "open",
      "notes",
      fn.min<string>("pair").as("first"),
      fn.countAll<number | string>().as("pairs"),
    ])
    .where("constellation", "=", constellation);
  if (repository !== undefined) select = select.where("repository", "=", repository);
  const rows = await select.groupBy(["repository", "open", "notes"]).orderBy("repository").orderBy("first").execute();
  return rows.map(({ repository: its, open, notes, pairs }) => ({
    repository: its,
    open,
    notes,
    pairs: Number(pairs),
  }));
}

/** What is open in pairs because of files of one side, or of both. */
export async function sidedPairs(
  db: Kysely<Tables>,
  constellation: string,
  repository: string,
): Promise<Pick<OpenPairsTable, "ours_worktree" | "theirs_worktree" | "open">[]> {
  return await db
    .selectFrom("open_pairs")
    .select(["ours_worktree", "theirs_worktree", "open"])
    .where("constellation", "=", constellation)
    .where("repository", "=", repository)
    .where("open", "like", '%"sides":%')
    .orderBy("pair")
    .execute();
}

/** The sides of pairs of which nothing is open, and something noted. */
export async function unaskedPairs(
  db: Kysely<Tables>,
  constellation: string,
  repository: string,
): Promise<Pick<OpenPairsTable, "ours_worktree" | "theirs_worktree">[]> {
  return await db
    .selectFrom("open_pairs")
    .select(["ours_worktree", "theirs_worktree"])
    .where("constellation", "=", constellation)
    .where("repository", "=", repository)
    .where("open", "=", "[]")
    .where("notes", "<>", "[]")
    .execute();
}

export async function putOpenPair(tx: Tx, row: OpenPairsTable): Promise<void> {
  const { open, notes, ours_label, ours_worktree, theirs_label, theirs_worktree } = row;
  const now = { open, notes, ours_label, ours_worktree, theirs_label, theirs_worktree };
  await tx.db
    .insertInto("open_pairs")
    .values(row)
    .onConflict((conflict) => conflict.columns(["constellation", "repository", "pair"]).doUpdateSet(now))
    .execute();
}

export async function removeOpenPairs(
  tx: Tx,
  constellation: string,
  repository: string,
  pairs: readonly string[],
): Promise<void> {
  for (let from = 0; from < pairs.length; from += namesAtOnce) {
    await tx.db
      .deleteFrom("open_pairs")
      .where("constellation", "=", constellation)
      .where("repository", "=", repository)
      .where("pair", "in", pairs.slice(from, from + namesAtOnce))
      .execute();
  }
}
