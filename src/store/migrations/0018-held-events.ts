// Published events that wait for the owner's word before they reach anybody.

import { sql } from "kysely";
import { columnsOf, type Migration } from "./migration.ts";

export const heldEvents: Migration = {
  version: 18,
  name: "held-events",
  async up(db) {
    await sql`alter table published add column held text`.execute(db);
    await sql`create index published_held on published (constellation, held)`.execute(db);
  },
  async verify(db, dialect) {
    if (!(await columnsOf(db, dialect, "published")).includes("held")) throw new Error("published lacks held");
  },
  async down(db) {
    await sql`drop index published_held`.execute(db);
    await sql`alter table published drop column held`.execute(db);
  },
};
