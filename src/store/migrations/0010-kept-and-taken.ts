// What a clone called ready is kept outside its workspace until it has landed. And how far files were taken in is each
// constellation's own: on one Postgres, those of two homes have the same names, and may have the same inode.

import { sql } from "kysely";
import { columnsOf, expectColumns, type Migration, type Untyped } from "./migration.ts";

export const keptAndTaken: Migration = {
  version: 10,
  name: "kept-and-taken",
  async up(db) {
    await db.schema.alterTable("workspaces").addColumn("kept_ms", "bigint").execute();
    await positionsAnew(
      db,
      (table) =>
        table
          .addColumn("constellation", "text", (c) => c.notNull())
          .addColumn("file", "text", (c) => c.notNull())
          // Not by Postgres' own name for it, which the old table's index has.
          .addPrimaryKeyConstraint("intake_positions_own", ["constellation", "file"]),
      // Whose they were is known when there was one. Else files are read from their beginning, and known records again by id.
      sql`insert into intake_positions (constellation, file, inode, offset_bytes, updated_ms)
        select (select min(constellation) from chain_heads), file, inode, offset_bytes, updated_ms
        from intake_positions_before where (select count(*) from chain_heads) = 1`,
    );
  },
  async verify(db, dialect) {
    const found = await columnsOf(db, dialect, "workspaces");
    if (!found.includes("kept_ms")) throw new Error("table workspaces: missing [kept_ms]");
    const columns = ["constellation", "file", "inode", "offset_bytes", "updated_ms"];
    await expectColumns(db, dialect, "intake_positions", columns);
  },
  async down(db) {
    await db.schema.alterTable("workspaces").dropColumn("kept_ms").execute();
    await positionsAnew(
      db,
      (table) => table.addColumn("file", "text", (c) => c.primaryKey()),
      sql`insert into intake_positions (file, inode, offset_bytes, updated_ms)
        select file, inode, offset_bytes, updated_ms from intake_positions_before
        where (select count(distinct constellation) from intake_positions_before) = 1`,
    );
  },
};

type Table = ReturnType<Untyped["schema"]["createTable"]>;

/** SQLite cannot change a primary key. */
async function positionsAnew(
  db: Untyped,
  keyed: (table: Table) => Pick<Table, "addColumn">,
  copy: ReturnType<typeof sql>,
): Promise<void> {
  await db.schema.alterTable("intake_positions").renameTo("intake_positions_before").execute();
  await keyed(db.schema.createTable("intake_positions"))
    .addColumn("inode", "bigint", (c) => c.notNull())
    .addColumn("offset_bytes", "bigint", (c) => c.notNull())
    .addColumn("updated_ms", "bigint", (c) => c.notNull())
    .execute();
  await copy.execute(db);
  await db.schema.dropTable("intake_positions_before").execute();
}
