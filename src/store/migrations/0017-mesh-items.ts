// Items for other constellations and items of theirs, and what siblings say of themselves.

import { sql } from "kysely";
import { expectColumns, type Migration } from "./migration.ts";

export const meshItems: Migration = {
  version: 17,
  name: "mesh-items",
  async up(db) {
    await sql`create table mesh_streams (
      constellation text not null, entry text not null, peer text not null, stream text not null, last_seq bigint not null,
      taken_seq bigint not null, held_bytes bigint not null, their_stream text, their_seq bigint not null, heard_ms bigint, known_ms bigint, skew_ms bigint,
      primary key (constellation, entry)
    )`.execute(db);
    await sql`create table mesh_outbox (
      constellation text not null, entry text not null, seq bigint not null, id text not null, kind text not null, body text not null,
      bytes bigint not null, at_ms bigint not null, primary key (constellation, entry, seq), unique (constellation, entry, id)
    )`.execute(db);
    await sql`create table mesh_arrivals (
      constellation text not null, entry text not null, peer text not null, id text not null, seq bigint not null, kind text not null,
      body text not null, state text not null, problem text, tries bigint not null, due_ms bigint not null, heard_ms bigint not null,
      done_ms bigint, primary key (constellation, entry, id)
    )`.execute(db);
    await sql`create index mesh_arrivals_due on mesh_arrivals (constellation, state, due_ms)`.execute(db);
    await sql`create table mesh_rows (
      constellation text not null, peer text not null, subject text not null, key text not null, data text not null,
      heard_ms bigint not null, primary key (constellation, peer, subject, key)
    )`.execute(db);
    await sql`create table mesh_told (
      constellation text not null, entry text not null, subject text not null, key text not null, digest text not null,
      primary key (constellation, entry, subject, key)
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
  mesh_streams:
    "constellation entry peer stream last_seq taken_seq held_bytes their_stream their_seq heard_ms known_ms skew_ms",
  mesh_outbox: "constellation entry seq id kind body bytes at_ms",
  mesh_arrivals: "constellation entry peer id seq kind body state problem tries due_ms heard_ms done_ms",
  mesh_rows: "constellation peer subject key data heard_ms",
  mesh_told: "constellation entry subject key digest",
} as const;
