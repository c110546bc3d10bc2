// Tokens carry a signature over their own row, as decisions, claims and approvals do. Those from before have none, and no longer open
// anything: the owner makes them anew.

import { columnsOf, type Migration } from "./migration.ts";

export const signedTokens: Migration = {
  version: 22,
  name: "signed tokens",
  async up(db) {
    await db.schema.alterTable("tokens").addColumn("signature", "text").execute();
  },
  async verify(db, dialect) {
    const found = await columnsOf(db, dialect, "tokens");
    if (!found.includes("signature")) throw new Error("table tokens: missing [signature]");
  },
  async down(db) {
    await db.schema.alterTable("tokens").dropColumn("signature").execute();
  },
};
