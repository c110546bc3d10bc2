// What lands is the commit that was called ready, and what became of each commit is kept by us: nothing is read back from what
// commits say. A harvest that the machine or the origin failed waits and is tried again.

import { columnsOf, expectColumns, type Migration } from "./migration.ts";

const landedColumns = ["constellation", "origin", "target", "task", "from_sha", "to_sha", "at_ms"];
const added = {
  tasks: ["ready_sha"],
  workspaces: ["ready_sha"],
  harvests: ["ready_sha", "outages", "retry_ms"],
};

export const landing: Migration = {
  version: 13,
  name: "landing",
  async up(db) {
    await db.schema.alterTable("tasks").addColumn("ready_sha", "text").execute();
    await db.schema.alterTable("workspaces").addColumn("ready_sha", "text").execute();
    await db.schema.alterTable("harvests").addColumn("ready_sha", "text").execute();
    await db.schema
      .alterTable("harvests")
      .addColumn("outages", "bigint", (c) => c.notNull().defaultTo(0))
      .execute();
    await db.schema.alterTable("harvests").addColumn("retry_ms", "bigint").execute();
    await db.schema
      .createTable("landed_commits")
      .addColumn("constellation", "text", (c) => c.notNull())
      .addColumn("origin", "text", (c) => c.notNull())
      .addColumn("target", "text", (c) => c.notNull())
      .addColumn("task", "bigint", (c) => c.notNull())
      .addColumn("from_sha", "text", (c) => c.notNull())
      .addColumn("to_sha", "text", (c) => c.notNull())
      .addColumn("at_ms", "bigint", (c) => c.notNull())
      .addPrimaryKeyConstraint("landed_commits_own", ["constellation", "origin", "target", "from_sha", "to_sha"])
      .execute();
    await db.schema.createIndex("landed_commits_from").on("landed_commits").columns(["from_sha"]).execute();
  },
  async verify(db, dialect) {
    await expectColumns(db, dialect, "landed_commits", landedColumns);
    for (const [table, columns] of Object.entries(added)) {
      const found = await columnsOf(db, dialect, table);
      const missing = columns.filter((column) => !found.includes(column));
      if (missing.length > 0) throw new Error(`table ${table}: missing [${missing.join(", ")}]`);
    }
  },
  async down(db) {
    await db.schema.dropTable("landed_commits").execute();
    for (const [table, columns] of Object.entries(added)) {
      for (const column of columns) await db.schema.alterTable(table).dropColumn(column).execute();
    }
  },
};
