// What a task's end leaves to do and to keep: whether the clone was told, until when its work counts for the task, what was
// saved of each removed workspace, and the repositories of a task that is about several.

import { sql } from "kysely";
import { columnsOf, expectColumns, type Migration } from "./migration.ts";

const rescueColumns = [
  "id",
  "constellation",
  "task",
  "workspace",
  "name",
  "source",
  "kept_as",
  "saved_ms",
  "restored_ms",
  "announced_ms",
  "pruned_ms",
];
const added = { dispatches: ["told_ms", "left_ms"], tasks: ["repositories"] };

export const rescues: Migration = {
  version: 9,
  name: "rescues",
  async up(db) {
    await db.schema
      .alterTable("tasks")
      .addColumn("repositories", "text", (c) => c.notNull().defaultTo("[]"))
      .execute();
    await db.schema.alterTable("dispatches").addColumn("told_ms", "bigint").execute();
    await db.schema.alterTable("dispatches").addColumn("left_ms", "bigint").execute();
    // What ended before this was known is old news to everybody.
    await sql`update dispatches set told_ms = ended_ms, left_ms = ended_ms where ended_ms is not null`.execute(db);
    await db.schema
      .createTable("rescues")
      .addColumn("id", "text", (c) => c.notNull().primaryKey())
      .addColumn("constellation", "text", (c) => c.notNull())
      .addColumn("task", "bigint", (c) => c.notNull())
      .addColumn("workspace", "text", (c) => c.notNull())
      .addColumn("name", "text", (c) => c.notNull())
      .addColumn("source", "text", (c) => c.notNull())
      .addColumn("kept_as", "text", (c) => c.notNull())
      .addColumn("saved_ms", "bigint", (c) => c.notNull())
      .addColumn("restored_ms", "bigint")
      .addColumn("announced_ms", "bigint")
      .addColumn("pruned_ms", "bigint")
      .execute();
    await db.schema.createIndex("rescues_workspace").on("rescues").columns(["workspace"]).execute();
    // A workspace that stands again was restored; when is not known.
    await sql`insert into rescues (id, constellation, task, workspace, name, source, kept_as, saved_ms, restored_ms)
      select 'rsc' || substr(id, 4), constellation, task, id, name, source, rescue, coalesce(removed_ms, created_ms),
        case when state = 'removed' then null else created_ms end
      from workspaces where rescue is not null`.execute(db);
  },
  async verify(db, dialect) {
    await expectColumns(db, dialect, "rescues", rescueColumns);
    for (const [table, columns] of Object.entries(added)) {
      const found = await columnsOf(db, dialect, table);
      const missing = columns.filter((column) => !found.includes(column));
      if (missing.length > 0) throw new Error(`table ${table}: missing [${missing.join(", ")}]`);
    }
  },
  async down(db) {
    await db.schema.dropTable("rescues").execute();
    for (const [table, columns] of Object.entries(added))
      for (const column of columns) await db.schema.alterTable(table).dropColumn(column).execute();
  },
};
