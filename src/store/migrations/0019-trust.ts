// What is known of a message says what it rests on; the owner's directives are signed rows; tokens for the TCP surface are kept by
// their hash.

import { columnsOf, expectColumns, type Migration } from "./migration.ts";

const messageColumns = ["evidence", "verified_by"];
const columns = {
  signed_directives: ["id", "constellation", "at_ms", "text", "sig", "key", "owner_verified"],
  tokens: ["id", "constellation", "name", "role", "scope", "hash", "created_ms", "expires_ms", "revoked_ms", "used_ms"],
} as const;

export const trust: Migration = {
  version: 19,
  name: "trust",
  async up(db) {
    for (const column of messageColumns) await db.schema.alterTable("messages").addColumn(column, "text").execute();
    await db.schema
      .createTable("signed_directives")
      .addColumn("id", "text", (c) => c.primaryKey())
      .addColumn("constellation", "text", (c) => c.notNull())
      .addColumn("at_ms", "bigint", (c) => c.notNull())
      .addColumn("text", "text", (c) => c.notNull())
      .addColumn("sig", "text", (c) => c.notNull())
      .addColumn("key", "text", (c) => c.notNull())
      .addColumn("owner_verified", "bigint", (c) => c.notNull())
      .execute();
    await db.schema.createIndex("signed_directives_at").on("signed_directives").columns(["at_ms"]).execute();
    await db.schema
      .createTable("tokens")
      .addColumn("id", "text", (c) => c.primaryKey())
      .addColumn("constellation", "text", (c) => c.notNull())
      .addColumn("name", "text", (c) => c.notNull())
      .addColumn("role", "text", (c) => c.notNull())
      .addColumn("scope", "text", (c) => c.notNull())
      .addColumn("hash", "text", (c) => c.notNull().unique())
      .addColumn("created_ms", "bigint", (c) => c.notNull())
      .addColumn("expires_ms", "bigint")
      .addColumn("revoked_ms", "bigint")
      .addColumn("used_ms", "bigint")
      .execute();
  },
  async verify(db, dialect) {
    for (const [table, names] of Object.entries(columns)) await expectColumns(db, dialect, table, names);
    const found = await columnsOf(db, dialect, "messages");
    const missing = messageColumns.filter((column) => !found.includes(column));
    if (missing.length > 0) throw new Error(`table messages: missing [${missing.join(", ")}]`);
  },
  async down(db) {
    for (const table of Object.keys(columns)) await db.schema.dropTable(table).execute();
    for (const column of messageColumns) await db.schema.alterTable("messages").dropColumn(column).execute();
  },
};
