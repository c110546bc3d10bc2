// What grows without end is found by its age, a little at a time: indexes for letting go of old messages, and for counting those
// that wait without reading the rest.

import { sql } from "kysely";
import type { Dialect } from "../tables.ts";
import type { Migration, Untyped } from "./migration.ts";

const indexes = ["messages_state", "messages_age", "token_usage_age"];

export const retention: Migration = {
  version: 14,
  name: "retention",
  async up(db) {
    await db.schema
      .createIndex("messages_state")
      .on("messages")
      .columns(["constellation", "state", "receiver"])
      .execute();
    await db.schema.createIndex("messages_age").on("messages").columns(["constellation", "sent_ms"]).execute();
    await db.schema.createIndex("token_usage_age").on("token_usage").columns(["constellation", "at_ms"]).execute();
  },
  async verify(db, dialect) {
    const found = await namesOf(db, dialect);
    const missing = indexes.filter((name) => !found.has(name));
    if (missing.length > 0) throw new Error(`missing indexes: ${missing.join(", ")}`);
  },
  async down(db) {
    for (const name of indexes) await db.schema.dropIndex(name).execute();
  },
};

async function namesOf(db: Untyped, dialect: Dialect): Promise<Set<string>> {
  const query =
    dialect === "sqlite"
      ? sql<{ name: string }>`select name from sqlite_master where type = 'index'`
      : sql<{ name: string }>`select indexname as name from pg_indexes where schemaname = current_schema()`;
  return new Set((await query.execute(db)).rows.map((row) => row.name));
}
