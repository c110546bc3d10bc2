// Every question decisions ask of the database.

import type { Kysely } from "kysely";
import type { Tables } from "../../store/tables.ts";
import type { DecisionsTable } from "../../store/tables/told.ts";

type Db = Kysely<Tables>;

/** By its id, or by the end of it. */
export async function decisionsCalled(db: Db, constellation: string, word: string): Promise<DecisionsTable[]> {
  if (!/^[0-9a-z_]{4,40}$/.test(word)) return [];
  const rows = await db
    .selectFrom("decisions")
    .selectAll()
    .where("constellation", "=", constellation)
    .where((eb) => eb.or([eb("id", "=", word), eb("id", "like", `%${word.replaceAll("_", "")}`)]))
    .limit(20)
    .execute();
  const exact = rows.filter(({ id }) => id === word);
  return exact.length > 0 ? exact : rows;
}

export interface DecisionFilter {
  readonly states: readonly string[];
  readonly repository?: string | undefined;
  readonly service?: string | undefined;
  readonly task?: number | undefined;
}

/** The newest first, at most so many. What names no repository holds in every one. */
export async function newestDecisions(
  db: Db,
  constellation: string,
  filter: DecisionFilter,
  limit: number,
): Promise<DecisionsTable[]> {
  let select = db
    .selectFrom("decisions")
    .selectAll()
    .where("constellation", "=", constellation)
    .where("state", "in", [...filter.states])
    .orderBy("recorded_ms", "desc")
    .orderBy("id", "desc")
    .limit(limit);
  const { repository, service, task } = filter;
  if (repository !== undefined)
    select = select.where((eb) => eb.or([eb("repository", "=", repository), eb("repository", "is", null)]));
  if (service !== undefined) select = select.where("service", "=", service);
  if (task !== undefined) select = select.where("task", "=", task);
  return await select.execute();
}

export async function changeDecision(db: Db, id: string, change: Partial<DecisionsTable>): Promise<void> {
  await db.updateTable("decisions").set(change).where("id", "=", id).execute();
}
