// Pairs of which something could not be looked at, how many pairs there are, and which findings only a compiler saw: what a
// silence rests on.

import { columnsOf, expectColumns, type Migration } from "./migration.ts";

const columns = [
  "constellation",
  "repository",
  "pair",
  "ours_label",
  "ours_worktree",
  "theirs_label",
  "theirs_worktree",
  "open",
  "since_ms",
];

export const openPairs: Migration = {
  version: 12,
  name: "open-pairs",
  async up(db) {
    await db.schema
      .createTable("open_pairs")
      .addColumn("constellation", "text", (c) => c.notNull())
      .addColumn("repository", "text", (c) => c.notNull())
      .addColumn("pair", "text", (c) => c.notNull())
      .addColumn("ours_label", "text", (c) => c.notNull())
      .addColumn("ours_worktree", "text")
      .addColumn("theirs_label", "text", (c) => c.notNull())
      .addColumn("theirs_worktree", "text")
      .addColumn("open", "text", (c) => c.notNull())
      .addColumn("since_ms", "bigint", (c) => c.notNull())
      .addPrimaryKeyConstraint("open_pairs_key", ["constellation", "repository", "pair"] as never)
      .execute();
    await db.schema
      .alterTable("findings")
      .addColumn("by_compiler", "bigint", (c) => c.notNull().defaultTo(0))
      .execute();
    await db.schema
      .alterTable("repositories")
      .addColumn("pairs", "bigint", (c) => c.notNull().defaultTo(0))
      .execute();
  },
  async verify(db, dialect) {
    await expectColumns(db, dialect, "open_pairs", columns);
    for (const [table, column] of [
      ["findings", "by_compiler"],
      ["repositories", "pairs"],
    ] as const) {
      if (!(await columnsOf(db, dialect, table)).includes(column))
        throw new Error(`table ${table}: missing [${column}]`);
    }
  },
  async down(db) {
    await db.schema.alterTable("repositories").dropColumn("pairs").execute();
    await db.schema.alterTable("findings").dropColumn("by_compiler").execute();
    await db.schema.dropTable("open_pairs").execute();
  },
};
