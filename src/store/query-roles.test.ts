// Logins for people's own SQL: each sees what is its constellation's and nothing else, whatever it asks; the team's sees all and changes nothing.

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import postgres from "postgres";
import { rejection } from "../../test/kit/rejection.ts";
import { startPostgres, type TestPostgres, withoutPostgres } from "../../test/kit/postgres.ts";
import { FakeClock, seededRandom } from "../ports/fake-clock.ts";
import { strangeTriggers } from "./append-only.ts";
import { openStore } from "./open.ts";
import { dropQueryRole, listQueryRoles, makeQueryRole } from "./query-roles.ts";
import { publicViews } from "./views.ts";

const password = "a-password-for-the-test";

/**
 * Indexes that do not begin with the constellation, and may not become more: most are older than teams, and serve views that go across; two keys are
 * of what is unique by itself. Keys made of an id alone are not listed.
 */
const notByConstellation: readonly string[] = [
  "cli_invocations_at",
  "crashes_at",
  "deliveries_pkey",
  "dismissals_repository",
  "events_seq",
  "events_subject",
  "events_type",
  "findings_open",
  "findings_ours",
  "findings_state",
  "findings_theirs",
  "git_operations_at",
  "harvests_open",
  "harvests_train",
  "landed_commits_from",
  "messages_message",
  "messages_sent",
  "messages_task",
  "notices_live",
  "notices_of_agent",
  "query_roles_pkey",
  "rescues_workspace",
  "shared_sides_repository",
  "signed_directives_at",
  "tellings_live",
  "tellings_told",
  "ticks_at",
  "token_usage_at",
  "token_usage_task",
  "watchdog_events_at",
  "worktrees_repository",
];

/** Ways to see or change more than one's own. */
const attacks: readonly (readonly [what: string, statement: string])[] = [
  ["ask for the other's rows", "select * from events where constellation = 'bob'"],
  ["ask for all rows of a table", "select * from events"],
  ["ask by a view", "select * from timeline where constellation = 'bob'"],
  ["join past the condition", "select e.* from events e join events f on true where f.constellation <> 'ada'"],
  ["look by a subquery", "select (select string_agg(data, ',') from events where constellation <> 'ada')"],
  ["leak by an error", "select 1 / (case when data like '%of bob%' then 0 else 1 end) from events"],
  ["leak by a cast", "select cast(data as integer) from events where constellation = 'bob'"],
  [
    "leak by a function of its own",
    "create function pg_temp.leak(text) returns boolean language plpgsql cost 0.0001 as $$ begin raise notice '%', $1; return true; end $$; select * from events where pg_temp.leak(data)",
  ],
  ["become the owner of the tables", "set role app; select * from events"],
  ["become the team's login", "set role constel_query_team; select * from events"],
  ["open the session as another", "set session authorization app; select * from events"],
  ["switch row security off", "set row_security = off; select * from events"],
  ["take the policy away", "drop policy constel_sees on events"],
  ["disable it on the table", "alter table events disable row level security"],
  [
    "change what the function answers",
    "create or replace function constel_sees() returns text language sql as $$ select '*' $$",
  ],
  [
    "put a function of the same name before it",
    "create function pg_temp.constel_sees() returns text language sql as $$ select '*' $$; set search_path = pg_temp, public; select * from events",
  ],
  [
    "put a table of the same name before it",
    "create temp table query_roles (role text, constellation text); insert into query_roles values (session_user, null); set search_path = pg_temp, public; select * from events",
  ],
  ["read who may see what", "select * from query_roles"],
  ["widen its own row", "begin read write; update query_roles set constellation = null; commit"],
  ["add a row", "begin read write; insert into query_roles values ('constel_query_x', null); commit"],
  [
    "write an event",
    "begin read write; insert into events (constellation, seq, type, actor, at_ms) values ('bob', 9, 'x', 'owner', 0); commit",
  ],
  ["delete", "begin read write; delete from events; commit"],
  ["empty a table", "begin read write; truncate events; commit"],
  ["change a row", "begin read write; update events set actor = 'eve'; commit"],
  ["read tokens", "select * from tokens"],
  ["read addresses with credentials", "select * from a2a_pushes"],
  ["raise itself", "alter role current_user createrole bypassrls"],
  ["make a role", "create role eve superuser login"],
  ["join a role", "grant app to current_user"],
  ["read passwords", "select rolpassword from pg_authid"],
  ["read a file of the server", "select pg_read_file('postgresql.conf')"],
  ["copy to a program", "copy (select 1) to program 'touch /tmp/eve'"],
  ["copy a table out", "copy events to stdout"],
  ["read by statistics", "select most_common_vals::text from pg_stats where tablename = 'events'"],
  ["read the raw statistics", "select * from pg_statistic"],
  ["end another's connection", "select pg_terminate_backend(pid) from pg_stat_activity where usename = 'app'"],
  [
    "read others' statements",
    "select query from pg_stat_activity where usename <> session_user and query like '%of bob%'",
  ],
  ["make a view that looks with the owner's eyes", "create view eve as select * from events"],
  ["make a view in its own schema", "create schema eve"],
  ["look at what is behind a view", "alter view timeline set (security_invoker = false)"],
  ["prepare before it is bound", "prepare eve as select * from events where constellation = $1; execute eve('bob')"],
  [
    "declare a cursor and keep it",
    "begin; declare eve cursor with hold for select * from events; commit; fetch all from eve",
  ],
  ["lock a table against its daemon", "begin read write; lock table events in access exclusive mode; commit"],
  ["load a library", "load 'auto_explain'"],
  ["open another database's link", "create extension dblink"],
  ["comment on what is not its own", "comment on table events is 'eve'"],
];

describe.skipIf(withoutPostgres !== undefined)("a login for queries", () => {
  let server: TestPostgres;
  let url: string;
  let ada: postgres.Sql;
  let team: postgres.Sql;
  const open = (constellation: string) =>
    openStore({
      url,
      backupDirectory: "/nonexistent",
      clock: new FakeClock(),
      random: seededRandom(constellation.length + constellation.charCodeAt(0)),
      constellation,
    });
  beforeAll(async () => {
    server = await startPostgres();
    url = await server.database();
    for (const name of ["ada", "bob"]) {
      const store = await open(name);
      await store.write((tx) =>
        tx.record({ type: `secret-of.${name}`, actor: "owner", data: { text: `words of ${name}` } }),
      );
      await store.close();
    }
    const first = await makeQueryRole(url, { constellation: "ada", password });
    ada = postgres((await makeQueryRole(url, { constellation: "ada", password })).url, { max: 1, onnotice: () => {} });
    team = postgres((await makeQueryRole(url, { constellation: null, password })).url, { max: 1, onnotice: () => {} });
    expect(first.role).toStartWith("constel_query_of_ada_");
  }, 120_000);
  afterAll(async () => {
    await ada?.end({ timeout: 1 });
    await team?.end({ timeout: 1 });
    await server.stop();
  });

  test("sees its own constellation, and the team's sees all, in tables and views alike", async () => {
    for (const table of ["events", "timeline"])
      for (const [sql, seen] of [
        [ada, ["ada"]],
        [team, ["ada", "bob"]],
      ] as const) {
        const rows = await sql.unsafe(`select distinct constellation from ${table} order by 1`);
        expect([table, rows.map((row) => row["constellation"])]).toEqual([table, [...seen]]);
      }
    for (const { name } of publicViews) await ada.unsafe(`select * from ${name} limit 1`);
    expect(await listQueryRoles(url)).toEqual([
      { role: "constel_query_team", constellation: null },
      { role: expect.stringContaining("constel_query_of_ada_") as unknown as string, constellation: "ada" },
    ]);
  });

  test("no daemon is kept from anything, also where its login is no superuser's", async () => {
    const admin = postgres(url, { max: 1, onnotice: () => {} });
    await admin.unsafe(
      "create role plain_daemon login; grant usage on schema public to plain_daemon; grant all on all tables in schema public to plain_daemon",
    );
    const plain = postgres(url.replace("app@", "plain_daemon@"), { max: 1 });
    const rows = await plain`select distinct constellation from events order by 1`;
    expect(rows.map((row) => row["constellation"])).toEqual(["ada", "bob"]);
    await plain.end({ timeout: 1 });
    await admin.end({ timeout: 1 });
  });

  test("the audit knows these rules as ours, and no others of their name", async () => {
    const store = await open("ada");
    const strange = () => strangeTriggers(store.db, "postgres");
    expect(await strange()).toEqual([]);
    const admin = postgres(url, { max: 1, onnotice: () => {} });
    const [was] = await admin`select pg_get_functiondef('constel_sees()'::regprocedure) as text`;
    await admin.unsafe(
      "create or replace function constel_sees() returns text language sql as $$ select 'ada'::text $$",
    );
    expect((await strange()).length).toBeGreaterThan(0);
    await admin.unsafe(String(was?.["text"]));
    expect(await strange()).toEqual([]);
    await admin.unsafe("create policy hides on events using (false)");
    expect(await strange()).toEqual(["hides"]);
    await admin.unsafe("drop policy hides on events");
    await admin.end({ timeout: 1 });
    await store.close();
  });

  test("every table with a constellation is guarded for its owner too, and its keys begin with it", async () => {
    const admin = postgres(url, { max: 1, onnotice: () => {} });
    const open = await admin`
      select c.relname from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attname = 'constellation'
      where c.relkind in ('r', 'p') and c.relnamespace = 'public'::regnamespace and c.relname <> 'query_roles'
        and not (c.relrowsecurity and c.relforcerowsecurity)`;
    expect(open.map((row) => row["relname"])).toEqual([]);
    const indexes = await admin<{ name: string; columns: string[] }[]>`
      select i.relname as name, array_agg(a.attname::text order by k.at) as columns
      from pg_index x join pg_class i on i.oid = x.indexrelid join pg_class t on t.oid = x.indrelid
        cross join lateral unnest(x.indkey) with ordinality as k(column_at, at)
        join pg_attribute a on a.attrelid = t.oid and a.attnum = k.column_at
      where t.relnamespace = 'public'::regnamespace
        and exists (select from pg_attribute c where c.attrelid = t.oid and c.attname = 'constellation')
      group by 1 order by 1`;
    const isOfId = (columns: readonly string[]): boolean => /^(id|hash)$/.test(columns.join());
    const others = indexes.filter(({ columns }) => columns[0] !== "constellation" && !isOfId(columns));
    expect(others.map(({ name }) => name)).toEqual([...notByConstellation]);
    await admin.end({ timeout: 1 });
  });

  test.each(attacks)("cannot: %s", async (_, statement) => {
    // Over a connection of its own, as somebody with the password would: not only through `constel query`.
    let said = "";
    try {
      const rows = await ada.unsafe(statement);
      said = JSON.stringify(rows.flat());
    } catch (cause) {
      said = String((cause as { code?: string }).code ?? cause);
      await ada.unsafe("rollback").catch(() => {});
    }
    await ada.unsafe("reset all; set role none").catch(() => {});
    expect(said).not.toContain("of bob");
    expect(said).not.toContain("secret-of.bob");
    const admin = postgres(url, { max: 1, onnotice: () => {} });
    const state = await admin`
      select (select count(*)::int from events) as events, (select count(*)::int from query_roles) as logins,
        (select count(*)::int from pg_roles where rolsuper and rolname <> 'app') as masters,
        (select rolbypassrls or rolcreaterole or rolcreatedb from pg_roles where rolname like 'constel_query_of_ada%') as raised,
        (select constellation from query_roles where role like 'constel_query_of_ada%') as sees`;
    await admin.end({ timeout: 1 });
    expect(state[0]).toMatchObject({ events: 2, logins: 2, masters: 0, raised: false, sees: "ada" });
  });

  test("a login whose row is gone sees nothing, and a dropped one cannot come in", async () => {
    const role = (await listQueryRoles(url)).find(({ constellation }) => constellation === "ada")?.role ?? "";
    const admin = postgres(url, { max: 1, onnotice: () => {} });
    await admin`delete from query_roles where role = ${role}`;
    expect(await ada.unsafe("select 1 from events")).toHaveLength(0);
    await admin.end({ timeout: 1 });
    await ada.end({ timeout: 1 });
    expect(await dropQueryRole(url, "ada")).toBe(true);
    expect(await dropQueryRole(url, "ada")).toBe(false);
    const late = postgres(url.replace("app@", `${role}:${password}@`), { max: 1, onnotice: () => {} });
    expect(await rejection(late`select 1`)).toBeDefined();
    await late.end({ timeout: 1 });
  });
});
