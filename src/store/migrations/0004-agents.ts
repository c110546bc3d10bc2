// Agents: what was wanted and what was seen of each, their sessions, what they used, and which budgets were used up. One row
// per launch in `sessions`, one per answer of a model in `token_usage`, one per agent, day and kind in `budgets_reached`.

import { expectColumns, type Migration } from "./migration.ts";

const columns = {
  agents: [
    "constellation",
    "agent",
    "role",
    "runtime",
    "wanted",
    "seen",
    "seen_until_ms",
    "evidence_on",
    "evidence_says",
    "evidence_at_ms",
    "since_ms",
    "launched_ms",
    "session_id",
    "task",
    "cwd",
    "model",
    "mail_held",
    "resume_due_ms",
    "updated_ms",
  ],
  sessions: [
    "constellation",
    "agent",
    "started_ms",
    "runtime",
    "session_id",
    "because",
    "cwd",
    "ended_ms",
    "exit_status",
    "exit_signal",
  ],
  token_usage: [
    "constellation",
    "agent",
    "id",
    "session_id",
    "model",
    "input",
    "output",
    "cache_read",
    "cache_write",
    "cost_micros",
    "at_ms",
    "task",
  ],
  budgets_reached: ["constellation", "agent", "day", "kind", "used", "allowed", "at_ms"],
} as const;

export const agents: Migration = {
  version: 4,
  name: "agents",
  async up(db) {
    await db.schema
      .createTable("agents")
      .addColumn("constellation", "text", (c) => c.notNull())
      .addColumn("agent", "text", (c) => c.notNull())
      .addColumn("role", "text", (c) => c.notNull())
      .addColumn("runtime", "text", (c) => c.notNull())
      .addColumn("wanted", "text", (c) => c.notNull())
      .addColumn("seen", "text", (c) => c.notNull())
      .addColumn("seen_until_ms", "bigint")
      .addColumn("evidence_on", "text", (c) => c.notNull())
      .addColumn("evidence_says", "text", (c) => c.notNull())
      .addColumn("evidence_at_ms", "bigint")
      .addColumn("since_ms", "bigint", (c) => c.notNull())
      .addColumn("launched_ms", "bigint", (c) => c.notNull())
      .addColumn("session_id", "text")
      .addColumn("task", "text")
      .addColumn("cwd", "text", (c) => c.notNull())
      .addColumn("model", "text")
      .addColumn("mail_held", "text")
      .addColumn("resume_due_ms", "bigint")
      .addColumn("updated_ms", "bigint", (c) => c.notNull())
      .addPrimaryKeyConstraint("agents_key", ["constellation", "agent"])
      .execute();
    await db.schema
      .createTable("sessions")
      .addColumn("constellation", "text", (c) => c.notNull())
      .addColumn("agent", "text", (c) => c.notNull())
      .addColumn("started_ms", "bigint", (c) => c.notNull())
      .addColumn("runtime", "text", (c) => c.notNull())
      .addColumn("session_id", "text")
      .addColumn("because", "text", (c) => c.notNull())
      .addColumn("cwd", "text", (c) => c.notNull())
      .addColumn("ended_ms", "bigint")
      .addColumn("exit_status", "bigint")
      .addColumn("exit_signal", "bigint")
      .addPrimaryKeyConstraint("sessions_key", ["constellation", "agent", "started_ms"])
      .execute();
    await db.schema
      .createTable("token_usage")
      .addColumn("constellation", "text", (c) => c.notNull())
      .addColumn("agent", "text", (c) => c.notNull())
      .addColumn("id", "text", (c) => c.notNull())
      .addColumn("session_id", "text")
      .addColumn("model", "text", (c) => c.notNull())
      .addColumn("input", "bigint", (c) => c.notNull())
      .addColumn("output", "bigint", (c) => c.notNull())
      .addColumn("cache_read", "bigint", (c) => c.notNull())
      .addColumn("cache_write", "bigint", (c) => c.notNull())
      .addColumn("cost_micros", "bigint")
      .addColumn("at_ms", "bigint", (c) => c.notNull())
      .addColumn("task", "text")
      .addPrimaryKeyConstraint("token_usage_key", ["constellation", "agent", "id"])
      .execute();
    await db.schema.createIndex("token_usage_at").on("token_usage").columns(["at_ms"]).execute();
    await db.schema.createIndex("token_usage_task").on("token_usage").columns(["task"]).execute();
    await db.schema
      .createTable("budgets_reached")
      .addColumn("constellation", "text", (c) => c.notNull())
      .addColumn("agent", "text", (c) => c.notNull())
      .addColumn("day", "text", (c) => c.notNull())
      .addColumn("kind", "text", (c) => c.notNull())
      .addColumn("used", "bigint", (c) => c.notNull())
      .addColumn("allowed", "bigint", (c) => c.notNull())
      .addColumn("at_ms", "bigint", (c) => c.notNull())
      .addPrimaryKeyConstraint("budgets_reached_key", ["constellation", "agent", "day", "kind"])
      .execute();
  },
  async verify(db, dialect) {
    for (const [table, names] of Object.entries(columns)) await expectColumns(db, dialect, table, names);
  },
  async down(db) {
    for (const table of Object.keys(columns)) await db.schema.dropTable(table).execute();
  },
};
