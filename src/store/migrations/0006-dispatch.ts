// What giving tasks to agents needs beside their rows: what a queued task asked for, what an assignment is about, and whether the
// agent said on the bus that it is done.

import { columnsOf, expectColumns, type Migration } from "./migration.ts";

const queueColumns = ["constellation", "task", "agent", "runtime", "hold", "queued_ms"];
const added = ["about", "said_ready_ms"];

export const dispatch: Migration = {
  version: 6,
  name: "dispatch",
  async up(db) {
    await db.schema.alterTable("dispatches").addColumn("about", "text").execute();
    await db.schema.alterTable("dispatches").addColumn("said_ready_ms", "bigint").execute();
    await db.schema.createIndex("dispatches_open").on("dispatches").columns(["constellation", "ended_ms"]).execute();
    await db.schema
      .createTable("task_queue")
      .addColumn("constellation", "text", (c) => c.notNull())
      .addColumn("task", "bigint", (c) => c.notNull())
      .addColumn("agent", "text")
      .addColumn("runtime", "text")
      .addColumn("hold", "bigint", (c) => c.notNull())
      .addColumn("queued_ms", "bigint", (c) => c.notNull())
      .addPrimaryKeyConstraint("task_queue_key", ["constellation", "task"] as never)
      .execute();
  },
  async verify(db, dialect) {
    await expectColumns(db, dialect, "task_queue", queueColumns);
    const found = await columnsOf(db, dialect, "dispatches");
    const missing = added.filter((column) => !found.includes(column));
    if (missing.length > 0) throw new Error(`table dispatches: missing [${missing.join(", ")}]`);
  },
  async down(db) {
    await db.schema.dropTable("task_queue").execute();
    await db.schema.dropIndex("dispatches_open").execute();
    for (const column of added) await db.schema.alterTable("dispatches").dropColumn(column).execute();
  },
};
