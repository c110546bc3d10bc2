// The timeline and the records that every later subject builds on.
//
// The timeline is append-only in the database itself: triggers refuse any update of an event, and any deletion, except of
// events at or below their chain's `pruned_seq`. Pruning therefore moves that mark first (with the hash of the event it
// stands on, so that the rest still verifies) and deletes after; nothing else can delete.

import { sql } from "kysely";
import type { Dialect } from "../tables.ts";
import { expectColumns, type Migration, type Untyped } from "./migration.ts";

const columns = {
  events: ["seq", "id", "constellation", "at_ms", "type", "subject", "actor", "data", "prev_hash", "hash"],
  chain_heads: ["constellation", "seq", "hash", "pruned_seq", "pruned_hash"],
  cli_invocations: ["id", "constellation", "at_ms", "duration_ms", "argv", "cwd", "agent", "exit_code", "version"],
  source_errors: ["id", "constellation", "at_ms", "source", "line", "problem"],
  intake_positions: ["file", "inode", "offset_bytes", "updated_ms"],
  crashes: ["id", "constellation", "at_ms", "agent", "what", "detail"],
  ticks: ["id", "constellation", "at_ms", "duration_ms", "outcome", "data"],
} as const;

export const firstTables: Migration = {
  version: 1,
  name: "first-tables",
  async up(db, dialect) {
    await timeline(db);
    await records(db);
    await (dialect === "sqlite" ? appendOnlyInSqlite(db) : appendOnlyInPostgres(db));
  },
  async verify(db, dialect) {
    for (const [table, names] of Object.entries(columns)) await expectColumns(db, dialect, table, names);
    await expectTriggers(db, dialect);
  },
};

async function timeline(db: Untyped): Promise<void> {
  await db.schema
    .createTable("events")
    .addColumn("seq", "bigint", (c) => c.notNull())
    .addColumn("id", "text", (c) => c.notNull().unique())
    .addColumn("constellation", "text", (c) => c.notNull())
    .addColumn("at_ms", "bigint", (c) => c.notNull())
    .addColumn("type", "text", (c) => c.notNull())
    .addColumn("subject", "text")
    .addColumn("actor", "text", (c) => c.notNull())
    .addColumn("data", "text", (c) => c.notNull())
    .addColumn("prev_hash", "text", (c) => c.notNull())
    .addColumn("hash", "text", (c) => c.notNull())
    .addPrimaryKeyConstraint("events_chain", ["constellation", "seq"])
    .execute();
  await db.schema.createIndex("events_subject").on("events").columns(["subject", "seq"]).execute();
  await db.schema
    .createTable("chain_heads")
    .addColumn("constellation", "text", (c) => c.primaryKey())
    .addColumn("seq", "bigint", (c) => c.notNull())
    .addColumn("hash", "text", (c) => c.notNull())
    .addColumn("pruned_seq", "bigint", (c) => c.notNull())
    .addColumn("pruned_hash", "text", (c) => c.notNull())
    .execute();
}

async function records(db: Untyped): Promise<void> {
  const record = (name: string) =>
    db.schema
      .createTable(name)
      .addColumn("id", "text", (c) => c.primaryKey())
      .addColumn("constellation", "text", (c) => c.notNull())
      .addColumn("at_ms", "bigint", (c) => c.notNull());
  await record("cli_invocations")
    .addColumn("duration_ms", "bigint", (c) => c.notNull())
    .addColumn("argv", "text", (c) => c.notNull())
    .addColumn("cwd", "text", (c) => c.notNull())
    .addColumn("agent", "text")
    .addColumn("exit_code", "bigint", (c) => c.notNull())
    .addColumn("version", "text", (c) => c.notNull())
    .execute();
  await db.schema.createIndex("cli_invocations_at").on("cli_invocations").columns(["at_ms", "id"]).execute();
  await record("source_errors")
    .addColumn("source", "text", (c) => c.notNull())
    .addColumn("line", "bigint")
    .addColumn("problem", "text", (c) => c.notNull())
    .execute();
  await db.schema
    .createTable("intake_positions")
    .addColumn("file", "text", (c) => c.primaryKey())
    .addColumn("inode", "bigint", (c) => c.notNull())
    .addColumn("offset_bytes", "bigint", (c) => c.notNull())
    .addColumn("updated_ms", "bigint", (c) => c.notNull())
    .execute();
  await record("crashes")
    .addColumn("agent", "text")
    .addColumn("what", "text", (c) => c.notNull())
    .addColumn("detail", "text", (c) => c.notNull())
    .execute();
  await record("ticks")
    .addColumn("duration_ms", "bigint", (c) => c.notNull())
    .addColumn("outcome", "text", (c) => c.notNull())
    .addColumn("data", "text", (c) => c.notNull())
    .execute();
}

async function appendOnlyInSqlite(db: Untyped): Promise<void> {
  await sql`create trigger events_no_update before update on events
    begin select raise(abort, 'events are append-only'); end`.execute(db);
  await sql`create trigger events_no_delete before delete on events
    when old.seq > coalesce((select pruned_seq from chain_heads where constellation = old.constellation), 0)
    begin select raise(abort, 'events are append-only'); end`.execute(db);
}

async function appendOnlyInPostgres(db: Untyped): Promise<void> {
  await sql`create function events_append_only() returns trigger language plpgsql as $$
    begin
      if tg_op = 'DELETE' and old.seq <= coalesce(
        (select pruned_seq from chain_heads where constellation = old.constellation), 0)
      then return old; end if;
      raise exception 'events are append-only';
    end $$`.execute(db);
  await sql`create trigger events_no_change before update or delete on events
    for each row execute function events_append_only()`.execute(db);
  await sql`create trigger events_no_truncate before truncate on events
    for each statement execute function events_append_only()`.execute(db);
}

async function expectTriggers(db: Untyped, dialect: Dialect): Promise<void> {
  const query =
    dialect === "sqlite"
      ? sql<{ name: string }>`select name from sqlite_schema where type = 'trigger' and tbl_name = 'events'`
      : sql<{ name: string }>`select tgname as name from pg_trigger
          where tgrelid = 'events'::regclass and not tgisinternal`;
  const found = (await query.execute(db)).rows.length;
  if (found !== 2) throw new Error(`events should have 2 triggers, found ${found}`);
}
