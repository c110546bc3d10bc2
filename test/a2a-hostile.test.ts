// What a hostile outside agent may try, on the real program: each of these is refused with its own reason, nothing of it reaches a model, and
// the daemon stands. Whatever concerns addresses alone (names that change, redirects, cards) is at the end.

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer, type Server } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { askAddress } from "../src/host/a2a/outward/ask-address.ts";
import { fetchCard } from "../src/host/a2a/outward/fetch-card.ts";
import { cardKeys } from "../src/host/a2a/card-keys.ts";
import { publicJwk } from "../src/host/a2a/jws.ts";
import { makePushSender } from "../src/host/a2a/push-sender.ts";
import { signCard } from "../src/host/a2a/signed-card.ts";
import { FakeClock } from "../src/ports/fake-clock.ts";
import { cardOf } from "../src/protocol/a2a-card.ts";
import { A2aHome } from "./kit/a2a-home.ts";
import { type A2A, atOnce, type Json, saying } from "./kit/a2a-wire.ts";
import { rejection } from "./kit/rejection.ts";

const at = new A2aHome();
let bot: A2A;
let rival: A2A;

beforeAll(async () => {
  await at.serve();
  await at.clone(1);
  await at.seen("agent1", "idle");
  bot = await at.outside("bot");
  rival = await at.outside("rival");
}, 180_000);
afterAll(() => at[Symbol.asyncDispose](), 60_000);

/** Every text that any agent's program was given. */
const heard = (): string =>
  at
    .heard("agent1")
    .map(({ text }) => text)
    .join("\n");

const list = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "ListTasks" });

describe("hostile requests", () => {
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
    ["nothing as a task's id", () => bot.rpc("GetTask", { id: "" }), "a2a.message", /^-32602/],
    ["an id like a statement", () => bot.rpc("GetTask", { id: "' or 1=1 --" }), "a2a.unknown", /^-32001/],
    ["an id that is no word", () => bot.rpc("GetTask", { id: { $ne: "" } }), "a2a.message", /^-32602/],
    [
      "another's message id, with another's words",
      async () => {
        const message = saying("shared");
        const first = (await bot.call("SendMessage", { message, configuration: atOnce }))["task"] as Json;
        const second = (await rival.call("SendMessage", { message, configuration: atOnce }))["task"] as Json;
        expect(second["id"]).not.toBe(first["id"]);
        return await rival.rpc("GetTask", { id: first["id"] });
      },
      "a2a.unknown",
      /^-32001/,
    ],
    [
      "another's context",
      async () => {
        const theirs = await rival.send("in the same context", {
          contextId: (await bot.task(mine))["contextId"] as string,
        });
        expect(theirs["id"]).not.toBe(mine);
        const seen = await rival.call("ListTasks", { contextId: theirs["contextId"] });
        expect((seen["tasks"] as Json[]).map(({ id }) => id as string)).toEqual([theirs["id"] as string]);
        return await rival.rpc("GetTask", { id: mine });
      },
      "a2a.unknown",
      /^-32001/,
    ],
    ["a page of none", () => bot.rpc("ListTasks", { pageSize: 0 }), "a2a.message", /^-32602/],
    ["a page of less than none", () => bot.rpc("ListTasks", { pageSize: -1 }), "a2a.message", /^-32602/],
    ["a page without end", () => bot.rpc("ListTasks", { pageSize: 1e308 }), "a2a.message", /^-32602/],
    ["a history without end", () => bot.rpc("GetTask", { id: mine, historyLength: 2 ** 40 }), "a2a.message", /^-32602/],
    ["a state that is none", () => bot.rpc("ListTasks", { status: "TASK_STATE_PWNED" }), "a2a.message", /^-32602/],
    ["a time that is none", () => bot.rpc("ListTasks", { statusTimestampAfter: "tomorrow" }), "a2a.message", /^-32602/],
    ["a mark that leads elsewhere", () => bot.rpc("ListTasks", { pageToken: "../../etc" }), "a2a.page", /^-32602/],
    ["a method of 0.3", () => bot.rpc("message/send", {}), "", /^-32601/],
    ["a method of the owner's", () => bot.rpc("a2a.accept", { id: mine }), "", /^-32601/],
    ["parameters that are a list", () => bot.rpc("GetTask", [mine] as never), "a2a.message", /^-32602/],
    ["no parts", () => send({ ...saying(""), parts: [] }), "a2a.message", /^-32602/],
    [
      "more parts than fifty",
      () => send({ ...saying(""), parts: Array.from({ length: 51 }, () => ({ text: "x" })) }),
      "a2a.message",
      /^-32602/,
    ],
    ["loopback by its name", () => push("https://localhost./x"), "a2a.push-address", /^-32602 .*not a public name/],
    ["loopback in octal", () => push("https://0177.0.0.1/x"), "a2a.push-address", /^-32602 .*not a public address/],
    ["loopback in a short form", () => push("https://127.1/x"), "a2a.push-address", /^-32602 .*not a public address/],
    ["link-local in IPv6", () => push("https://[fe80::1]/x"), "a2a.push-address", /^-32602 .*not a public address/],
    [
      "the metadata's address in IPv4 in IPv6",
      () => push("https://[::ffff:a9fe:a9fe]/x"),
      "a2a.push-address",
      /^-32602 .*not a public address/,
    ],
    ["loopback behind NAT64", () => push("https://[64:ff9b::7f00:1]/x"), "a2a.push-address", /^-32602 .*not a public/],
    [
      "a scheme that is two headers",
      () => push("https://example.org/", { authentication: { scheme: "Bearer\r\nX: 1" } }),
      "a2a.push-address",
      /^-32602/,
    ],
    [
      "an address to tell, with the first message",
      () => send(saying("x"), { ...atOnce, taskPushNotificationConfig: { url: "https://127.0.0.1/" } }),
      "a2a.push-address",
      /^-32602/,
    ],
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

  test("there are more than thirty, and no two of one name", () => {
    expect(new Set(cases.map(([name]) => name)).size).toBe(cases.length);
    expect(cases.length).toBeGreaterThan(30);
  });

  test("what was refused with its first message left no task behind", async () => {
    const before = (await rival.call("ListTasks", {}))["totalSize"] as number;
    const push = { url: "https://127.0.0.1/" };
    const refused = await send(saying("leave nothing"), { ...atOnce, taskPushNotificationConfig: push });
    expect(refused["error"]).toBeDefined();
    expect((await rival.call("ListTasks", {}))["totalSize"]).toBe(before);
  }, 30_000);

  test("JSON ten thousand deep, and a name that is the language's own", async () => {
    const deep = `${"[".repeat(10_000)}${"]".repeat(10_000)}`;
    const asked = (params: string) =>
      bot.post("/a2a/rpc", `{"jsonrpc":"2.0","id":1,"method":"SendMessage","params":${params}}`);
    for (const params of [
      `{"message":${deep}}`,
      `{"message":{"messageId":"deep","role":"ROLE_USER","parts":${deep}}}`,
      `{"__proto__":{"message":1},"constructor":{"prototype":{}}}`,
    ])
      expect(((await (await asked(params)).json()) as Json)["error"].code).toBe(-32602);
    // As data it is somebody's own, and still bounded: taken or refused, the daemon answers.
    const data = await asked(
      `{"message":{"messageId":"deep2","role":"ROLE_USER","parts":[{"data":${deep}}]},"configuration":{"returnImmediately":true}}`,
    );
    expect([200, 400, 413, 415]).toContain(data.status);
    expect((await bot.rpc("ListTasks"))["error"]).toBeUndefined();
    expect(({} as Json)["message"]).toBeUndefined();
  }, 60_000);

  describe("20 MB", () => {
    const large = 20 * 1024 * 1024;
    const resident = (): number =>
      Number(/VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${at.daemonPid}/status`, "utf8"))?.[1]) * 1024;

    /** Raw, so that nothing is said but what stands here. Answers what came back until the other side hung up, or the first line of it. */
    async function raw(lines: readonly string[], body: () => Generator<Uint8Array>): Promise<string> {
      const { hostname, port } = new URL(at.address);
      const socket = connect({ host: hostname, port: Number(port) });
      let answer = "";
      const over = Promise.withResolvers<void>();
      socket.on("data", (data) => {
        answer += data.toString();
        over.resolve();
      });
      for (const event of ["error", "close"]) socket.on(event, () => over.resolve());
      const head = ["POST /a2a/rpc HTTP/1.1", `Host: ${hostname}:${port}`, `Authorization: Bearer ${bot.token}`];
      socket.write(`${[...head, "A2A-Version: 1.0", "Content-Type: application/json", ...lines].join("\r\n")}\r\n\r\n`);
      for (const piece of body()) {
        if (answer !== "" || socket.destroyed) break;
        if (!socket.write(piece)) await Promise.race([new Promise((done) => socket.once("drain", done)), over.promise]);
      }
      await over.promise;
      socket.destroy();
      return answer.split("\r\n")[0] ?? "";
    }

    function* pieces(wrap: (piece: Uint8Array) => Uint8Array): Generator<Uint8Array> {
      for (let sent = 0; sent < large; sent += 65_536) yield wrap(new Uint8Array(65_536).fill(32));
    }
    const chunked = (piece: Uint8Array): Uint8Array =>
      Buffer.concat([Buffer.from(`${piece.length.toString(16)}\r\n`), piece, Buffer.from("\r\n")]);

    test("that says so, that comes in chunks without a length, and that says less than it is: none is read to its end", async () => {
      await bot.rpc("ListTasks");
      const before = resident();
      expect(await raw([`Content-Length: ${large}`], () => pieces((piece) => piece))).toMatch(/^(HTTP\/1\.1 413 .*)?$/);
      expect(await raw(["Transfer-Encoding: chunked"], () => pieces(chunked))).toMatch(/^(HTTP\/1\.1 413 .*)?$/);
      // Whatever follows the ten bytes is no request that could be answered with anything but an error.
      expect(await raw(["Content-Length: 10"], () => pieces((piece) => piece))).toMatch(/^(HTTP\/1\.1 [24]\d\d .*)?$/);
      expect((await bot.rpc("ListTasks"))["error"]).toBeUndefined();
      // Three times 20 MB came; what is kept of them is less than one.
      expect(resident() - before).toBeLessThan(large);
    }, 120_000);

    test("that comes slowly: others are answered meanwhile", async () => {
      const { hostname, port } = new URL(at.address);
      const sockets = Array.from({ length: 50 }, () => connect({ host: hostname, port: Number(port) }));
      try {
        for (const socket of sockets) {
          socket.on("error", () => {});
          socket.write(
            `POST /a2a/rpc HTTP/1.1\r\nHost: ${hostname}:${port}\r\nAuthorization: Bearer ${bot.token}\r\nContent-Type: application/json\r\nContent-Length: 900000\r\n\r\n{`,
          );
        }
        expect((await rival.rpc("ListTasks"))["error"]).toBeUndefined();
      } finally {
        for (const socket of sockets) socket.destroy();
      }
      expect((await bot.rpc("ListTasks"))["error"]).toBeUndefined();
    }, 60_000);
  });

  test("without a token, with another's role, of another page, under another name, too large, or no JSON at all", async () => {
    const observer = await at.token("looks", "observer");
    const asked: readonly [Record<string, string>, string, number][] = [
      [{ authorization: "" }, list, 401],
      [{ authorization: `Bearer ${"x".repeat(51)}` }, list, 401],
      [{ origin: "https://evil.example" }, list, 403],
      [{ host: "evil.example" }, list, 403],
      [{}, "x".repeat(1_200_000), 413],
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

describe("addresses and cards", () => {
  const home = mkdtempSync(join(tmpdir(), "constel-hostile-"));
  const asked: string[] = [];
  let server: Server;
  let origin = "";
  let answer: { status: number; body: unknown; headers?: Record<string, string> } = { status: 200, body: {} };

  beforeAll(async () => {
    server = createServer((request, response) => {
      asked.push(request.url ?? "");
      response.writeHead(answer.status, answer.headers).end(JSON.stringify(answer.body));
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterAll(() => {
    server.closeAllConnections();
    server.close();
    rmSync(home, { recursive: true, force: true });
  });

  const address = (url: string) => ({ url, token: null, scheme: null, credentials: null });
  const sender = (look?: () => Promise<string[]>) =>
    makePushSender({
      home,
      clock: new FakeClock(),
      allowed: [new URL(origin).host],
      ...(look === undefined ? {} : { look }),
    });

  test("a name that is public when it is named, and loopback, link-local or IPv4 in IPv6 when it is told", async () => {
    for (const inside of ["127.0.0.1", "169.254.169.254", "::ffff:127.0.0.1", "::ffff:7f00:1", "fe80::1", "0.0.0.0"]) {
      let looks = 0;
      const look = (): Promise<string[]> => (looks++, Promise.resolve([inside]));
      const { port } = new URL(origin);
      const said = await sender(look).send(address(`https://rebinding.example:${port}/`), "{}");
      expect({ inside, said }).toMatchObject({ inside, said: { kind: "refused" } });
      expect(looks).toBe(1);
    }
    expect(asked).toEqual([]);
  });

  test("a redirect, which is followed nowhere", async () => {
    answer = { status: 307, body: {}, headers: { location: `${origin}/elsewhere` } };
    expect(await sender().send(address(`${origin}/hook`), "{}")).toMatchObject({ kind: "refused" });
    expect(asked.splice(0)).toEqual(["/hook"]);
  });

  test("a forged card, one with keys of its own, and one whose keys are to be fetched", async () => {
    const own = cardKeys(home, new FakeClock());
    const forger = mkdtempSync(join(tmpdir(), "constel-forger-"));
    try {
      const theirs = cardKeys(forger, new FakeClock());
      const card = cardOf({ constellation: "theirs", address: origin, version: "1", skills: [] });
      const pinned = own.map(({ key }) => publicJwk(key));
      const rules = { named: [origin], allowed: [] };
      const jku = `${origin}/keys.json`;
      const signed = signCard(card, theirs);
      const forged: unknown[] = [
        signed,
        { ...signed, jku, jwks: { keys: theirs.map(({ key }) => publicJwk(key)) } },
        {
          ...card,
          signatures: (signed["signatures"] as Json[]).map((one) => ({
            ...one,
            header: { jku, jwk: publicJwk(theirs[0]?.key as never) },
          })),
        },
        { ...signCard(card, own), name: "another" },
      ];
      for (const body of forged) {
        answer = { status: 200, body };
        expect((await fetchCard(origin, pinned, rules)).signedBy).toEqual([]);
      }
      expect(new Set(asked.splice(0))).toEqual(new Set(["/.well-known/agent-card.json"]));
      answer = { status: 200, body: signCard(card, own) };
      expect((await fetchCard(origin, pinned, rules)).signedBy).toHaveLength(2);
    } finally {
      rmSync(forger, { recursive: true, force: true });
    }
  });

  test("a card that leads to this machine, by an address that the owner did not name", async () => {
    asked.length = 0;
    for (const where of [origin, "https://localhost/", "https://[::ffff:127.0.0.1]/", "https://169.254.169.254/"]) {
      const refused = await rejection(askAddress(where, { method: "GET", mostBytes: 100 }, { named: [], allowed: [] }));
      expect({ where, code: (refused as { code?: string }).code }).toEqual({ where, code: "a2a.address" });
    }
    expect(asked).toEqual([]);
  });
});
