// `constel db roles` on the real program: a member asks over a login that sees its own constellation, the team's owner over one that sees all.

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { TestHome } from "./kit/home.ts";
import { startPostgres, type TestPostgres, withoutPostgres } from "./kit/postgres.ts";

describe.skipIf(withoutPostgres !== undefined)("logins for queries", () => {
  let server: TestPostgres;
  beforeAll(async () => {
    server = await startPostgres();
  });
  afterAll(() => server.stop());

  test("are made, asked over and taken away; nobody is told a password twice", async () => {
    await using ada = new TestHome();
    await using bob = new TestHome();
    const url = await server.database();
    const env = (name: string) => ({ CONSTEL_STORE_URL: url, CONSTEL_CONSTELLATION_NAME: name });
    await ada.constel(["announce", "words of ada"], { env: env("ada") });
    await bob.constel(["announce", "words of bob"], { env: env("bob") });
    const add = (...words: string[]) =>
      ada.json<{ role: string; url: string }>(["db", "roles", "add", ...words], { env: env("ada") });
    const [mine, all] = [await add("ada"), await add("--team")];
    expect((await add("ada")).url).not.toBe(mine.url);
    const { url: address } = await add("ada");
    const seen = async (query: string): Promise<string[]> => {
      const words = ["query", "select distinct constellation from timeline order by 1"];
      const rows = await ada.json<{ constellation: string }[]>(words, {
        env: { ...env("ada"), CONSTEL_STORE_QUERY_URL: query },
      });
      return rows.map(({ constellation }) => constellation);
    };
    expect([await seen(address), await seen(all.url)]).toEqual([["ada"], ["ada", "bob"]]);
    const listed = await ada.constel(["db", "roles"], { env: env("ada") });
    expect([listed.stdout.includes("every constellation"), listed.stdout.includes("postgres://")]).toEqual([
      true,
      false,
    ]);
    // The daemons go on as before.
    expect((await bob.constel(["announce", "more of bob"], { env: env("bob") })).code).toBe(0);
    expect((await bob.json<{ ok: boolean }>(["audit", "verify"], { env: env("bob") })).ok).toBe(true);
    for (const words of [
      ["db", "roles", "add"],
      ["db", "roles", "add", "ada", "--team"],
    ])
      expect((await ada.constel(words, { env: env("ada") })).code).toBe(2);
    expect((await ada.constel(["db", "roles", "rm", "ada"], { env: env("ada") })).code).toBe(0);
    const late = await ada.constel(["query", "select 1"], { env: { ...env("ada"), CONSTEL_STORE_QUERY_URL: address } });
    expect(late.code).not.toBe(0);
    await ada.constel(["daemon", "stop"], { env: env("ada") });
    await bob.constel(["daemon", "stop"], { env: env("bob") });
  }, 300_000);
});
