// Open findings as the lists and the plan of landing need them, and the readiness that follows from them.

import { type Kysely, sql } from "kysely";
import { notByIndex } from "../../store/not-by-index.ts";
import type { Tables } from "../../store/tables.ts";
import type { FindingsTable } from "../../store/tables/observed.ts";

type Db = Kysely<Tables>;

/** By repository. What is only context does not count. */
export async function countOpenFindings(db: Db, constellation: string): Promise<Map<string, number>> {
  const rows = await db
    .selectFrom("findings")
    .select((eb) => ["repository", eb.fn.countAll().as("count")])
    .where("constellation", "=", constellation)
    .where("state", "=", "open")
    .where("severity", "<>", "context")
    .groupBy([notByIndex("repository"), "repository"])
    .execute();
  return new Map(rows.map(({ repository, count }) => [repository, Number(count)]));
}

export interface Readiness {
  readonly worktree: string;
  readonly branch: string | null;
  readonly agent: string | null;
  readonly score: number;
  readonly reasons: string;
  readonly open_pairs: number;
}

export async function readinessIn(db: Db, constellation: string, repository: string): Promise<Readiness[]> {
  const { rows } = await sql<Readiness>`select worktree, branch, agent, score, reasons, open_pairs
    from merge_readiness where constellation = ${constellation} and repository_id = ${repository}`.execute(db);
  return rows;
}

/** Edits of what another agent has claimed. */
export async function openTrespasses(
  db: Db,
  constellation: string,
  repository: string,
): Promise<Pick<FindingsTable, "ours_worktree" | "theirs_worktree" | "evidence">[]> {
  return await db
    .selectFrom("findings")
    .select(["ours_worktree", "theirs_worktree", "evidence"])
    .where("constellation", "=", constellation)
    .where("repository", "=", repository)
    .where("state", "=", "open")
    .where("kind", "=", "claim")
    .execute();
}

/** Open findings that are more than context. */
export async function openClashes(
  db: Db,
  constellation: string,
  repository: string,
): Promise<Pick<FindingsTable, "ours_worktree" | "theirs_worktree" | "kind" | "severity">[]> {
  return await db
    .selectFrom("findings")
    .select(["ours_worktree", "theirs_worktree", "kind", "severity"])
    .where("constellation", "=", constellation)
    .where("repository", "=", repository)
    .where("state", "=", "open")
    .where("severity", "<>", "context")
    .execute();
}

/** Contracts that a worktree of one repository breaks and one of another uses: ours uses, theirs breaks. */
export async function brokenContracts(
  db: Db,
  constellation: string,
): Promise<Pick<FindingsTable, "ours_worktree" | "theirs_worktree" | "ours_label" | "theirs_label">[]> {
  return await db
    .selectFrom("findings")
    .select(["ours_worktree", "theirs_worktree", "ours_label", "theirs_label"])
    .where("constellation", "=", constellation)
    .where("kind", "=", "contract")
    .where("state", "=", "open")
    .where("severity", "<>", "context")
    .execute();
}

/** A specification that cannot be read is nobody's alarm, and still nothing is known of what it breaks. */
export async function unreadContracts(
  db: Db,
  constellation: string,
): Promise<Pick<FindingsTable, "repository" | "title">[]> {
  return await db
    .selectFrom("findings")
    .select(["repository", "title"])
    .where("constellation", "=", constellation)
    .where("kind", "=", "contract")
    .where("severity", "=", "context")
    .where("state", "=", "open")
    .orderBy("title")
    .execute();
}
