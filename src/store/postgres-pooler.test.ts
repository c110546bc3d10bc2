// A pooler that lends connections by transaction stands in front of Postgres: everything that the store does works there, and nothing of one asker
// is left on the connection of the next.

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import postgres from "postgres";
import { startPgbouncer, type TestPooler, withoutPgbouncer } from "../../test/kit/pgbouncer.ts";
import { startPostgres, type TestPostgres, withoutPostgres } from "../../test/kit/postgres.ts";
import { rejection } from "../../test/kit/rejection.ts";
import { systemClock, systemRandom } from "../host/clock/system-clock.ts";
import { openStore, type Store } from "./open.ts";
import { PostgresPool } from "./postgres-pool.ts";
import { postgresReader } from "./postgres-reader.ts";
import { verifyChain } from "./timeline.ts";

const left = withoutPostgres ?? withoutPgbouncer;
if (left !== undefined) process.stderr.write(`postgres-pooler.test.ts is skipped: ${left}\n`);

function open(url: string, holder?: string): Promise<Store> {
  const lease = holder === undefined ? {} : { lease: { holder, leaseMs: 60_000, lost: () => {}, log: () => {} } };
  return openStore({
    url,
    backupDirectory: "/nonexistent",
    clock: systemClock,
    random: systemRandom,
    constellation: "constel0",
    ...lease,
  });
}

/** Whoever comes next finds nothing of it on the server's connections, of which there are two: both are asked at once. */
async function expectNothingLeft(url: string): Promise<void> {
  const sql = postgres(url, { max: 2, prepare: false, fetch_types: false, onnotice: () => {} });
  const look = () =>
    sql`select pg_backend_pid() as pid, current_setting('lock_timeout') as lock,
      current_setting('statement_timeout') as statement, current_setting('default_transaction_read_only') as "readOnly",
      (select string_agg(statement, '; ') from pg_prepared_statements) as prepared, pg_sleep(0.2)::text as slept`;
  const seen = new Set<number>();
  while (seen.size < 2)
    for (const [row] of await Promise.all([look(), look()])) {
      const { pid, ...left } = row ?? {};
      expect(left).toEqual({ lock: "0", statement: "0", readOnly: "off", prepared: null, slept: "" });
      seen.add(pid);
    }
  await sql.end({ timeout: 1 });
}

/** One that refuses the settings we ask for, and one that takes them and forgets them. */
const ways: readonly (readonly [string, readonly string[]])[] = [
  ["that refuses settings of the connection", []],
  [
    "that passes over settings of the connection",
    [
      "ignore_startup_parameters = lock_timeout,idle_in_transaction_session_timeout,synchronous_commit,default_transaction_read_only,statement_timeout",
    ],
  ],
];

describe.skipIf(left !== undefined).each(ways)("a pooler %s", (_, settings) => {
  let server: TestPostgres;
  let pooler: TestPooler;
  let direct: string;
  let url: string;
  beforeAll(async () => {
    server = await startPostgres();
    pooler = await startPgbouncer(await server.database(), settings);
    direct = await server.database();
    url = pooler.behind(direct);
  });
  afterAll(async () => {
    await pooler?.stop();
    await server?.stop();
  });

  test("leaves writes durable, reads read-only, the lease one daemon's, and answers right", async () => {
    const store = await open(url, "laptop");
    const others = [await open(url), await open(url)];
    expect(await rejection(open(url, "server"))).toMatchObject({ code: "store.held" });
    await Promise.all(
      [store, ...others].flatMap((one) =>
        Array.from({ length: 20 }, (_none, n) =>
          one.write((tx) => tx.record({ type: "one.done", actor: "test", data: { n } })),
        ),
      ),
    );
    expect(await verifyChain(store.db, "constel0")).toMatchObject({ ok: true, count: 60 });
    const wrote = await rejection(store.db.deleteFrom("crashes").execute());
    expect(String(wrote)).toContain("read-only");
    // A job that throws is undone alone, with those around it written.
    const mixed = await Promise.allSettled([
      store.write((tx) => tx.record({ type: "two.done", actor: "test" })),
      store.write(async (tx) => {
        await tx.record({ type: "never.done", actor: "test" });
        throw new Error("no");
      }),
    ]);
    expect(mixed.map(({ status }) => status)).toEqual(["fulfilled", "rejected"]);
    const reader = await postgresReader(url, { timeoutMs: 500 });
    const { rows } = await reader.rows("select count(*) as n from events");
    expect(await Array.fromAsync(rows)).toEqual([[61]]);
    expect((await reader.tables()).length).toBeGreaterThan(50);
    await expectNothingLeft(url);
    const slow = reader.rows("select pg_sleep(30)").then(async (answer) => await Array.fromAsync(answer.rows));
    expect(await rejection(slow)).toMatchObject({ code: "query.too-slow" });
    expect((await reader.explain("select * from events")).length).toBeGreaterThan(0);
    await reader.close();
    for (const one of [store, ...others]) await one.close();
    await expectNothingLeft(url);
  }, 120_000);

  test("each transaction carries the limits that a connection would", async () => {
    const pool = new PostgresPool(url, { max: 1 });
    const client = await pool.take();
    await client.ask((sql) => sql.unsafe(client.begin));
    const [within] = await client.ask((sql) =>
      sql.unsafe(`select current_setting('lock_timeout') as lock, current_setting('synchronous_commit') as sync,
        current_setting('idle_in_transaction_session_timeout') as idle`),
    );
    expect({ ...within }).toEqual({ lock: "3s", sync: "on", idle: "15s" });
    await client.ask((sql) => sql.unsafe("rollback"));
    pool.giveBack(client);
    await pool.end();
  }, 60_000);
});
