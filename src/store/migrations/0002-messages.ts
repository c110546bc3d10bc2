// Messages: the account of every envelope on the bus, made from the bus's journal and its files. One row per receiver's
// copy, named by the file; the times of its states beside each other.

import { expectColumns, type Migration } from "./migration.ts";

const columns = [
  "name",
  "receiver",
  "constellation",
  "message_id",
  "sender",
  "kind",
  "thread",
  "in_reply_to",
  "task",
  "text",
  "text_bytes",
  "state",
  "because",
  "sent_ms",
  "delivered_ms",
  "acked_ms",
  "unknown_ms",
  "poisoned_ms",
] as const;

export const messages: Migration = {
  version: 2,
  name: "messages",
  async up(db) {
    await db.schema
      .createTable("messages")
      .addColumn("name", "text", (c) => c.notNull())
      .addColumn("receiver", "text", (c) => c.notNull())
      .addColumn("constellation", "text", (c) => c.notNull())
      .addColumn("message_id", "text")
      .addColumn("sender", "text", (c) => c.notNull())
      .addColumn("kind", "text")
      .addColumn("thread", "text")
      .addColumn("in_reply_to", "text")
      .addColumn("task", "text")
      .addColumn("text", "text")
      .addColumn("text_bytes", "bigint")
      .addColumn("state", "text", (c) => c.notNull())
      .addColumn("because", "text")
      .addColumn("sent_ms", "bigint")
      .addColumn("delivered_ms", "bigint")
      .addColumn("acked_ms", "bigint")
      .addColumn("unknown_ms", "bigint")
      .addColumn("poisoned_ms", "bigint")
      .addPrimaryKeyConstraint("messages_copy", ["constellation", "receiver", "name"])
      .execute();
    await db.schema.createIndex("messages_sent").on("messages").columns(["sent_ms"]).execute();
    await db.schema.createIndex("messages_task").on("messages").columns(["task", "sent_ms"]).execute();
    await db.schema.createIndex("messages_message").on("messages").columns(["message_id"]).execute();
  },
  verify: (db, dialect) => expectColumns(db, dialect, "messages", columns),
  async down(db) {
    await db.schema.dropTable("messages").execute();
  },
};
