// Acceptance: the criteria a task must show before it counts as done, the line of evidence that came with "ready", and the files it hands
// over besides its branch.

import { sql } from "kysely";
import { columnsOf, expectColumns, type Migration } from "./migration.ts";

export const acceptance: Migration = {
  version: 3,
  name: "acceptance",
  async up(db) {
    await sql`alter table tasks add column evidence text`.execute(db);
    await sql`create table task_criteria (
      constellation text not null, task bigint not null, place bigint not null, kind text not null, text text not null,
      state text not null, commit_sha text, detail text, judged_by text, judged_ms bigint, created_ms bigint not null,
      primary key (constellation, task, place)
    )`.execute(db);
    await sql`create table artefacts (
      constellation text not null, task bigint not null, name text not null, sha256 text not null, bytes bigint not null,
      added_by text not null, added_ms bigint not null, primary key (constellation, task, name)
    )`.execute(db);
    await sql`create index artefacts_content on artefacts (constellation, sha256)`.execute(db);
    await sql`create table artefact_contents (
      constellation text not null, sha256 text not null, content text not null, primary key (constellation, sha256)
    )`.execute(db);
  },
  async verify(db, dialect) {
    await expectColumns(db, dialect, "task_criteria", criteriaColumns);
    await expectColumns(db, dialect, "artefacts", artefactColumns);
    await expectColumns(db, dialect, "artefact_contents", ["constellation", "sha256", "content"]);
    if (!(await columnsOf(db, dialect, "tasks")).includes("evidence")) throw new Error("tasks lacks evidence");
  },
  async down(db) {
    await sql`drop table artefact_contents`.execute(db);
    await sql`drop table artefacts`.execute(db);
    await sql`drop table task_criteria`.execute(db);
    await sql`alter table tasks drop column evidence`.execute(db);
  },
};

const criteriaColumns = [
  "constellation",
  "task",
  "place",
  "kind",
  "text",
  "state",
  "commit_sha",
  "detail",
  "judged_by",
  "judged_ms",
  "created_ms",
];

const artefactColumns = ["constellation", "task", "name", "sha256", "bytes", "added_by", "added_ms"];
