// Repositories that their owner shares with other constellations, and the lines of work in them.

import { sql } from "kysely";
import { expectColumns, type Migration } from "./migration.ts";

export const sharing: Migration = {
  version: 16,
  name: "sharing",
  async up(db) {
    await sql`create table shared_repositories (
      constellation text not null, repository text not null, mark text not null, wanted text not null, shared_by text not null,
      shared_ms bigint not null, heard_ms bigint not null, problem text, primary key (constellation, repository)
    )`.execute(db);
    await sql`create table shared_sides (
      constellation text not null, repository text not null, key text not null, ref text not null, commit_id text, route text not null,
      detail text, branch text, agent text, task text, machine text not null, at_ms bigint not null,
      primary key (constellation, repository, key)
    )`.execute(db);
    // The one question that goes across constellations: what others have in a repository.
    await sql`create index shared_sides_repository on shared_sides (repository, at_ms)`.execute(db);
    await sql`create table side_bundles (
      constellation text not null, repository text not null, key text not null, content text not null,
      primary key (constellation, repository, key)
    )`.execute(db);
  },
  async verify(db, dialect) {
    for (const [table, columns] of Object.entries(tables)) await expectColumns(db, dialect, table, columns.split(" "));
  },
  async down(db) {
    for (const table of Object.keys(tables).toReversed()) await sql.raw(`drop table ${table}`).execute(db);
  },
};

const tables = {
  shared_repositories: "constellation repository mark wanted shared_by shared_ms heard_ms problem",
  shared_sides: "constellation repository key ref commit_id route detail branch agent task machine at_ms",
  side_bundles: "constellation repository key content",
} as const;
