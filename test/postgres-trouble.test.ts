// A Postgres server that restarts, a query that takes too long, whose asker has gone, or that would end the daemon's
// connections.

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import postgres from "postgres";
import { systemClock } from "../src/host/clock/system-clock.ts";
import { seededRandom } from "../src/ports/fake-clock.ts";
import { isServerTrouble } from "../src/store/errors.ts";
import { openStore } from "../src/store/open.ts";
import { PostgresPool } from "../src/store/postgres-pool.ts";
import { TestHome, until } from "./kit/home.ts";
import { startPostgres, type TestPostgres, withoutPostgres } from "./kit/postgres.ts";
import { rejection } from "./kit/rejection.ts";

test("what a server in trouble says is known as such, and what a wrong statement says is not", () => {
  const trouble = ["57P01", "57P02", "57P03", "57P05", "08000", "08003", "08006", "08P01", "53300", "58030", "25P03"];
  const network = ["ECONNRESET", "ECONNREFUSED", "EPIPE", "ETIMEDOUT", "ENOTFOUND", "EAI_AGAIN", "EHOSTUNREACH"];
  const client = ["CONNECTION_CLOSED", "CONNECTION_ENDED", "CONNECTION_DESTROYED", "CONNECT_TIMEOUT"];
  for (const code of [...trouble, ...network, ...client])
    expect([code, isServerTrouble({ code })]).toEqual([code, true]);
  for (const code of ["42P01", "22012", "25006", "57014", "23505"])
    expect([code, isServerTrouble({ code })]).toEqual([code, false]);
});

describe.skipIf(withoutPostgres !== undefined)("a Postgres server", () => {
  let server: TestPostgres;
  beforeAll(async () => {
    server = await startPostgres();
  });
  afterAll(() => server.stop());

  /** Statements of the server's superuser. */
  async function admin<T>(url: string, use: (sql: postgres.Sql) => Promise<T>): Promise<T> {
    const sql = postgres(url, { max: 1, onnotice: () => {} });
    try {
      return await use(sql);
    } finally {
      await sql.end({ timeout: 1 });
    }
  }

  /** Ends every connection to the database but its own, again and again, while `during` runs. */
  async function storm(url: string, during: () => Promise<void>): Promise<void> {
    await admin(url, async (sql) => {
      const over = new AbortController();
      const killing = (async () => {
        while (!over.signal.aborted) {
          await sql`select pg_terminate_backend(pid) from pg_stat_activity
            where pid <> pg_backend_pid() and datname = current_database()`;
          await Bun.sleep(3);
        }
      })();
      try {
        await during();
      } finally {
        over.abort();
        await killing;
      }
    });
  }

  test("that ends connections all the time leaves no write and no read unanswered, and the store goes on afterwards", async () => {
    const url = await server.database();
    const store = await openStore({
      url,
      backupDirectory: "/nonexistent",
      clock: systemClock,
      random: seededRandom(7),
      constellation: "constel0",
    });
    const acknowledged: number[] = [];
    const note = (n: number): Promise<unknown> =>
      store.write((tx) => tx.record({ type: "storm.noted", actor: "owner", data: { n } }));
    await storm(url, async () => {
      for (let n = 0; n < 60; n++) {
        const asked = [
          note(n).then(() => acknowledged.push(n)),
          store.db.selectFrom("events").select("seq").execute(),
          store.db.transaction().execute((tx) => tx.selectFrom("events").select("seq").execute()),
        ];
        const settled = await Promise.race([Promise.allSettled(asked), Bun.sleep(20_000).then(() => undefined)]);
        expect([n, settled === undefined]).toEqual([n, false]);
        for (const one of settled ?? []) if (one.status === "rejected") expect(isTrouble(one.reason)).toBe(true);
      }
    });
    const heard: number[] = [];
    store.onCommit((events) => heard.push(...events.map((event) => event.seq)));
    await until(
      "writing works again",
      () => note(1_000).then(Boolean, () => false),
      (worked) => worked,
    );
    const rows = await store.db.selectFrom("events").select("data").execute();
    const kept = new Set(rows.map((row) => (JSON.parse(row.data) as { n: number }).n));
    expect(acknowledged.filter((n) => !kept.has(n))).toEqual([]);
    // Commits of others are heard again, too.
    const other = await openStore({
      url,
      backupDirectory: "/nonexistent",
      clock: systemClock,
      random: seededRandom(8),
      constellation: "constel0",
    });
    const theirs = await other.write((tx) => tx.record({ type: "storm.noted", actor: "owner", data: { n: 2_000 } }));
    await until(
      "the other's commit is heard",
      () => heard,
      (seqs) => seqs.includes(theirs.seq),
    );
    const closed = Promise.all([store.close(), other.close()]).then(() => "closed");
    expect(await Promise.race([closed, Bun.sleep(10_000).then(() => "still open")])).toBe("closed");
  }, 120_000);

  test("that is frozen leaves no question unanswered: those who wait are told, and it goes on when the server does", async () => {
    const url = await server.database();
    const pool = new PostgresPool(url, { max: 2, patienceMs: 200 });
    // A statement that takes longer than our patience is none of this.
    expect(await pool.ask((sql) => sql.unsafe("select pg_sleep(1)"))).toHaveLength(1);
    const processes = await serverProcesses(url);
    try {
      for (const pid of processes) signal(pid, "SIGSTOP");
      const asked = [1, 2, 3].map((n) => pool.ask((sql) => sql.unsafe(`select ${n}`)));
      const heard = await Promise.allSettled(asked);
      expect(heard.map((one) => one.status === "rejected" && isServerTrouble(causeOf(one.reason)))).toEqual(
        asked.map(() => true),
      );
    } finally {
      for (const pid of processes) signal(pid, "SIGCONT");
    }
    expect(await pool.ask((sql) => sql.unsafe("select 7 as n"))).toMatchObject([{ n: 7 }]);
    await pool.end();
  });

  /** The server's first process and all it has started. */
  async function serverProcesses(url: string): Promise<number[]> {
    return await admin(url, async (sql) => {
      const [own] = await sql<{ pid: number }[]>`select pg_backend_pid() as pid`;
      const first = parentOf(own?.pid ?? 0);
      return [
        first,
        ...readdirSync("/proc")
          .map(Number)
          .filter((pid) => pid > 0 && parentOf(pid) === first),
      ];
    });
  }

  test("that ends connections in the middle of everything is an outage to every verb, never a bug, and the daemon stops when told", async () => {
    await using at = new TestHome();
    const url = await server.database();
    const env = { CONSTEL_STORE_URL: url };
    await at.constel(["announce", "one"], { env });
    const pid = at.daemonPid ?? 0;
    const verbs = [
      ["query", "select count(*) from events"],
      ["query", "select * from nowhere"],
      ["events"],
      ["task", "list"],
      ["announce", "more"],
      ["status"],
      ["audit", "verify"],
    ];
    await storm(url, async () => {
      for (const words of [...verbs, ...verbs]) {
        const ran = await at.constel(words, { env });
        expect([words, ran.stderr]).not.toEqual([words, expect.stringMatching(/bug in constel|CONNECTION_/)]);
        // `status` tells all the same who is there.
        if (words[0] === "status" && ran.code !== 0) expect(ran.stdout).toContain("No agents.");
      }
      process.kill(pid, "SIGTERM");
      await until(
        "the daemon has ended",
        () => isRunning(pid),
        (running) => !running,
      );
    });
    expect(readFileSync(join(at.home, "logs/daemon.log"), "utf8")).not.toMatch(/bug, /);
  }, 120_000);

  test("refuses a query and the command ends by itself, without waiting for the server", async () => {
    await using at = new TestHome();
    const env = { CONSTEL_STORE_URL: await server.database() };
    await at.constel(["announce", "one"], { env });
    const refused = await at.constel(["query", "select nope from events"], { env });
    expect({ code: refused.code, stdout: refused.stdout }).toEqual({ code: 2, stdout: "" });
    expect(refused.stderr).not.toContain("CONNECTION_");
    const { postgresReader } = await import("../src/store/postgres-reader.ts");
    const reader = await postgresReader(env.CONSTEL_STORE_URL, {});
    expect(await rejection(reader.rows("select nope from events"))).toMatchObject({ code: "query.invalid" });
    // The pool is given no time: what postgres.js still waits for is torn down.
    const ended = reader.close().then(() => "ended");
    expect(await Promise.race([ended, Bun.sleep(2_000).then(() => "still waiting")])).toBe("ended");
    await at.constel(["daemon", "stop"], { env });
  }, 120_000);

  test("a query that takes too long is ended by the server and refused", async () => {
    await using at = new TestHome();
    const env = { CONSTEL_STORE_URL: await server.database() };
    await at.constel(["announce", "one"], { env });
    const ran = await at.constel(["query", "select pg_sleep(60)", "--set", "query.timeout_s=1"], { env });
    expect(ran.code).toBe(3);
    expect(ran.stderr).toContain("[query.too-slow]");
    await at.constel(["daemon", "stop"], { env });
  }, 120_000);

  test("ends the query of an asker that was killed", async () => {
    await using at = new TestHome();
    const url = await server.database();
    const env = { CONSTEL_STORE_URL: url };
    await at.constel(["announce", "one"], { env });
    const program = join(import.meta.dir, "../bin/constel");
    const child = Bun.spawn([program, "query", "select pg_sleep(600), 'asked by a test'"], {
      cwd: at.top,
      env: { ...at.env, ...env },
      stdio: ["ignore", "ignore", "ignore"],
    });
    await admin(url, async (sql) => {
      const running = async (): Promise<number> =>
        (
          await sql`select 1 from pg_stat_activity where query like '%asked by a test%' and pid <> pg_backend_pid()
          and state = 'active'`
        ).length;
      await until("it runs", running, (count) => count === 1);
      child.kill("SIGKILL");
      await child.exited;
      await until("the server has ended it", running, (count) => count === 0);
    });
    await at.constel(["daemon", "stop"], { env });
  }, 120_000);

  test("with a login of their own, queries read everything and cannot end the daemon's connections", async () => {
    await using at = new TestHome();
    const url = await server.database();
    await admin(url, async (sql) => {
      // The test server's own role is a superuser, whom nobody else may touch anyway: an ordinary one is the harder case.
      await sql.unsafe(`create role plain login createrole; alter database ${new URL(url).pathname.slice(1)} owner to plain;
        alter schema public owner to plain`);
    });
    const plain = url.replace("app@", "plain@");
    const env: Record<string, string> = { CONSTEL_STORE_URL: plain };
    await at.constel(["announce", "one"], { env });
    const script = readFileSync(join(import.meta.dir, "../scripts/postgres-query-role.sql"), "utf8");
    await admin(plain, (sql) => sql.unsafe(script));
    const terminate = `select count(pg_terminate_backend(pid)) from pg_stat_activity
      where usename = 'plain' and pid <> pg_backend_pid()`;
    env["CONSTEL_STORE_QUERY_URL"] = url.replace("app@", "constel_query@");
    const refused = await at.constel(["query", terminate], { env });
    expect(refused.code).not.toBe(0);
    expect(refused.stderr).toMatch(/permission denied|must be a member of the role/);
    expect(await at.json<unknown>(["query", "select seq, type from timeline"], { env })).toEqual([
      { seq: 1, type: "owner.announced" },
    ]);
    await at.constel(["daemon", "stop"], { env });
  }, 120_000);
});

/** Tells whether this may be answered while the server is in trouble: an outage, or the refusal of a write that was not made. */
function isTrouble(reason: unknown): boolean {
  const { name, code } = reason as { name?: string; code?: string };
  return name === "Outage" || code === "store.not-written";
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

const causeOf = (reason: unknown): unknown => (reason as { cause?: unknown }).cause ?? reason;

function parentOf(pid: number): number {
  try {
    return Number(readFileSync(`/proc/${pid}/stat`, "latin1").split(") ").at(-1)?.split(" ")[1]);
  } catch {
    return 0; // it has just ended
  }
}

/** Its children come and go. */
function signal(pid: number, name: "SIGSTOP" | "SIGCONT"): void {
  try {
    process.kill(pid, name);
  } catch (cause) {
    if ((cause as { code?: unknown }).code !== "ESRCH") throw cause;
  }
}
