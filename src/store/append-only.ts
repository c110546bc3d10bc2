// The guards that make the timeline append-only in the database itself (migrations/0001): whether they still stand, word for word; and whether
// anything was added that would change rows, or what people read, by itself.

import { type Kysely, sql } from "kysely";
import { seesBody } from "./sees-body.ts";
import type { Dialect, Tables } from "./tables.ts";

/** The names of the guards that are gone, switched off or not what they were; empty when all is well. */
export async function missingGuards(db: Kysely<Tables>, dialect: Dialect): Promise<string[]> {
  return dialect === "sqlite" ? inSqlite(db) : inPostgres(db);
}

const sqliteGuards = {
  events_no_update: /before update on events\s+begin select raise\(abort, 'events are append-only'\); end$/,
  events_no_delete:
    /before delete on events\s+when old\.seq > coalesce\(\(select pruned_seq from chain_heads where constellation = old\.constellation\), 0\)\s+begin select raise\(abort, 'events are append-only'\); end$/,
};

async function inSqlite(db: Kysely<Tables>): Promise<string[]> {
  const { rows } = await sql<{ name: string; text: string }>`select name, sql as text from sqlite_schema
    where type = 'trigger' and tbl_name = 'events'`.execute(db);
  return Object.entries(sqliteGuards)
    .filter(([name, text]) => !text.test(rows.find((row) => row.name === name)?.text ?? ""))
    .map(([name]) => name);
}

/** Triggers, and Postgres' rules and policies, that constel did not make: they change or hide rows by themselves, with everything else in order. */
export async function strangeTriggers(db: Kysely<Tables>, dialect: Dialect): Promise<string[]> {
  const { rows } =
    dialect === "sqlite"
      ? await sql<{ name: string }>`select name from sqlite_schema where type = 'trigger'`.execute(db)
      : await sql<{ name: string }>`select t.tgname as name from pg_trigger t
          join pg_class c on c.oid = t.tgrelid join pg_namespace n on n.oid = c.relnamespace
          where not t.tgisinternal and n.nspname = current_schema()
          union all select rulename from pg_rules where schemaname = current_schema()
          union all select policyname from pg_policies where schemaname = current_schema()
            and not (${sql.raw(ownPolicy)})`.execute(db);
  const ours = new Set([...Object.keys(sqliteGuards), ...postgresGuards]);
  return rows.map(({ name }) => name).filter((name) => !ours.has(name));
}

/** The policies of logins for queries (query-roles.ts), word for word and with the function that they ask: they keep rows from nobody else. */
const ownPolicy = `policyname = 'constel_sees' and permissive = 'PERMISSIVE' and roles = '{public}' and cmd = 'ALL' and with_check is null
  and qual = '((( SELECT constel_sees() AS constel_sees) = ''*''::text) OR (constellation = ( SELECT constel_sees() AS constel_sees)))'
  and exists (select from pg_proc p where p.oid = to_regprocedure('constel_sees()') and p.prosecdef
    and regexp_replace(trim(p.prosrc, E' \\n'), '\\s+', ' ', 'g') = $own$${seesBody.replaceAll(/\s+/g, " ")}$own$)`;

const postgresGuards = ["events_no_change", "events_no_truncate"];

const postgresGuard =
  "begin if tg_op = 'DELETE' and old.seq <= coalesce( (select pruned_seq from chain_heads where constellation = old.constellation), 0) then return old; end if; raise exception 'events are append-only'; end";

async function inPostgres(db: Kysely<Tables>): Promise<string[]> {
  const { rows } = await sql<{ name: string; enabled: string; text: string }>`
    select t.tgname as name, t.tgenabled::text as enabled, p.prosrc as text
    from pg_trigger t join pg_proc p on p.oid = t.tgfoid
    where t.tgrelid = 'events'::regclass and not t.tgisinternal`.execute(db);
  return postgresGuards.filter((name) => {
    const found = rows.find((row) => row.name === name);
    const isWhole = found?.text.replaceAll(/\s+/g, " ").trim() === postgresGuard;
    return !isWhole || !["O", "A"].includes(found?.enabled ?? "");
  });
}
