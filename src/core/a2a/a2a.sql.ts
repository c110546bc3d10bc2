// Every question that requests of outside agents ask of the database.

import type { Kysely } from "kysely";
import type { Tx } from "../../store/group-commit.ts";
import type { Tables } from "../../store/tables.ts";
import type {
  A2aArtefactsTable,
  A2aChangesTable,
  A2aMessagesTable,
  A2aPushesTable,
  A2aRequestsTable,
} from "../../store/tables/a2a.ts";

type Db = Kysely<Tables>;

export function findRequest(db: Db, constellation: string, id: string): Promise<A2aRequestsTable | undefined> {
  return db
    .selectFrom("a2a_requests")
    .selectAll()
    .where("constellation", "=", constellation)
    .where("id", "=", id)
    .executeTakeFirst();
}

/** By the id, or its end. */
export function requestsNamed(db: Db, constellation: string, id: string): Promise<A2aRequestsTable[]> {
  return db
    .selectFrom("a2a_requests")
    .selectAll()
    .where("constellation", "=", constellation)
    .where("id", "like", `%${id.replaceAll(/[%_]/g, (mark) => (id.startsWith("a2a_") && mark === "_" ? mark : ""))}`)
    .limit(2)
    .execute();
}

export function requestOfTask(db: Db, constellation: string, task: number): Promise<A2aRequestsTable | undefined> {
  return db
    .selectFrom("a2a_requests")
    .selectAll()
    .where("constellation", "=", constellation)
    .where("task", "=", task)
    .executeTakeFirst();
}

export function openRequests(db: Db, constellation: string): Promise<A2aRequestsTable[]> {
  return db
    .selectFrom("a2a_requests")
    .selectAll()
    .where("constellation", "=", constellation)
    .where("ended_ms", "is", null)
    .orderBy("created_ms")
    .orderBy("id")
    .execute();
}

export async function countOpenOf(db: Db, constellation: string, sender: string): Promise<number> {
  const { count } = await db
    .selectFrom("a2a_requests")
    .select((eb) => eb.fn.countAll().as("count"))
    .where("constellation", "=", constellation)
    .where("sender", "=", sender)
    .where("ended_ms", "is", null)
    .executeTakeFirstOrThrow();
  return Number(count);
}

export interface OwnFilter {
  readonly constellation: string;
  readonly sender: string;
  readonly context?: string | undefined;
  readonly state?: string | undefined;
  readonly since_ms?: number | undefined;
}

const ofSender = (db: Db, { constellation, sender, context, state, since_ms }: OwnFilter) => {
  let select = db.selectFrom("a2a_requests").where("constellation", "=", constellation).where("sender", "=", sender);
  if (context !== undefined) select = select.where("context", "=", context);
  if (state !== undefined) select = select.where("state", "=", state);
  if (since_ms !== undefined) select = select.where("updated_ms", ">=", since_ms);
  return select;
};

export async function countOwn(db: Db, filter: OwnFilter): Promise<number> {
  const { count } = await ofSender(db, filter)
    .select((eb) => eb.fn.countAll().as("count"))
    .executeTakeFirstOrThrow();
  return Number(count);
}

/** The last changed first; those after the mark. */
export function ownRequests(
  db: Db,
  filter: OwnFilter,
  page: { readonly limit: number; readonly after?: { readonly atMs: number; readonly id: string } | undefined },
): Promise<A2aRequestsTable[]> {
  const { after } = page;
  let select = ofSender(db, filter).selectAll();
  if (after !== undefined)
    select = select.where((eb) =>
      eb.or([eb("updated_ms", "<", after.atMs), eb.and([eb("updated_ms", "=", after.atMs), eb("id", "<", after.id)])]),
    );
  return select.orderBy("updated_ms", "desc").orderBy("id", "desc").limit(page.limit).execute();
}

export function newestRequests(
  db: Db,
  constellation: string,
  { all, limit }: { readonly all: boolean; readonly limit: number },
): Promise<A2aRequestsTable[]> {
  let select = db.selectFrom("a2a_requests").selectAll().where("constellation", "=", constellation);
  if (!all) select = select.where("ended_ms", "is", null);
  return select.orderBy("created_ms", "desc").orderBy("id", "desc").limit(limit).execute();
}

export async function countRequests(db: Db, constellation: string, all: boolean): Promise<number> {
  let select = db.selectFrom("a2a_requests").where("constellation", "=", constellation);
  if (!all) select = select.where("ended_ms", "is", null);
  const { count } = await select.select((eb) => eb.fn.countAll().as("count")).executeTakeFirstOrThrow();
  return Number(count);
}

export async function updateRequest(tx: Tx, id: string, change: Partial<A2aRequestsTable>): Promise<void> {
  await tx.db.updateTable("a2a_requests").set(change).where("id", "=", id).execute();
}

export function findMessage(
  db: Db,
  constellation: string,
  sender: string,
  messageId: string,
): Promise<A2aMessagesTable | undefined> {
  return db
    .selectFrom("a2a_messages")
    .selectAll()
    .where("constellation", "=", constellation)
    .where("sender", "=", sender)
    .where("message_id", "=", messageId)
    .executeTakeFirst();
}

export function messagesOf(db: Db, constellation: string, requests: readonly string[]): Promise<A2aMessagesTable[]> {
  if (requests.length === 0) return Promise.resolve([]);
  return (
    db
      .selectFrom("a2a_messages")
      .selectAll()
      .where("constellation", "=", constellation)
      .where("request", "in", [...requests])
      .orderBy("at_ms")
      // What was asked comes before what was answered at the same moment.
      .orderBy("role", "desc")
      .orderBy("id")
      .execute()
  );
}

export async function updateMessages(
  tx: Tx,
  about: { readonly constellation: string; readonly request: string; readonly from: string; readonly to: string },
): Promise<void> {
  await tx.db
    .updateTable("a2a_messages")
    .set({ state: about.to })
    .where("constellation", "=", about.constellation)
    .where("request", "=", about.request)
    .where("state", "=", about.from)
    .execute();
}

export async function noteTold(tx: Tx, id: string): Promise<void> {
  await tx.db.updateTable("a2a_messages").set({ state: "told" }).where("id", "=", id).execute();
}

export function artefactsOf(db: Db, constellation: string, requests: readonly string[]): Promise<A2aArtefactsTable[]> {
  if (requests.length === 0) return Promise.resolve([]);
  return db
    .selectFrom("a2a_artefacts")
    .selectAll()
    .where("constellation", "=", constellation)
    .where("request", "in", [...requests])
    .orderBy("at_ms")
    .orderBy("id")
    .execute();
}

/** True if it was not there, or was another. */
export async function putArtefact(tx: Tx, row: A2aArtefactsTable): Promise<boolean> {
  const { constellation, request, id } = row;
  const before = await tx.db
    .selectFrom("a2a_artefacts")
    .select(["parts", "name"])
    .where("constellation", "=", constellation)
    .where("request", "=", request)
    .where("id", "=", id)
    .executeTakeFirst();
  if (before?.parts === row.parts && before.name === row.name) return false;
  if (before === undefined) await tx.insert("a2a_artefacts", row);
  else
    await tx.db
      .updateTable("a2a_artefacts")
      .set({ parts: row.parts, name: row.name, at_ms: row.at_ms })
      .where("constellation", "=", constellation)
      .where("request", "=", request)
      .where("id", "=", id)
      .execute();
  return true;
}

export function changesAfter(
  db: Db,
  about: { readonly constellation: string; readonly request: string; readonly after: number },
): Promise<A2aChangesTable[]> {
  return db
    .selectFrom("a2a_changes")
    .selectAll()
    .where("constellation", "=", about.constellation)
    .where("request", "=", about.request)
    .where("seq", ">", about.after)
    .orderBy("seq")
    .limit(100)
    .execute();
}

export function pushesOf(db: Db, constellation: string, request: string): Promise<A2aPushesTable[]> {
  return db
    .selectFrom("a2a_pushes")
    .selectAll()
    .where("constellation", "=", constellation)
    .where("request", "=", request)
    .orderBy("created_ms")
    .orderBy("id")
    .execute();
}

/** Those with something left to be told, whose time has come. */
export async function duePushes(
  db: Db,
  constellation: string,
  nowMs: number,
): Promise<(A2aPushesTable & { readonly sender: string; readonly last: number })[]> {
  return await db
    .selectFrom("a2a_pushes")
    .innerJoin("a2a_requests", "a2a_requests.id", "a2a_pushes.request")
    .selectAll("a2a_pushes")
    .select(["a2a_requests.sender", "a2a_requests.seq as last"])
    .where("a2a_pushes.constellation", "=", constellation)
    .whereRef("a2a_requests.seq", ">", "a2a_pushes.sent_seq")
    .where((eb) => eb.or([eb("a2a_pushes.retry_ms", "is", null), eb("a2a_pushes.retry_ms", "<=", nowMs)]))
    .orderBy("a2a_pushes.created_ms")
    .limit(50)
    .execute();
}

export async function nextPushMs(db: Db, constellation: string): Promise<number | null> {
  const row = await db
    .selectFrom("a2a_pushes")
    .innerJoin("a2a_requests", "a2a_requests.id", "a2a_pushes.request")
    .select((eb) => eb.fn.min("a2a_pushes.retry_ms").as("at"))
    .where("a2a_pushes.constellation", "=", constellation)
    .whereRef("a2a_requests.seq", ">", "a2a_pushes.sent_seq")
    .executeTakeFirst();
  return row?.at ?? null;
}

type PushKey = Pick<A2aPushesTable, "constellation" | "request" | "id">;

export async function updatePush(tx: Tx, key: PushKey, change: Partial<A2aPushesTable>): Promise<void> {
  await tx.db
    .updateTable("a2a_pushes")
    .set(change)
    .where("constellation", "=", key.constellation)
    .where("request", "=", key.request)
    .where("id", "=", key.id)
    .execute();
}

export async function deletePush(tx: Tx, key: PushKey): Promise<void> {
  await tx.db
    .deleteFrom("a2a_pushes")
    .where("constellation", "=", key.constellation)
    .where("request", "=", key.request)
    .where("id", "=", key.id)
    .execute();
}

/** What agents say they can do. */
export async function declaredCapabilities(
  db: Db,
  constellation: string,
): Promise<{ readonly agent: string; readonly value: string }[]> {
  return await db
    .selectFrom("subscriptions")
    .select(["agent", "value"])
    .where("constellation", "=", constellation)
    .where("what", "=", "capability")
    .orderBy("value")
    .orderBy("agent")
    .execute();
}

const ofRequests = ["a2a_messages", "a2a_artefacts", "a2a_changes", "a2a_pushes"] as const;

/** Those that ended before then, with all that belongs to them. */
export async function dropOldRequests(
  db: Db,
  { constellation, beforeMs, limit }: { constellation: string; beforeMs: number; limit: number },
): Promise<number> {
  const rows = await db
    .selectFrom("a2a_requests")
    .select("id")
    .where("constellation", "=", constellation)
    .where("ended_ms", "<", beforeMs)
    .limit(limit)
    .execute();
  const ids = rows.map(({ id }) => id);
  if (ids.length === 0) return 0;
  for (const table of ofRequests)
    await db.deleteFrom(table).where("constellation", "=", constellation).where("request", "in", ids).execute();
  await db.deleteFrom("a2a_requests").where("id", "in", ids).execute();
  return ids.length;
}
