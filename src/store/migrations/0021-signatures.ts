// Events are signed when they are appended, one signature for each commit; decisions, claims and approvals carry a signature over their own
// row. Rows from before have none, and are shown as not signed.

import { columnsOf, expectColumns, type Migration } from "./migration.ts";

const signatures = ["constellation", "first_seq", "last_seq", "since_seq", "at_ms", "sig"] as const;
const added = {
  chain_heads: ["signed_since"],
  decisions: ["signature"],
  claims: ["signature"],
  approvals: ["signature"],
} as const;

export const signed: Migration = {
  version: 21,
  name: "signatures",
  async up(db) {
    await db.schema
      .createTable("event_signatures")
      .addColumn("constellation", "text", (c) => c.notNull())
      .addColumn("first_seq", "bigint", (c) => c.notNull())
      .addColumn("last_seq", "bigint", (c) => c.notNull())
      .addColumn("since_seq", "bigint", (c) => c.notNull())
      .addColumn("at_ms", "bigint", (c) => c.notNull())
      .addColumn("sig", "text", (c) => c.notNull())
      .addPrimaryKeyConstraint("event_signatures_last", ["constellation", "last_seq"])
      .execute();
    for (const [table, columns] of Object.entries(added))
      for (const column of columns)
        await db.schema
          .alterTable(table)
          .addColumn(column, column === "signed_since" ? "bigint" : "text")
          .execute();
  },
  async verify(db, dialect) {
    await expectColumns(db, dialect, "event_signatures", signatures);
    for (const [table, columns] of Object.entries(added)) {
      const found = await columnsOf(db, dialect, table);
      const missing = columns.filter((column) => !found.includes(column));
      if (missing.length > 0) throw new Error(`table ${table}: missing [${missing.join(", ")}]`);
    }
  },
  async down(db) {
    await db.schema.dropTable("event_signatures").execute();
    for (const [table, columns] of Object.entries(added))
      for (const column of columns) await db.schema.alterTable(table).dropColumn(column).execute();
  },
};
