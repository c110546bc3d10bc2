// Two machines, as two homes: one serves, people on the other ask it with a token. The certificate is confirmed first, roles are the server's to judge, and
// what works on one machine only says so.

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { chmodSync, readFileSync, renameSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { certificate } from "./kit/certificate.ts";
import { TestHome, until } from "./kit/home.ts";

interface Serves {
  readonly serves: { readonly address: string; readonly fingerprint: string; readonly names: string[] } | null;
  readonly serves_problem: string | null;
}

describe("a daemon that serves over TLS", () => {
  const desk = new TestHome();
  const laptop = new TestHome();
  const shown = certificate(desk.top, "desk", "DNS:localhost,IP:127.0.0.1");
  const other = certificate(desk.top, "other", "DNS:localhost,IP:127.0.0.1");
  const tokens: Record<string, string> = {};
  let at = "";
  let fingerprint = "";
  const files = (made: typeof shown) => ["--certificate", made.certificate, "--key", made.key];

  beforeAll(async () => {
    const served = await desk.json<Serves>(["serve", "--listen", "127.0.0.1:0", ...files(shown)]);
    expect(served.serves_problem).toBeNull();
    at = served.serves?.address ?? "";
    fingerprint = served.serves?.fingerprint ?? "";
    for (const role of ["owner", "human", "observer"]) {
      const made = await desk.json<{ token: string }>(["token", "create", `${role}s`, "--role", role]);
      tokens[role] = made.token;
      const login = ["login", at, "--fingerprint", fingerprint, "--name", role];
      expect(await laptop.json(login, { input: `${made.token}\n` })).toMatchObject({ name: role, role });
    }
  });
  afterAll(async () => {
    await laptop[Symbol.asyncDispose]();
    await desk[Symbol.asyncDispose]();
  });

  const ask = (path: string, headers: Record<string, string>, body = "{}") =>
    fetch(`${at}${path}`, {
      method: "POST",
      body,
      headers: { authorization: `Bearer ${tokens["owner"]}`, ...headers },
      tls: { rejectUnauthorized: false },
    });
  const refusedWith = async (words: string[], options = {}): Promise<string> => {
    const ran = await laptop.constel(words, options);
    return `${ran.code} ${/\[[a-z.-]+\]\s*$/.exec(ran.stderr)?.[0].trim() ?? ran.stderr}`;
  };

  test("a login keeps the server where nobody else can read it, lists it, and forgets it", async () => {
    expect(at).toMatch(/^https:\/\/localhost:\d+$/);
    const file = join(laptop.home, "state/servers/owner.json");
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(readFileSync(file, "utf8")).toContain(tokens["owner"] as string);
    const { servers } = await laptop.json<{ servers: { name: string }[] }>(["login"]);
    expect(servers.map(({ name }) => name)).toEqual(["human", "observer", "owner"]);
    expect(JSON.stringify(servers)).not.toContain(tokens["owner"] as string);
    await laptop.json(["login", at, "--fingerprint", fingerprint, "--name", "gone"], {
      input: tokens["human"] as string,
    });
    expect((await laptop.constel(["logout", "gone"])).code).toBe(0);
    expect(await refusedWith(["status", "--server", "gone"])).toBe("2 [server.unknown]");
  });

  test("status, tasks, SQL, events and decisions are the server's; nothing of this machine starts", async () => {
    const made = await laptop.json<{ number: number }>(["task", "create", "seen from afar", "--server", "human"]);
    expect((await desk.json<{ title: string }[]>(["task", "list"])).map(({ title }) => title)).toEqual([
      "seen from afar",
    ]);
    const env = { CONSTEL_SERVER: "observer" };
    expect(await laptop.json<unknown[]>(["task", "list"], { env })).toMatchObject([{ number: made.number }]);
    expect(await laptop.json(["status"], { env })).toMatchObject({ daemon: { running: true } });
    expect(await laptop.json<unknown>(["query", "select title from tasks"], { env })).toEqual([
      { title: "seen from afar" },
    ]);
    expect((await laptop.constel(["query", "--tables"], { env })).stdout).toContain("timeline");
    const events = await laptop.json<{ actor: string; type: string }[]>(["events"], { env });
    expect(events.find(({ type }) => type === "task.created")?.actor).toBe("human:humans");
    expect(laptop.daemonPid).toBeUndefined();
  });

  test("what a role may not do is refused there; what is this machine's alone is refused here", async () => {
    expect(await refusedWith(["task", "create", "by an observer", "--server", "observer"])).toBe(
      "3 [authority.observer]",
    );
    expect(await refusedWith(["token", "create", "more", "--server", "human"])).toBe("3 [authority.human]");
    const stop = await ask("/op/daemon.stop", { authorization: `Bearer ${tokens["human"]}` });
    expect(await stop.json()).toMatchObject({ error: { code: "authority.human" } });
    expect(await refusedWith(["up", "2", "--server", "owner"])).toBe("2 [server.not-here]");
    expect(await refusedWith(["events", "--follow", "--server", "owner"])).toBe("2 [server.not-here]");
    expect(await refusedWith(["explain", "select 1"], { env: { CONSTEL_SERVER: "owner" } })).toBe(
      "2 [server.not-here]",
    );
    // The floor stays on its own machine, whatever the environment says.
    expect(
      (await laptop.json<{ running: boolean }>(["config", "path"], { env: { CONSTEL_SERVER: "owner" } })).running,
    ).toBeUndefined();
  });

  test("another certificate is sent nothing, and one that nobody vouches for is not taken", async () => {
    const heard: string[] = [];
    const impostor = Bun.serve({
      hostname: "127.0.0.1",
      port: 0,
      tls: { cert: readFileSync(other.certificate, "utf8"), key: readFileSync(other.key, "utf8") },
      fetch(request) {
        heard.push(request.url);
        return Response.json({});
      },
    });
    const url = `https://localhost:${impostor.port}`;
    const file = join(laptop.home, "state/servers/owner.json");
    const turned = { ...(JSON.parse(readFileSync(file, "utf8")) as object), url };
    writeFileSync(join(laptop.home, "state/servers/turned.json"), JSON.stringify(turned));
    expect(await refusedWith(["status", "--server", "turned"])).toBe("3 [server.wrong-certificate]");
    const login = ["login", url, "--name", "turned"];
    const input = tokens["owner"] as string;
    expect(await refusedWith([...login, "--fingerprint", fingerprint], { input })).toBe("3 [server.wrong-certificate]");
    expect(await refusedWith(login, { input })).toBe("3 [server.unknown-certificate]");
    expect(await refusedWith([...login, "--ca", shown.certificate], { input })).toBe("3 [server.unknown-certificate]");
    expect(heard).toEqual([]);
    expect((await laptop.constel([...login, "--ca", other.certificate], { input })).stderr).toContain(
      "no constel that serves",
    );
    expect(heard).toEqual([`${url}/api/whoami`]);
    await impostor.stop(true);
    expect((await laptop.constel(["status", "--server", "turned"])).stderr).toContain("nobody listens there");
  });

  test("an authority that was named vouches for it, under the names in the certificate alone", async () => {
    const input = tokens["observer"] as string;
    const login = ["login", at, "--ca", shown.certificate, "--name", "by-authority"];
    expect(await laptop.json(login, { input })).toMatchObject({ fingerprint: null, has_ca: true, role: "observer" });
    const elsewhere = at.replace("localhost", "127.0.0.2");
    expect(await refusedWith(["login", elsewhere, "--ca", shown.certificate, "--name", "x"], { input })).toMatch(
      /unknown-certificate|nobody listens/,
    );
  });

  test("a token that is wrong, or revoked, opens nothing", async () => {
    const login = ["login", at, "--fingerprint", fingerprint, "--name", "wrong"];
    expect(await refusedWith(login, { input: "constel_AAAAAAAAAAAAAAAAAAAAAAAA" })).toBe("3 [http.unauthorised]");
    const made = await desk.json<{ token: string; id: string }>(["token", "create", "short", "--role", "human"]);
    await laptop.json(login, { input: made.token });
    await desk.constel(["token", "revoke", made.id]);
    expect(await refusedWith(["status", "--server", "wrong"])).toBe("3 [http.unauthorised]");
    expect(await refusedWith(["login", "http://desk.example:1"], { input: "x" })).toBe("2 [usage.bad-value]");
  });

  test("foreign names, foreign pages and other people's names are refused, with the owner's token too", async () => {
    const { host } = new URL(at);
    const statusOf = async (headers: Record<string, string>): Promise<number> =>
      (await ask("/op/timeline.list", headers)).status;
    expect(await statusOf({})).toBe(200);
    for (const name of ["evil.example", `evil.example:${new URL(at).port}`, "localhost.evil.example", "", "[::1]"])
      expect([name, await statusOf({ host: name })]).toEqual([name, 403]);
    for (const headers of [
      { origin: "https://evil.example" },
      { origin: `http://${host}` },
      { origin: "null" },
      { "sec-fetch-site": "cross-site" },
    ] as const)
      expect([headers, await statusOf(headers as Record<string, string>)]).toEqual([headers, 403]);
    expect(await statusOf({ origin: `https://${host}` })).toBe(200);
    for (const named of ["agent1", "agent0", "human:ann"])
      expect([named, await statusOf({ "x-constel-actor": named })]).toEqual([named, 409]);
    expect(await statusOf({ authorization: "" })).toBe(401);
  });

  test("the dashboard's link leads to the server, and opens a session there", async () => {
    const { url } = await laptop.json<{ url: string }>(["dashboard", "--no-open", "--server", "owner"]);
    expect(url).toStartWith(`${at}/#code=`);
    const code = new URL(url).hash.replace("#code=", "");
    const session = await fetch(`${at}/api/session`, {
      method: "POST",
      body: JSON.stringify({ code }),
      headers: { origin: at },
      tls: { rejectUnauthorized: false },
    });
    expect(await session.json()).toMatchObject({ role: "owner", constellation: "constel0" });
    expect(await refusedWith(["dashboard", "--no-open", "--server", "human"])).toBe("3 [authority.human]");
  });

  test("MCP tools over it act as the token's holder", async () => {
    const lines = [
      {
        jsonrpc: "2.0",
        id: 1,
        method: "initialize",
        params: { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "t", version: "1" } },
      },
      { jsonrpc: "2.0", method: "notifications/initialized" },
      { jsonrpc: "2.0", id: 2, method: "tools/call", params: { name: "task", arguments: { action: "list" } } },
    ];
    const child = Bun.spawn([join(import.meta.dir, "../bin/constel"), "mcp", "--server", "observer"], {
      env: laptop.env,
      stdin: "pipe",
      stdout: "pipe",
      stderr: "inherit",
    });
    for (const line of lines) child.stdin.write(`${JSON.stringify(line)}\n`);
    await child.stdin.flush();
    let text = "";
    for await (const piece of child.stdout) {
      text += new TextDecoder().decode(piece);
      if (text.includes('"id":2')) break;
    }
    await child.stdin.end();
    await child.exited;
    expect(text).toContain("seen from afar");
  });

  test("an agent's process has no use of its owner's token", async () => {
    const ran = await laptop.constel(["status", "--server", "owner"], { env: { CONSTEL_AGENT: "agent1" } });
    expect([ran.code, ran.stderr]).toEqual([3, expect.stringContaining("server.not-for-agents")]);
  });

  test("a certificate that cannot be used is refused before anything is changed, and told of when it broke later", async () => {
    const refusal = async (words: string[]): Promise<string> =>
      /\[([a-z.-]+)\]/.exec((await desk.constel(["serve", ...words])).stderr)?.[1] ?? "";
    expect(await refusal(["--certificate", shown.certificate, "--key", other.key])).toBe("serve.bad-certificate");
    chmodSync(other.key, 0o644);
    expect(await refusal(files(other))).toBe("serve.bad-certificate");
    chmodSync(other.key, 0o600);
    await using bare = new TestHome();
    const codes = [];
    for (const words of [
      ["--listen", "0.0.0.0:0"],
      ["--listen", "127.0.0.1:0"],
    ])
      codes.push(/\[([a-z.-]+)\]/.exec((await bare.constel(["serve", ...words])).stderr)?.[1]);
    expect(codes).toEqual(["serve.needs-certificate", "serve.no-names"]);
    expect((await desk.json<Serves>(["daemon", "status"])).serves?.fingerprint).toBe(fingerprint);
    renameSync(shown.key, `${shown.key}.away`);
    await desk.constel(["daemon", "stop"]);
    const told = await desk.constel(["serve"]);
    expect([told.code, told.stdout]).toEqual([1, expect.stringContaining("Not served")]);
    expect((await desk.json<Serves>(["daemon", "status"])).serves_problem).toContain(shown.key);
    renameSync(`${shown.key}.away`, shown.key);
    expect((await desk.constel(["serve", "--off"])).code).toBe(0);
    const off = await until(
      "nobody is served",
      () => desk.json<Serves>(["daemon", "status"]),
      (now) => now.serves_problem === null,
    );
    expect(off.serves).toBeNull();
  });
});

test("in plain behind a proxy: on loopback, by the names that were given", async () => {
  await using at = new TestHome();
  const { serves } = await at.json<Serves>(["serve", "--listen", "127.0.0.1:0", "--name", "constel.example.org"]);
  const { port } = new URL(serves?.address ?? "");
  const { token } = await at.json<{ token: string }>(["token", "create", "p", "--role", "observer"]);
  const statusOf = async (headers: Record<string, string>): Promise<number> =>
    (
      await fetch(`http://127.0.0.1:${port}/api/whoami`, {
        method: "POST",
        headers: { authorization: `Bearer ${token}`, ...headers },
      })
    ).status;
  expect(await statusOf({ host: "constel.example.org", origin: "https://constel.example.org" })).toBe(200);
  expect(await statusOf({ host: `127.0.0.1:${port}` })).toBe(403);
});
