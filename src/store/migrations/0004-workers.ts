// Workers, and their turns.

import { sql } from "kysely";
import { expectColumns, type Migration } from "./migration.ts";

export const workers: Migration = {
  version: 4,
  name: "workers",
  async up(db) {
    await sql`create table workers (
      constellation text not null, agent text not null, name text not null, runtime text not null, about text not null,
      wakes_on text not null, tokens_per_day bigint not null, turns_per_hour bigint not null, turn_ms bigint not null,
      state text not null, because text, wake_seq bigint not null, taken_seq bigint not null, woken_ms bigint,
      turns bigint not null, failures bigint not null, retry_ms bigint, same_turns bigint not null, last_print text,
      guards_since_ms bigint not null, created_ms bigint not null, updated_ms bigint not null,
      primary key (constellation, agent)
    )`.execute(db);
    await sql`create table worker_turns (
      constellation text not null, agent text not null, turn bigint not null, id text not null, state text not null,
      attempt bigint not null, causes text not null, text text not null, asked_ms bigint not null, put_ms bigint,
      began_ms bigint, ended_ms bigint, ok bigint, answer text, error text, did text, session_id text,
      primary key (constellation, agent, turn)
    )`.execute(db);
  },
  async verify(db, dialect) {
    await expectColumns(db, dialect, "workers", workerColumns);
    await expectColumns(db, dialect, "worker_turns", turnColumns);
  },
  async down(db) {
    await sql`drop table worker_turns`.execute(db);
    await sql`drop table workers`.execute(db);
  },
};

const workerColumns =
  "constellation agent name runtime about wakes_on tokens_per_day turns_per_hour turn_ms state because wake_seq taken_seq woken_ms turns failures retry_ms same_turns last_print guards_since_ms created_ms updated_ms".split(
    " ",
  );

const turnColumns =
  "constellation agent turn id state attempt causes text asked_ms put_ms began_ms ended_ms ok answer error did session_id".split(
    " ",
  );
