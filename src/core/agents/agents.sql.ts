// Every question agents ask of the database.

import type { Kysely } from "kysely";
import type { Tables } from "../../store/tables.ts";
import type {
  AccountLimitsTable,
  AgentsTable,
  BudgetsReachedTable,
  SessionsTable,
  TokenUsageTable,
} from "../../store/tables/agents.ts";
import type { Spent } from "./agent.ts";
import { healthKinds } from "./health.ts";

type Db = Kysely<Tables>;

export function agentRow(db: Db, constellation: string, agent: string): Promise<AgentsTable | undefined> {
  return db
    .selectFrom("agents")
    .selectAll()
    .where("constellation", "=", constellation)
    .where("agent", "=", agent)
    .executeTakeFirst();
}

export function agentRows(db: Db, constellation: string): Promise<AgentsTable[]> {
  return db.selectFrom("agents").selectAll().where("constellation", "=", constellation).orderBy("agent").execute();
}

export async function updateAgent(
  db: Db,
  key: Pick<AgentsTable, "constellation" | "agent">,
  changes: Partial<AgentsTable>,
): Promise<void> {
  await db
    .updateTable("agents")
    .set(changes)
    .where("constellation", "=", key.constellation)
    .where("agent", "=", key.agent)
    .execute();
}

export async function deleteAgent(db: Db, key: Pick<AgentsTable, "constellation" | "agent">): Promise<void> {
  await db.deleteFrom("agents").where("constellation", "=", key.constellation).where("agent", "=", key.agent).execute();
}

export function openSessions(db: Db, constellation: string, agent: string): Promise<SessionsTable[]> {
  return db
    .selectFrom("sessions")
    .selectAll()
    .where("constellation", "=", constellation)
    .where("agent", "=", agent)
    .where("ended_ms", "is", null)
    .execute();
}

export function newestSessions(db: Db, constellation: string, agent: string, limit: number) {
  return db
    .selectFrom("sessions")
    .select(["started_ms", "ended_ms", "because", "session_id", "exit_status", "exit_signal"])
    .where("constellation", "=", constellation)
    .where("agent", "=", agent)
    .orderBy("started_ms", "desc")
    .limit(limit)
    .execute();
}

export function session(
  db: Db,
  constellation: string,
  agent: string,
  startedMs: number,
): Promise<SessionsTable | undefined> {
  return db
    .selectFrom("sessions")
    .selectAll()
    .where("constellation", "=", constellation)
    .where("agent", "=", agent)
    .where("started_ms", "=", startedMs)
    .executeTakeFirst();
}

export async function updateSession(
  db: Db,
  key: Pick<SessionsTable, "constellation" | "agent" | "started_ms">,
  changes: Partial<SessionsTable>,
): Promise<void> {
  await db
    .updateTable("sessions")
    .set(changes)
    .where("constellation", "=", key.constellation)
    .where("agent", "=", key.agent)
    .where("started_ms", "=", key.started_ms)
    .execute();
}

export function usageRow(
  db: Db,
  constellation: string,
  agent: string,
  id: string,
): Promise<TokenUsageTable | undefined> {
  return db
    .selectFrom("token_usage")
    .selectAll()
    .where("constellation", "=", constellation)
    .where("agent", "=", agent)
    .where("id", "=", id)
    .executeTakeFirst();
}

export async function updateUsage(
  db: Db,
  key: Pick<TokenUsageTable, "constellation" | "agent" | "id">,
  changes: Partial<TokenUsageTable>,
): Promise<void> {
  await db
    .updateTable("token_usage")
    .set(changes)
    .where("constellation", "=", key.constellation)
    .where("agent", "=", key.agent)
    .where("id", "=", key.id)
    .execute();
}

export type AccountLimit = Pick<AccountLimitsTable, "runtime" | "account" | "until_ms">;

export function limitsOfAccounts(db: Db, constellation: string): Promise<AccountLimit[]> {
  return db
    .selectFrom("account_limits")
    .select(["runtime", "account", "until_ms"])
    .where("constellation", "=", constellation)
    .execute();
}

export async function noteAccountLimit(db: Db, row: AccountLimitsTable): Promise<void> {
  const { until_ms, agent, seen_ms } = row;
  await db
    .insertInto("account_limits")
    .values(row)
    .onConflict((conflict) =>
      conflict.columns(["constellation", "runtime", "account"]).doUpdateSet({ until_ms, agent, seen_ms }),
    )
    .execute();
}

/** Returns what each agent spent from a moment on. Reading from the cache counts in money, not in tokens. */
export async function spentSince(db: Db, constellation: string, sinceMs: number): Promise<Map<string, Spent>> {
  const rows = await db
    .selectFrom("token_usage")
    .select(["agent"])
    .select((eb) => [
      eb.fn.sum<number>("input").as("input"),
      eb.fn.sum<number>("output").as("output"),
      eb.fn.sum<number>("cache_write").as("cache_write"),
      eb.fn.sum<number | null>("cost_micros").as("cost_micros"),
    ])
    .where("constellation", "=", constellation)
    .where("at_ms", ">=", sinceMs)
    .groupBy("agent")
    .execute();
  // Postgres gives sums of big integers as text.
  return new Map(
    rows.map((row) => [
      row.agent,
      {
        tokens: Number(row.input) + Number(row.output) + Number(row.cache_write),
        micros: Number(row.cost_micros ?? 0),
      },
    ]),
  );
}

export async function isBudgetNoted(
  db: Db,
  key: Pick<BudgetsReachedTable, "constellation" | "agent" | "day" | "kind">,
): Promise<boolean> {
  const row = await db
    .selectFrom("budgets_reached")
    .select("day")
    .where("constellation", "=", key.constellation)
    .where("agent", "=", key.agent)
    .where("day", "=", key.day)
    .where("kind", "=", key.kind)
    .executeTakeFirst();
  return row !== undefined;
}

export interface HealthNeed {
  readonly agent: string | null;
  readonly kind: string;
  readonly says: string;
  readonly since_ms: number;
}

/** Signs that agents fare badly, as the daemon noted them. */
export async function openHealth(db: Db, constellation: string): Promise<HealthNeed[]> {
  return await db
    .selectFrom("owner_needs")
    .select(["agent", "kind", "says", "since_ms"])
    .where("constellation", "=", constellation)
    .where("ended_ms", "is", null)
    .where("kind", "in", healthKinds)
    .orderBy("since_ms")
    .execute();
}

export interface MailCount {
  readonly waiting: number;
  readonly unknown: number;
}

/** Messages that have not arrived, by receiver. */
export async function mailCounts(db: Db, constellation: string): Promise<Map<string, MailCount>> {
  const rows = await db
    .selectFrom("messages")
    .select(["receiver", "state"])
    .select((eb) => eb.fn.countAll<number>().as("count"))
    .where("constellation", "=", constellation)
    .where("state", "in", ["sent", "unknown"])
    .groupBy(["receiver", "state"])
    .execute();
  const counts = new Map<string, MailCount>();
  for (const { receiver, state, count } of rows) {
    const before = counts.get(receiver) ?? { waiting: 0, unknown: 0 };
    const key = state === "unknown" ? "unknown" : "waiting";
    counts.set(receiver, { ...before, [key]: before[key] + Number(count) });
  }
  return counts;
}

export async function poisonedCount(db: Db, constellation: string): Promise<number> {
  const row = await db
    .selectFrom("messages")
    .select((eb) => eb.fn.countAll<number>().as("count"))
    .where("constellation", "=", constellation)
    .where("state", "=", "poisoned")
    .executeTakeFirst();
  return Number(row?.count ?? 0);
}

export function newestMessages(db: Db, constellation: string, agent: string, limit: number) {
  return db
    .selectFrom("messages")
    .select(["message_id", "sender", "state", "because", "sent_ms", "text"])
    .where("constellation", "=", constellation)
    .where("receiver", "=", agent)
    .orderBy("name", "desc")
    .limit(limit)
    .execute();
}

/** Of all its sessions. */
export async function usageByModel(db: Db, constellation: string, agent: string) {
  const rows = await db
    .selectFrom("token_usage")
    .select("model")
    .select((eb) => [
      eb.fn.countAll<number>().as("answers"),
      eb.fn.sum<number>("input").as("input"),
      eb.fn.sum<number>("output").as("output"),
      eb.fn.sum<number>("cache_read").as("cache_read"),
      eb.fn.sum<number>("cache_write").as("cache_write"),
      eb.fn.sum<number | null>("cost_micros").as("cost_micros"),
      eb.fn.count<number>("cost_micros").as("priced"),
    ])
    .where("constellation", "=", constellation)
    .where("agent", "=", agent)
    .groupBy("model")
    .orderBy("model")
    .execute();
  return rows.map((row) => ({
    model: row.model,
    answers: Number(row.answers),
    input: Number(row.input),
    output: Number(row.output),
    cache_read: Number(row.cache_read),
    cache_write: Number(row.cache_write),
    cost_micros: Number(row.cost_micros ?? 0),
    unpriced: Number(row.answers) - Number(row.priced),
  }));
}
