// Every question notices ask of the database, and how their rows are read and written.

import type { Kysely } from "kysely";
import type { Severity } from "../../protocol/findings.ts";
import { notByIndex } from "../../store/not-by-index.ts";
import type { Tx } from "../../store/group-commit.ts";
import type { Tables } from "../../store/tables.ts";
import type { FindingsTable } from "../../store/tables/observed.ts";
import type { AgentNoticesTable, SubscriptionsTable, TellingsTable } from "../../store/tables/notices.ts";
import type { Notice, NoticeAbout, NoticeState, Part, Reason } from "./notice.ts";
import type { Cover, Telling } from "./telling.ts";

type Db = Kysely<Tables>;

/** Both databases take many rows in one statement, and neither takes any number of values. */
const rowsAtOnce = 400;

/** Of everybody, or of one agent. */
export async function liveNotices(db: Db, constellation: string, agent?: string): Promise<Notice[]> {
  let select = db
    .selectFrom("agent_notices")
    .selectAll()
    .where(notByIndex("constellation"), "=", constellation)
    .where("ended_ms", "is", null)
    .orderBy(notByIndex("id"));
  if (agent !== undefined) select = select.where("agent", "=", agent);
  const rows = await select.execute();
  return rows.map(noticeOf);
}

export async function noticesById(db: Db, constellation: string, ids: readonly string[]): Promise<Notice[]> {
  const found: Notice[] = [];
  for (let from = 0; from < ids.length; from += rowsAtOnce) {
    const rows = await db
      .selectFrom("agent_notices")
      .selectAll()
      .where("constellation", "=", constellation)
      .where("id", "in", ids.slice(from, from + rowsAtOnce))
      .execute();
    found.push(...rows.map(noticeOf));
  }
  return found;
}

/** By its id, or by enough of its end. */
export async function noticesCalled(db: Db, constellation: string, word: string): Promise<Notice[]> {
  if (!/^[0-9a-z_]{4,40}$/.test(word)) return [];
  const rows = await db
    .selectFrom("agent_notices")
    .selectAll()
    .where("constellation", "=", constellation)
    .where((eb) => eb.or([eb("id", "=", word), eb("id", "like", `%${word.replaceAll("_", "")}`)]))
    .limit(20)
    .execute();
  return rows.map(noticeOf);
}

/** The newest first; `all`: also those that have ended. */
export async function listedNotices(
  db: Db,
  constellation: string,
  { agent, all, limit }: { readonly agent?: string | undefined; readonly all: boolean; readonly limit: number },
): Promise<{ total: number; notices: Notice[] }> {
  let select = db.selectFrom("agent_notices").where(notByIndex("constellation"), "=", constellation);
  if (agent !== undefined) select = select.where("agent", "=", agent);
  if (!all) select = select.where("ended_ms", "is", null);
  const counted = await select.select((eb) => eb.fn.countAll<number | string>().as("total")).executeTakeFirst();
  const rows = await select.selectAll().orderBy("updated_ms", "desc").orderBy("id", "desc").limit(limit).execute();
  return { total: Number(counted?.total ?? 0), notices: rows.map(noticeOf) };
}

/** Counts the notices in each state, of those that have not ended. */
export async function noticeCounts(db: Db, constellation: string): Promise<ReadonlyMap<string, number>> {
  const rows = await db
    .selectFrom("agent_notices")
    .select(["state", (eb) => eb.fn.countAll<number | string>().as("count")])
    .where(notByIndex("constellation"), "=", constellation)
    .where("ended_ms", "is", null)
    .groupBy("state")
    .execute();
  return new Map(rows.map(({ state, count }) => [state, Number(count)]));
}

/** Events that these agents were told of since a moment, and that nothing says they dealt with. */
export async function eventsToldTo(
  db: Db,
  constellation: string,
  agents: readonly string[],
  sinceMs: number,
): Promise<Notice[]> {
  const found: Notice[] = [];
  for (let from = 0; from < agents.length; from += rowsAtOnce) {
    const rows = await db
      .selectFrom("agent_notices")
      .selectAll()
      .where("constellation", "=", constellation)
      .where("agent", "in", agents.slice(from, from + rowsAtOnce))
      .where("about", "=", "event")
      .where("state", "=", "told")
      .where("told_ms", ">", sinceMs)
      .execute();
    found.push(...rows.map(noticeOf));
  }
  return found;
}

export async function putNotices(tx: Tx, notices: readonly Notice[], isNew: (id: string) => boolean): Promise<void> {
  const rows = notices.map((notice) => rowOf({ ...notice, updated_ms: tx.nowMs }));
  await insertMany(
    tx,
    "agent_notices",
    rows.filter(({ id }) => isNew(id)),
  );
  for (const row of rows) {
    if (!isNew(row.id)) await tx.db.updateTable("agent_notices").set(row).where("id", "=", row.id).execute();
  }
}

/** Those that lie ready, are under way, or still deny an edit. */
export async function liveTellings(db: Db, constellation: string): Promise<Telling[]> {
  const rows = await db
    .selectFrom("tellings")
    .selectAll()
    .where(notByIndex("constellation"), "=", constellation)
    .where("ended_ms", "is", null)
    .orderBy(notByIndex("id"))
    .execute();
  return rows.map(tellingOf);
}

export async function tellingsById(
  db: Db,
  constellation: string,
  agent: string,
  ids: readonly string[],
): Promise<Telling[]> {
  const rows = await db
    .selectFrom("tellings")
    .selectAll()
    .where("constellation", "=", constellation)
    .where("agent", "=", agent)
    .where("id", "in", ids.slice(0, rowsAtOnce))
    .execute();
  return rows.map(tellingOf);
}

export async function newestTellings(db: Db, constellation: string, agent: string, limit: number): Promise<Telling[]> {
  const rows = await db
    .selectFrom("tellings")
    .selectAll()
    .where("constellation", "=", constellation)
    .where("agent", "=", agent)
    .orderBy("offered_ms", "desc")
    .orderBy("id", "desc")
    .limit(limit)
    .execute();
  return rows.map(tellingOf);
}

/**
 * Counts how often each agent was told something since a moment, in its present conversation. News told to a predecessor made no noise for
 * it.
 */
/** Up to now: what was told before the clock was set back, at a time that is still to come, must not use up every hour until then. */
export async function toldBetween(
  db: Db,
  constellation: string,
  sinceMs: number,
  nowMs: number,
  conversationOf: (agent: string) => string | undefined,
): Promise<ReadonlyMap<string, number>> {
  const rows = await db
    .selectFrom("tellings")
    .select(["agent", "told_to", (eb) => eb.fn.countAll<number | string>().as("count")])
    .where("constellation", "=", constellation)
    .where("told_ms", ">=", sinceMs)
    .where("told_ms", "<=", nowMs)
    .where("denies", "=", 0)
    .groupBy(["agent", "told_to"])
    .execute();
  const counts = new Map<string, number>();
  for (const { agent, told_to: to, count } of rows) {
    const now = conversationOf(agent);
    if (to === null || now === undefined || to === now) counts.set(agent, (counts.get(agent) ?? 0) + Number(count));
  }
  return counts;
}

export async function insertTellings(tx: Tx, tellings: readonly Telling[]): Promise<void> {
  await insertMany(tx, "tellings", tellings.map(tellingRow));
}

export async function updateTelling(
  tx: Tx,
  id: string,
  change: Partial<Pick<TellingsTable, "state" | "told_ms" | "told_by" | "told_to" | "ended_ms">>,
): Promise<void> {
  await tx.db.updateTable("tellings").set(change).where("id", "=", id).execute();
}

/** Returns what the bus says of messages of ours. */
export async function provenMessages(
  db: Db,
  constellation: string,
  ids: readonly string[],
): Promise<{ message_id: string | null; delivered_ms: number | null }[]> {
  if (ids.length === 0) return [];
  return await db
    .selectFrom("messages")
    .select(["message_id", "delivered_ms"])
    .where("constellation", "=", constellation)
    .where("message_id", "in", ids.slice(0, rowsAtOnce))
    .where("state", "in", ["delivered", "acked"])
    .execute();
}

export type ToldFinding = Pick<
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
  | "evidence_kind"
  | "blocking"
  | "opened_ms"
>;

/** Open ones that somebody may hear of. Their evidence is large and is not loaded. */
export async function tellableFindings(db: Db, constellation: string): Promise<ToldFinding[]> {
  return await db
    .selectFrom("findings")
    .select([
      "id",
      "kind",
      "severity",
      "repository",
      "ours_label",
      "ours_worktree",
      "ours_branch",
      "theirs_label",
      "theirs_worktree",
      "theirs_branch",
      "title",
      "action",
      "files",
      "symbols",
      "evidence_kind",
      "blocking",
      "opened_ms",
    ])
    .where("constellation", "=", constellation)
    .where("state", "=", "open")
    .where("severity", "<>", "context")
    .orderBy("id")
    .execute();
}

/** The evidence of those few whose reviewer says in it which side is meant. */
export async function evidenceOf(db: Db, ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
  if (ids.length === 0) return new Map();
  const rows = await db
    .selectFrom("findings")
    .select(["id", "evidence"])
    .where("id", "in", ids.slice(0, rowsAtOnce))
    .execute();
  return new Map(rows.map(({ id, evidence }) => [id, evidence]));
}

export interface EndedFinding {
  readonly state: string;
  readonly why: string | null;
  /** The worktrees whose own change closed it. */
  readonly closedBy: readonly string[];
}

/** Returns how findings ended that are no longer open. */
export async function endedFindings(db: Db, ids: readonly string[]): Promise<ReadonlyMap<string, EndedFinding>> {
  const found = new Map<string, EndedFinding>();
  for (let from = 0; from < ids.length; from += rowsAtOnce) {
    const rows = await db
      .selectFrom("findings")
      .select(["id", "state", "closed_because", "closed_by", "dismissed_reason"])
      .where("id", "in", ids.slice(from, from + rowsAtOnce))
      .execute();
    for (const row of rows) {
      const closedBy = row.closed_by === null ? [] : (JSON.parse(row.closed_by) as string[]);
      found.set(row.id, { state: row.state, why: row.closed_because ?? row.dismissed_reason, closedBy });
    }
  }
  return found;
}

export async function subscriptionRows(db: Db, constellation: string): Promise<SubscriptionsTable[]> {
  return await db
    .selectFrom("subscriptions")
    .selectAll()
    .where("constellation", "=", constellation)
    .orderBy("agent")
    .orderBy("what")
    .orderBy("value")
    .execute();
}

export async function replaceSubscriptions(
  tx: Tx,
  constellation: string,
  agent: string,
  rows: readonly SubscriptionsTable[],
): Promise<{ before: number }> {
  const { numDeletedRows } = await tx.db
    .deleteFrom("subscriptions")
    .where("constellation", "=", constellation)
    .where("agent", "=", agent)
    .executeTakeFirst();
  await insertMany(tx, "subscriptions", rows);
  return { before: Number(numDeletedRows) };
}

export async function workplaceRows(db: Db, constellation: string): Promise<{ agent: string; worktree: string }[]> {
  return await db
    .selectFrom("workplaces")
    .select(["agent", "worktree"])
    .where("constellation", "=", constellation)
    .orderBy("last_ms", "desc")
    .execute();
}

export async function putWorkplace(
  tx: Tx,
  constellation: string,
  { agent, worktree }: { readonly agent: string; readonly worktree: string },
): Promise<void> {
  await tx.db
    .insertInto("workplaces")
    .values({ constellation, agent, worktree, last_ms: tx.nowMs })
    .onConflict((conflict) =>
      conflict.columns(["constellation", "agent", "worktree"]).doUpdateSet({ last_ms: tx.nowMs }),
    )
    .execute();
}

export async function hasEnded(db: Db, constellation: string, beforeMs: number): Promise<boolean> {
  for (const table of ["agent_notices", "tellings"] as const) {
    const row = await db
      .selectFrom(table)
      .select("id")
      .where("constellation", "=", constellation)
      .where("ended_ms", "<", beforeMs)
      .limit(1)
      .executeTakeFirst();
    if (row !== undefined) return true;
  }
  return false;
}

/** Another worktree at the same path is other work. */
export async function forgetGoneWorkplaces(tx: Tx, constellation: string): Promise<void> {
  const there = tx.db.selectFrom("worktrees").select("path").where("constellation", "=", constellation);
  await tx.db
    .deleteFrom("workplaces")
    .where("constellation", "=", constellation)
    .where("worktree", "not in", there)
    .execute();
}

/** Long over: notices, tellings and events that nothing rests on any more. Answers how many rows went. */
export async function removeEnded(tx: Tx, constellation: string, beforeMs: number, most: number): Promise<number> {
  let removed = 0;
  for (const table of ["agent_notices", "tellings"] as const) {
    const rows = await tx.db
      .selectFrom(table)
      .select("id")
      .where("constellation", "=", constellation)
      .where("ended_ms", "<", beforeMs)
      .limit(most)
      .execute();
    const ids = rows.map(({ id }) => id);
    if (ids.length > 0) await tx.db.deleteFrom(table).where("id", "in", ids).execute();
    removed += ids.length;
  }
  await tx.db
    .deleteFrom("addressed_events")
    .where("constellation", "=", constellation)
    .where("at_ms", "<", beforeMs)
    .execute();
  return removed;
}

type Bulk = "agent_notices" | "tellings" | "subscriptions";

async function insertMany<Table extends Bulk>(tx: Tx, table: Table, rows: readonly Tables[Table][]): Promise<void> {
  for (let from = 0; from < rows.length; from += rowsAtOnce) {
    const some = rows.slice(from, from + rowsAtOnce);
    await tx.db
      .insertInto(table as Bulk)
      .values(some as never)
      .execute();
  }
}

function noticeOf(row: AgentNoticesTable): Notice {
  return {
    ...row,
    state: row.state as NoticeState,
    severity: row.severity as Severity,
    about: row.about as NoticeAbout,
    reasons: JSON.parse(row.reasons) as Reason[],
    parts: JSON.parse(row.parts) as Part[],
  };
}

function rowOf(notice: Notice): AgentNoticesTable {
  return {
    ...notice,
    title: storable(notice.title),
    reasons: storable(JSON.stringify(notice.reasons)),
    parts: storable(JSON.stringify(notice.parts)),
  };
}

function tellingOf(row: TellingsTable): Telling {
  return {
    ...row,
    way: row.way as Telling["way"],
    state: row.state as Telling["state"],
    covers: JSON.parse(row.covers) as Cover[],
    moments: JSON.parse(row.moments) as Telling["moments"],
    files: JSON.parse(row.files) as string[],
    denies: row.denies === 1,
  };
}

function tellingRow(telling: Telling): TellingsTable {
  return {
    ...telling,
    covers: JSON.stringify(telling.covers),
    moments: JSON.stringify(telling.moments),
    files: storable(JSON.stringify(telling.files)),
    denies: telling.denies ? 1 : 0,
    text: storable(telling.text),
  };
}

/** File names may hold anything; Postgres takes no NUL and neither database takes half a character. */
const storable = (text: string): string => text.replaceAll("\0", "").toWellFormed();
