// What a clone called ready is kept outside its workspace until it has landed.

import { columnsOf, type Migration } from "./migration.ts";

export const keptWork: Migration = {
  version: 10,
  name: "kept-work",
  async up(db) {
    await db.schema.alterTable("workspaces").addColumn("kept_ms", "bigint").execute();
  },
  async verify(db, dialect) {
    const found = await columnsOf(db, dialect, "workspaces");
    if (!found.includes("kept_ms")) throw new Error("table workspaces: missing [kept_ms]");
  },
  async down(db) {
    await db.schema.alterTable("workspaces").dropColumn("kept_ms").execute();
  },
};
