// A2A on the real program: an outside agent asks, the owner agrees, an agent works, and what landed is handed over.

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import {
  ClientFactory,
  DefaultAgentCardResolver,
  JsonRpcTransportFactory,
  RestTransportFactory,
} from "@a2a-js/sdk/client";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { A2aHome } from "./kit/a2a-home.ts";
import { type A2A, atOnce, type Json, saying } from "./kit/a2a-wire.ts";
import { until } from "./kit/home.ts";

const at = new A2aHome();
let bot: A2A;
let rival: A2A;

beforeAll(async () => {
  await at.serve({ "a2a.accept": JSON.stringify([`trusted task ${at.root}`]), "http.max_body_bytes": "300000" });
  await at.clone(1);
  await at.seen("agent1", "idle");
  bot = await at.outside("bot");
  rival = await at.outside("rival");
}, 180_000);
afterAll(() => at[Symbol.asyncDispose]());

const becomes = (who: A2A, id: string, ...states: string[]): Promise<Json> =>
  until(
    `the request ${id} is ${states.join(" or ")}`,
    () => who.task(id),
    (task) => states.map((state) => `TASK_STATE_${state}`).includes(task["status"].state as string),
  );

/** Every text that any agent's program was given. */
const heard = (): string =>
  at
    .heard("agent1")
    .map(({ text }) => text)
    .join("\n");

test("nothing reaches a model before the owner agrees; then it is worked on, lands, and is handed over", async () => {
  const task = await bot.send("write from-outside.txt: hello from outside");
  expect(task["status"].state).toBe("TASK_STATE_SUBMITTED");
  expect(JSON.stringify(task["status"].message)).toContain("waits for the owner");
  const [request] = (await at.requests()).requests;
  expect(request).toMatchObject({ held: 1, task: null });
  expect(at.query("select * from tasks")).toEqual([]);
  const inboxes = join(at.home, "bus");
  expect(heard()).not.toContain("from-outside");
  expect(readdirSync(at.home).includes("bus") ? readdirSync(inboxes, { recursive: true }).join() : "").not.toContain(
    task["id"],
  );
  // Further words of a request that is held wait with it.
  await bot.send("and mind the tests", { taskId: task["id"] });
  const accepted = await at.ask<{ task: number }>("a2a", "accept", String(task["id"]).slice(-6));
  await at.becomes(accepted.task, "ready");
  expect(heard()).toContain("not the owner's words");
  expect(heard()).toContain("and mind the tests");
  const ready = await until(
    "the changes are handed over",
    () => bot.task(task["id"] as string),
    ({ artifacts }) => JSON.stringify(artifacts ?? "").includes("hello from outside"),
  );
  expect(ready["status"].state).toBe("TASK_STATE_WORKING");
  expect((await at.run("task", "harvest", String(accepted.task))).code).toBe(0);
  const done = await becomes(bot, task["id"] as string, "COMPLETED");
  expect(done["artifacts"].map((one: Json) => one["artifactId"])).toEqual(["changes", "landed"]);
  expect(done["artifacts"][1].parts[0].data.commit).toMatch(/^[0-9a-f]{40}$/);
}, 240_000);

test("a rule of the owner's lets a sender and a skill through, and nobody else", async () => {
  const trusted = await at.outside("trusted");
  const let1 = await trusted.send("write trusted.txt: yes");
  expect(JSON.stringify(let1["status"].message)).toContain("The owner agreed");
  await becomes(trusted, let1["id"] as string, "WORKING");
  const held = await bot.send("write bot.txt: no");
  expect(JSON.stringify(held["status"].message)).toContain("waits for the owner");
  const refused = await at.ask("a2a", "refuse", String(held["id"]), "--reason", "not here");
  expect(refused).toMatchObject({ state: "rejected" });
  expect((await bot.task(held["id"] as string))["status"].message.parts).toEqual([{ text: "not here" }]);
}, 120_000);

test("an outside agent has no other door, and nobody else has this one", async () => {
  for (const path of ["/op/task.list", "/mcp", "/events", "/op/token.create"]) {
    const answer = await bot.post(path, "{}");
    expect({ path, status: answer.status, code: ((await answer.json()) as Json)["error"].code }).toEqual({
      path,
      status: 409,
      code: "authority.outside",
    });
  }
  const list = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "ListTasks", params: {} });
  for (const path of ["/a2a/rpc", "/a2a/rpc/"])
    expect(((await (await bot.post(path, list)).json()) as Json)["result"]).toHaveProperty("tasks");
  const owner = await at.token("mine", "owner");
  const answer = await bot.rpc("ListTasks", {}, { authorization: `Bearer ${owner}` });
  expect(answer["error"].message).toContain("for agents from outside alone");
}, 60_000);

test("our card is genuine by the keys that we hand out, and by no others", async () => {
  const { keys } = await at.json<{ keys: { algorithm: string; key: string }[] }>(["a2a", "card"]);
  expect(keys.map(({ algorithm }) => algorithm)).toEqual(["EdDSA", "ES256"]);
  for (const { key } of keys) {
    const said = await at.run("a2a", "card", "--verify", at.address, "--key", key);
    expect({ code: said.code, first: said.stdout.slice(0, 8) }).toEqual({ code: 0, first: "Genuine:" });
  }
  const strange = "EdDSA:11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo";
  const forged = await at.run("a2a", "card", "--verify", at.address, "--key", strange);
  expect({ code: forged.code, first: forged.stdout.slice(0, 12) }).toEqual({ code: 1, first: "Not genuine:" });
  expect((await at.run("a2a", "card", "--verify", at.address)).code).toBe(1);
}, 60_000);

test("words, questions and an answer come from the owner; a replayed message is the same request", async () => {
  const message = saying("which colour?");
  const first = (await bot.call("SendMessage", { message, configuration: atOnce }))["task"] as Json;
  const again = (await bot.call("SendMessage", { message, configuration: atOnce }))["task"] as Json;
  expect(again["id"]).toBe(first["id"]);
  const id = first["id"] as string;
  await at.ask("a2a", "answer", id, "Of", "what?", "--asks");
  const asked = await bot.task(id);
  expect(asked["status"].state).toBe("TASK_STATE_INPUT_REQUIRED");
  const more = await bot.send("of the button", { taskId: id });
  expect(more["id"]).toBe(id);
  await at.ask("a2a", "answer", id, "Blue.", "--done");
  const done = await bot.task(id);
  expect(done["status"]).toMatchObject({ state: "TASK_STATE_COMPLETED", message: { parts: [{ text: "Blue." }] } });
  expect(done["history"].length).toBeGreaterThan(3);
}, 60_000);

describe("the SDK's own client", () => {
  for (const [name, transport] of [
    ["JSON-RPC", JsonRpcTransportFactory],
    ["HTTP+JSON", RestTransportFactory],
  ] as const) {
    test(`finds, asks, follows and stops over ${name}`, async () => {
      const withToken = ((url: string, init: RequestInit = {}) => {
        const headers = new Headers(init.headers);
        headers.set("authorization", `Bearer ${bot.token}`);
        return fetch(url, { ...init, headers });
      }) as typeof fetch;
      const factory = new ClientFactory({
        transports: [new transport({ fetchImpl: withToken })],
        cardResolver: new DefaultAgentCardResolver({ fetchImpl: withToken }),
      });
      const client = await factory.createFromUrl(at.address);
      const card = await client.getAgentCard();
      expect(card.skills.map(({ id }) => id)).toContain("task");
      const message = {
        messageId: `sdk-${name}`,
        contextId: "",
        taskId: "",
        role: 1,
        parts: [
          {
            content: { $case: "text", value: "what is the answer?" },
            metadata: undefined,
            filename: "",
            mediaType: "",
          },
        ],
        metadata: undefined,
        extensions: [],
        referenceTaskIds: [],
      };
      const seen: string[] = [];
      for await (const event of client.sendMessageStream({
        tenant: "",
        message,
        configuration: undefined,
        metadata: undefined,
      } as never)) {
        const payload = (event as { payload?: { $case: string; value: Json } }).payload;
        seen.push(payload?.$case ?? JSON.stringify(event));
        if (seen.length === 1) {
          const id = payload?.value["id"] as string;
          await at.ask("a2a", "answer", id, "Let me see.");
          await at.ask("a2a", "answer", id, "42", "--done");
        }
      }
      expect(seen).toEqual(["task", "statusUpdate", "statusUpdate"]);
      const listed = await client.listTasks({ tenant: "", pageSize: 5, status: 0 } as never);
      expect(JSON.stringify(listed)).toContain("42");
      const other = (await bot.send("never mind"))["id"] as string;
      const stopped = await client.cancelTask({ tenant: "", id: other } as never);
      expect(JSON.stringify(stopped)).toContain("stopped, as you asked");
    }, 120_000);
  }
});

test("killed in the middle of a stream: whoever comes back misses nothing", async () => {
  const seen: number[] = [];
  const texts: string[] = [];
  const note = ({ id, data }: { id: number; data: Json }): void => {
    if (data["statusUpdate"] === undefined) return;
    seen.push(id);
    texts.push(data["statusUpdate"].status.message.parts[0].text as string);
  };
  const first = await bot.send("follow me");
  const id = first["id"] as string;
  const begun = bot.stream("SubscribeToTask", { id });
  note((await begun.next()).value as { id: number; data: Json });
  await at.ask("a2a", "answer", id, "one");
  note((await begun.next()).value as { id: number; data: Json });
  const pid = at.daemonPid as number;
  process.kill(pid, "SIGKILL");
  for await (const event of begun) note(event);
  await at.ask("a2a", "answer", id, "two");
  await at.ask("a2a", "answer", id, "three", "--done");
  await at.readAddress();
  const headers = { "last-event-id": String(seen.at(-1)) };
  for await (const event of bot.stream("SubscribeToTask", { id }, headers)) note(event);
  expect(texts).toEqual(["one", "two", "three"]);
  expect(seen).toEqual(seen.toSorted((a, b) => a - b));
}, 180_000);

describe("thirty hostile requests", () => {
  let mine = "";
  let over = "";
  beforeAll(async () => {
    mine = (await bot.send("mine"))["id"] as string;
    over = (await bot.send("over"))["id"] as string;
    await bot.call("CancelTask", { id: over });
  }, 60_000);

  const says = async (answer: Promise<Json>): Promise<string> => {
    const { error } = await answer;
    return `${error?.code} ${error?.data?.[0]?.reason ?? ""} ${error?.message ?? ""}`;
  };
  const send = (message: Json, configuration: Json = atOnce) => rival.rpc("SendMessage", { message, configuration });
  const push = (url: string, more: Json = {}) =>
    bot.rpc("CreateTaskPushNotificationConfig", { taskId: mine, url, ...more });
  const at2 = (method: string, params: Json, headers: Record<string, string>) => bot.rpc(method, params, headers);

  const cases: readonly (readonly [name: string, ask: () => Promise<Json>, code: string, says: RegExp])[] = [
    ["another's task", () => rival.rpc("GetTask", { id: mine }), "a2a.unknown", /^-32001 TASK_NOT_FOUND/],
    ["stopping another's task", () => rival.rpc("CancelTask", { id: mine }), "a2a.unknown", /^-32001 TASK_NOT_FOUND/],
    ["following another's task", () => rival.rpc("SubscribeToTask", { id: mine }), "a2a.unknown", /^-32001/],
    ["words to another's task", () => send(saying("hello", { taskId: mine })), "a2a.unknown", /^-32001/],
    [
      "words to another's task that are too many",
      () => send(saying("x".repeat(70_000), { taskId: mine })),
      "a2a.unknown",
      /^-32001/,
    ],
    [
      "another's addresses",
      () => rival.rpc("ListTaskPushNotificationConfigs", { taskId: mine }),
      "a2a.unknown",
      /^-32001/,
    ],
    [
      "an address for another's task",
      () => rival.rpc("CreateTaskPushNotificationConfig", { taskId: mine, url: "https://example.org" }),
      "a2a.unknown",
      /^-32001/,
    ],
    [
      "version 99.0",
      () => at2("ListTasks", {}, { "a2a-version": "99.0" }),
      "a2a.version",
      /^-32009 VERSION_NOT_SUPPORTED.*only 1\.0/,
    ],
    ["version 0.3", () => at2("ListTasks", {}, { "a2a-version": "0.3" }), "a2a.version", /^-32009/],
    ["no version", () => at2("ListTasks", {}, { "a2a-version": "" }), "a2a.version", /^-32009.* 0\.3 /],
    ["an address on loopback", () => push("https://127.0.0.1/x"), "a2a.push-address", /^-32602 .*not a public address/],
    ["loopback as a number", () => push("https://2130706433/x"), "a2a.push-address", /^-32602 .*not a public address/],
    ["loopback in IPv6", () => push("https://[::1]/x"), "a2a.push-address", /^-32602 .*not a public address/],
    [
      "loopback in IPv4 in IPv6",
      () => push("https://[::ffff:127.0.0.1]/x"),
      "a2a.push-address",
      /^-32602 .*not a public address/,
    ],
    [
      "a link-local address",
      () => push("https://169.254.169.254/latest/meta-data"),
      "a2a.push-address",
      /^-32602 .*not a public/,
    ],
    ["a private address", () => push("https://10.0.0.1/x"), "a2a.push-address", /^-32602 .*not a public address/],
    ["a local name", () => push("https://printer.local/x"), "a2a.push-address", /^-32602 .*not a public name/],
    ["plain http", () => push("http://example.org/x"), "a2a.push-address", /^-32602 .*only https/],
    ["a file", () => push("file:///etc/passwd"), "a2a.push-address", /^-32602 .*only https/],
    [
      "CR and LF in an address",
      () => push("https://example.org/\r\nX-Evil: 1"),
      "a2a.push-address",
      /^-32602 .*control character/,
    ],
    [
      "CR and LF in a token",
      () => push("https://example.org/", { token: "a\r\nX-Evil: 1" }),
      "a2a.push-address",
      /^-32602 .*header/,
    ],
    [
      "CR and LF in credentials",
      () => push("https://example.org/", { authentication: { scheme: "Bearer", credentials: "a\nb" } }),
      "a2a.push-address",
      /^-32602/,
    ],
    ["a user in an address", () => push("https://me:secret@example.org/"), "a2a.push-address", /^-32602 .*has a user/],
    [
      "a replayed message with other words",
      async () => {
        const message = saying("first");
        await send(message);
        return await send({ ...message, parts: [{ text: "second" }] });
      },
      "a2a.message-differs",
      /^-32602 .*came before, with other words/,
    ],
    [
      "a context that is not the task's",
      () =>
        bot.rpc("SendMessage", { message: saying("x", { taskId: mine, contextId: "other" }), configuration: atOnce }),
      "a2a.context-differs",
      /^-32602/,
    ],
    [
      "words to what is over",
      () => bot.rpc("SendMessage", { message: saying("x", { taskId: over }), configuration: atOnce }),
      "a2a.over",
      /^-32004 UNSUPPORTED_OPERATION/,
    ],
    ["stopping what is over", () => bot.rpc("CancelTask", { id: over }), "a2a.over", /^-32002 TASK_NOT_CANCELABLE/],
    [
      "a file's content",
      () => send({ ...saying(""), parts: [{ raw: "aGVsbG8=" }] }),
      "a2a.content",
      /^-32005 CONTENT_TYPE/,
    ],
    [
      "an address to fetch",
      () => send({ ...saying(""), parts: [{ url: "http://169.254.169.254/" }] }),
      "a2a.content",
      /^-32005/,
    ],
    ["too much text", () => send(saying("x".repeat(70_000))), "a2a.content", /^-32005/],
    [
      "a skill that nobody has",
      () => send(saying("x", { metadata: { skill: "rule the world" } })),
      "a2a.content",
      /^-32005/,
    ],
    ["a part of two kinds", () => send({ ...saying(""), parts: [{ text: "a", data: {} }] }), "a2a.message", /^-32602/],
    ["a message in our own name", () => send(saying("x", { role: "ROLE_AGENT" })), "a2a.message", /^-32602/],
    [
      "a page's mark of somebody's own making",
      () => bot.rpc("ListTasks", { pageToken: "eyJhIjoxfQ" }),
      "a2a.page",
      /^-32602/,
    ],
    ["a page of a thousand", () => bot.rpc("ListTasks", { pageSize: 1_000 }), "a2a.message", /^-32602/],
    ["a method of the language's own", () => bot.rpc("__proto__", {}), "", /^-32601/],
    ["a secret", () => send(saying(`key AKIA${"Q".repeat(16)}`)), "secret.found", /^-32602/],
  ];
  for (const [name, ask, code, expected] of cases)
    test(
      name,
      async () => {
        const answer = await ask();
        expect(await says(Promise.resolve(answer))).toMatch(expected);
        expect(answer["error"].data?.[0]?.metadata.code ?? "").toBe(code);
      },
      30_000,
    );

  test("without a token, with another's role, of another page, under another name, too large, or no JSON at all", async () => {
    const list = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "ListTasks" });
    const observer = await at.token("looks", "observer");
    const asked: readonly [Record<string, string>, string, number][] = [
      [{ authorization: "" }, list, 401],
      [{ authorization: `Bearer ${"x".repeat(51)}` }, list, 401],
      [{ origin: "https://evil.example" }, list, 403],
      [{ host: "evil.example" }, list, 403],
      [{}, "x".repeat(400_000), 413],
    ];
    for (const [headers, body, status] of asked)
      expect((await bot.post("/a2a/rpc", body, headers)).status).toBe(status);
    expect(await says(bot.rpc("ListTasks", {}, { authorization: `Bearer ${observer}` }))).toStartWith("-32600");
    const typed = await bot.post("/a2a/rpc", list, { "content-type": "text/plain" });
    expect(((await typed.json()) as Json)["error"].code).toBe(-32005);
    for (const [body, code] of [
      ["{", -32700],
      ["[]", -32600],
      ['{"jsonrpc":"1.0"}', -32600],
    ] as const)
      expect(((await (await bot.post("/a2a/rpc", body)).json()) as Json)["error"].code).toBe(code);
  }, 60_000);

  test("more addresses than eight, and more open tasks than a hundred", async () => {
    for (let n = 0; n < 8; n++) expect((await push(`https://example.org/${n}`))["error"]).toBeUndefined();
    expect(await says(push("https://example.org/9"))).toMatch(/8 addresses/);
    expect("a2a.too-many").toBe(((await push("https://example.org/9"))["error"] as Json)["data"][0].metadata.code);
    const crowd = await at.outside("crowd");
    for (let n = 0; n < 100; n++) await crowd.send(`task ${n}`);
    expect(await says(crowd.rpc("SendMessage", { message: saying("one more"), configuration: atOnce }))).toMatch(
      /100 of your tasks/,
    );
  }, 120_000);

  test("after all of it nothing was given to a model, and the daemon stands", async () => {
    expect(heard()).not.toContain("AKIA");
    const open = (await at.requests()).requests.filter(({ task }) => task !== null);
    expect(open.length).toBeLessThan(4);
    expect((await bot.task(mine))["status"].state).toBe("TASK_STATE_SUBMITTED");
  }, 30_000);
});
