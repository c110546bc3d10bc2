// What the verdict on a pair was reached without, though it is complete: types that nobody could be asked about, or that the owner
// does not want asked. A pair with nothing but notes has a row too, in which nothing is open. Of a hundred worktrees in Python and no
// pyright that is every pair, so merge_readiness finds the pairs of a worktree in which something is open by an index: 5 ms, not 660.

import { sql } from "kysely";
import { columnsOf, type Migration } from "./migration.ts";

const indexes = { open_pairs_ours: "ours_worktree", open_pairs_theirs: "theirs_worktree" } as const;

export const pairNotes: Migration = {
  version: 24,
  name: "pair notes",
  async up(db) {
    await db.schema
      .alterTable("open_pairs")
      .addColumn("notes", "text", (c) => c.notNull().defaultTo("[]"))
      .execute();
    for (const [name, column] of Object.entries(indexes))
      await sql`create index ${sql.id(name)} on open_pairs (constellation, ${sql.id(column)}) where open <> '[]'`.execute(
        db,
      );
  },
  async verify(db, dialect) {
    const found = await columnsOf(db, dialect, "open_pairs");
    if (!found.includes("notes")) throw new Error("table open_pairs: missing [notes]");
  },
  async down(db) {
    for (const name of Object.keys(indexes)) await db.schema.dropIndex(name).execute();
    // The schema before counts every row as a pair with something open.
    await sql`delete from open_pairs where open = '[]'`.execute(db);
    await db.schema.alterTable("open_pairs").dropColumn("notes").execute();
  },
};
