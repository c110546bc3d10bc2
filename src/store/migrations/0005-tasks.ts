// Tasks, their story, the workspaces they are worked on in, who they were given to, and how they landed.

import type { Untyped } from "./migration.ts";
import { expectColumns, type Migration } from "./migration.ts";

type Kind = "text" | "bigint";
type Columns = Readonly<Record<string, readonly [Kind, "not null"?]>>;

const text = ["text", "not null"] as const;
const number = ["bigint", "not null"] as const;
const maybeText = ["text"] as const;
const maybeNumber = ["bigint"] as const;

const tables: Readonly<Record<string, { columns: Columns; key: readonly string[] }>> = {
  tasks: {
    key: ["constellation", "number"],
    columns: {
      constellation: text,
      number,
      title: text,
      directive: text,
      state: text,
      priority: text,
      brief: maybeText,
      agent: maybeText,
      root: text,
      repository: maybeText,
      target: maybeText,
      branch: maybeText,
      scope: text,
      estimate_ms: maybeNumber,
      actual_ms: maybeNumber,
      landed_sha: maybeText,
      reason: maybeText,
      source_key: maybeText,
      created_by: text,
      created_ms: number,
      updated_ms: number,
      started_ms: maybeNumber,
      ready_ms: maybeNumber,
      closed_ms: maybeNumber,
    },
  },
  task_after: {
    key: ["constellation", "task", "after"],
    columns: { constellation: text, task: number, after: number },
  },
  task_events: {
    key: ["id"],
    columns: {
      id: text,
      constellation: text,
      task: number,
      seq: number,
      at_ms: number,
      type: text,
      actor: text,
      data: text,
    },
  },
  workspaces: {
    key: ["id"],
    columns: {
      id: text,
      constellation: text,
      task: number,
      name: text,
      state: text,
      holder: maybeText,
      root: text,
      place: text,
      path: text,
      source: text,
      origin: text,
      target: text,
      branch: text,
      base_sha: text,
      port_first: number,
      port_count: number,
      rescue: maybeText,
      problem: maybeText,
      created_ms: number,
      removing_ms: maybeNumber,
      removed_ms: maybeNumber,
    },
  },
  dispatches: {
    key: ["id"],
    columns: {
      id: text,
      constellation: text,
      task: number,
      agent: maybeText,
      workspace: maybeText,
      state: text,
      fencing_token: number,
      asked_ms: number,
      delivered_ms: maybeNumber,
      ended_ms: maybeNumber,
      problem: maybeText,
    },
  },
  harvests: {
    key: ["id"],
    columns: {
      id: text,
      constellation: text,
      train: text,
      task: number,
      place_in_train: number,
      workspace: maybeText,
      origin: text,
      phase: text,
      outcome: maybeText,
      reason: maybeText,
      report: text,
      target: maybeText,
      expected_old: maybeText,
      new_tip: maybeText,
      landed_sha: maybeText,
      gate_commit: maybeText,
      gate_outcome: maybeText,
      gate_tail: maybeText,
      gate_ms: maybeNumber,
      attempts: number,
      fencing_token: number,
      asked_by: text,
      asked_ms: number,
      started_ms: maybeNumber,
      ended_ms: maybeNumber,
    },
  },
  git_operations: {
    key: ["id"],
    columns: {
      id: text,
      constellation: text,
      at_ms: number,
      duration_ms: number,
      operation: text,
      repository: text,
      task: maybeNumber,
      outcome: text,
      detail: text,
    },
  },
  task_leases: { key: ["name"], columns: { name: text, holder: text, token: number, until_ms: number } },
};

export const tasks: Migration = {
  version: 5,
  name: "tasks",
  async up(db) {
    for (const [name, table] of Object.entries(tables)) await create(db, name, table);
    const index = (name: string, table: string, columns: string[]): Promise<void> =>
      db.schema.createIndex(name).on(table).columns(columns).execute();
    await index("tasks_state", "tasks", ["constellation", "state"]);
    await index("task_events_task", "task_events", ["constellation", "task", "seq"]);
    await index("workspaces_task", "workspaces", ["constellation", "task"]);
    await index("harvests_train", "harvests", ["train"]);
    await index("harvests_task", "harvests", ["constellation", "task"]);
    await index("harvests_open", "harvests", ["ended_ms"]);
    await index("dispatches_task", "dispatches", ["constellation", "task"]);
    await index("git_operations_at", "git_operations", ["at_ms"]);
    // Importing the same thing twice gives one task, also when two do it at once.
    await db.schema.createIndex("tasks_source").on("tasks").columns(["constellation", "source_key"]).unique().execute();
  },
  async verify(db, dialect) {
    for (const [name, table] of Object.entries(tables))
      await expectColumns(db, dialect, name, Object.keys(table.columns));
  },
  async down(db) {
    for (const name of Object.keys(tables)) await db.schema.dropTable(name).execute();
  },
};

async function create(db: Untyped, name: string, table: { columns: Columns; key: readonly string[] }): Promise<void> {
  let builder = db.schema.createTable(name);
  for (const [column, [kind, isRequired]] of Object.entries(table.columns))
    builder = builder.addColumn(column, kind, (c) => (isRequired === undefined ? c : c.notNull()));
  await builder.addPrimaryKeyConstraint(`${name}_key`, [...table.key] as never).execute();
}
