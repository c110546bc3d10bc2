// What the watchdog did, and more of each crash: which launch came to its end and how. Older crashes know nothing of it.

import { columnsOf, expectColumns, type Migration } from "./migration.ts";

const eventColumns = ["id", "constellation", "at_ms", "event", "agent", "says", "data"];
const added = ["runtime", "launched_ms", "exit_status", "exit_signal"] as const;

export const watchdog: Migration = {
  version: 17,
  name: "watchdog",
  async up(db) {
    await db.schema
      .createTable("watchdog_events")
      .addColumn("id", "text", (c) => c.primaryKey())
      .addColumn("constellation", "text", (c) => c.notNull())
      .addColumn("at_ms", "bigint", (c) => c.notNull())
      .addColumn("event", "text", (c) => c.notNull())
      .addColumn("agent", "text")
      .addColumn("says", "text", (c) => c.notNull())
      .addColumn("data", "text", (c) => c.notNull())
      .execute();
    await db.schema.createIndex("watchdog_events_at").on("watchdog_events").columns(["at_ms"]).execute();
    await db.schema.createIndex("ticks_at").on("ticks").columns(["at_ms"]).execute();
    await db.schema.createIndex("crashes_at").on("crashes").columns(["at_ms"]).execute();
    for (const column of added) {
      await db.schema
        .alterTable("crashes")
        .addColumn(column, column === "runtime" ? "text" : "bigint")
        .execute();
    }
  },
  async verify(db, dialect) {
    await expectColumns(db, dialect, "watchdog_events", eventColumns);
    const found = await columnsOf(db, dialect, "crashes");
    const missing = added.filter((column) => !found.includes(column));
    if (missing.length > 0) throw new Error(`table crashes: missing [${missing.join(", ")}]`);
  },
  async down(db) {
    await db.schema.dropTable("watchdog_events").execute();
    await db.schema.dropIndex("ticks_at").execute();
    await db.schema.dropIndex("crashes_at").execute();
    for (const column of added) await db.schema.alterTable("crashes").dropColumn(column).execute();
  },
};
