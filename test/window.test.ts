// The owner's window from outside: how it is opened, who is refused, and that a restarted daemon is found again where it was.

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { operations } from "../src/protocol/operations/all.ts";
import type { Operation } from "../src/protocol/operation.ts";
import { readStream, type StreamMessage } from "../src/protocol/window.ts";
import { TestHome, until } from "./kit/home.ts";

interface Session {
  readonly token: string;
  readonly role: string;
}

const at = new TestHome();
let address = "";
let other = "";

beforeAll(async () => {
  const { url } = await opened();
  address = new URL(url).origin;
  other = `http://127.0.0.1:${Number(new URL(address).port) + 1}`;
});
afterAll(() => at[Symbol.asyncDispose]());

const opened = (...flags: readonly string[]) =>
  at.json<{ url: string; has_page: boolean }>(["dashboard", "--no-open", ...flags]);
const codeIn = (url: string): string => new URL(url).hash.replace("#code=", "");
const trade = (code: string, headers: Record<string, string> = { origin: address }): Promise<Response> =>
  fetch(`${address}/api/session`, { method: "POST", headers, body: JSON.stringify({ code }) });

async function session(...flags: readonly string[]): Promise<Session> {
  const answer = await trade(codeIn((await opened(...flags)).url));
  expect(answer.status).toBe(200);
  return (await answer.json()) as Session;
}

const ask = (name: string, headers: Record<string, string>, body: unknown = {}): Promise<Response> =>
  fetch(`${address}/op/${name}`, { method: "POST", headers, body: JSON.stringify(body) });
const codeOf = async (response: Response): Promise<string> =>
  ((await response.json()) as { error?: { code?: string } }).error?.code ?? String(response.status);

describe("opening it", () => {
  test("the command switches loopback HTTP on by itself, and the link holds its code in the fragment", async () => {
    const { url } = await opened();
    expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/#code=[\w-]{32}$/);
    expect(readFileSync(join(at.home, "config.toml"), "utf8")).toContain("enabled = true");
  });

  test("a code is traded once, by the page itself, for a token that is listed as a browser session and can be revoked", async () => {
    const code = codeIn((await opened()).url);
    expect(await codeOf(await trade(code, {}))).toBe("http.unauthorised");
    expect(await codeOf(await trade(code, { origin: other }))).toBe("http.foreign-origin");
    const { token, role } = (await (await trade(code)).json()) as Session;
    expect(role).toBe("owner");
    expect(await codeOf(await trade(code))).toBe("http.no-code");
    expect(await codeOf(await trade("x".repeat(32)))).toBe("http.no-code");
    expect((await ask("status.look", { authorization: `Bearer ${token}` })).status).toBe(200);
    const { tokens } = await at.json<{ tokens: { id: string; kind: string; revoked_ms: number | null }[] }>([
      "token",
      "ls",
    ]);
    const browsers = tokens.filter(({ kind, revoked_ms }) => kind === "browser" && revoked_ms === null);
    for (const { id } of browsers) await at.json(["token", "revoke", id]);
    expect(await codeOf(await ask("status.look", { authorization: `Bearer ${token}` }))).toBe("http.unauthorised");
  });

  test("the page comes with a policy that runs nothing of anybody else's, and no frame may hold it", async () => {
    for (const path of ["/", "/app.js", "/app.css"]) {
      const { headers } = await fetch(`${address}${path}`);
      const policy = headers.get("content-security-policy") ?? "";
      expect(policy).toStartWith("default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'");
      expect(policy).toContain("frame-ancestors 'none'");
      expect(policy).not.toContain("unsafe");
      expect(["x-content-type-options", "referrer-policy"].map((name) => headers.get(name))).toEqual([
        "nosniff",
        "no-referrer",
      ]);
      expect((await fetch(`${address}${path}`, { headers: { host: "evil.example" } })).status).toBe(403);
      // A page of another port on this machine that would frame or load it.
      for (const site of ["cross-site", "same-site"])
        expect((await fetch(`${address}${path}`, { headers: { "sec-fetch-site": site } })).status).toBe(403);
    }
    expect((await fetch(`${address}/../../etc/passwd`)).status).toBe(401);
  });
});

describe("every operation", () => {
  const all: readonly Operation[] = Object.values(operations);
  let owners = "";
  let observers = "";
  beforeAll(async () => {
    owners = `Bearer ${(await session()).token}`;
    observers = `Bearer ${(await session("--role", "observer")).token}`;
  });

  const refusals = async (headers: Record<string, string>, some = all): Promise<string[]> => [
    ...new Set(await Promise.all(some.map(async ({ name }) => codeOf(await ask(name, headers))))),
  ];

  test("is refused without a token, with a wrong one, and with one that is over", async () => {
    const expired = `Bearer ${(await at.json<{ token: string }>(["token", "create", "old", "--expires", "1s"])).token}`;
    const isOver = async (): Promise<boolean> => (await ask("status.look", { authorization: expired })).status === 401;
    while (!(await isOver()));
    const strangers = [
      {},
      { origin: address },
      { authorization: "Bearer constel_wrong-token-of-some-length" },
      { authorization: expired },
    ];
    for (const headers of strangers) expect(await refusals(headers)).toEqual(["http.unauthorised"]);
  });

  test("is refused to another page, another name of this machine, and another port, even with the owner's token", async () => {
    for (const [header, value, code] of [
      ["origin", "https://evil.example", "http.foreign-origin"],
      ["origin", other, "http.foreign-origin"],
      ["origin", "null", "http.foreign-origin"],
      ["sec-fetch-site", "same-site", "http.foreign-origin"],
      ["host", "evil.example", "http.foreign-host"],
      ["host", new URL(other).host, "http.foreign-host"],
    ] as const)
      expect([header, value, await refusals({ authorization: owners, [header]: value })]).toEqual([
        header,
        value,
        [code],
      ]);
  });

  test("that changes anything, or is the owner's alone, is refused to an observer's browser", async () => {
    const closed = all.filter(({ effect, may }) => effect !== "reads" || may === "owner");
    expect(closed.length).toBeGreaterThan(30);
    expect(
      await refusals(
        { authorization: observers, origin: address },
        closed.filter(({ may }) => may !== "outside"),
      ),
    ).toEqual(["authority.observer"]);
    expect((await ask("status.look", { authorization: observers, origin: address })).status).toBe(200);
  });

  test("the stream too: no token, a foreign page, a scope without the timeline", async () => {
    const stream = (headers: Record<string, string>) => fetch(`${address}/api/stream`, { headers });
    expect(await codeOf(await stream({}))).toBe("http.unauthorised");
    expect(await codeOf(await stream({ authorization: owners, origin: other }))).toBe("http.foreign-origin");
    const { token } = await at.json<{ token: string }>(["token", "create", "narrow", "--scope", "task.list"]);
    expect(await codeOf(await stream({ authorization: `Bearer ${token}` }))).toBe("authority.scope");
  });
});

test("what is done in one browser is seen live in another; answers say how far the timeline was; the text is safe", async () => {
  const one = { authorization: `Bearer ${(await session()).token}`, origin: address };
  const two = { authorization: `Bearer ${(await session("--role", "observer")).token}` };
  const leaving = new AbortController();
  const { body } = await fetch(`${address}/api/stream`, { headers: two, signal: leaving.signal });
  if (body === null) throw new Error("no stream");
  const messages = readStream(body);
  const hello = (await messages.next()).value;
  const said = await ask("timeline.announce", one, { text: "look \u009b31m \u202ehere" });
  expect(said.status).toBe(200);
  let seq = 0;
  while (seq === 0) {
    const message: StreamMessage | undefined = (await messages.next()).value;
    if (message?.kind === "events") seq = message.events.find(({ type }) => type === "owner.announced")?.seq ?? 0;
  }
  expect(seq).toBeGreaterThan(hello?.seq ?? 0);
  const read = await ask("timeline.list", two, { limit: 5, type: "owner.announced" });
  expect(Number(read.headers.get("x-constel-seq"))).toBeGreaterThanOrEqual(seq);
  const { events } = (await read.json()) as { events: { data: { text: string } }[] };
  expect(events[0]?.data.text).toBe("look \\x9b31m \\u{202e}here");
  leaving.abort();
});

test("SQL is answered in a process of its own, read-only; what it complains of is said", async () => {
  const headers = { authorization: `Bearer ${(await session("--role", "observer")).token}`, origin: address };
  const query = (sql: string, limit = 10) => ask("query.run", headers, { sql, limit });
  const read = (await (await query("select 1 as one, 'a\u009b' as two union all select 2, null", 1)).json()) as object;
  expect(read).toMatchObject({ columns: ["one", "two"], rows: [[1, "a\\x9b"]], more: true });
  expect(await codeOf(await query("delete from tokens"))).toBe("query.not-read-only");
  expect(await codeOf(await query("select * from nowhere"))).toBe("query.unknown-table");
  const { tables } = (await (await ask("query.tables", headers)).json()) as { tables: { name: string }[] };
  expect(tables.map(({ name }) => name)).toContain("attention");
});

test("a query saved in the page is the command line's too; the watchdog is silenced by the same words", async () => {
  const headers = { authorization: `Bearer ${(await session()).token}`, origin: address };
  const sql = "select 1 as one";
  expect(await (await ask("query.save", headers, { name: "mine", sql })).json()).toEqual({ name: "mine", sql });
  expect(await at.json(["query", "--list-saved"])).toMatchObject({ queries: [{ name: "mine", sql }] });
  expect(await (await ask("query.saved", headers)).json()).toEqual({ queries: [{ name: "mine", sql }] });
  expect(await codeOf(await ask("query.save", headers, { name: "../mine", sql }))).toBe("usage.bad-value");

  const quiet = async (time: string) => (await (await ask("watchdog.quiet", headers, { time })).json()) as object;
  expect(await quiet("2h")).toMatchObject({ quiet: true });
  expect((await at.constel(["quiet"])).stdout).toMatch(/^quiet until /);
  expect(await codeOf(await ask("watchdog.quiet", headers, { time: "90d" }))).toBe("quiet.too-long");
  expect(await quiet("off")).toEqual({ quiet: false, until_ms: null });
  expect((await at.constel(["quiet"])).stdout).toBe("quiet is off\n");
});

test("a daemon that was killed is found again at the same port, and sessions go on", async () => {
  const { token } = await session();
  const pid = at.daemonPid;
  if (pid === undefined) throw new Error("no daemon");
  process.kill(pid, "SIGKILL");
  await at.constel(["daemon", "start"]);
  expect((await at.json<{ http: string }>(["daemon", "status"])).http).toBe(address);
  expect((await ask("status.look", { authorization: `Bearer ${token}` })).status).toBe(200);
});

test("an agent's screen comes as rows of text; one that nobody started has none", async () => {
  await using home = new TestHome();
  await home.constel(["up", "1", "--type", "script", "--no-attach"]);
  const seen = await until(
    "the screen shows something",
    () => home.constel(["screen", "agent1", "--json"]),
    ({ code, stdout }) => code === 0 && (JSON.parse(stdout) as { rows: string[] | null }).rows?.length !== 0,
  );
  const { rows } = JSON.parse(seen.stdout) as { rows: string[] };
  expect(rows.every((row) => !row.includes("\n") && row === row.trimEnd())).toBe(true);
  expect((await home.constel(["screen", "1"])).stdout).toBe(`${rows.join("\n")}\n`);
  expect((await home.constel(["screen", "agent99"])).stderr).toContain("[agent.unknown]");
}, 120_000);
