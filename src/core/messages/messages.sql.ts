// The rows of the account of messages, each known by its receiver and the name of its file.

import type { Expression, ExpressionBuilder, Kysely, SqlBool } from "kysely";
import { notByIndex } from "../../store/not-by-index.ts";
import type { Tables } from "../../store/tables.ts";
import type { MessagesTable } from "../../store/tables/messages.ts";

type Db = Kysely<Tables>;
type MessageKey = Pick<MessagesTable, "constellation" | "receiver" | "name">;

export const messageKey = ({ receiver, name }: Omit<MessageKey, "constellation">): string => `${receiver} ${name}`;

/** Of these, those that there are, and perhaps others. By `messageKey`. */
export async function knownMessages(
  db: Db,
  constellation: string,
  keys: readonly Omit<MessageKey, "constellation">[],
): Promise<Map<string, MessagesTable>> {
  const rows = await db
    .selectFrom("messages")
    .selectAll()
    .where("constellation", "=", constellation)
    .where("receiver", "in", [...new Set(keys.map(({ receiver }) => receiver))])
    .where("name", "in", [...new Set(keys.map(({ name }) => name))])
    .execute();
  return new Map(rows.map((row) => [messageKey(row), row]));
}

export async function updateMessage(db: Db, key: MessageKey, change: Partial<MessagesTable>): Promise<void> {
  await db
    .updateTable("messages")
    .set(change)
    .where("constellation", "=", key.constellation)
    .where("receiver", "=", key.receiver)
    .where("name", "=", key.name)
    .execute();
}

/** Not known to have arrived. */
const undelivered = ["sent", "unknown", "poisoned"] as const;

export interface MessageQuestion {
  readonly undelivered: boolean;
  readonly agent?: string | undefined;
  readonly thread?: string | undefined;
}

interface Way {
  readonly where: (eb: ExpressionBuilder<Tables, "messages">) => Expression<SqlBool>;
  /** Found by an index in which the constellation does not stand. */
  readonly isByItself?: true;
}

/**
 * The ways in which a message can be meant, none of them twice: a database that is asked for one way or the other looks through all messages
 * there are, and for each by itself it has an index.
 */
function waysOf({ agent, thread }: MessageQuestion): readonly Way[] {
  if (thread !== undefined) {
    const concerns: Way["where"] = (eb) =>
      agent === undefined ? eb.lit(true) : eb.or([eb("receiver", "=", agent), eb("sender", "=", agent)]);
    const beganIt: Way["where"] = (eb) =>
      eb.and([
        eb("message_id", "=", thread),
        eb.or([eb("thread", "is", null), eb("thread", "<>", thread)]),
        concerns(eb),
      ]);
    return [{ where: (eb) => eb.and([eb("thread", "=", thread), concerns(eb)]) }, { where: beganIt, isByItself: true }];
  }
  if (agent === undefined) return [{ where: (eb) => eb.lit(true) }];
  return [
    { where: (eb) => eb("receiver", "=", agent) },
    { where: (eb) => eb.and([eb("sender", "=", agent), eb("receiver", "<>", agent)]) },
  ];
}

function matching(db: Db, constellation: string, asked: MessageQuestion, { where, isByItself }: Way) {
  const query = db
    .selectFrom("messages")
    .where(isByItself === true ? notByIndex("constellation") : "constellation", "=", constellation)
    .where(where);
  return asked.undelivered ? query.where("state", "in", [...undelivered]) : query;
}

/** The newest first: names begin with the time of sending. */
export async function newestOf(
  db: Db,
  constellation: string,
  asked: MessageQuestion,
  limit: number,
): Promise<MessagesTable[]> {
  const found: MessagesTable[] = [];
  for (const way of waysOf(asked)) {
    const query = matching(db, constellation, asked, way).selectAll();
    // There are few that have not arrived: in the order of all, all would be looked through for them.
    const isFew = asked.undelivered || way.isByItself === true;
    const ordered = query.orderBy(isFew ? notByIndex("name") : "name", "desc");
    found.push(...(await ordered.orderBy("receiver").limit(limit).execute()));
  }
  return found.sort(newestFirst).slice(0, limit);
}

function newestFirst(one: MessagesTable, other: MessagesTable): number {
  if (one.name !== other.name) return one.name < other.name ? 1 : -1;
  return one.receiver < other.receiver ? -1 : 1;
}

export async function countOf(db: Db, constellation: string, asked: MessageQuestion): Promise<number> {
  let count = 0;
  for (const way of waysOf(asked)) {
    const row = await matching(db, constellation, asked, way)
      .select((eb) => eb.fn.countAll<number>().as("count"))
      .executeTakeFirst();
    count += Number(row?.count ?? 0);
  }
  return count;
}
