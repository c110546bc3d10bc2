// The owner's accounts of agent programs: which one an agent is on, what was used with which, and until when one is at its limit.

import { sql } from "kysely";
import { columnsOf, expectColumns, type Migration } from "./migration.ts";

export const accounts: Migration = {
  version: 10,
  name: "accounts",
  async up(db) {
    await sql`alter table agents add column account text`.execute(db);
    await sql`alter table token_usage add column account text`.execute(db);
    await sql`create table account_limits (
      constellation text not null, runtime text not null, account text not null, until_ms bigint not null,
      agent text not null, seen_ms bigint not null, primary key (constellation, runtime, account)
    )`.execute(db);
  },
  async verify(db, dialect) {
    for (const table of ["agents", "token_usage"])
      if (!(await columnsOf(db, dialect, table)).includes("account")) throw new Error(`${table} lacks account`);
    const columns = "constellation runtime account until_ms agent seen_ms".split(" ");
    await expectColumns(db, dialect, "account_limits", columns);
  },
  async down(db) {
    await sql`drop table account_limits`.execute(db);
    await sql`alter table token_usage drop column account`.execute(db);
    await sql`alter table agents drop column account`.execute(db);
  },
};
