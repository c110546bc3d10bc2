// The service graph as rows: which services there are, and who uses which contract, so that SQL can ask what a change would break.

import { sql } from "kysely";
import { expectColumns, type Migration } from "./migration.ts";

export const serviceGraph: Migration = {
  version: 13,
  name: "service-graph",
  async up(db) {
    await sql`create table known_services (
      constellation text not null, name text not null, repository text, repository_name text not null, provides text not null,
      declared_in text not null, seen_ms bigint not null, primary key (constellation, name)
    )`.execute(db);
    await sql`create table contract_users (
      constellation text not null, provider text not null, contract text not null, consumer text not null, how text, chain text not null,
      operations text, because text, seen_ms bigint not null, primary key (constellation, provider, contract, consumer)
    )`.execute(db);
  },
  async verify(db, dialect) {
    await expectColumns(db, dialect, "known_services", serviceColumns.split(" "));
    await expectColumns(db, dialect, "contract_users", userColumns.split(" "));
  },
  async down(db) {
    await sql`drop table contract_users`.execute(db);
    await sql`drop table known_services`.execute(db);
  },
};

const serviceColumns = "constellation name repository repository_name provides declared_in seen_ms";
const userColumns = "constellation provider contract consumer how chain operations because seen_ms";
