// Logins for people's own SQL on a team's database, each of which sees one constellation, or all of them. The server decides what a login sees, by who
// opened the session: row-level security on every table, forced for its owner too, and views that look with the eyes of whoever asks. Whatever
// is not said here a login may not read.

import postgres from "postgres";
import { Refusal } from "../protocol/errors.ts";
import { asOutage } from "./postgres-client.ts";
import { seesBody } from "./sees-body.ts";
import { isServerTrouble } from "./errors.ts";

/** Every login begins so, and nobody else's does: the daemons' own login is told from them by it. */
const prefix = "constel_query_";

/** Keys and passwords are nobody's to query. */
const unread: readonly string[] = ["tokens", "a2a_pushes"];

const leastVersion = 15;

export interface QueryRole {
  readonly role: string;
  /** Null: it sees all of them. */
  readonly constellation: string | null;
}

interface Wish {
  readonly constellation: string | null;
  readonly password: string;
}

export async function listQueryRoles(url: string): Promise<QueryRole[]> {
  return await connected(url, async (sql) => {
    const [known] = await sql<{ there: boolean }[]>`select to_regclass('query_roles') is not null as there`;
    if (known?.there !== true) return [];
    return await sql<QueryRole[]>`select role, constellation from query_roles order by constellation nulls first, role`;
  });
}

/** Makes a login, or gives the one there is another password; everything else is brought up to what it should be. */
export async function makeQueryRole(
  url: string,
  { constellation, password }: Wish,
): Promise<QueryRole & { url: string }> {
  return await connected(url, async (sql) => {
    await refuseUnfit(sql);
    const role = roleOf(constellation);
    if (!/^[A-Za-z0-9_-]{16,200}$/.test(password)) throw new Error("a password that would have to be quoted");
    await sql.begin(async (tx) => {
      await tx.unsafe(rules);
      const [known] = await tx<
        { there: boolean }[]
      >`select exists (select from pg_roles where rolname = ${role}) as there`;
      const may = "login nosuperuser nocreatedb nocreaterole noinherit noreplication nobypassrls connection limit 8";
      await tx.unsafe(
        `${known?.there === true ? "alter" : "create"} role ${quoted(role)} ${may} password '${password}'`,
      );
      const [member] = await tx<{ of: string }[]>`
        select g.rolname as of from pg_auth_members m join pg_roles g on g.oid = m.roleid join pg_roles r on r.oid = m.member
        where r.rolname = ${role}`;
      if (member !== undefined)
        throw new Refusal("store.role-unfit", `${role} is a member of ${member.of}, and would see what that one sees`);
      for (const [name, value] of Object.entries(sessionSettings))
        await tx.unsafe(`alter role ${quoted(role)} set ${name} = '${value}'`);
      await tx`insert into query_roles (role, constellation) values (${role}, ${constellation})
        on conflict (role) do update set constellation = excluded.constellation`;
    });
    await guard(sql, role);
    return { role, constellation, url: addressFor(url, role, password) };
  });
}

export async function dropQueryRole(url: string, constellation: string | null): Promise<boolean> {
  return await connected(url, async (sql) => {
    const role = roleOf(constellation);
    const [known] = await sql<
      { there: boolean }[]
    >`select exists (select from pg_roles where rolname = ${role}) as there`;
    if (known?.there !== true) return false;
    await sql.begin(async (tx) => {
      await tx.unsafe(`drop owned by ${quoted(role)}`);
      await tx.unsafe(`drop role ${quoted(role)}`);
      await tx`delete from query_roles where role = ${role}`;
    });
    return true;
  });
}

const sessionSettings: Readonly<Record<string, string>> = {
  default_transaction_read_only: "on",
  statement_timeout: "1min",
  idle_in_transaction_session_timeout: "1min",
  lock_timeout: "5s",
};

const rules = `
create table if not exists query_roles (role text not null primary key, constellation text);
revoke all on query_roles from public;
create or replace function constel_sees() returns text language sql stable security definer set search_path from current
  as $$${seesBody}$$;`;

/**
 * Every table with a constellation, and every view; a table without one stays closed. Each in a transaction of its own: daemons are at work meanwhile,
 * and whoever held the locks of two tables would wait for one of them for ever. What is granted is guarded before.
 */
async function guard(sql: postgres.Sql, role: string): Promise<void> {
  const relations = await sql<{ name: string; kind: string; scoped: boolean; guarded: boolean }[]>`
    select c.relname as name, c.relkind::text as kind,
      exists (select from pg_attribute a where a.attrelid = c.oid and a.attname = 'constellation' and not a.attisdropped) as scoped,
      case c.relkind when 'v' then coalesce(c.reloptions @> array['security_invoker=true'], false)
        else c.relrowsecurity and c.relforcerowsecurity
          and exists (select from pg_policy p where p.polrelid = c.oid and p.polname = 'constel_sees') end as guarded
    from pg_class c where c.relnamespace = current_schema()::regnamespace and c.relkind in ('r', 'p', 'v') order by 1`;
  const [{ schema } = { schema: "public" }] = await sql<{ schema: string }[]>`select current_schema() as schema`;
  await sql.unsafe(`grant usage on schema ${quoted(schema)} to ${quoted(role)}`);
  for (const { name, kind, scoped, guarded } of relations) {
    if (kind !== "v" && (!scoped || name === "query_roles")) continue;
    await sql.begin(async (tx) => {
      if (!guarded) for (const statement of kind === "v" ? forView(name) : forTable(name)) await tx.unsafe(statement);
      if (!unread.includes(name)) await tx.unsafe(`grant select on ${quoted(name)} to ${quoted(role)}`);
    });
  }
}

const forView = (name: string): string[] => [`alter view ${quoted(name)} set (security_invoker = true)`];

const forTable = (name: string): string[] => [
  `alter table ${quoted(name)} enable row level security`,
  `alter table ${quoted(name)} force row level security`,
  `drop policy if exists constel_sees on ${quoted(name)}`,
  `create policy constel_sees on ${quoted(name)} using ((select constel_sees()) = '*' or constellation = (select constel_sees()))`,
];

async function refuseUnfit(sql: postgres.Sql): Promise<void> {
  const [server] = await sql<{ version: number; may: boolean; login: string }[]>`
    select current_setting('server_version_num')::int / 10000 as version, session_user as login,
      (select rolsuper or rolcreaterole from pg_roles where rolname = current_user) as may`;
  if (server === undefined || server.version < leastVersion)
    throw new Refusal(
      "store.role-unfit",
      `the server is Postgres ${server?.version}; views that look with the asker's eyes came with ${leastVersion}`,
    );
  if (!server.may)
    throw new Refusal("store.role-unfit", `the login ${server.login} of store.url may not make others (createrole)`);
  const [events] = await sql<{ there: boolean }[]>`select to_regclass('events') is not null as there`;
  if (events?.there !== true)
    throw new Refusal("store.role-unfit", "the database has no tables yet: start a daemon first");
}

/** Names of logins are at most 63 bytes long, and constellations' may be as long themselves. */
function roleOf(constellation: string | null): string {
  if (constellation === null) return `${prefix}team`;
  const plain = constellation.toLowerCase().replaceAll(/[^a-z0-9]/g, "_");
  const mark = new Bun.CryptoHasher("sha256").update(constellation).digest("hex").slice(0, 8);
  return `${prefix}of_${plain.slice(0, 30)}_${mark}`;
}

const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`;

function addressFor(url: string, role: string, password: string): string {
  const address = new URL(url);
  address.username = role;
  address.password = password;
  return address.href;
}

async function connected<T>(url: string, work: (sql: postgres.Sql) => Promise<T>): Promise<T> {
  const sql = postgres(url, { max: 1, onnotice: () => {}, connect_timeout: 10 });
  try {
    return await work(sql);
  } catch (cause) {
    throw isServerTrouble(cause) ? asOutage(cause, url) : cause;
  } finally {
    await sql.end({ timeout: 2 });
  }
}
