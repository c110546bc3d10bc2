// Every question memory asks of the database.

import { type Kysely, sql } from "kysely";
import type { Tables } from "../../store/tables.ts";
import type { MemoriesTable } from "../../store/tables/told.ts";
import { likePattern } from "../find-words.ts";

type Db = Kysely<Tables>;

/** By its id, or by the end of it; only among those that this one may see. */
export async function memoriesCalled(
  db: Db,
  constellation: string,
  word: string,
  audiences: readonly string[] | undefined,
): Promise<MemoriesTable[]> {
  if (!/^[0-9a-z_]{4,40}$/.test(word)) return [];
  let select = db
    .selectFrom("memories")
    .selectAll()
    .where("constellation", "=", constellation)
    .where((eb) => eb.or([eb("id", "=", word), eb("id", "like", `%${word.replaceAll("_", "")}`)]))
    .limit(20);
  if (audiences !== undefined) select = select.where("audience", "in", [...audiences]);
  const rows = await select.execute();
  const exact = rows.filter(({ id }) => id === word);
  return exact.length > 0 ? exact : rows;
}

export async function sameMemory(db: Db, row: MemoriesTable): Promise<MemoriesTable | undefined> {
  const { constellation, words, audience, repository, task, valid_path: file } = row;
  return await db
    .selectFrom("memories")
    .selectAll()
    .where("constellation", "=", constellation)
    .where("words", "=", words)
    .where("audience", "=", audience)
    .where("repository", repository === null ? "is" : "=", repository)
    .where("task", task === null ? "is" : "=", task)
    .where("valid_path", file === null ? "is" : "=", file)
    .executeTakeFirst();
}

export async function countOf(db: Db, constellation: string, actor: string): Promise<{ all: number; pinned: number }> {
  const row = await db
    .selectFrom("memories")
    .select((eb) => [eb.fn.countAll<number>().as("all"), eb.fn.sum<number>("pinned").as("pinned")])
    .where("constellation", "=", constellation)
    .where("actor", "=", actor)
    .executeTakeFirst();
  return { all: Number(row?.all ?? 0), pinned: Number(row?.pinned ?? 0) };
}

export interface RecallFilter {
  /** Folded; any of them. None: everything. */
  readonly words: readonly string[];
  /** undefined: everybody's. */
  readonly audiences: readonly string[] | undefined;
  readonly repository: string | undefined;
  readonly task: number | undefined;
  readonly pinned: boolean;
  readonly limit: number;
}

/** Those with the most of the words first, then pinned ones, then the newest. */
export async function recallRows(
  db: Db,
  constellation: string,
  filter: RecallFilter,
): Promise<{ total: number; rows: MemoriesTable[] }> {
  const hits = filter.words.map(
    (word) => sql<number>`case when words like ${likePattern(word)} escape '\\' then 1 else 0 end`,
  );
  const score = sql<number>`(${sql.join(hits, sql` + `)})`;
  let select = db.selectFrom("memories").where("constellation", "=", constellation);
  if (hits.length > 0) select = select.where(score, ">", 0);
  if (filter.audiences !== undefined) select = select.where("audience", "in", [...filter.audiences]);
  if (filter.pinned) select = select.where("pinned", "=", 1);
  const { repository, task } = filter;
  if (repository !== undefined)
    select = select.where((eb) => eb.or([eb("repository", "=", repository), eb("repository", "is", null)]));
  if (task !== undefined) select = select.where((eb) => eb.or([eb("task", "=", task), eb("task", "is", null)]));
  const counted = await select.select((eb) => eb.fn.countAll<number>().as("count")).executeTakeFirst();
  const rows = await (hits.length > 0 ? select.orderBy(score, "desc") : select)
    .selectAll()
    .orderBy("pinned", "desc")
    .orderBy("updated_ms", "desc")
    .orderBy("id", "desc")
    .limit(filter.limit)
    .execute();
  return { total: Number(counted?.count ?? 0), rows };
}

export async function changeMemory(db: Db, id: string, change: Partial<MemoriesTable>): Promise<void> {
  await db.updateTable("memories").set(change).where("id", "=", id).execute();
}

export async function deleteMemory(db: Db, id: string): Promise<void> {
  await db.deleteFrom("memories").where("id", "=", id).execute();
}

/** Where files that memories rest on may be looked at. */
export async function memoryPlaces(db: Db, constellation: string) {
  const worktrees = await db
    .selectFrom("worktrees")
    .select(["path", "repository", "agent"])
    .where("constellation", "=", constellation)
    .execute();
  const clones = await db
    .selectFrom("clones")
    .select(["path", "repository"])
    .where("constellation", "=", constellation)
    .orderBy("added_ms")
    .execute();
  return { worktrees, clones };
}
