// The rows of the account of messages, each known by its receiver and the name of its file.

import type { Kysely } from "kysely";
import type { Tables } from "../../store/tables.ts";
import type { MessagesTable } from "../../store/tables/messages.ts";

type Db = Kysely<Tables>;
type MessageKey = Pick<MessagesTable, "constellation" | "receiver" | "name">;

export async function findMessage(db: Db, key: MessageKey): Promise<MessagesTable | undefined> {
  return await db
    .selectFrom("messages")
    .selectAll()
    .where("constellation", "=", key.constellation)
    .where("receiver", "=", key.receiver)
    .where("name", "=", key.name)
    .executeTakeFirst();
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
