// Events that agents were told of, and what the tables of others say about how each was dealt with.

import { type Kysely, sql } from "kysely";
import type { Tables } from "../../store/tables.ts";

type Db = Kysely<Tables>;

export interface ToldEvent {
  readonly id: string;
  readonly agent: string;
  readonly atMs: number;
  readonly task: number | undefined;
  readonly decision: string | undefined;
  /** The message by which it was told. */
  readonly message: string | undefined;
}

export async function toldEvents(db: Db, constellation: string, sinceMs: number, limit: number): Promise<ToldEvent[]> {
  const rows = await db
    .selectFrom("agent_notices as n")
    .innerJoin("addressed_events as e", (join) => join.on("n.cause", "=", sql<string>`'event ' || ${sql.ref("e.id")}`))
    .select(["n.id", "n.agent", "n.told_by", "e.about", "e.at_ms"])
    .where("n.constellation", "=", constellation)
    .where("n.about", "=", "event")
    .where("n.state", "=", "told")
    .where("n.told_ms", ">", sinceMs)
    .orderBy("n.told_ms", "desc")
    .limit(limit)
    .execute();
  return rows.map(({ id, agent, told_by: by, about, at_ms: atMs }) => {
    const { task, decision } = JSON.parse(about) as { task?: number; decision?: string };
    return { id, agent, atMs: Number(atMs), task, decision, message: /^message (\S+)$/.exec(by ?? "")?.[1] };
  });
}

/** Returns who was given which task, and when. */
export async function takenTasks(
  db: Db,
  constellation: string,
  tasks: readonly number[],
): Promise<{ task: number; agent: string; atMs: number }[]> {
  if (tasks.length === 0) return [];
  const rows = await db
    .selectFrom("dispatches")
    .select(["task", "agent", "delivered_ms"])
    .where("constellation", "=", constellation)
    .where("task", "in", [...new Set(tasks)])
    .where("agent", "is not", null)
    .where("delivered_ms", "is not", null)
    .execute();
  return rows.map(({ task, agent, delivered_ms: atMs }) => ({ task, agent: agent ?? "", atMs: Number(atMs) }));
}

/** Returns who accepted or rejected a decision, or put another in its place. */
export async function settledDecisions(
  db: Db,
  constellation: string,
  decisions: readonly string[],
): Promise<{ decision: string; agent: string; atMs: number; how: string }[]> {
  if (decisions.length === 0) return [];
  const subjects = [...new Set(decisions)].map((id) => `decision:${id}`);
  const rows = await db
    .selectFrom("events")
    .select(["subject", "actor", "at_ms", "type"])
    .where("constellation", "=", constellation)
    .where("subject", "in", subjects)
    .where("type", "in", ["decision.accepted", "decision.rejected", "decision.superseded"])
    .execute();
  return rows.map(({ subject, actor, at_ms: atMs, type }) => ({
    decision: (subject ?? "").slice("decision:".length),
    agent: actor,
    atMs: Number(atMs),
    how: type.slice("decision.".length),
  }));
}

/** Messages that their receiver acknowledged or answered. */
export async function acknowledgedMessages(
  db: Db,
  constellation: string,
  messages: readonly string[],
): Promise<{ message: string; agent: string; how: string }[]> {
  if (messages.length === 0) return [];
  const ids = [...new Set(messages)];
  const acked = await db
    .selectFrom("messages")
    .select(["message_id", "receiver"])
    .where("constellation", "=", constellation)
    .where("message_id", "in", ids)
    .where("state", "=", "acked")
    .execute();
  const answers = await db
    .selectFrom("messages")
    .select(["in_reply_to", "sender"])
    .where("constellation", "=", constellation)
    .where("in_reply_to", "in", ids)
    .execute();
  return [
    ...answers.map((one) => ({ message: one.in_reply_to ?? "", agent: one.sender, how: "answered" })),
    ...acked.map((one) => ({ message: one.message_id ?? "", agent: one.receiver, how: "acknowledged" })),
  ];
}
