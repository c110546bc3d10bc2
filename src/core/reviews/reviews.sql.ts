// Every question reviews ask of the database.

import type { Kysely } from "kysely";
import { Refusal } from "../../protocol/errors.ts";
import type { Tx } from "../../store/group-commit.ts";
import type { Tables } from "../../store/tables.ts";
import type { ReviewsTable, TasksTable, WorkspacesTable } from "../../store/tables/tasks.ts";

type Db = Kysely<Tables>;

export interface TaskWithSpaces {
  readonly task: TasksTable;
  readonly spaces: readonly WorkspacesTable[];
}

/** Refused when there is no such task. */
export async function taskWithSpaces(db: Db, constellation: string, number: number): Promise<TaskWithSpaces> {
  const task = await db
    .selectFrom("tasks")
    .selectAll()
    .where("constellation", "=", constellation)
    .where("number", "=", number)
    .executeTakeFirst();
  if (task === undefined) throw new Refusal("task.unknown", `there is no task ${number}`, { task: number });
  const spaces = await db
    .selectFrom("workspaces")
    .selectAll()
    .where("constellation", "=", constellation)
    .where("task", "=", number)
    .orderBy("created_ms")
    .orderBy("port_first")
    .orderBy("id")
    .execute();
  return { task, spaces };
}

/** Oldest first. */
export async function reviewsOf(db: Db, constellation: string, task: number): Promise<ReviewsTable[]> {
  return await db
    .selectFrom("task_reviews")
    .selectAll()
    .where("constellation", "=", constellation)
    .where("task", "=", task)
    .orderBy("asked_ms")
    .orderBy("id")
    .execute();
}

/** Newest first. `open`: not answered, and of what is ready now as far as the row says. */
export async function listedReviews(
  db: Db,
  constellation: string,
  filter: { readonly task?: number | undefined; readonly reviewer?: string | undefined; readonly open: boolean },
): Promise<ReviewsTable[]> {
  let select = db.selectFrom("task_reviews").selectAll().where("constellation", "=", constellation);
  if (filter.task !== undefined) select = select.where("task", "=", filter.task);
  if (filter.reviewer !== undefined) select = select.where("reviewer", "=", filter.reviewer);
  if (filter.open) select = select.where("state", "=", "asked").where("stale_ms", "is", null);
  return await select.orderBy("asked_ms", "desc").orderBy("id", "desc").execute();
}

/** Those that an agent has not been told of. */
export async function untoldReviews(db: Db, constellation: string): Promise<ReviewsTable[]> {
  return await db
    .selectFrom("task_reviews")
    .selectAll()
    .where("constellation", "=", constellation)
    .where("state", "=", "asked")
    .where("told_ms", "is", null)
    .where("stale_ms", "is", null)
    .orderBy("asked_ms")
    .execute();
}

export async function findReview(db: Db, constellation: string, id: string): Promise<ReviewsTable | undefined> {
  return await db
    .selectFrom("task_reviews")
    .selectAll()
    .where("constellation", "=", constellation)
    .where("id", "=", id)
    .executeTakeFirst();
}

export async function updateReview(db: Db, id: string, change: Partial<ReviewsTable>): Promise<void> {
  await db.updateTable("task_reviews").set(change).where("id", "=", id).execute();
}

/** Inside a job: every review of another head is about what is not ready any more. */
export async function markStale(tx: Tx, constellation: string, task: number, head: string | undefined): Promise<void> {
  let update = tx.db
    .updateTable("task_reviews")
    .set({ stale_ms: tx.nowMs })
    .where("constellation", "=", constellation)
    .where("task", "=", task)
    .where("stale_ms", "is", null);
  if (head !== undefined) update = update.where("head", "<>", head);
  await update.execute();
  if (head === undefined) return;
  // The same commits are ready again: what was said of them holds.
  await tx.db
    .updateTable("task_reviews")
    .set({ stale_ms: null })
    .where("constellation", "=", constellation)
    .where("task", "=", task)
    .where("head", "=", head)
    .execute();
}

/** Tasks that are ready, or came back, and of which a review was asked for at some time. */
export async function reviewedTasks(db: Db, constellation: string): Promise<number[]> {
  const rows = await db
    .selectFrom("task_reviews")
    .innerJoin("tasks", (join) =>
      join
        .onRef("tasks.number", "=", "task_reviews.task")
        .onRef("tasks.constellation", "=", "task_reviews.constellation"),
    )
    .select("tasks.number")
    .distinct()
    .where("tasks.constellation", "=", constellation)
    .where("tasks.state", "in", ["ready", "needs_review"])
    .execute();
  return rows.map(({ number }) => number);
}

/** Agents that were given the task at some time. */
export async function agentsGiven(db: Db, constellation: string, task: number): Promise<string[]> {
  const rows = await db
    .selectFrom("dispatches")
    .select("agent")
    .distinct()
    .where("constellation", "=", constellation)
    .where("task", "=", task)
    .execute();
  return rows.flatMap(({ agent }) => (agent === null ? [] : [agent]));
}

/** Agents whose hooks told of an edit in one of these worktrees. */
export async function editorsIn(db: Db, constellation: string, paths: readonly string[]): Promise<string[]> {
  if (paths.length === 0) return [];
  const rows = await db
    .selectFrom("workplaces")
    .select("agent")
    .distinct()
    .where("constellation", "=", constellation)
    .where("worktree", "in", [...paths])
    .execute();
  return rows.map(({ agent }) => agent);
}

/** The actors of these events of a task, with what each says. */
export async function actorsOf(
  db: Db,
  constellation: string,
  { task, types }: { readonly task: number; readonly types: readonly string[] },
): Promise<{ actor: string; type: string; data: string }[]> {
  return await db
    .selectFrom("task_events")
    .select(["actor", "type", "data"])
    .where("constellation", "=", constellation)
    .where("task", "=", task)
    .where("type", "in", [...types])
    .execute();
}

/** Agents that are wanted up, whoever they are, and that say they can do this. */
export async function capableAgents(
  db: Db,
  constellation: string,
  capability: string,
): Promise<{ agent: string; seen: string }[]> {
  return await db
    .selectFrom("subscriptions")
    .innerJoin("agents", (join) =>
      join
        .onRef("agents.agent", "=", "subscriptions.agent")
        .onRef("agents.constellation", "=", "subscriptions.constellation"),
    )
    .select(["agents.agent", "agents.seen"])
    .distinct()
    .where("agents.constellation", "=", constellation)
    .where("agents.wanted", "=", "up")
    .where("subscriptions.what", "=", "capability")
    .where("subscriptions.value", "=", capability)
    .execute();
}

export async function isAgent(db: Db, constellation: string, agent: string): Promise<boolean> {
  const row = await db
    .selectFrom("agents")
    .select("agent")
    .where("constellation", "=", constellation)
    .where("agent", "=", agent)
    .where("role", "<>", "ticker")
    .executeTakeFirst();
  return row !== undefined;
}

/** The number of reviews that each agent has not answered. */
export async function askedOf(db: Db, constellation: string): Promise<Map<string, number>> {
  const rows = await db
    .selectFrom("task_reviews")
    .select(["reviewer", (eb) => eb.fn.countAll<number>().as("count")])
    .where("constellation", "=", constellation)
    .where("state", "=", "asked")
    .where("stale_ms", "is", null)
    .groupBy("reviewer")
    .execute();
  return new Map(rows.map(({ reviewer, count }) => [reviewer, Number(count)]));
}
