// The same program over Postgres: the same verbs, the same answers.

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { cpSync, readFileSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import { TestHome, until } from "./kit/home.ts";
import { startPostgres, type TestPostgres, withoutPostgres } from "./kit/postgres.ts";

// Skipped only when somebody said that there is no Postgres to be had: CONSTEL_CHECK_NO_POSTGRES=1.
const isSomething = (pid: number | undefined): boolean => pid !== undefined;

describe.skipIf(withoutPostgres !== undefined)("with store.url set to a Postgres database", () => {
  let server: TestPostgres;
  beforeAll(async () => {
    server = await startPostgres();
  });
  afterAll(() => server.stop());

  test("a change is durable, is read back with and without the daemon, and the chain verifies", async () => {
    await using at = new TestHome();
    const env = { CONSTEL_STORE_URL: await server.database() };
    expect((await at.constel(["announce", "one"], { env })).stdout).toBe("Announced as event 1.\n");
    expect((await at.json<{ store: string }>(["daemon", "status"], { env })).store).toBe("postgres");
    expect(await at.json<unknown>(["query", "select seq, type from timeline"], { env })).toEqual([
      { seq: 1, type: "owner.announced" },
    ]);
    await at.constel(["daemon", "stop"], { env });
    expect((await at.json<{ seq: number }[]>(["events"], { env })).map((event) => event.seq)).toEqual([1]);
    expect((await at.json<{ ok: boolean }>(["audit", "verify"], { env })).ok).toBe(true);
    expect((await at.constel(["doctor"], { env })).stdout).toContain("postgres, sound");
  });

  test("a query that writes is refused, and one with a wrong table lists what exists", async () => {
    await using at = new TestHome();
    const env = { CONSTEL_STORE_URL: await server.database() };
    await at.constel(["announce", "one"], { env });
    expect((await at.constel(["query", "delete from events"], { env })).stderr).toContain("DELETE writes");
    const unknown = await at.constel(["query", "select * from nope"], { env });
    expect(unknown.code).toBe(2);
    expect(unknown.stderr).toContain("timeline");
    expect((await at.constel(["explain", "select * from events where actor = 'x'"], { env })).code).toBe(0);
    await at.constel(["daemon", "stop"], { env });
  });

  test("two daemons over one database keep one unbroken chain each and see all rows", async () => {
    await using first = new TestHome();
    await using second = new TestHome();
    const url = await server.database();
    const one = { CONSTEL_STORE_URL: url, CONSTEL_CONSTELLATION_NAME: "constel0" };
    const two = { CONSTEL_STORE_URL: url, CONSTEL_CONSTELLATION_NAME: "constel1" };
    await Promise.all([
      first.constel(["daemon", "start"], { env: one }),
      second.constel(["daemon", "start"], { env: two }),
    ]);
    await Promise.all(
      Array.from({ length: 5 }, (_, index) => [
        first.constel(["announce", `a${index}`], { env: one }),
        second.constel(["announce", `b${index}`], { env: two }),
      ]).flat(),
    );
    expect(
      await first.json<unknown>(
        [
          "query",
          "select constellation, count(*) as n, max(seq) as last from events group by constellation order by 1",
        ],
        { env: one },
      ),
    ).toEqual([
      { constellation: "constel0", n: 5, last: 5 },
      { constellation: "constel1", n: 5, last: 5 },
    ]);
    expect((await second.json<{ ok: boolean }>(["audit", "verify"], { env: two })).ok).toBe(true);
    await Promise.all([
      first.constel(["daemon", "stop"], { env: one }),
      second.constel(["daemon", "stop"], { env: two }),
    ]);
  });

  test("one constellation, two daemons: one acts, the other says who does and takes over; the first, woken, writes nothing more", async () => {
    await using first = new TestHome();
    await using second = new TestHome();
    const env = { CONSTEL_STORE_URL: await server.database(), CONSTEL_STORE_LEASE_SECONDS: "5" };
    await first.constel(["announce", "of the first"], { env });
    await first.constel(["daemon", "stop"], { env });
    const elsewhere = { ...env, CONSTEL_CONSTELLATION_NAME: "constel1" };
    await second.constel(["announce", "of a constellation of its own"], { env: elsewhere });
    await second.constel(["daemon", "stop"], { env: elsewhere });
    const foreign = await second.constel(["announce", "with other keys"], { env });
    expect([foreign.code, foreign.stderr]).toEqual([3, expect.stringContaining("store.foreign-keys")]);
    cpSync(join(first.home, "keys"), join(second.home, "keys"), { recursive: true });
    await first.constel(["daemon", "start"], { env });
    const refused = await second.constel(["announce", "too early"], { env });
    expect(refused.code).toBe(3);
    expect(refused.stderr).toContain("[store.held]");
    expect(refused.stderr).toContain(`run by another daemon over the same database: ${hostname()}:${first.home}`);

    const stopped = first.daemonPid as number;
    process.kill(stopped, "SIGSTOP");
    try {
      await until("the second daemon has taken over", () => second.daemonPid, isSomething);
      await second.constel(["announce", "of the second"], { env });
      // The daemon that sleeps has this in its socket, and carries it out when it wakes.
      const late = first.constel(["announce", "of the sleeper"], { env });
      process.kill(stopped, "SIGCONT");
      await late;
      const log = (): string => readFileSync(join(first.home, "logs/daemon.log"), "utf8");
      await until("the first daemon stands by", () => log().includes("standing by: the constellation"), Boolean);
    } finally {
      process.kill(stopped, "SIGCONT");
    }
    const events = await second.json<{ type: string; data: { text?: string } }[]>(["events"], { env });
    const announced = events.filter(({ type }) => type === "owner.announced").map(({ data }) => data.text);
    expect(announced.toReversed()).toEqual(["of the first", "of the second"]);
    expect(events.map(({ type }) => type)).toContain("constellation.taken-over");
    expect((await second.json<{ ok: boolean }>(["audit", "verify"], { env })).ok).toBe(true);

    await second.constel(["daemon", "stop"], { env });
    await until("the first daemon is back at work", () => first.daemonPid, isSomething);
    await first.constel(["announce", "of the first, again"], { env });
    process.kill(first.daemonPid as number, "SIGKILL");
    // The next daemon of the same home need not wait until the lease lapses.
    expect((await first.constel(["announce", "after the kill"], { env })).code).toBe(0);
    await first.constel(["daemon", "stop"], { env });
  });

  test("a database that cannot be reached is an outage that names it, without its password", async () => {
    await using at = new TestHome();
    const env = { CONSTEL_STORE_URL: "postgres://someone:hunter2@127.0.0.1:1/none" };
    for (const words of [["announce", "one"], ["query", "select 1"], ["events"]]) {
      const ran = await at.constel(words, { env });
      expect({ words, code: ran.code }).toEqual({ words, code: 4 });
      expect(ran.stderr).toContain("127.0.0.1:1");
      expect(ran.stderr).not.toContain("hunter2");
    }
  });
});
