// The rows of the account of messages, each known by its receiver and the name of its file.

import type { Kysely } from "kysely";
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

function matching(db: Db, constellation: string, { agent, thread, ...asked }: MessageQuestion) {
  let query = db.selectFrom("messages").where("constellation", "=", constellation);
  if (asked.undelivered) query = query.where("state", "in", [...undelivered]);
  if (agent !== undefined) query = query.where((eb) => eb.or([eb("receiver", "=", agent), eb("sender", "=", agent)]));
  return thread === undefined
    ? query
    : query.where((eb) => eb.or([eb("thread", "=", thread), eb("message_id", "=", thread)]));
}

/** The newest first: names begin with the time of sending. */
export const newestOf = (db: Db, constellation: string, asked: MessageQuestion, limit: number) =>
  matching(db, constellation, asked).selectAll().orderBy("name", "desc").orderBy("receiver").limit(limit).execute();

export async function countOf(db: Db, constellation: string, asked: MessageQuestion): Promise<number> {
  const row = await matching(db, constellation, asked)
    .select((eb) => eb.fn.countAll<number>().as("count"))
    .executeTakeFirst();
  return Number(row?.count ?? 0);
}
