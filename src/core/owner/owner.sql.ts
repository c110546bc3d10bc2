// Asks the database what needs the owner.

import { type Kysely, sql } from "kysely";
import { notByIndex } from "../../store/not-by-index.ts";
import type { Tables } from "../../store/tables.ts";
import type { OwnerDirectivesTable, OwnerNeedsTable } from "../../store/tables/night.ts";

type Db = Kysely<Tables>;

export interface TaskInHand {
  readonly number: number;
  readonly agent: string;
  /** The assignment: `delivered`, or how far its brief has come. */
  readonly brief: string;
  /** Since when the agent has it. */
  readonly sinceMs: number;
}

/** Tasks that wait for somebody: to be landed, looked at, or given out once more. */
export async function waitingTasks(db: Db, constellation: string) {
  return await db
    .selectFrom("tasks")
    .select(["number", "title", "state", "agent", "reason", "updated_ms"])
    .where("constellation", "=", constellation)
    .where("state", "in", ["ready", "needs_review", "taken_back"])
    .where((eb) =>
      eb.or([
        eb("state", "<>", "ready"),
        eb.not(
          // A pull request says by itself when a person is wanted.
          eb.exists(
            eb
              .selectFrom("pull_requests")
              .select("pull_requests.id")
              .where("pull_requests.ended_ms", "is", null)
              .whereRef("pull_requests.constellation", "=", "tasks.constellation")
              .whereRef("pull_requests.task", "=", "tasks.number"),
          ),
        ),
      ]),
    )
    .orderBy("number")
    .limit(200)
    .execute();
}

/** Unfinished tasks that agents have, each with how far its newest open assignment has come. */
export async function tasksInHand(db: Db, constellation: string): Promise<TaskInHand[]> {
  const rows = await db
    .selectFrom("tasks")
    .leftJoin("dispatches", (join) =>
      join
        .onRef("dispatches.task", "=", "tasks.number")
        .onRef("dispatches.constellation", "=", "tasks.constellation")
        .onRef("dispatches.agent", "=", "tasks.agent")
        .on("dispatches.ended_ms", "is", null),
    )
    .select(["tasks.number", "tasks.agent", "tasks.started_ms", "tasks.updated_ms"])
    .select(["dispatches.state as brief", "dispatches.asked_ms", "dispatches.delivered_ms"])
    .where("tasks.constellation", "=", constellation)
    .where("tasks.state", "=", "in_progress")
    .where("tasks.agent", "is not", null)
    .orderBy("tasks.number")
    .execute();
  return rows.flatMap(({ number, agent, brief, delivered_ms, asked_ms, started_ms, updated_ms }) => {
    if (agent === null) return [];
    const sinceMs = Number(delivered_ms ?? asked_ms ?? started_ms ?? updated_ms);
    return [{ number, agent, brief: brief ?? "delivered", sinceMs }];
  });
}

/** Tasks that are being landed need nobody. */
export async function tasksBeingLanded(db: Db, constellation: string): Promise<Set<number>> {
  const rows = await db
    .selectFrom("harvests")
    .select("task")
    .where(notByIndex("constellation"), "=", constellation)
    .where("ended_ms", "is", null)
    .execute();
  return new Set(rows.map(({ task }) => task));
}

/** What the agent's last answer since its launch read, all of it: that much of its context is filled. */
export async function lastRead(
  db: Db,
  constellation: string,
  agent: string,
  sinceMs: number,
): Promise<{ tokens: number; atMs: number } | undefined> {
  const row = await db
    .selectFrom("token_usage")
    .select(["input", "cache_read", "cache_write", "at_ms"])
    .where("constellation", "=", constellation)
    .where("agent", "=", agent)
    .where("at_ms", ">=", sinceMs)
    .orderBy("at_ms", "desc")
    .limit(1)
    .executeTakeFirst();
  if (row === undefined) return undefined;
  return { tokens: row.input + row.cache_read + row.cache_write, atMs: row.at_ms };
}

/** The scope that a task declares, its workspaces, and when one of them last changed, as far as they are watched. */
export async function workOf(
  db: Db,
  constellation: string,
  task: number,
): Promise<{ scope: string; places: string[]; changedMs: number | undefined }> {
  const { scope } = await db
    .selectFrom("tasks")
    .select("scope")
    .where("constellation", "=", constellation)
    .where("number", "=", task)
    .executeTakeFirstOrThrow();
  const spaces = await db
    .selectFrom("workspaces")
    .leftJoin("worktrees", (join) =>
      join
        .onRef("worktrees.constellation", "=", "workspaces.constellation")
        .onRef("worktrees.path", "=", "workspaces.path"),
    )
    .select(["workspaces.path", "worktrees.changed_ms"])
    .where("workspaces.constellation", "=", constellation)
    .where("workspaces.task", "=", task)
    .where("workspaces.state", "=", "ready")
    .execute();
  const changes = spaces.flatMap(({ changed_ms: changedMs }) => changedMs ?? []);
  return {
    scope,
    places: spaces.map(({ path }) => path),
    changedMs: changes.length === 0 ? undefined : Math.max(...changes),
  };
}

/** Whoever gave the task out last. */
export async function whoGave(db: Db, constellation: string, task: number): Promise<string | undefined> {
  const row = await db
    .selectFrom("task_events")
    .select("actor")
    .where("constellation", "=", constellation)
    .where("task", "=", task)
    .where("type", "in", ["dispatched", "queued"])
    .where("actor", "<>", "daemon")
    .orderBy("seq", "desc")
    .limit(1)
    .executeTakeFirst();
  return row?.actor;
}

/** Open tasks whose last dispatch failed. */
export async function failedDispatches(db: Db, constellation: string) {
  return await db
    .selectFrom("tasks")
    .innerJoin("dispatches", (join) =>
      join.onRef("dispatches.task", "=", "tasks.number").onRef("dispatches.constellation", "=", "tasks.constellation"),
    )
    .select(["tasks.number", "tasks.title", "dispatches.problem", "dispatches.agent", "dispatches.ended_ms"])
    .where("tasks.constellation", "=", constellation)
    .where("tasks.state", "in", ["open", "queued"])
    .where("dispatches.state", "=", "failed")
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom("dispatches as later")
            .select("later.id")
            .whereRef("later.constellation", "=", "dispatches.constellation")
            .whereRef("later.task", "=", "dispatches.task")
            .whereRef("later.fencing_token", ">", "dispatches.fencing_token"),
        ),
      ),
    )
    .orderBy("tasks.number")
    .limit(200)
    .execute();
}

/** Schedules whose last firing failed, with what it said. */
export async function failedFirings(db: Db, constellation: string) {
  return await db
    .selectFrom("firings")
    .innerJoin("schedules", (join) =>
      join
        .onRef("schedules.label", "=", "firings.label")
        .onRef("schedules.kind", "=", "firings.kind")
        .onRef("schedules.constellation", "=", "firings.constellation"),
    )
    .select(["firings.key", "firings.kind", "firings.label", "firings.detail", "firings.ended_ms"])
    .where("firings.constellation", "=", constellation)
    .where("firings.state", "=", "failed")
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom("firings as later")
            .select("later.key")
            .whereRef("later.constellation", "=", "firings.constellation")
            .whereRef("later.kind", "=", "firings.kind")
            .whereRef("later.label", "=", "firings.label")
            .whereRef("later.at_ms", ">", "firings.at_ms"),
        ),
      ),
    )
    .orderBy("firings.label")
    .limit(200)
    .execute();
}

/** Loops that gave up because nobody could tell whether they are done. */
export async function unansweredLoops(db: Db, constellation: string) {
  return await db
    .selectFrom("schedules")
    .select(["label", "ended_why", "ended_ms"])
    .where("constellation", "=", constellation)
    .where("kind", "=", "loop")
    .where("ended_why", "like", "its % command could not be run%")
    .execute();
}

/** Prompts of schedules that wait for an agent which nobody wants up: each would wait for ever. */
export async function firingsWithoutAgent(db: Db, constellation: string) {
  const waiting = await db
    .selectFrom("firings")
    .innerJoin("schedules", (join) =>
      join
        .onRef("schedules.label", "=", "firings.label")
        .onRef("schedules.kind", "=", "firings.kind")
        .onRef("schedules.constellation", "=", "firings.constellation"),
    )
    .select(["firings.key", "firings.label", "firings.action", "firings.at_ms"])
    .where("firings.constellation", "=", constellation)
    .where("firings.state", "=", "waiting")
    .orderBy("firings.label")
    .limit(200)
    .execute();
  if (waiting.length === 0) return [];
  const known = await db
    .selectFrom("agents")
    .select(["agent", "wanted"])
    .where("constellation", "=", constellation)
    .execute();
  const wanted = new Map(known.map((one) => [one.agent, one.wanted]));
  return waiting.flatMap(({ action, ...firing }) => {
    const { agent } = JSON.parse(action) as { agent?: string };
    if (agent === undefined || wanted.get(agent) === "up") return [];
    return [{ ...firing, agent, wanted: wanted.get(agent) }];
  });
}

/** By how much the clock is behind what crons have seen; 0 when it is not. */
export async function clockBehind(db: Db, constellation: string): Promise<number> {
  const row = await db
    .selectFrom("schedules")
    .select((eb) => eb.fn.max("behind_ms").as("behind"))
    .where("constellation", "=", constellation)
    .where("paused", "=", 0)
    .executeTakeFirst();
  return Number(row?.behind ?? 0);
}

export function openNeeds(db: Db, constellation: string): Promise<OwnerNeedsTable[]> {
  return db
    .selectFrom("owner_needs")
    .selectAll()
    .where("constellation", "=", constellation)
    .where("ended_ms", "is", null)
    .orderBy("since_ms")
    .orderBy("key")
    .execute();
}

export function needRow(db: Db, constellation: string, key: string): Promise<OwnerNeedsTable | undefined> {
  return db
    .selectFrom("owner_needs")
    .selectAll()
    .where("constellation", "=", constellation)
    .where("key", "=", key)
    .executeTakeFirst();
}

export async function updateNeed(
  db: Db,
  constellation: string,
  key: string,
  changes: Partial<OwnerNeedsTable>,
): Promise<void> {
  await db
    .updateTable("owner_needs")
    .set(changes)
    .where("constellation", "=", constellation)
    .where("key", "=", key)
    .execute();
}

export function directiveRow(
  db: Db,
  constellation: string,
  sourceKey: string,
): Promise<OwnerDirectivesTable | undefined> {
  return db
    .selectFrom("owner_directives")
    .selectAll()
    .where("constellation", "=", constellation)
    .where("source_key", "=", sourceKey)
    .executeTakeFirst();
}

export async function updateDirective(db: Db, id: string, became: string): Promise<void> {
  await db.updateTable("owner_directives").set({ became }).where("id", "=", id).execute();
}

/** Returns how far a channel was read; 0 at first. */
export async function readUpTo(db: Db, name: string): Promise<number> {
  const row = await db.selectFrom("meta").select("value").where("key", "=", name).executeTakeFirst();
  return Number(row?.value ?? 0);
}

export async function noteReadUpTo(db: Db, name: string, value: number): Promise<void> {
  const text = String(value);
  await db
    .insertInto("meta")
    .values({ key: name, value: text })
    .onConflict((conflict) => conflict.column("key").doUpdateSet({ value: text }))
    .execute();
}

/** Each table with the time at which a row is over; a row without one is not over. */
const overAt = [
  ["approvals", "answered_ms"],
  ["firings", "ended_ms"],
  ["owner_needs", "ended_ms"],
  ["owner_directives", "at_ms"],
] as const;

export async function hasOld(db: Db, constellation: string, beforeMs: number): Promise<boolean> {
  for (const [table, column] of overAt) {
    const { rows } = await sql`select 1 from ${sql.table(table)} where constellation = ${constellation}
      and ${sql.ref(column)} < ${beforeMs} limit 1`.execute(db);
    if (rows.length > 0) return true;
  }
  return false;
}

export async function forgetBefore(db: Db, constellation: string, beforeMs: number): Promise<void> {
  for (const [table, column] of overAt) {
    await sql`delete from ${sql.table(table)} where constellation = ${constellation}
      and ${sql.ref(column)} < ${beforeMs}`.execute(db);
  }
}
