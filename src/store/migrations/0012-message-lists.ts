// Messages by name, sender and thread: the newest of a hundred thousand were found by reading all of them, which held everybody else up.

import { sql } from "kysely";
import type { Migration } from "./migration.ts";

const indexes = {
  messages_newest: "(constellation, name)",
  messages_sender: "(constellation, sender, name)",
  messages_thread: "(constellation, thread, name)",
};

export const messageLists: Migration = {
  version: 12,
  name: "message-lists",
  async up(db) {
    for (const [name, columns] of Object.entries(indexes))
      await sql.raw(`create index ${name} on messages ${columns}`).execute(db);
  },
  async verify(db, dialect) {
    const there =
      dialect === "sqlite"
        ? sql<{ name: string }>`select name from sqlite_schema where type = 'index' and tbl_name = 'messages'`
        : sql<{ name: string }>`select indexname as name from pg_indexes
            where schemaname = current_schema() and tablename = 'messages'`;
    const names = (await there.execute(db)).rows.map(({ name }) => name);
    const missing = Object.keys(indexes).filter((name) => !names.includes(name));
    if (missing.length > 0) throw new Error(`messages lacks the indexes ${missing.join(", ")}`);
  },
  async down(db) {
    for (const name of Object.keys(indexes)) await sql.raw(`drop index ${name}`).execute(db);
  },
};
