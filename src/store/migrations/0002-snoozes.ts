// What the owner put aside: a need, until a time or until it says something else.

import { sql } from "kysely";
import { expectColumns, type Migration } from "./migration.ts";

export const snoozes: Migration = {
  version: 2,
  name: "snoozes",
  async up(db) {
    await sql`create table snoozes (
      constellation text not null, key text not null, until_ms bigint, says text not null,
      snoozed_by text not null, snoozed_ms bigint not null, primary key (constellation, key)
    )`.execute(db);
  },
  async verify(db, dialect) {
    const columns = ["constellation", "key", "until_ms", "says", "snoozed_by", "snoozed_ms"];
    await expectColumns(db, dialect, "snoozes", columns);
  },
  async down(db) {
    await sql`drop table snoozes`.execute(db);
  },
};
