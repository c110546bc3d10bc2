// Hand-overs of tasks, each with the capsule that the next agent was given.

import { sql } from "kysely";
import { expectColumns, type Migration } from "./migration.ts";

export const handovers: Migration = {
  version: 7,
  name: "handovers",
  async up(db) {
    await sql`create table handovers (
      constellation text not null, dispatch text not null, task bigint not null, from_agent text, to_agent text not null,
      because text not null, capsule text not null, kept text not null, asked_by text not null, at_ms bigint not null,
      primary key (constellation, dispatch)
    )`.execute(db);
    await sql`create index handovers_task on handovers (constellation, task)`.execute(db);
  },
  async verify(db, dialect) {
    const columns = "constellation dispatch task from_agent to_agent because capsule kept asked_by at_ms".split(" ");
    await expectColumns(db, dialect, "handovers", columns);
  },
  async down(db) {
    await sql`drop table handovers`.execute(db);
  },
};
