// Reviews: whom a task's ready work was given to read, and the answers, each about the commits that were read.

import { sql } from "kysely";
import { expectColumns, type Migration } from "./migration.ts";

export const reviews: Migration = {
  version: 6,
  name: "reviews",
  async up(db) {
    await sql`create table task_reviews (
      id text not null primary key, constellation text not null, task bigint not null, head text not null, works text not null,
      reviewer text not null, state text not null, asked_by text not null, asked_ms bigint not null, note text,
      told_ms bigint, stale_ms bigint, answered_ms bigint, text text, comments text not null, signature text
    )`.execute(db);
    await sql`create index task_reviews_task on task_reviews (constellation, task)`.execute(db);
    await sql`create index task_reviews_open on task_reviews (constellation, state, stale_ms)`.execute(db);
  },
  async verify(db, dialect) {
    await expectColumns(db, dialect, "task_reviews", columns);
  },
  async down(db) {
    await sql`drop table task_reviews`.execute(db);
  },
};

const columns = [
  "id",
  "constellation",
  "task",
  "head",
  "works",
  "reviewer",
  "state",
  "asked_by",
  "asked_ms",
  "note",
  "told_ms",
  "stale_ms",
  "answered_ms",
  "text",
  "comments",
  "signature",
];
