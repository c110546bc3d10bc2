// A telling says which conversation of its agent it reached: a successor under the same name has heard nothing of it.

import { columnsOf, type Migration } from "./migration.ts";

export const toldTo: Migration = {
  version: 23,
  name: "told to",
  async up(db) {
    await db.schema.alterTable("tellings").addColumn("told_to", "text").execute();
  },
  async verify(db, dialect) {
    const found = await columnsOf(db, dialect, "tellings");
    if (!found.includes("told_to")) throw new Error("table tellings: missing [told_to]");
  },
  async down(db) {
    await db.schema.alterTable("tellings").dropColumn("told_to").execute();
  },
};
