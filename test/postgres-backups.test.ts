// Backups over Postgres: dumps by the server's own client, and a restore that is on the signed record and takes back one constellation alone.

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdirSync, readdirSync, readFileSync, symlinkSync, truncateSync } from "node:fs";
import { join } from "node:path";
import postgres from "postgres";
import { TestHome } from "./kit/home.ts";
import { startPostgres, type TestPostgres, withoutPostgres } from "./kit/postgres.ts";

describe.skipIf(withoutPostgres !== undefined)("backups of a Postgres database", () => {
  let server: TestPostgres;
  beforeAll(async () => {
    server = await startPostgres();
  });
  afterAll(() => server.stop());

  async function rows(url: string, statement: string): Promise<Record<string, unknown>[]> {
    const sql = postgres(url, { max: 1, onnotice: () => {} });
    try {
      return [...(await sql.unsafe(statement))];
    } finally {
      await sql.end({ timeout: 1 });
    }
  }

  test("a dump is made, listed, and put back: the chain holds and says so, and another constellation stays as it is", async () => {
    await using at = new TestHome();
    const url = await server.database();
    const env = { CONSTEL_STORE_URL: url };
    const other = { ...env, CONSTEL_CONSTELLATION_NAME: "other" };
    await at.constel(["owner", "init"], { env });
    await at.constel(["announce", "one"], { env });
    const made = await at.json<{ file: string; good: boolean }>(["db", "backup"], { env });
    expect(made.file).toMatch(/^postgres-v\d+-.*\.dump$/);
    expect(made.good).toBe(true);
    expect(await at.json<unknown>(["db", "backups"], { env })).toMatchObject({
      backups: [{ file: made.file, good: true }],
    });
    await at.constel(["announce", "two"], { env });
    await at.constel(["daemon", "stop"], { env });
    await at.constel(["announce", "of another"], { env: other });
    await at.constel(["daemon", "stop"], { env: other });
    const others = "select seq, type, hash from events where constellation = 'other' order by seq";
    const before = await rows(url, others);
    const [{ epoch = 0 } = {}] = await rows(url, "select epoch from chain_heads where constellation = 'constel0'");

    const restored = await at.constel(["db", "restore"], { env });
    expect([restored.code, restored.stdout]).toEqual([0, expect.stringContaining(`Restored ${made.file}`)]);
    const verified = await at.constel(["audit", "verify"], { env });
    expect(verified.stdout).toMatch(/^The chain holds/);
    expect(verified.stdout).toContain(`The backup ${made.file} of event`);
    const texts = "select data from events where constellation = 'constel0' and type = 'owner.announced' order by seq";
    expect((await rows(url, texts)).map(({ data }) => (JSON.parse(String(data)) as { text: string }).text)).toEqual([
      "one",
    ]);
    expect(await rows(url, others)).toEqual(before);
    // Who held it before and sleeps does not find its own number again.
    const [{ epoch: after = 0 } = {}] = await rows(
      url,
      "select epoch from chain_heads where constellation = 'constel0'",
    );
    expect(Number(after)).toBeGreaterThan(Number(epoch));
    // The rows that stood there are kept aside, and nothing else is left.
    const schemas = (await rows(url, "select nspname from pg_namespace where nspname like 'constel%'")).map(
      ({ nspname }) => String(nspname),
    );
    expect(schemas).toEqual([expect.stringMatching(/^constel_kept_/)]);
    expect(
      await rows(url, `select count(*)::int as n from "${schemas[0]}".events where type = 'owner.announced'`),
    ).toEqual([{ n: 2 }]);
    expect(readdirSync(join(at.home, "backups"))).toEqual([made.file]);
    await at.constel(["announce", "three"], { env });
    await at.constel(["daemon", "stop"], { env });
    expect((await at.constel(["audit", "verify"], { env })).code).toBe(0);

    // A dump that was cut off is not used, and nothing is changed.
    const path = join(at.home, "backups", made.file);
    truncateSync(path, Math.floor(readFileSync(path).length / 2));
    const now = await rows(url, "select constellation, seq, hash from events order by 1, 2");
    const damaged = await at.constel(["db", "restore", made.file], { env });
    expect([damaged.code, damaged.stderr]).toEqual([4, expect.stringContaining("pg_restore")]);
    expect(await rows(url, "select constellation, seq, hash from events order by 1, 2")).toEqual(now);
    expect((await at.constel(["db", "restore", "none.dump"], { env })).stderr).toContain("[store.backup-missing]");
    expect((await at.constel(["audit", "verify"], { env })).code).toBe(0);
  }, 300_000);

  test("without the server's client on the PATH it is refused in a word", async () => {
    await using at = new TestHome();
    const programs = join(at.top, "programs");
    mkdirSync(programs);
    for (const directory of ["/bin", "/usr/bin"])
      for (const name of readdirSync(directory))
        if (!/^(pg_|psql)/.test(name))
          try {
            symlinkSync(join(directory, name), join(programs, name));
          } catch {
            // in both directories
          }
    const env = { CONSTEL_STORE_URL: await server.database(), PATH: programs };
    await at.constel(["announce", "one"], { env });
    const ran = await at.constel(["db", "backup"], { env });
    expect([ran.code, ran.stderr]).toEqual([3, expect.stringContaining("[store.no-client]")]);
    expect(readdirSync(join(at.home, "backups"))).toEqual([]);
    await at.constel(["daemon", "stop"], { env });
    expect((await at.constel(["db", "begin"], { env })).stderr).toContain("[store.not-sqlite]");
  }, 120_000);

  test("`db size` tells what takes the room, on both databases", async () => {
    await using at = new TestHome();
    for (const env of [{}, { CONSTEL_STORE_URL: await server.database() }]) {
      for (const text of ["one", "two"]) await at.constel(["announce", text], { env });
      interface Size {
        readonly bytes: number;
        readonly tables: readonly { readonly table: string; readonly rows: number; readonly bytes: number }[];
        readonly events: readonly { readonly type: string; readonly count: number }[];
        readonly growth: { readonly day: number };
      }
      const size = await at.json<Size>(["db", "size"], { env });
      const events = size.tables.find(({ table }) => table === "events");
      expect(events?.rows).toBeGreaterThanOrEqual(2);
      expect(events?.bytes).toBeGreaterThan(0);
      expect(size.bytes).toBeGreaterThan(events?.bytes ?? 0);
      expect(size.events.find(({ type }) => type === "owner.announced")?.count).toBe(2);
      expect(size.growth.day).toBe(events?.rows ?? 0);
      expect((await at.constel(["db", "size"], { env })).stdout).toContain("owner.announced");
      await at.constel(["daemon", "stop"], { env });
    }
  }, 120_000);
});
