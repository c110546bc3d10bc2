// Requests of outside agents over A2A: what they sent, what the owner decided, what they were told, and who else is told of it.

import { sql } from "kysely";
import { expectColumns, type Migration } from "./migration.ts";

export const a2a: Migration = {
  version: 14,
  name: "a2a",
  async up(db) {
    await sql`create table a2a_requests (
      id text not null primary key, constellation text not null, sender text not null, context text not null, skill text not null,
      title text not null, decision text not null, decided_by text, decided_ms bigint, task bigint, agent text, state text not null,
      seq bigint not null, said text, told text, given_ms bigint, created_ms bigint not null, updated_ms bigint not null, ended_ms bigint,
      signature text
    )`.execute(db);
    await sql`create index a2a_requests_sender on a2a_requests (constellation, sender, updated_ms)`.execute(db);
    await sql`create index a2a_requests_open on a2a_requests (constellation, ended_ms)`.execute(db);
    await sql`create table a2a_messages (
      id text not null primary key, constellation text not null, request text not null, sender text not null, message_id text not null,
      role text not null, parts text not null, digest text not null, state text not null, at_ms bigint not null,
      unique (constellation, sender, message_id)
    )`.execute(db);
    await sql`create index a2a_messages_request on a2a_messages (constellation, request)`.execute(db);
    await sql`create table a2a_artefacts (
      constellation text not null, request text not null, id text not null, name text not null, parts text not null,
      at_ms bigint not null, primary key (constellation, request, id)
    )`.execute(db);
    await sql`create table a2a_changes (
      constellation text not null, request text not null, seq bigint not null, data text not null, at_ms bigint not null,
      primary key (constellation, request, seq)
    )`.execute(db);
    await sql`create table a2a_pushes (
      constellation text not null, request text not null, id text not null, url text not null, token text, scheme text, credentials text,
      sent_seq bigint not null, outages bigint not null, retry_ms bigint, problem text, created_ms bigint not null,
      primary key (constellation, request, id)
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
  a2a_requests:
    "id constellation sender context skill title decision decided_by decided_ms task agent state seq said told given_ms created_ms updated_ms ended_ms signature",
  a2a_messages: "id constellation request sender message_id role parts digest state at_ms",
  a2a_artefacts: "constellation request id name parts at_ms",
  a2a_changes: "constellation request seq data at_ms",
  a2a_pushes: "constellation request id url token scheme credentials sent_seq outages retry_ms problem created_ms",
} as const;
