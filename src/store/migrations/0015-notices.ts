// Notices: what is addressed to which agent and where it stands, each telling of it, the events that were addressed, who
// subscribed to what, who edits where; claims and findings that keep others from editing.

import { columnsOf, expectColumns, type Migration } from "./migration.ts";

const columns = {
  agent_notices: [
    "id",
    "constellation",
    "agent",
    "cause",
    "about",
    "kind",
    "repository",
    "severity",
    "title",
    "reasons",
    "parts",
    "state",
    "due_ms",
    "made_ms",
    "updated_ms",
    "told_ms",
    "told_by",
    "handled_ms",
    "handled_by",
    "ended_ms",
    "ended_because",
  ],
  tellings: [
    "id",
    "constellation",
    "agent",
    "way",
    "state",
    "covers",
    "moments",
    "files",
    "denies",
    "text",
    "offered_ms",
    "told_ms",
    "told_by",
    "ended_ms",
  ],
  addressed_events: [
    "id",
    "constellation",
    "type",
    "caused_by",
    "severity",
    "text",
    "files",
    "about",
    "recipients",
    "at_ms",
  ],
  subscriptions: ["constellation", "agent", "what", "repository", "value", "made_ms"],
  workplaces: ["constellation", "agent", "worktree", "last_ms"],
} as const;

const added = [
  ["claims", "exclusive"],
  ["findings", "blocking"],
] as const;

export const notices: Migration = {
  version: 15,
  name: "notices",
  async up(db) {
    await db.schema
      .createTable("agent_notices")
      .addColumn("id", "text", (c) => c.primaryKey())
      .addColumn("constellation", "text", (c) => c.notNull())
      .addColumn("agent", "text", (c) => c.notNull())
      .addColumn("cause", "text", (c) => c.notNull())
      .addColumn("about", "text", (c) => c.notNull())
      .addColumn("kind", "text", (c) => c.notNull())
      .addColumn("repository", "text")
      .addColumn("severity", "text", (c) => c.notNull())
      .addColumn("title", "text", (c) => c.notNull())
      .addColumn("reasons", "text", (c) => c.notNull())
      .addColumn("parts", "text", (c) => c.notNull())
      .addColumn("state", "text", (c) => c.notNull())
      .addColumn("due_ms", "bigint", (c) => c.notNull())
      .addColumn("made_ms", "bigint", (c) => c.notNull())
      .addColumn("updated_ms", "bigint", (c) => c.notNull())
      .addColumn("told_ms", "bigint")
      .addColumn("told_by", "text")
      .addColumn("handled_ms", "bigint")
      .addColumn("handled_by", "text")
      .addColumn("ended_ms", "bigint")
      .addColumn("ended_because", "text")
      .execute();
    // What is not over is looked at in every round; the rest is a list that somebody asks for.
    await db.schema.createIndex("notices_live").on("agent_notices").columns(["ended_ms", "agent"]).execute();
    await db.schema.createIndex("notices_of_agent").on("agent_notices").columns(["agent", "updated_ms"]).execute();
    await db.schema
      .createTable("tellings")
      .addColumn("id", "text", (c) => c.primaryKey())
      .addColumn("constellation", "text", (c) => c.notNull())
      .addColumn("agent", "text", (c) => c.notNull())
      .addColumn("way", "text", (c) => c.notNull())
      .addColumn("state", "text", (c) => c.notNull())
      .addColumn("covers", "text", (c) => c.notNull())
      .addColumn("moments", "text", (c) => c.notNull())
      .addColumn("files", "text", (c) => c.notNull())
      .addColumn("denies", "bigint", (c) => c.notNull())
      .addColumn("text", "text", (c) => c.notNull())
      .addColumn("offered_ms", "bigint", (c) => c.notNull())
      .addColumn("told_ms", "bigint")
      .addColumn("told_by", "text")
      .addColumn("ended_ms", "bigint")
      .execute();
    await db.schema.createIndex("tellings_live").on("tellings").columns(["ended_ms", "agent"]).execute();
    await db.schema.createIndex("tellings_told").on("tellings").columns(["agent", "told_ms"]).execute();
    await db.schema
      .createTable("addressed_events")
      .addColumn("id", "text", (c) => c.primaryKey())
      .addColumn("constellation", "text", (c) => c.notNull())
      .addColumn("type", "text", (c) => c.notNull())
      .addColumn("caused_by", "text")
      .addColumn("severity", "text", (c) => c.notNull())
      .addColumn("text", "text", (c) => c.notNull())
      .addColumn("files", "text", (c) => c.notNull())
      .addColumn("about", "text", (c) => c.notNull())
      .addColumn("recipients", "bigint", (c) => c.notNull())
      .addColumn("at_ms", "bigint", (c) => c.notNull())
      .execute();
    await db.schema
      .createTable("subscriptions")
      .addColumn("constellation", "text", (c) => c.notNull())
      .addColumn("agent", "text", (c) => c.notNull())
      .addColumn("what", "text", (c) => c.notNull())
      .addColumn("repository", "text", (c) => c.notNull())
      .addColumn("value", "text", (c) => c.notNull())
      .addColumn("made_ms", "bigint", (c) => c.notNull())
      .addPrimaryKeyConstraint("subscriptions_own", ["constellation", "agent", "what", "repository", "value"] as never)
      .execute();
    await db.schema
      .createTable("workplaces")
      .addColumn("constellation", "text", (c) => c.notNull())
      .addColumn("agent", "text", (c) => c.notNull())
      .addColumn("worktree", "text", (c) => c.notNull())
      .addColumn("last_ms", "bigint", (c) => c.notNull())
      .addPrimaryKeyConstraint("workplaces_own", ["constellation", "agent", "worktree"] as never)
      .execute();
    await db.schema
      .alterTable("claims")
      .addColumn("exclusive", "bigint", (c) => c.notNull().defaultTo(0))
      .execute();
    await db.schema
      .alterTable("findings")
      .addColumn("blocking", "bigint", (c) => c.notNull().defaultTo(0))
      .execute();
  },
  async verify(db, dialect) {
    for (const [table, expected] of Object.entries(columns)) await expectColumns(db, dialect, table, [...expected]);
    for (const [table, column] of added) {
      if (!(await columnsOf(db, dialect, table)).includes(column))
        throw new Error(`table ${table}: missing [${column}]`);
    }
  },
  async down(db) {
    for (const [table, column] of added) await db.schema.alterTable(table).dropColumn(column).execute();
    for (const table of Object.keys(columns)) await db.schema.dropTable(table).execute();
  },
};
