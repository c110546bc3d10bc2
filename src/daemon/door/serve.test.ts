import { expect, test } from "bun:test";
import { join } from "node:path";
import { socketCaller } from "../../client/socket.ts";
import { temporaryDirectory } from "../../floor/floor.suite.ts";
import { type Asker, askerFor, askerNamed, owner, refuseUnlessAllowed } from "../../protocol/authority.ts";
import { Refusal } from "../../protocol/errors.ts";
import { operations } from "../../protocol/operations/all.ts";
import { makeFetch, type ServeParts, type WhoAsks } from "./serve.ts";
import { rejection, throwing } from "../../../test/kit/rejection.ts";

/** As if the kernel had said: the owner. */
const named: WhoAsks = ({ headers }) => askerFor({ to: "owner" }, headers.get("x-constel-actor"));

function daemonDoor(
  handler: (context: { actor: string; untilGone: () => AbortSignal }) => Promise<unknown>,
  log: string[] = [],
): ReturnType<typeof makeFetch> {
  return makeFetch({
    handlers: Object.fromEntries(Object.keys(operations).map((name) => [name, handler])),
    contextFor: ({ name: actor }: Asker, untilGone: () => AbortSignal) => ({ actor, untilGone }),
    version: "0",
    keepAliveMs: 1,
    log: (line: string) => void log.push(line),
    stopping: new AbortController().signal,
  } as unknown as ServeParts);
}

/** The daemon's door with nothing behind it: what gets through is told by whose name it reached a handler. */
function door(): { ask: (name: string, actor?: string) => Promise<{ code?: string; actor?: string }> } {
  const fetch = daemonDoor(async ({ actor }) => ({ actor }));
  return {
    async ask(name, actor) {
      const headers: Record<string, string> = actor === undefined ? {} : { "x-constel-actor": actor };
      const request = new Request(`http://constel/op/${name}`, { method: "POST", headers, body: "{}" });
      const response = await fetch(request, named);
      const body = (await response.json()) as { error?: { code: string }; actor?: string };
      return { ...(body.error && { code: body.error.code }), ...(body.actor && { actor: body.actor }) };
    },
  };
}

test("every operation is refused to who may not ask it, whatever door they came through", async () => {
  const { ask } = door();
  for (const operation of Object.values(operations)) {
    const { name } = operation;
    for (const actor of ["owner", "agent0", "agentinfinity", "agent7"]) {
      const expected = refuseUnlessAllowed(askerNamed(actor), operation)?.code;
      const { code } = await ask(name, actor);
      const refused = code?.startsWith("authority.") === true ? code : undefined;
      expect([name, actor, refused]).toEqual([name, actor, expected]);
    }
  }
});

test("who says nothing on the owner's own socket is the owner; a name that is nobody's is refused", async () => {
  const { ask } = door();
  expect(await ask("task.list")).toEqual({ actor: owner.name });
  expect(await ask("task.list", "agent7")).toEqual({ actor: "agent7" });
  for (const actor of ["root", "owner2", "agent", "Agent1"])
    expect(await ask("task.list", actor)).toEqual({ code: "agent.bad-id" });
});

/** A daemon's door over a unix socket, as callers meet it. */
function served(
  handler: Parameters<typeof daemonDoor>[0],
  log: string[] = [],
): { path: string; stop: () => Promise<void> } {
  const path = join(temporaryDirectory(), "d.sock");
  const fetch = daemonDoor(handler, log);
  const server = Bun.serve({ unix: path, fetch: (request) => fetch(request, named) });
  return { path, stop: () => server.stop(true) };
}

test("an answer that takes long begins at once and ends in the answer", async () => {
  const { promise, resolve } = Promise.withResolvers<unknown>();
  const { path, stop } = served(() => promise);
  try {
    const response = await fetch("http://constel/op/task.list", { method: "POST", body: "{}", unix: path });
    expect(response.headers.get("x-constel-slow")).toBe("1");
    resolve({ tasks: [] });
    expect(JSON.parse(await response.text())).toEqual({ tasks: [] });
  } finally {
    await stop();
  }
});

test("a caller is told of a late failure as of an early one", async () => {
  for (const isLate of [false, true]) {
    const { promise, reject } = Promise.withResolvers<never>();
    const refusal = new Refusal("task.unknown", "there is no task 7", { task: 7 });
    const { path, stop } = served(() => {
      // An answer begins after a millisecond: timers of one process end in their order.
      if (isLate) setTimeout(() => reject(refusal), 20);
      else reject(refusal);
      return promise;
    });
    try {
      const asked = socketCaller(path, "owner").call("task.list", {});
      expect(await rejection(asked)).toMatchObject({ code: "task.unknown", facts: { task: 7 } });
    } finally {
      await stop();
    }
  }
});

test("whoever waits for somebody that has left is told: at once, or when the answer had begun", async () => {
  for (const begun of [false, true]) {
    const { promise: asked, resolve: heard } = Promise.withResolvers<AbortSignal>();
    const { path, stop } = served(({ untilGone }) => {
      const signal = untilGone();
      heard(signal);
      return new Promise((resolve) => signal.addEventListener("abort", () => resolve({})));
    });
    try {
      const leaving = new AbortController();
      const init = { method: "POST", body: "{}", unix: path, signal: leaving.signal };
      const response = fetch("http://constel/op/task.list", init);
      response.catch(() => {});
      const signal = await asked;
      if (begun) await response;
      const gone = new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve()));
      leaving.abort();
      await gone;
      expect(signal.aborted).toBe(true);
    } finally {
      await stop();
    }
  }
});

test("a caller that leaves while the answer is still to come does no harm", async () => {
  const { promise: asked, resolve: heard } = Promise.withResolvers<AbortSignal>();
  const { promise: work, resolve: done } = Promise.withResolvers<unknown>();
  const { path, stop } = served(({ untilGone }) => {
    heard(untilGone());
    return work; // to its end, whoever waits for it
  });
  try {
    const leaving = new AbortController();
    const init = { method: "POST", body: "{}", unix: path, signal: leaving.signal };
    await fetch("http://constel/op/task.list", init);
    const signal = await asked;
    const gone = new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve()));
    leaving.abort();
    await gone;
    // A sign of life is due every millisecond: timers of one process end in their order, and what is thrown in one fails this test.
    await new Promise((resolve) => setTimeout(resolve, 20));
    done({ tasks: [] });
    expect(await socketCaller(path, "owner").call("task.list", {})).toEqual({ tasks: [] } as never);
  } finally {
    await stop();
  }
});

test("a list is answered with the columns that were asked for, and whole where none were", async () => {
  const task = { number: 7, title: "Rename lookUp", directive: "x".repeat(1_000), state: "open" };
  const { path, stop } = served(async () => ({ total: 1, tasks: [task] }));
  try {
    const caller = socketCaller(path, "owner");
    const some = await caller.list("task.list", {}, ["number", "title"]);
    expect(some).toEqual({ total: 1, tasks: [{ number: 7, title: "Rename lookUp" }] });
    expect((await caller.list("task.list", {}, undefined)) as unknown).toEqual({ total: 1, tasks: [task] });
    expect(await throwing(caller.list("task.list", {}, ["nothing" as "title"]))).toThrow("task.list: columns.0");
  } finally {
    await stop();
  }
});

test("a clone that asks a thousand times at once waits for itself, and nobody else waits for it", async () => {
  const under = { now: 0, most: 0 };
  const free = Promise.withResolvers<void>();
  const fetch = daemonDoor(async ({ actor }) => {
    if (actor !== "agent7") return {};
    under.now += 1;
    under.most = Math.max(under.most, under.now);
    await free.promise;
    under.now -= 1;
    return {};
  });
  const ask = (actor: string, name = "task.list"): Promise<Response> => {
    const headers = { "x-constel-actor": actor };
    return fetch(new Request(`http://constel/op/${name}`, { method: "POST", headers, body: "{}" }), named);
  };
  const asked = Array.from({ length: 1_000 }, () => ask("agent7"));
  for (const actor of ["owner", "agent0", "agent8"]) expect((await ask(actor)).status).toBe(200);
  expect(under.most).toBe(2);
  free.resolve();
  expect(new Set((await Promise.all(asked)).map(({ status }) => status))).toEqual(new Set([200]));
  expect(under.most).toBe(2);
});
