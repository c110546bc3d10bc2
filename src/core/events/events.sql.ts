// Every question that published events ask of the database.

import type { Kysely } from "kysely";
import type { Tables } from "../../store/tables.ts";
import type { ApprovalsTable } from "../../store/tables/night.ts";
import type { DeliveriesTable, PublishedTable } from "../../store/tables/told.ts";

type Db = Kysely<Tables>;

export async function publishedBefore(
  db: Db,
  constellation: string,
  actor: string,
  key: string,
): Promise<PublishedTable | undefined> {
  return await db
    .selectFrom("published")
    .selectAll()
    .where("constellation", "=", constellation)
    .where("actor", "=", actor)
    .where("key", "=", key)
    .executeTakeFirst();
}

/** Of these agents, those that constel has seen: started by it, at work in a worktree, or callers over MCP. */
export async function knownAmong(db: Db, constellation: string, agents: readonly string[]): Promise<Set<string>> {
  if (agents.length === 0) return new Set();
  const wanted = [...agents];
  const started = await db
    .selectFrom("agents")
    .select("agent")
    .where("constellation", "=", constellation)
    .where("agent", "in", wanted)
    .execute();
  const atWork = await db
    .selectFrom("worktrees")
    .select("agent")
    .where("constellation", "=", constellation)
    .where("agent", "in", wanted)
    .execute();
  const called = await db
    .selectFrom("mcp_tool_calls")
    .select("agent")
    .distinct()
    .where("constellation", "=", constellation)
    .where("agent", "in", wanted)
    .execute();
  return new Set([...started, ...atWork, ...called].flatMap(({ agent }) => agent ?? []));
}

/** Neither database takes any number of values in one statement. */
const rowsAtOnce = 400;

/** All copies in the caller's transaction: an event for a thousand agents is one durable write. */
export async function insertDeliveries(db: Db, rows: readonly DeliveriesTable[]): Promise<void> {
  for (let from = 0; from < rows.length; from += rowsAtOnce) {
    await db
      .insertInto("deliveries")
      .values(rows.slice(from, from + rowsAtOnce))
      .execute();
  }
}

export interface WaitingDelivery extends DeliveriesTable {
  readonly type: string;
  readonly severity: string;
  readonly actor: string;
  readonly text: string;
  readonly fields: string;
  readonly task: number | null;
}

export async function waitingDeliveries(db: Db, constellation: string, limit: number): Promise<WaitingDelivery[]> {
  return await db
    .selectFrom("deliveries")
    .innerJoin("published", "published.id", "deliveries.event")
    .selectAll("deliveries")
    .select([
      "published.type",
      "published.severity",
      "published.actor",
      "published.text",
      "published.fields",
      "published.task",
    ])
    .where("deliveries.constellation", "=", constellation)
    .where("deliveries.state", "=", "waiting")
    .orderBy("deliveries.event")
    .orderBy("deliveries.recipient")
    .limit(limit)
    .execute();
}

/** Copies of one event. */
export async function settleDeliveries(
  db: Db,
  copies: readonly Pick<DeliveriesTable, "event" | "recipient">[],
  change: Pick<DeliveriesTable, "state" | "sent_ms" | "problem">,
): Promise<void> {
  const [first] = copies;
  if (first === undefined) return;
  const recipients = copies.map(({ recipient }) => recipient);
  for (let from = 0; from < recipients.length; from += rowsAtOnce)
    await db
      .updateTable("deliveries")
      .set(change)
      .where("event", "=", first.event)
      .where("recipient", "in", recipients.slice(from, from + rowsAtOnce))
      .execute();
}

/** Those that wait for the owner, or for the last step after the answer; the oldest first. */
export async function heldEvents(db: Db, constellation: string): Promise<PublishedTable[]> {
  return await db
    .selectFrom("published")
    .selectAll()
    .where("constellation", "=", constellation)
    .where("held", "in", ["waiting", "released", "denied"])
    .orderBy("seq")
    .limit(1_000)
    .execute();
}

export async function approvalsOfHeld(
  db: Db,
  constellation: string,
  requests: readonly string[],
): Promise<ApprovalsTable[]> {
  const found: ApprovalsTable[] = [];
  for (let from = 0; from < requests.length; from += rowsAtOnce)
    found.push(
      ...(await db
        .selectFrom("approvals")
        .selectAll()
        .where("constellation", "=", constellation)
        .where("request", "in", requests.slice(from, from + rowsAtOnce))
        .execute()),
    );
  return found;
}

export async function heldCopies(db: Db, event: string): Promise<DeliveriesTable[]> {
  return await db
    .selectFrom("deliveries")
    .selectAll()
    .where("event", "=", event)
    .where("state", "=", "held")
    .orderBy("recipient")
    .execute();
}

export async function setHeld(
  db: Db,
  event: string,
  change: Partial<Pick<PublishedTable, "held" | "recipients">>,
): Promise<void> {
  await db.updateTable("published").set(change).where("id", "=", event).execute();
}

export async function newestPublished(
  db: Db,
  constellation: string,
  filter: { readonly type?: string | undefined; readonly to?: string | undefined; readonly limit: number },
): Promise<(PublishedTable & { waiting: number })[]> {
  let select = db
    .selectFrom("published")
    .selectAll()
    .select((eb) =>
      eb
        .selectFrom("deliveries")
        .select((e) => e.fn.countAll<number>().as("count"))
        .whereRef("deliveries.event", "=", "published.id")
        .where("deliveries.state", "=", "waiting")
        .as("waiting"),
    )
    .where("constellation", "=", constellation)
    .orderBy("at_ms", "desc")
    .orderBy("id", "desc")
    .limit(filter.limit);
  if (filter.type !== undefined) select = select.where("type", "=", filter.type);
  const { to } = filter;
  if (to !== undefined)
    select = select.where("id", "in", (eb) =>
      eb
        .selectFrom("deliveries")
        .select("event")
        .where("constellation", "=", constellation)
        .where("recipient", "=", to),
    );
  const rows = await select.execute();
  return rows.map((row) => ({ ...row, waiting: Number(row.waiting ?? 0) }));
}

/** Lets go of events with their copies and of calls that are older. Says whether there may be more. */
export async function deleteOld(
  db: Db,
  constellation: string,
  beforeMs: number,
  most: { readonly events: number; readonly calls: number },
): Promise<boolean> {
  const events = await oldIds(db, "published", constellation, beforeMs, most.events);
  if (events.length > 0) {
    await db.deleteFrom("deliveries").where("event", "in", events).execute();
    await db.deleteFrom("published").where("id", "in", events).execute();
  }
  const calls = await oldIds(db, "mcp_tool_calls", constellation, beforeMs, most.calls);
  if (calls.length > 0) await db.deleteFrom("mcp_tool_calls").where("id", "in", calls).execute();
  return events.length === most.events || calls.length === most.calls;
}

export async function isAnythingOld(db: Db, constellation: string, beforeMs: number): Promise<boolean> {
  for (const table of ["published", "mcp_tool_calls"] as const)
    if ((await oldIds(db, table, constellation, beforeMs, 1)).length > 0) return true;
  return false;
}

async function oldIds(
  db: Db,
  table: "published" | "mcp_tool_calls",
  constellation: string,
  beforeMs: number,
  limit: number,
): Promise<string[]> {
  const rows = await db
    .selectFrom(table)
    .select("id")
    .where("constellation", "=", constellation)
    .where("at_ms", "<", beforeMs)
    .limit(limit)
    .execute();
  return rows.map(({ id }) => id);
}
