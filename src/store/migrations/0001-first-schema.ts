// The first schema: every table constel begins with, as plain SQL that both databases read, by subject in first-schema/.
//
// The timeline is append-only in the database itself: triggers refuse any update of an event, and any deletion, except of
// events at or below their chain's `pruned_seq`. Pruning therefore moves that mark first (with the hash of the event it
// stands on, so that the rest still verifies) and deletes after; nothing else can delete.

import { type Kysely, sql } from "kysely";
import { missingGuards } from "../append-only.ts";
import type { Tables } from "../tables.ts";
import { agentsTables } from "./first-schema/agents.sql.ts";
import { messagesTables } from "./first-schema/messages.sql.ts";
import { nightTables } from "./first-schema/night.sql.ts";
import { noticesTables } from "./first-schema/notices.sql.ts";
import { observedTables } from "./first-schema/observed.sql.ts";
import { recordsTables } from "./first-schema/records.sql.ts";
import { tasksTables } from "./first-schema/tasks.sql.ts";
import { timelineTables } from "./first-schema/timeline.sql.ts";
import { toldTables } from "./first-schema/told.sql.ts";
import { trustTables } from "./first-schema/trust.sql.ts";
import type { Migration, Untyped } from "./migration.ts";

const subjects = [
  timelineTables,
  recordsTables,
  messagesTables,
  observedTables,
  agentsTables,
  tasksTables,
  noticesTables,
  toldTables,
  nightTables,
  trustTables,
];

export const firstSchema: Migration = {
  version: 1,
  name: "first-schema",
  async up(db, dialect) {
    for (const statement of subjects.join("").split(";")) {
      if (statement.trim() !== "") await sql.raw(statement).execute(db);
    }
    await (dialect === "sqlite" ? appendOnlyInSqlite(db) : appendOnlyInPostgres(db));
  },
  async verify(db, dialect) {
    const missing = await missingGuards(db as unknown as Kysely<Tables>, dialect);
    if (missing.length > 0) throw new Error(`events lacks its guards: ${missing.join(", ")}`);
  },
};

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
