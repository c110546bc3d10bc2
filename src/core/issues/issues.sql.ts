// Every question about issues that become tasks.

import type { Kysely } from "kysely";
import type { Tx } from "../../store/group-commit.ts";
import type { Tables } from "../../store/tables.ts";
import type { IssueFollowsTable, IssueTasksTable } from "../../store/tables/issues.ts";

type Db = Kysely<Tables>;

/** The oldest first. */
export function followsOf(db: Db, constellation: string, all: boolean): Promise<IssueFollowsTable[]> {
  let select = db.selectFrom("issue_follows").selectAll().where("constellation", "=", constellation);
  if (!all) select = select.where("ended_ms", "is", null);
  return select.orderBy("created_ms").orderBy("id").execute();
}

export function findFollow(db: Db, constellation: string, id: string): Promise<IssueFollowsTable[]> {
  return db
    .selectFrom("issue_follows")
    .selectAll()
    .where("constellation", "=", constellation)
    .where((eb) => eb.or([eb("id", "=", id), eb("id", "like", `%${id.replaceAll(/[%_]/g, "")}`)]))
    .execute();
}

export async function updateFollow(tx: Tx, id: string, change: Partial<IssueFollowsTable>): Promise<void> {
  await tx.db.updateTable("issue_follows").set(change).where("id", "=", id).execute();
}

export type FollowedTask = IssueTasksTable & { readonly task_state: string; readonly task_reason: string | null };

/** Every issue of a follow that became a task, with where the task stands. */
export function tasksOfFollow(db: Db, constellation: string, follow: string): Promise<FollowedTask[]> {
  return db
    .selectFrom("issue_tasks")
    .innerJoin("tasks", (join) =>
      join
        .onRef("tasks.constellation", "=", "issue_tasks.constellation")
        .onRef("tasks.number", "=", "issue_tasks.task"),
    )
    .selectAll("issue_tasks")
    .select(["tasks.state as task_state", "tasks.reason as task_reason"])
    .where("issue_tasks.constellation", "=", constellation)
    .where("issue_tasks.follow", "=", follow)
    .orderBy("issue_tasks.issue")
    .execute();
}

/** Those whose task has changed since its comment was looked at, and whose time has come. */
export function dueComments(db: Db, constellation: string, nowMs: number, limit: number) {
  return db
    .selectFrom("issue_tasks")
    .innerJoin("issue_follows", "issue_follows.id", "issue_tasks.follow")
    .innerJoin("tasks", (join) =>
      join
        .onRef("tasks.constellation", "=", "issue_tasks.constellation")
        .onRef("tasks.number", "=", "issue_tasks.task"),
    )
    .selectAll("issue_tasks")
    .select([
      "issue_follows.origin",
      "tasks.state as task_state",
      "tasks.updated_ms as task_updated_ms",
      "tasks.landed_sha",
    ])
    .where("issue_tasks.constellation", "=", constellation)
    .where("issue_follows.ended_ms", "is", null)
    .where((eb) => eb.or([eb("issue_tasks.retry_ms", "is", null), eb("issue_tasks.retry_ms", "<=", nowMs)]))
    .where((eb) =>
      eb.or([eb("issue_tasks.told", "is", null), eb("tasks.updated_ms", ">", eb.ref("issue_tasks.seen_ms"))]),
    )
    .orderBy("tasks.updated_ms")
    .orderBy("issue_tasks.task")
    .limit(limit)
    .execute();
}

type Key = Pick<IssueTasksTable, "constellation" | "follow" | "issue">;

export async function updateIssueTask(tx: Tx, key: Key, change: Partial<IssueTasksTable>): Promise<void> {
  await tx.db
    .updateTable("issue_tasks")
    .set(change)
    .where("constellation", "=", key.constellation)
    .where("follow", "=", key.follow)
    .where("issue", "=", key.issue)
    .execute();
}

export async function isTaken(tx: Tx, key: Key): Promise<boolean> {
  const row = await tx.db
    .selectFrom("issue_tasks")
    .select("task")
    .where("constellation", "=", key.constellation)
    .where("follow", "=", key.follow)
    .where("issue", "=", key.issue)
    .executeTakeFirst();
  return row !== undefined;
}

/** The issues that a task was made from. */
export function issuesOfTask(
  db: Db,
  constellation: string,
  task: number,
): Promise<Pick<IssueTasksTable & IssueFollowsTable, "issue" | "origin" | "url">[]> {
  return db
    .selectFrom("issue_tasks")
    .innerJoin("issue_follows", "issue_follows.id", "issue_tasks.follow")
    .select(["issue_tasks.issue", "issue_follows.origin", "issue_tasks.url"])
    .where("issue_tasks.constellation", "=", constellation)
    .where("issue_tasks.task", "=", task)
    .orderBy("issue_tasks.created_ms")
    .execute();
}
