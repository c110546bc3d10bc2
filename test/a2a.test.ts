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

beforeAll(async () => {
  await at.serve({ "a2a.accept": JSON.stringify([`trusted task ${at.root}`]) });
  await at.clone(1);
  await at.seen("agent1", "idle");
  bot = await at.outside("bot");
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

test("an answer in words alone is sent as a message without a task; whoever was told of the task finds it over", async () => {
  const message = saying("is the lamp on?");
  const first = (await bot.call("SendMessage", { message, configuration: atOnce }))["task"] as Json;
  await at.ask("a2a", "answer", String(first["id"]), "It", "is.", "--alone");
  const said = await bot.call("SendMessage", { message });
  expect(said).toMatchObject({ message: { role: "ROLE_AGENT", parts: [{ text: "It is." }] } });
  expect(Object.keys(said)).toEqual(["message"]);
  expect(said["message"]).not.toHaveProperty("taskId");
  expect(await bot.call("SendMessage", { message })).toEqual(said);
  expect((await bot.task(first["id"] as string))["status"]).toMatchObject({ state: "TASK_STATE_COMPLETED" });
}, 60_000);

test("HTTP+JSON answers in the type that was named, else in plain JSON; the card says since when it is so", async () => {
  const body = JSON.stringify({ message: saying("which type?"), configuration: atOnce });
  const typeOf = async (headers: Record<string, string>) =>
    (await bot.post("/a2a/v1/message:send", body, headers)).headers.get("content-type");
  expect(await typeOf({})).toStartWith("application/json");
  expect(await typeOf({ accept: "application/a2a+json" })).toBe("application/a2a+json");
  expect(await typeOf({ "content-type": "application/a2a+json" })).toBe("application/a2a+json");
  const card = () => fetch(`${at.address}/.well-known/agent-card.json`);
  const since = (await card()).headers.get("last-modified");
  expect(Date.parse(since ?? "")).toBeLessThanOrEqual(Date.now());
  expect((await card()).headers.get("last-modified")).toBe(since);
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
