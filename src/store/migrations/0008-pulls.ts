// Pull requests: one row for each, what checks say of pushed branches, and how a task is to land.

import { sql } from "kysely";
import { columnsOf, expectColumns, type Migration } from "./migration.ts";

export const pulls: Migration = {
  version: 8,
  name: "pulls",
  async up(db) {
    await sql`alter table tasks add column land_by text`.execute(db);
    await sql`create table pull_requests (
      id text primary key, constellation text not null, task bigint not null, workspace text, origin text not null,
      source text not null, target text not null, branch text not null, base text not null, on_task bigint,
      phase text not null, outcome text, number bigint, url text, want_sha text not null, head_sha text, head_by text,
      source_sha text not null, onto_sha text not null, judged_tip text not null, target_sha text not null,
      harvest text not null, rebase bigint not null, checks text, review text, merge_state text, merge_by text not null,
      method text not null, rounds bigint not null, most_rounds bigint not null, told text not null, feedback text,
      text_hash text, waits_for text, outages bigint not null, retry_ms bigint, ended_by text, landed_sha text,
      created_ms bigint not null, opened_ms bigint, updated_ms bigint not null, ended_ms bigint
    )`.execute(db);
    await sql`create index pull_requests_task on pull_requests (constellation, task)`.execute(db);
    await sql`create index pull_requests_open on pull_requests (constellation, ended_ms)`.execute(db);
    await sql`create table branch_checks (
      constellation text not null, origin text not null, branch text not null, commit_sha text not null, state text not null,
      red text not null, task bigint, since_ms bigint not null, seen_ms bigint not null,
      primary key (constellation, origin, branch)
    )`.execute(db);
  },
  async verify(db, dialect) {
    await expectColumns(db, dialect, "pull_requests", pullColumns.split(" "));
    await expectColumns(db, dialect, "branch_checks", checkColumns.split(" "));
    if (!(await columnsOf(db, dialect, "tasks")).includes("land_by")) throw new Error("tasks lacks land_by");
  },
  async down(db) {
    await sql`drop table branch_checks`.execute(db);
    await sql`drop table pull_requests`.execute(db);
    await sql`alter table tasks drop column land_by`.execute(db);
  },
};

const pullColumns =
  "id constellation task workspace origin source target branch base on_task phase outcome number url want_sha head_sha head_by " +
  "source_sha onto_sha judged_tip target_sha harvest rebase checks review merge_state merge_by method rounds most_rounds told " +
  "feedback text_hash waits_for outages retry_ms ended_by landed_sha created_ms opened_ms updated_ms ended_ms";

const checkColumns = "constellation origin branch commit_sha state red task since_ms seen_ms";
