// Messages that belong to tasks: the briefs that constel sent, and all that name a task.

import type { Kysely } from "kysely";
import { briefSender } from "../../ports/deliver.ts";
import { notByIndex } from "../../store/not-by-index.ts";
import type { Tables } from "../../store/tables.ts";
import type { MessagesTable } from "../../store/tables/messages.ts";

type Db = Kysely<Tables>;

/** Every copy of the briefs of these assignments. Anybody can name a message like one; only what constel sent is it. */
export function briefMessages(
  db: Db,
  constellation: string,
  dispatches: readonly string[],
): Promise<Pick<MessagesTable, "message_id" | "receiver" | "state" | "because">[]> {
  return db
    .selectFrom("messages")
    .select(["message_id", "receiver", "state", "because"])
    .where("constellation", "=", constellation)
    .where("sender", "=", briefSender)
    .where("message_id", "in", [...dispatches])
    .execute();
}

export async function messagesOfTask(
  db: Db,
  constellation: string,
  task: number,
): Promise<Pick<MessagesTable, "sender" | "receiver" | "kind" | "text" | "state" | "sent_ms">[]> {
  return await db
    .selectFrom("messages")
    .select(["sender", "receiver", "kind", "text", "state", "sent_ms"])
    .where("task", "=", String(task))
    .where(notByIndex("constellation"), "=", constellation)
    .orderBy("sent_ms")
    .execute();
}
