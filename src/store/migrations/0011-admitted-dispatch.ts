// A dispatch is written down first and done afterwards: what the request asked for, and what whoever watches is told, stand in
// its row.

import { columnsOf, type Migration } from "./migration.ts";

const added = ["fetch", "notes", "brief"];

export const admittedDispatch: Migration = {
  version: 11,
  name: "admitted-dispatch",
  async up(db) {
    await db.schema
      .alterTable("dispatches")
      .addColumn("fetch", "bigint", (c) => c.notNull().defaultTo(1))
      .execute();
    await db.schema
      .alterTable("dispatches")
      .addColumn("notes", "text", (c) => c.notNull().defaultTo("[]"))
      .execute();
    await db.schema.alterTable("dispatches").addColumn("brief", "text").execute();
  },
  async verify(db, dialect) {
    const found = await columnsOf(db, dialect, "dispatches");
    const missing = added.filter((column) => !found.includes(column));
    if (missing.length > 0) throw new Error(`table dispatches: missing [${missing.join(", ")}]`);
  },
  async down(db) {
    for (const column of added) await db.schema.alterTable("dispatches").dropColumn(column).execute();
  },
};
