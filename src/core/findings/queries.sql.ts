// Findings as people look at them.

import type { Kysely } from "kysely";
import type { Tables } from "../../store/tables.ts";
import type { FindingsTable } from "../../store/tables/observed.ts";

type Db = Kysely<Tables>;

export type ListedFinding = Pick<
  FindingsTable,
  | "id"
  | "kind"
  | "severity"
  | "repository"
  | "ours_label"
  | "ours_worktree"
  | "ours_branch"
  | "theirs_label"
  | "theirs_worktree"
  | "theirs_branch"
  | "title"
  | "action"
  | "files"
  | "symbols"
  | "state"
  | "opened_ms"
  | "updated_ms"
  | "dismissed_reason"
  | "dismissed_scope"
> & { repository_name: string };

/** Open findings that are more than context; with `all` also context and those that are dismissed. */
export async function listedFindings(
  db: Db,
  constellation: string,
  filter: { readonly repository?: string | undefined; readonly all: boolean },
): Promise<ListedFinding[]> {
  let select = db
    .selectFrom("findings")
    .innerJoin("repositories", (join) =>
      join
        .onRef("repositories.identity", "=", "findings.repository")
        .onRef("repositories.constellation", "=", "findings.constellation"),
    )
    .where("findings.constellation", "=", constellation)
    .where("state", "in", filter.all ? ["open", "dismissed"] : ["open"]);
  if (!filter.all) select = select.where("severity", "<>", "context");
  if (filter.repository !== undefined) select = select.where("findings.repository", "=", filter.repository);
  return await select
    .select([
      "findings.id",
      "findings.kind",
      "findings.severity",
      "findings.repository",
      "repositories.name as repository_name",
      "findings.ours_label",
      "findings.ours_worktree",
      "findings.ours_branch",
      "findings.theirs_label",
      "findings.theirs_worktree",
      "findings.theirs_branch",
      "findings.title",
      "findings.action",
      "findings.files",
      "findings.symbols",
      "findings.state",
      "findings.opened_ms",
      "findings.updated_ms",
      "findings.dismissed_reason",
      "findings.dismissed_scope",
    ])
    .execute();
}

export async function repositoryName(
  db: Db,
  { constellation, repository }: Pick<FindingsTable, "constellation" | "repository">,
): Promise<string | undefined> {
  const row = await db
    .selectFrom("repositories")
    .select("name")
    .where("constellation", "=", constellation)
    .where("identity", "=", repository)
    .executeTakeFirst();
  return row?.name;
}

/** Those whose id is the word or ends with it. */
export async function findingsNamed(db: Db, constellation: string, word: string): Promise<FindingsTable[]> {
  return await db
    .selectFrom("findings")
    .selectAll()
    .where("constellation", "=", constellation)
    .where((eb) => eb.or([eb("id", "=", word), eb("id", "like", `%${word.replaceAll("_", "")}`)]))
    .limit(20)
    .execute();
}

/** The worktrees at these paths: who works there, and whether all is committed. */
export async function worktreesAt(db: Db, constellation: string, paths: readonly string[]) {
  if (paths.length === 0) return [];
  return await db
    .selectFrom("worktrees")
    .select(["path", "agent", "uncommitted"])
    .where("constellation", "=", constellation)
    .where("path", "in", [...paths])
    .execute();
}

/** The tasks whose workspaces are at these paths. */
export async function workspaceTasks(db: Db, constellation: string, paths: readonly string[]) {
  if (paths.length === 0) return [];
  return await db
    .selectFrom("workspaces")
    .innerJoin("tasks", (join) =>
      join.onRef("tasks.number", "=", "workspaces.task").onRef("tasks.constellation", "=", "workspaces.constellation"),
    )
    .select(["workspaces.path", "tasks.number", "tasks.agent"])
    .where("workspaces.constellation", "=", constellation)
    .where("workspaces.state", "<>", "removed")
    .where("workspaces.path", "in", [...paths])
    .execute();
}
