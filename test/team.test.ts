// The same program over Postgres: the same verbs, the same answers.

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { TestHome } from "./kit/home.ts";
import { startPostgres, type TestPostgres, withoutPostgres } from "./kit/postgres.ts";

// Skipped only when somebody said that there is no Postgres to be had: CONSTEL_CHECK_NO_POSTGRES=1.
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
