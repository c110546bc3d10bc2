// Published events and their copies, decisions, memory, and the calls that agents made over MCP.

import { expectColumns, type Migration } from "./migration.ts";

const columns = {
  published: [
    "id",
    "constellation",
    "at_ms",
    "seq",
    "type",
    "severity",
    "actor",
    "text",
    "fields",
    "repository",
    "paths",
    "topics",
    "services",
    "capability",
    "task",
    "recipients",
    "key",
  ],
  deliveries: ["constellation", "event", "recipient", "state", "message_id", "sent_ms", "problem"],
  decisions: [
    "id",
    "constellation",
    "state",
    "title",
    "text",
    "recorded_by",
    "owner_verified",
    "files",
    "repository",
    "service",
    "task",
    "recorded_ms",
    "changed_ms",
    "changed_by",
    "reason",
    "supersedes",
    "superseded_by",
  ],
  memories: [
    "id",
    "constellation",
    "text",
    "words",
    "actor",
    "audience",
    "repository",
    "task",
    "pinned",
    "remembered_ms",
    "updated_ms",
  ],
  mcp_tool_calls: [
    "id",
    "constellation",
    "at_ms",
    "duration_ms",
    "agent",
    "tool",
    "action",
    "outcome",
    "code",
    "transport",
    "client",
    "input_bytes",
    "output_bytes",
  ],
};

export const told: Migration = {
  version: 16,
  name: "told",
  async up(db) {
    await db.schema
      .createTable("published")
      .addColumn("id", "text", (c) => c.primaryKey())
      .addColumn("constellation", "text", (c) => c.notNull())
      .addColumn("at_ms", "bigint", (c) => c.notNull())
      .addColumn("seq", "bigint", (c) => c.notNull())
      .addColumn("type", "text", (c) => c.notNull())
      .addColumn("severity", "text", (c) => c.notNull())
      .addColumn("actor", "text", (c) => c.notNull())
      .addColumn("text", "text", (c) => c.notNull())
      .addColumn("fields", "text", (c) => c.notNull())
      .addColumn("repository", "text")
      .addColumn("paths", "text", (c) => c.notNull())
      .addColumn("topics", "text", (c) => c.notNull())
      .addColumn("services", "text", (c) => c.notNull())
      .addColumn("capability", "text")
      .addColumn("task", "bigint")
      .addColumn("recipients", "bigint", (c) => c.notNull())
      .addColumn("key", "text")
      .execute();
    await db.schema.createIndex("published_age").on("published").columns(["constellation", "at_ms"]).execute();
    await db.schema
      .createIndex("published_key")
      .unique()
      .on("published")
      .columns(["constellation", "actor", "key"])
      .execute();
    await db.schema
      .createTable("deliveries")
      .addColumn("constellation", "text", (c) => c.notNull())
      .addColumn("event", "text", (c) => c.notNull())
      .addColumn("recipient", "text", (c) => c.notNull())
      .addColumn("state", "text", (c) => c.notNull())
      .addColumn("message_id", "text", (c) => c.notNull())
      .addColumn("sent_ms", "bigint")
      .addColumn("problem", "text")
      .addPrimaryKeyConstraint("deliveries_own", ["event", "recipient"])
      .execute();
    await db.schema.createIndex("deliveries_state").on("deliveries").columns(["constellation", "state"]).execute();
    await db.schema
      .createIndex("deliveries_recipient")
      .on("deliveries")
      .columns(["constellation", "recipient"])
      .execute();
    await db.schema
      .createTable("decisions")
      .addColumn("id", "text", (c) => c.primaryKey())
      .addColumn("constellation", "text", (c) => c.notNull())
      .addColumn("state", "text", (c) => c.notNull())
      .addColumn("title", "text", (c) => c.notNull())
      .addColumn("text", "text", (c) => c.notNull())
      .addColumn("recorded_by", "text", (c) => c.notNull())
      .addColumn("owner_verified", "bigint", (c) => c.notNull())
      .addColumn("files", "text", (c) => c.notNull())
      .addColumn("repository", "text")
      .addColumn("service", "text")
      .addColumn("task", "bigint")
      .addColumn("recorded_ms", "bigint", (c) => c.notNull())
      .addColumn("changed_ms", "bigint", (c) => c.notNull())
      .addColumn("changed_by", "text", (c) => c.notNull())
      .addColumn("reason", "text")
      .addColumn("supersedes", "text")
      .addColumn("superseded_by", "text")
      .execute();
    await db.schema
      .createIndex("decisions_state")
      .on("decisions")
      .columns(["constellation", "state", "recorded_ms"])
      .execute();
    await db.schema
      .createTable("memories")
      .addColumn("id", "text", (c) => c.primaryKey())
      .addColumn("constellation", "text", (c) => c.notNull())
      .addColumn("text", "text", (c) => c.notNull())
      .addColumn("words", "text", (c) => c.notNull())
      .addColumn("actor", "text", (c) => c.notNull())
      .addColumn("audience", "text", (c) => c.notNull())
      .addColumn("repository", "text")
      .addColumn("task", "bigint")
      .addColumn("pinned", "bigint", (c) => c.notNull())
      .addColumn("remembered_ms", "bigint", (c) => c.notNull())
      .addColumn("updated_ms", "bigint", (c) => c.notNull())
      .execute();
    await db.schema.createIndex("memories_actor").on("memories").columns(["constellation", "actor"]).execute();
    await db.schema
      .createTable("mcp_tool_calls")
      .addColumn("id", "text", (c) => c.primaryKey())
      .addColumn("constellation", "text", (c) => c.notNull())
      .addColumn("at_ms", "bigint", (c) => c.notNull())
      .addColumn("duration_ms", "bigint", (c) => c.notNull())
      .addColumn("agent", "text")
      .addColumn("tool", "text", (c) => c.notNull())
      .addColumn("action", "text")
      .addColumn("outcome", "text", (c) => c.notNull())
      .addColumn("code", "text")
      .addColumn("transport", "text", (c) => c.notNull())
      .addColumn("client", "text", (c) => c.notNull())
      .addColumn("input_bytes", "bigint", (c) => c.notNull())
      .addColumn("output_bytes", "bigint", (c) => c.notNull())
      .execute();
    await db.schema
      .createIndex("mcp_tool_calls_age")
      .on("mcp_tool_calls")
      .columns(["constellation", "at_ms"])
      .execute();
    await db.schema
      .createIndex("mcp_tool_calls_agent")
      .on("mcp_tool_calls")
      .columns(["constellation", "agent"])
      .execute();
  },
  async verify(db, dialect) {
    for (const [table, names] of Object.entries(columns)) await expectColumns(db, dialect, table, names);
  },
  async down(db) {
    for (const table of Object.keys(columns)) await db.schema.dropTable(table).execute();
  },
};
