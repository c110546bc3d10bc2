// Every question about services and contracts that is asked of the database.

import type { Kysely } from "kysely";
import type { Tables } from "../../store/tables.ts";
import type { ContractUsersTable, KnownServicesTable } from "../../store/tables/services.ts";
import type { FindingsTable, WorktreesTable } from "../../store/tables/observed.ts";
import { kindsFromElsewhere } from "../findings/kinds.ts";

type Db = Kysely<Tables>;

export async function watchedRepositories(
  db: Db,
  constellation: string,
): Promise<{ identity: string; name: string; default_branch: string | null }[]> {
  return await db
    .selectFrom("repositories")
    .select(["identity", "name", "default_branch"])
    .where("constellation", "=", constellation)
    .where("wanted", "=", "observed")
    .orderBy("identity")
    .execute();
}

export async function allWorktrees(db: Db, constellation: string): Promise<WorktreesTable[]> {
  return await db
    .selectFrom("worktrees")
    .selectAll()
    .where("constellation", "=", constellation)
    .orderBy("path")
    .execute();
}

/** Returns where the worktrees went that are gone from these paths, as last told of each. */
export async function placesOfGone(
  db: Db,
  constellation: string,
  paths: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  if (paths.length === 0) return new Map();
  const rows = await db
    .selectFrom("events")
    .select("data")
    .where("constellation", "=", constellation)
    .where("type", "=", "worktree.gone")
    .where(
      "subject",
      "in",
      paths.map((path) => `worktree:${path}`),
    )
    .orderBy("seq")
    .execute();
  const told = rows.map(({ data }) => JSON.parse(data) as { readonly path: string; readonly movedTo?: string });
  const last = new Map(told.map(({ path, movedTo }) => [path, movedTo]));
  return new Map([...last].flatMap(([path, movedTo]) => (movedTo === undefined ? [] : [[path, movedTo] as const])));
}

export type OpenContractFinding = Pick<
  FindingsTable,
  "repository" | "ours_worktree" | "theirs_worktree" | "theirs_branch" | "theirs_label"
>;

export async function openContractFindings(db: Db, constellation: string): Promise<OpenContractFinding[]> {
  return await db
    .selectFrom("findings")
    .select(["repository", "ours_worktree", "theirs_worktree", "theirs_branch", "theirs_label"])
    .where("constellation", "=", constellation)
    .where("kind", "in", [...kindsFromElsewhere])
    .where("state", "in", ["open", "dismissed"])
    .execute();
}

export async function keptGraph(
  db: Db,
  constellation: string,
): Promise<{ services: KnownServicesTable[]; users: ContractUsersTable[] }> {
  const services = db.selectFrom("known_services").selectAll().where("constellation", "=", constellation);
  const users = db.selectFrom("contract_users").selectAll().where("constellation", "=", constellation);
  return { services: await services.execute(), users: await users.execute() };
}

export async function replaceGraph(
  tx: { readonly db: Db; readonly nowMs: number },
  constellation: string,
  rows: { readonly services: readonly KnownServicesTable[]; readonly users: readonly ContractUsersTable[] },
): Promise<void> {
  await tx.db.deleteFrom("known_services").where("constellation", "=", constellation).execute();
  await tx.db.deleteFrom("contract_users").where("constellation", "=", constellation).execute();
  for (const part of inParts(rows.services))
    await tx.db.insertInto("known_services").values(seenAt(part, tx)).execute();
  for (const part of inParts(rows.users)) await tx.db.insertInto("contract_users").values(seenAt(part, tx)).execute();
}

const seenAt = <Row>(rows: readonly Row[], { nowMs }: { readonly nowMs: number }) =>
  rows.map((row) => ({ ...row, seen_ms: nowMs }));

/** A statement takes a limited number of values. */
const rowsAtOnce = 500;

function inParts<Row>(rows: readonly Row[]): Row[][] {
  const count = Math.ceil(rows.length / rowsAtOnce);
  return Array.from({ length: count }, (_, at) => rows.slice(at * rowsAtOnce, (at + 1) * rowsAtOnce));
}
