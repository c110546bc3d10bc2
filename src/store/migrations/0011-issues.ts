// Issues of a forge that become tasks: which label of which repository is followed, and the task that each issue became. Beside them
// what checks of a branch need to be tied to a landing, and whether a pull request waits for a person.

import { sql } from "kysely";
import { columnsOf, expectColumns, type Migration } from "./migration.ts";

export const issues: Migration = {
  version: 11,
  name: "issues",
  async up(db) {
    await sql`create table issue_follows (
      id text not null primary key, constellation text not null, origin text not null, label text not null, root text not null,
      repository text, waiting bigint not null, outages bigint not null, retry_ms bigint, waits_for text, looked_ms bigint,
      created_by text not null, created_ms bigint not null, ended_ms bigint
    )`.execute(db);
    await sql`create index issue_follows_open on issue_follows (constellation, ended_ms)`.execute(db);
    await sql`create table issue_tasks (
      constellation text not null, follow text not null, issue bigint not null, task bigint not null, url text not null,
      author text not null, state text not null, told text, seen_ms bigint not null, outages bigint not null, retry_ms bigint,
      problem text, created_ms bigint not null, primary key (constellation, follow, issue)
    )`.execute(db);
    await sql`create index issue_tasks_task on issue_tasks (constellation, task)`.execute(db);
    for (const column of checkColumns) await sql.raw(`alter table branch_checks add column ${column}`).execute(db);
    await sql`alter table pull_requests add column asks_ms bigint`.execute(db);
  },
  async verify(db, dialect) {
    await expectColumns(db, dialect, "issue_follows", followColumns.split(" "));
    await expectColumns(db, dialect, "issue_tasks", taskColumns.split(" "));
    const checks = await columnsOf(db, dialect, "branch_checks");
    const pulls = await columnsOf(db, dialect, "pull_requests");
    if (!checks.includes("red_ms") || !pulls.includes("asks_ms"))
      throw new Error("checks or pull requests lack a column");
  },
  async down(db) {
    await sql`alter table pull_requests drop column asks_ms`.execute(db);
    for (const column of ["red_ms", "is_target", "says"])
      await sql.raw(`alter table branch_checks drop column ${column}`).execute(db);
    await sql`drop table issue_tasks`.execute(db);
    await sql`drop table issue_follows`.execute(db);
  },
};

const followColumns =
  "id constellation origin label root repository waiting outages retry_ms waits_for looked_ms created_by created_ms ended_ms";

const taskColumns = "constellation follow issue task url author state told seen_ms outages retry_ms problem created_ms";

const checkColumns = ["red_ms bigint", "is_target bigint", "says text"];
