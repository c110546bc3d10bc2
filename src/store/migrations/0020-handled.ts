// What says that a notice was handled: when a worktree's content last changed, whose change closed a finding, and which notice
// carries an event to an agent that it was routed to.

import { columnsOf, type Migration } from "./migration.ts";

const added = [
  ["worktrees", "changed_ms", "bigint"],
  ["findings", "closed_by", "text"],
  ["deliveries", "notice", "text"],
] as const;

export const handled: Migration = {
  version: 20,
  name: "handled",
  async up(db) {
    for (const [table, column, type] of added) await db.schema.alterTable(table).addColumn(column, type).execute();
    await db.schema
      .createIndex("agent_notices_told_events")
      .on("agent_notices")
      .columns(["constellation", "about", "state", "told_ms"])
      .execute();
  },
  async verify(db, dialect) {
    for (const [table, column] of added) {
      const found = await columnsOf(db, dialect, table);
      if (!found.includes(column)) throw new Error(`table ${table}: missing [${column}]`);
    }
  },
  async down(db) {
    await db.schema.dropIndex("agent_notices_told_events").execute();
    for (const [table, column] of added) await db.schema.alterTable(table).dropColumn(column).execute();
  },
};
