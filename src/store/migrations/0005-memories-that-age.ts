// Memories that hold only while a file is as it was: its path in a worktree, and the blob that it had.

import { sql } from "kysely";
import { columnsOf, type Migration } from "./migration.ts";

const columns = ["valid_root", "valid_path", "valid_blob"];

export const memoriesThatAge: Migration = {
  version: 5,
  name: "memories-that-age",
  async up(db) {
    for (const column of columns) await sql`alter table memories add column ${sql.ref(column)} text`.execute(db);
  },
  async verify(db, dialect) {
    const there = await columnsOf(db, dialect, "memories");
    if (!columns.every((column) => there.includes(column))) throw new Error("memories lacks what they rest on");
  },
  async down(db) {
    for (const column of columns) await sql`alter table memories drop column ${sql.ref(column)}`.execute(db);
  },
};
