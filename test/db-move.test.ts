// The database moves: from SQLite to Postgres and back, with the chain, its signatures and the anchored heads; the one left behind takes no more.

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { readFileSync, renameSync } from "node:fs";
import { join } from "node:path";
import { TestHome } from "./kit/home.ts";
import { startPostgres, type TestPostgres, withoutPostgres } from "./kit/postgres.ts";

describe.skipIf(withoutPostgres !== undefined)("db move", () => {
  let server: TestPostgres;
  beforeAll(async () => {
    server = await startPostgres();
  });
  afterAll(() => server.stop());

  test("carries a constellation to Postgres and back: all of it verifies, and nobody goes on writing to what was left behind", async () => {
    await using at = new TestHome();
    const url = await server.database();
    await at.constel(["owner", "init"]);
    for (const text of ["one", "two"]) await at.constel(["announce", text]);
    await at.constel(["task", "create", "a task"]);
    const running = await at.constel(["db", "move", "--to", url]);
    expect([running.code, running.stderr]).toEqual([3, expect.stringContaining("[daemon.running]")]);
    expect((await at.constel(["db", "move"])).stderr).toContain("[usage.missing-argument]");
    const none = await at.constel(["db", "move", "--to", url, "--cancel"]);
    expect(none.stderr).toContain("[daemon.running]");
    await at.constel(["daemon", "stop"]);
    expect((await at.constel(["db", "move", "--to", url, "--cancel"])).stderr).toContain("[store.no-move]");

    const there = await at.constel(["db", "move", "--to", url]);
    expect([there.code, there.stderr]).toEqual([0, expect.stringContaining("verifying the chain")]);
    expect(there.stdout).toContain('Moved "constel0"');
    expect(there.stdout).toContain("equal by count and digest");
    expect(there.stdout).toContain("store.url = postgres://");
    expect(readFileSync(join(at.home, "config.toml"), "utf8")).toContain(url);
    await at.constel(["announce", "three"]);
    expect((await at.json<{ store: string }>(["daemon", "status"])).store).toBe("postgres");
    const texts = await at.json<{ text: string }[]>([
      "query",
      "select data as text from timeline where type = 'owner.announced' order by seq",
    ]);
    expect(texts.map(({ text }) => (JSON.parse(text) as { text: string }).text)).toEqual(["one", "two", "three"]);
    const told = await at.json<unknown[]>(["query", "select type from timeline where type = 'constellation.moved'"]);
    expect(told).toHaveLength(1);
    await at.constel(["daemon", "stop"]);
    expect((await at.constel(["audit", "verify"])).stdout).toMatch(/^The chain holds/);

    // Whoever still names the old one is told.
    const old = { CONSTEL_STORE_URL: `sqlite:${join(at.home, "meta.db")}` };
    const left = await at.constel(["announce", "nowhere"], { env: old });
    expect([left.code, left.stderr]).toEqual([3, expect.stringContaining("[store.moved]")]);
    expect((await at.constel(["db", "status"], { env: old })).stdout).toContain("was moved to postgres://");
    const used = await at.constel(["db", "move", "--to", "home/meta.db"]);
    expect([used.code, used.stderr]).toEqual([3, expect.stringContaining("[store.target-used]")]);

    // Back, to the place where it was before.
    renameSync(join(at.home, "meta.db"), join(at.home, "meta.db.left"));
    const back = await at.json<{ events: number; tables: { table: string; rows: number }[] }>([
      "db",
      "move",
      "--to",
      "home/meta.db",
    ]);
    expect(back.tables.find(({ table }) => table === "tasks")?.rows).toBe(1);
    expect((await at.constel(["config", "show", "store.url"])).stdout).toContain('""');
    await at.constel(["announce", "four"]);
    expect((await at.json<{ store: string }>(["daemon", "status"])).store).toBe("sqlite");
    await at.constel(["daemon", "stop"]);
    expect((await at.constel(["audit", "verify"])).stdout).toMatch(/^The chain holds/);
    expect((await at.constel(["doctor"])).stdout).not.toContain("missing");
  }, 240_000);

  test("says so when something else than config.toml names the old database", async () => {
    await using at = new TestHome();
    const env = { CONSTEL_STORE_URL: `sqlite:${join(at.home, "meta.db")}` };
    await at.constel(["announce", "one"], { env });
    await at.constel(["daemon", "stop"], { env });
    const moved = await at.constel(["db", "move", "--to", "other.db"], { env });
    expect([moved.code, moved.stdout]).toEqual([
      0,
      expect.stringContaining("CONSTEL_STORE_URL still names the old database"),
    ]);
    expect((await at.constel(["announce", "two"], { env })).stderr).toContain("[store.moved]");
    expect((await at.constel(["announce", "two"])).code).toBe(0);
  }, 120_000);
});
