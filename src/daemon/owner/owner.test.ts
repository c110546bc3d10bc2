// Telling the owner and hearing from them, with receivers on loopback: a webhook, an ntfy-shaped and a Telegram-shaped one.

import { afterEach, beforeEach, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { sqliteScene, withStore } from "../../../test/kit/databases.ts";
import { temporaryDirectory } from "../../../test/kit/directory.ts";
import { notAccepted } from "../../core/schedules/accepted-crons.ts";
import { lookAtStatusNow } from "../../core/agents/queries.ts";
import { seeAgents } from "../../core/agents/see.ts";
import { askApproval, hearApproval } from "../../core/approvals/approve.ts";
import type { Context } from "../../core/context.ts";
import { isAllowed, takeReply } from "../../core/owner/take-reply.ts";
import { failedEscalations } from "../../floor/markers/escalate-failed.ts";
import { listTrusted } from "../../files/trusted-files.ts";
import { seededRandom } from "../../ports/fake-clock.ts";
import { defaultConfig } from "../../settings/declarations.ts";
import { ownerLoop } from "./owner-loop.ts";
import { repliesLoop, replyPorts } from "./replies-loop.ts";
import { hasMarker, putMarker, putNewMarker } from "../../floor/markers/marker-files.ts";
import { markers } from "../../floor/markers/markers.ts";
import { rejection } from "../../../test/kit/rejection.ts";

const here = withStore(sqliteScene);
let home: ReturnType<typeof temporaryDirectory>;
let received: { path: string; body: Record<string, unknown> }[] = [];
let updates: unknown[] = [];
let status = 200;
let server: Bun.Server<undefined>;

beforeEach(() => {
  home = temporaryDirectory("owner");
  received = [];
  updates = [];
  status = 200;
  server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    async fetch(request) {
      const path = new URL(request.url).pathname;
      const body = (await request.json()) as Record<string, unknown>;
      if (path.endsWith("/getUpdates")) {
        const from = Number(body["offset"]);
        const result = updates.filter((one) => (one as { update_id: number }).update_id >= from);
        return Response.json({ ok: true, result });
      }
      received.push({ path, body });
      return new Response("", { status });
    },
  });
});
afterEach(async () => {
  await server.stop(true);
  home[Symbol.dispose]();
});

function parts(senders: readonly string[] = []) {
  const url = `http://127.0.0.1:${server.port}`;
  const config = {
    ...defaultConfig,
    "escalate.channels": [
      { type: "webhook", url: `${url}/hook` },
      { type: "ntfy", topic: "night", server: url },
      { type: "telegram", token: "77:secret", chat: "5", server: url },
    ],
    "replies.senders": senders,
  };
  // One retry comes a second after the first try.
  const clock = here.clock;
  const sleep = clock.sleep.bind(clock);
  clock.sleep = (ms, signal) => (ms === 1000 ? Promise.resolve() : sleep(ms, signal));
  const settings = { home: home.path, root: home.path, config } as never;
  return { store: here.store, clock, random: seededRandom(2), settings };
}

const context = (): Context => ({
  store: here.store,
  clock: here.clock,
  random: seededRandom(4),
  constellation: "constel0",
  actor: "owner",
});

const ask = () =>
  askApproval(context(), {
    request: "request-1",
    agent: "agent1",
    runtime: "claude",
    task: null,
    tool: "Bash",
    asked: "make deploy",
    part: "make deploy",
    why: "no rule allows make",
    cwd: "/",
    timeoutMs: 3_600_000,
  });

const signal = new AbortController().signal;

test("every channel is told of a permission request by its exact command, once", async () => {
  await ask();
  const loop = ownerLoop(parts(), () => []);
  await loop.round(signal);
  await loop.round(signal);
  expect(received.map(({ path }) => path).sort()).toEqual(["/", "/bot77:secret/sendMessage", "/hook"]);
  for (const { body } of received) expect(JSON.stringify(body)).toContain("make deploy");
});

test("an agent that is left alone, a red main and a broken schedule are told of too, several in one page", async () => {
  putNewMarker(home.path, markers.crashloop("agent2"), "six times");
  putNewMarker(home.path, markers.mainRed("abcdef0123456789"), "red");
  await ownerLoop(parts(), () => ["cron.toml:3: there is no lable"]).round(signal);
  const [page] = received.filter(({ path }) => path === "/hook");
  expect(page?.body["subject"]).toBe("[constel0] URGENT: 2 things need you");
  here.clock.advance(60_000);
  await ownerLoop(parts(), () => ["cron.toml:3: there is no lable"]).round(signal);
  expect(received.filter(({ path }) => path === "/hook").at(-1)?.body["body"]).toContain("there is no lable");
  const rows = await here.store.db.selectFrom("owner_needs").select(["kind"]).orderBy("kind").execute();
  expect(rows.map(({ kind }) => kind)).toEqual(["main-red", "quarantine", "schedule-file"]);
});

test("a line of cron.toml that waits for the owner is no broken one, and its next step accepts it", async () => {
  const { message } = notAccepted({ label: "evil" } as Parameters<typeof notAccepted>[0]);
  await ownerLoop(parts(), () => [message, "cron.toml:3: there is no lable"]).round(signal);
  const { needs } = await lookAtStatusNow(context());
  expect(needs.map(({ says, next }) => [says, next]).toSorted()).toEqual([
    ["a schedule cannot be read: cron.toml:3: there is no lable", "constel cron tick"],
    [message, "constel cron accept"],
  ]);
});

test("the watchdog agent is released by a command that takes it", async () => {
  putNewMarker(home.path, markers.crashloop("agentinfinity"), "six times");
  await ownerLoop(parts(), () => []).round(signal);
  const { needs } = await lookAtStatusNow(context());
  expect(needs.map(({ kind, next }) => [kind, next])).toEqual([["quarantine", "constel agentinfinity --fresh"]]);
});

test("a part of the daemon that stands still for five minutes is told of", async () => {
  const need = { key: "daemon:agents", kind: "daemon", agent: null, says: "the daemon's loop agents fails: x" };
  const standstill = () => [{ ...need, since_ms: here.clock.nowMs(), next: "constel doctor" }];
  const loop = ownerLoop({ ...parts(), standstill }, () => []);
  await loop.round(signal);
  expect(received).toEqual([]);
  here.clock.advance(300_000);
  await loop.round(signal);
  await loop.round(signal);
  const told = received.filter(({ path }) => path === "/hook").map(({ body }) => body["subject"]);
  expect(told).toEqual(["[constel0] daemon: the daemon's loop agents fails: x"]);
});

test("a watchdog that cannot do its work is in status until it can; the tick tells of it by itself", async () => {
  const signals = (text: string): void => putMarker(home.path, "repair-signals", text);
  const needs = async () => (await lookAtStatusNow(context())).needs.filter(({ kind }) => kind === "watchdog");
  const loop = ownerLoop(parts(), () => []);
  signals('{"step look":{"ticks":1,"woken":false},"hang agent1":{"ticks":4,"woken":true}}');
  await loop.round(signal);
  expect(await needs()).toEqual([]);
  signals('{"step look":{"ticks":2,"woken":false}}');
  await loop.round(signal);
  expect(await needs()).toMatchObject([
    { says: "the watchdog cannot do its work: its step look fails", next: "constel watchdog tick" },
  ]);
  here.clock.advance(3_600_000);
  await loop.round(signal);
  expect(received).toEqual([]);
  signals("{}");
  await loop.round(signal);
  expect(await needs()).toEqual([]);
});

test("what the watchdog's tick has told is not told a second time, and what the daemon tells is marked for the tick", async () => {
  const sighting = {
    role: "clone",
    runtime: "script",
    wanted: "up",
    launchedMs: 1,
    because: "up",
    cwd: "/",
    mailHeld: null,
  } as const;
  const states = ["dead", "dead", "dead", "hung"] as const;
  await seeAgents(
    here.store,
    states.map((state, at) => ({
      ...sighting,
      agent: `agent${at + 1}`,
      seen: { state, on: "process" as const, says: "ended by signal 9" },
    })),
  );
  putNewMarker(home.path, markers.crashloop("agent1"), "six times");
  putMarker(home.path, markers.paged.crashloop("agent1"), "told by the tick");
  putMarker(home.path, markers.paged["cannot-start"]("agent2"), "told by the tick");
  putNewMarker(home.path, markers.paged.hang("agent4"), "told by the tick");
  const loop = ownerLoop(parts(), () => []);
  await loop.round(signal);
  here.clock.advance(600_000);
  await loop.round(signal);
  // Of agent3 nobody has told.
  const told = (): string[] =>
    received.filter(({ path }) => path === "/hook").map(({ body }) => String(body["subject"]));
  expect(told()).toEqual(["[constel0] dead: ended by signal 9"]);

  putNewMarker(home.path, markers.crashloop("agent3"), "six times");
  await loop.round(signal);
  expect(told()).toHaveLength(2);
  expect(hasMarker(home.path, markers.paged.crashloop("agent3"))).toBe(true);
  here.clock.advance(600_000);
  await loop.round(signal);
  expect(told()).toHaveLength(2);
});

test("with all channels down the failure is marked, and a later round gets through", async () => {
  await ask();
  status = 500;
  const loop = ownerLoop(parts(), () => []);
  await loop.round(signal);
  await loop.round(signal);
  expect(received).toHaveLength(6); // each twice, and then not before its time
  expect(failedEscalations(home.path)).toHaveLength(1);
  status = 200;
  here.clock.advance(60_000);
  await loop.round(signal);
  expect(received).toHaveLength(9);
  here.clock.advance(600_000);
  await loop.round(signal);
  expect(received).toHaveLength(9);
});

test("without a channel nobody is paged and nothing is marked as failed; a channel that is set up later is used", async () => {
  await ask();
  const { settings, ...rest } = parts();
  const { config } = settings as { config: typeof defaultConfig };
  const silent = {
    ...rest,
    settings: { ...(settings as object), config: { ...config, "escalate.channels": [] } } as never,
  };
  const loop = ownerLoop(silent, () => []);
  await loop.round(signal);
  here.clock.advance(600_000);
  await loop.round(signal);
  expect(failedEscalations(home.path)).toEqual([]);
  expect((await lookAtStatusNow(context())).needs).toHaveLength(1);
  await ownerLoop(parts(), () => []).round(signal);
  expect(received).toHaveLength(3);
});

test("the owner answers a request from Telegram; strangers are not heard, and nothing is done twice", async () => {
  const { id } = await ask();
  const message = (update: number, from: number, text: string) => ({
    update_id: update,
    message: { from: { id: from }, text },
  });
  updates = [
    message(10, 666, `deny ${id}`),
    { update_id: 11, edited_message: {} },
    message(12, 42, `allow ${id.slice(-6)}`),
    message(13, 42, "Tonight only the parser, please."),
  ];
  expect(repliesLoop(parts())).toBeUndefined(); // an empty list is nobody
  const loop = repliesLoop(parts(["telegram:42"]));
  await loop?.round(signal);
  await loop?.round(signal);
  expect((await hearApproval(context(), id)).state).toBe("allowed");
  const rows = await here.store.db
    .selectFrom("owner_directives")
    .select(["sender", "became"])
    .orderBy("source_key")
    .execute();
  expect(rows).toEqual([
    { sender: "42", became: "allowed: agent1 make deploy" },
    { sender: "42", became: "a message to the root" },
  ]);
  const [letter = ""] = listTrusted(home.path, "channels/agent/agent0/inbox").filter((name) => !name.startsWith("."));
  const text = readFileSync(`${home.path}/channels/agent/agent0/inbox/${letter}`, "utf8");
  expect(JSON.parse(text)).toMatchObject({ from: "agentowner", text: "Tonight only the parser, please." });
});

test("a webhook's reply counts only from a sender on the list, once for each id", async () => {
  const ports = replyPorts(parts(["webhook:phone"]));
  const reply = { channel: "webhook", sender: "phone", text: "allow nothing1", sourceKey: "webhook:1" } as const;
  expect(await takeReply(context(), reply, ports)).toStartWith("nothing: there is no request");
  expect(await takeReply(context(), { ...reply, text: "another" }, ports)).toStartWith("nothing: there is no request");
  const { id } = await ask();
  const yes = { ...reply, text: `allow ${id}`, sourceKey: "webhook:2" };
  expect(await takeReply(context(), yes, ports)).toBe("allowed: agent1 make deploy");
  expect(await takeReply(context(), yes, ports)).toBe("allowed: agent1 make deploy");
  const stranger = { ...reply, sender: "stranger" };
  expect(await rejection(takeReply(context(), stranger, ports))).toMatchObject({ code: "reply.unknown-sender" });
  expect(isAllowed({ channel: "webhook", sender: "" }, ["webhook:"])).toBe(false);
  expect(isAllowed({ channel: "telegram", sender: "phone" }, ["webhook:phone"])).toBe(false);
});

/** A store on a disk that has no room, for as long as that is so. */
function fullDisk() {
  const disk = { isFull: true };
  const store = Object.create(here.store, {
    write: {
      value: (job: Parameters<typeof here.store.write>[0]) =>
        disk.isFull
          ? Promise.reject(Object.assign(new Error("no space left on device"), { code: "ENOSPC", syscall: "write" }))
          : here.store.write(job),
    },
  }) as typeof here.store;
  return { disk, store };
}

test("on a full disk the owner is told all the same, once, and the database knows it when there is room", async () => {
  const { disk, store } = fullDisk();
  putNewMarker(home.path, markers.mainRed("abcdef0123456789"), "red");
  const loop = ownerLoop({ ...parts(), store }, () => []);
  const pages = (): number => received.filter(({ path }) => path === "/hook").length;
  expect(await rejection(loop.round(signal))).toMatchObject({ code: "ENOSPC" });
  expect(pages()).toBe(1);
  here.clock.advance(3_000_000);
  await rejection(loop.round(signal));
  expect(pages()).toBe(1);
  // Something new is told too, and what passes by itself only after its time.
  putNewMarker(home.path, markers.crashloop("agent2"), "six times");
  const late = () => ["cron.toml:3: there is no lable"];
  const other = ownerLoop({ ...parts(), store }, late);
  await rejection(other.round(signal));
  disk.isFull = false;
  const before = pages();
  await other.round(signal);
  await other.round(signal);
  expect(pages()).toBe(before);
  const rows = await here.store.db.selectFrom("owner_needs").select(["kind", "paged_ms"]).orderBy("kind").execute();
  expect(rows.map(({ kind, paged_ms: paged }) => [kind, paged !== null])).toEqual([
    ["main-red", true],
    ["quarantine", true],
    ["schedule-file", false],
  ]);
});

test("nobody who could be told on a full disk is tried again, ever less often", async () => {
  const { store } = fullDisk();
  status = 500;
  putNewMarker(home.path, markers.mainRed("abcdef0123456789"), "red");
  const loop = ownerLoop({ ...parts(), store }, () => []);
  const tried: number[] = [];
  for (const waitMs of [0, 30_000, 31_000, 60_000, 61_000]) {
    here.clock.advance(waitMs);
    await rejection(loop.round(signal));
    tried.push(received.filter(({ path }) => path === "/hook").length / 2);
  }
  expect(tried).toEqual([1, 1, 2, 2, 3]);
});
