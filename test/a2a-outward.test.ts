// Ours ask agents of somebody else's, on the real program: by hand with `a2a ask`, and by a clone that stands for such an agent, between two
// constellations of one machine that give each other tasks.

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { appendFileSync, existsSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { cardOf } from "../src/protocol/a2a-card.ts";
import { A2aHome } from "./kit/a2a-home.ts";
import type { Json } from "./kit/a2a-wire.ts";
import { until } from "./kit/home.ts";

const ada = new A2aHome();
const bob = new A2aHome();

/** How `of` is known to `to`: its address, a token that its owner made, and its pinned key. */
async function introduce(of: A2aHome, to: A2aHome, name: string): Promise<void> {
  const tokenFile = join(to.top, `${name}-token`);
  writeFileSync(tokenFile, `${await of.token("neighbour")}\n`, { mode: 0o600 });
  const { keys } = await of.json<{ keys: { key: string }[] }>(["a2a", "card"]);
  const table = { name, url: of.address, token_file: tokenFile, keys: keys.map(({ key }) => key).join(" ") };
  const lines = Object.entries(table).map(([key, value]) => `${key} = ${JSON.stringify(value)}`);
  appendFileSync(join(to.home, "config.toml"), `\n[[a2a.remotes]]\n${lines.join("\n")}\n`);
}

beforeAll(async () => {
  for (const at of [ada, bob]) {
    await at.serve();
    await at.clone(1);
    await at.seen("agent1", "idle");
  }
  await introduce(bob, ada, "bob");
  await introduce(ada, bob, "ada");
  for (const [at, name] of [
    [ada, "bob"],
    [bob, "ada"],
  ] as const) {
    const started = await at.run("agent", "2", "--type", "remote", "--model", name);
    if (started.code !== 0) throw new Error(started.stderr);
    await at.seen("agent2", "idle");
  }
}, 300_000);
afterAll(async () => {
  for (const at of [ada, bob]) await at[Symbol.asyncDispose]();
}, 120_000);

const held = (at: A2aHome, words: string) =>
  until(
    `a request about ${words} is held`,
    async () => (await at.requests()).requests.find(({ text }) => text.includes(words)),
    (one) => one !== undefined,
  ) as Promise<{ id: string; task: number | null }>;

/** Asked for at one constellation, made at the other, and landed at the first. */
async function thereAndBack(from: A2aHome, to: A2aHome, file: string): Promise<void> {
  const number = await from.create(`Write ${file}`, `write ${file}: hello from a neighbour`);
  await from.ask("task", "dispatch", String(number), "--agent", "agent2");
  const request = await held(to, file);
  // Nothing of it is work there, and no program has heard of it.
  expect(request.task).toBeNull();
  expect(to.heard("agent1").some(({ text }) => text.includes(file))).toBe(false);
  const { task } = await to.ask<{ task: number }>("a2a", "accept", request.id);
  await to.becomes(task, "ready");
  await until(
    "the diff is handed over",
    () => to.query(`select id from a2a_artefacts where request = '${request.id}'`),
    (rows) => rows.length > 0,
  );
  await to.ask("a2a", "answer", request.id, "Here it is.", "--done");
  await from.becomes(number, "ready");
  expect(existsSync(join(from.root, file))).toBe(false);
  expect((await from.run("task", "harvest", String(number))).code).toBe(0);
  const said = from.git(from.origin, "log", "-1", "--format=%an %B", "main");
  expect(said).toContain("over A2A");
  expect(said).toContain(`Constel-Task: ${number}`);
  expect(from.git(from.origin, "show", `main:${file}`)).toBe("hello from a neighbour");
}

describe("two constellations of one machine", () => {
  test("give each other tasks, which land through the asker's own gate", async () => {
    await Promise.all([thereAndBack(ada, bob, "made-by-bob.txt"), thereAndBack(bob, ada, "made-by-ada.txt")]);
  }, 400_000);

  test("a question comes back, its answer goes out, and words are an answer too", async () => {
    const number = await ada.create("Name the colour", "Which colour has the button?");
    await ada.ask("task", "dispatch", String(number), "--agent", "agent2");
    const request = await held(bob, "colour has the button");
    await bob.ask("a2a", "answer", request.id, "Of which page?", "--asks");
    await told(ada, number, "Of which page?");
    await ada.seen("agent2", "idle");
    // What is about nothing that was asked stays here.
    await ada.ask("channel", "send", "agent2", "keep this inside");
    await ada.ask("channel", "send", "agent2", "of the first page", "--task", String(number));
    const more = await held(bob, "of the first page");
    expect(more.id).toBe(request.id);
    await bob.ask("a2a", "answer", request.id, "Blue.", "--done");
    await told(ada, number, "Blue.");
    expect(
      bob.query("select parts from a2a_messages").some(({ parts }) => String(parts).includes("keep this inside")),
    ).toBe(false);
  }, 300_000);

  test("what is asked by hand is waited for, and a refusal is told", async () => {
    const waiting = ada.run("a2a", "ask", "bob", "what", "is", "it?", "--wait", "--json");
    const request = await held(bob, "what is it?");
    await bob.ask("a2a", "answer", request.id, "42", "--done");
    const said = await waiting;
    expect(said.code).toBe(0);
    expect(JSON.parse(said.stdout)).toMatchObject({ state: "completed", says: "42" });
    const second = ada.run("a2a", "ask", "bob", "and this?", "--wait", "--json");
    await bob.ask("a2a", "refuse", (await held(bob, "and this?")).id, "--reason", "no");
    expect(await second).toMatchObject({ code: 1 });
    const secret = await ada.run("a2a", "ask", "bob", `key AKIA${"Q".repeat(16)}`, "--json");
    expect(secret.stderr).toContain("secret.found");
  }, 120_000);
});

/** What a task's story has of messages. */
const told = (at: A2aHome, task: number, words: string) =>
  until(
    `it is told ${words}`,
    () => at.ask<{ messages: { text: string | null }[] }>("task", "show", String(task)),
    ({ messages }) => messages.some(({ text }) => text?.includes(words) === true),
  );

describe("a server that is not what it says", () => {
  let server: Server;
  let origin = "";
  const asked: string[] = [];
  let answer: (path: string) => { status?: number; body: Json; headers?: Record<string, string> };

  beforeAll(async () => {
    server = createServer((request, response) => {
      asked.push(`${request.method} ${request.url} ${request.headers.authorization ?? "-"}`);
      const { status = 200, body, headers = {} } = answer(request.url ?? "");
      response.writeHead(status, { "content-type": "application/json", ...headers }).end(JSON.stringify(body));
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterAll(() => server.close());

  const card = (address = origin) =>
    cardOf({ constellation: "theirs", address, version: "1", skills: [] }) as Record<string, unknown>;
  const ask = async (...more: string[]): Promise<Json> => {
    const { code, stderr } = await ada.run("a2a", "ask", origin, "hello", "--json", ...more);
    return { code, error: JSON.parse(stderr.trim().split("\n").at(-1) ?? "{}")["error"] as Json };
  };

  test("a card that a pinned key did not sign is asked nothing", async () => {
    answer = () => ({ body: card() });
    asked.length = 0;
    const key = "EdDSA:11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo";
    expect((await ask("--key", key))["error"].code).toBe("a2a.forged");
    expect(asked).toHaveLength(1);
  }, 60_000);

  test("the token goes nowhere else: a card that leads elsewhere, a redirect", async () => {
    const token = join(ada.top, "token");
    writeFileSync(token, "s".repeat(40), { mode: 0o600 });
    answer = () => ({ body: card("https://elsewhere.example") });
    expect((await ask("--token-file", token))["error"].code).toBe("a2a.address");
    asked.length = 0;
    answer = (path) =>
      path.endsWith("card.json") ? { body: card() } : { status: 307, body: {}, headers: { location: `${origin}/x` } };
    expect((await ask("--token-file", token))["error"].code).toBe("a2a.their-answer");
    expect(asked.map((one) => one.split(" ")[1])).toEqual(["/.well-known/agent-card.json", "/a2a/rpc"]);
    // The card is asked for without it.
    expect(asked[0]).toEndWith(" -");
    writeFileSync(token, "s".repeat(40), { mode: 0o644 });
    Bun.spawnSync(["chmod", "644", token]);
    expect((await ask("--token-file", token))["error"].code).toBe("a2a.token");
  }, 60_000);

  test("their refusal is told, and nothing is tried again", async () => {
    asked.length = 0;
    answer = (path) =>
      path.endsWith("card.json")
        ? { body: card() }
        : { body: { error: { code: -32600, message: "go away\u001b[2J" } } };
    const said = await ask();
    expect(said["error"]).toMatchObject({ code: "a2a.they-refuse", message: expect.stringContaining("go away") });
    expect(JSON.stringify(said)).not.toContain("\u001b");
    expect(asked).toHaveLength(2);
  }, 60_000);
});
