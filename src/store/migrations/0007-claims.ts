// What agents ask others to leave alone, what the gate said of trees, and the way to findings that are long over.

import { expectColumns, type Migration } from "./migration.ts";

const columns = {
  claims: [
    "id",
    "constellation",
    "repository",
    "holder",
    "worktree",
    "patterns",
    "severity",
    "reason",
    "made_by",
    "made_ms",
    "expires_ms",
    "dropped_ms",
    "dropped_by",
  ],
  gate_runs: ["constellation", "key", "repository", "tree", "command", "outcome", "confirmed", "detail", "ran_ms"],
};

export const claims: Migration = {
  version: 7,
  name: "claims",
  async up(db) {
    await db.schema
      .createTable("claims")
      .addColumn("id", "text", (c) => c.primaryKey())
      .addColumn("constellation", "text", (c) => c.notNull())
      .addColumn("repository", "text", (c) => c.notNull())
      .addColumn("holder", "text", (c) => c.notNull())
      .addColumn("worktree", "text", (c) => c.notNull())
      .addColumn("patterns", "text", (c) => c.notNull())
      .addColumn("severity", "text", (c) => c.notNull())
      .addColumn("reason", "text", (c) => c.notNull())
      .addColumn("made_by", "text", (c) => c.notNull())
      .addColumn("made_ms", "bigint", (c) => c.notNull())
      .addColumn("expires_ms", "bigint", (c) => c.notNull())
      .addColumn("dropped_ms", "bigint")
      .addColumn("dropped_by", "text")
      .execute();
    await db.schema.createIndex("claims_end").on("claims").columns(["constellation", "expires_ms"]).execute();
    await db.schema
      .createTable("gate_runs")
      .addColumn("constellation", "text", (c) => c.notNull())
      .addColumn("key", "text", (c) => c.notNull())
      .addColumn("repository", "text", (c) => c.notNull())
      .addColumn("tree", "text", (c) => c.notNull())
      .addColumn("command", "text", (c) => c.notNull())
      .addColumn("outcome", "text", (c) => c.notNull())
      .addColumn("confirmed", "bigint", (c) => c.notNull())
      .addColumn("detail", "text", (c) => c.notNull())
      .addColumn("ran_ms", "bigint", (c) => c.notNull())
      .addPrimaryKeyConstraint("gate_runs_key", ["constellation", "key"] as never)
      .execute();
    await db.schema.createIndex("gate_runs_age").on("gate_runs").columns(["constellation", "ran_ms"]).execute();
    await db.schema
      .createIndex("findings_end")
      .on("findings")
      .columns(["constellation", "state", "closed_ms"])
      .execute();
  },
  async verify(db, dialect) {
    for (const [table, names] of Object.entries(columns)) await expectColumns(db, dialect, table, names);
  },
  async down(db) {
    await db.schema.dropIndex("findings_end").execute();
    for (const table of Object.keys(columns)) await db.schema.dropTable(table).execute();
  },
};
