// What unattended nights leave behind: permission requests, schedules and firings, what needs the owner, and their answers.

import { expectColumns, type Migration, type Untyped } from "./migration.ts";

type Kind = "text" | "bigint" | "text?" | "bigint?";

const tables: Readonly<Record<string, { readonly key: readonly string[]; readonly columns: Record<string, Kind> }>> = {
  approvals: {
    key: ["id"],
    columns: {
      id: "text",
      constellation: "text",
      request: "text",
      agent: "text",
      runtime: "text",
      task: "text?",
      tool: "text",
      asked: "text",
      part: "text",
      why: "text",
      cwd: "text",
      state: "text",
      asked_ms: "bigint",
      due_ms: "bigint",
      seen_ms: "bigint",
      answered_ms: "bigint?",
      answered_by: "text?",
      note: "text?",
    },
  },
  schedules: {
    key: ["constellation", "kind", "label"],
    columns: {
      constellation: "text",
      kind: "text",
      label: "text",
      timing: "text",
      action: "text",
      overlap: "text",
      paused: "bigint",
      seen_ms: "bigint",
      fired_ms: "bigint?",
      next_ms: "bigint?",
      behind_ms: "bigint",
      ended_ms: "bigint?",
      ended_why: "text?",
      updated_ms: "bigint",
    },
  },
  firings: {
    key: ["constellation", "key"],
    columns: {
      constellation: "text",
      key: "text",
      kind: "text",
      label: "text",
      due_ms: "bigint",
      at_ms: "bigint",
      catch_up: "bigint",
      missed: "bigint",
      late_ms: "bigint",
      action: "text",
      overlap: "text",
      state: "text",
      message_id: "text?",
      began_ms: "bigint?",
      ended_ms: "bigint?",
      detail: "text?",
    },
  },
  owner_needs: {
    key: ["constellation", "key"],
    columns: {
      constellation: "text",
      key: "text",
      kind: "text",
      agent: "text?",
      says: "text",
      next: "text",
      since_ms: "bigint",
      ended_ms: "bigint?",
      paged_ms: "bigint?",
      tries: "bigint",
      retry_ms: "bigint?",
    },
  },
  owner_directives: {
    key: ["id"],
    columns: {
      id: "text",
      constellation: "text",
      at_ms: "bigint",
      channel: "text",
      sender: "text",
      text: "text",
      source_key: "text",
      became: "text",
    },
  },
};

export const nights: Migration = {
  version: 18,
  name: "nights",
  async up(db) {
    for (const name of Object.keys(tables)) await make(db, name);
    await db.schema
      .createIndex("approvals_request")
      .on("approvals")
      .columns(["constellation", "request"])
      .unique()
      .execute();
    await db.schema.createIndex("approvals_state").on("approvals").columns(["constellation", "state"]).execute();
    await db.schema.createIndex("firings_state").on("firings").columns(["constellation", "state"]).execute();
    await db.schema
      .createIndex("firings_label")
      .on("firings")
      .columns(["constellation", "kind", "label", "at_ms"])
      .execute();
    await db.schema
      .createIndex("owner_directives_source")
      .on("owner_directives")
      .columns(["constellation", "source_key"])
      .unique()
      .execute();
  },
  async verify(db, dialect) {
    for (const [name, { columns }] of Object.entries(tables))
      await expectColumns(db, dialect, name, Object.keys(columns));
  },
  async down(db) {
    for (const name of Object.keys(tables)) await db.schema.dropTable(name).execute();
  },
};

async function make(db: Untyped, name: string): Promise<void> {
  const { key = [], columns = {} } = tables[name] ?? {};
  let table = db.schema.createTable(name);
  for (const [column, kind] of Object.entries(columns)) {
    const type = kind.startsWith("text") ? "text" : "bigint";
    table = table.addColumn(column, type, (c) => (kind.endsWith("?") ? c : c.notNull())) as typeof table;
  }
  await table.addPrimaryKeyConstraint(`${name}_key`, key as never).execute();
}
