import { expect, test } from "bun:test";
import { sqliteScene, withStore } from "../../../../test/kit/databases.ts";
import { hostileTexts } from "../../../protocol/hostile-texts.suite.ts";
import { announce } from "../../../core/timeline/announce.ts";
import { systemClock, systemRandom } from "../../../host/clock/system-clock.ts";
import { type AgentScreen, readStream, type StreamMessage } from "../../../protocol/window.ts";
import { streamWindow } from "./stream-window.ts";

const here = withStore(sqliteScene);
const context = () => ({
  store: here.store,
  clock: here.clock,
  random: systemRandom,
  constellation: "constel0",
  actor: "owner",
});
const say = (text: string) => announce(context(), { text });

/** One who reads the stream, message by message. */
function reader(query = "", mayStay: () => Promise<boolean> = async () => true) {
  const leaving = new AbortController();
  const stopping = new AbortController();
  let tell: (screen: AgentScreen) => void = () => {};
  const response = streamWindow(
    new URL(`http://127.0.0.1/api/stream${query}`),
    { asker: { role: "owner", name: "owner" }, signal: leaving.signal, mayStay },
    {
      store: here.store,
      clock: systemClock,
      version: "0.1.0",
      stopping: stopping.signal,
      screens: {
        watch(_, changed) {
          tell = changed;
          return () => {};
        },
      },
    },
  );
  if (response.body === null) throw new Error("a stream without a body");
  const messages = readStream(response.body);
  const next = async (): Promise<StreamMessage | undefined> => (await messages.next()).value ?? undefined;
  return {
    next,
    leave: () => leaving.abort(),
    stop: () => stopping.abort(),
    tell: (screen: AgentScreen) => tell(screen),
    response,
  };
}

test("who opens the stream is told of everything that happens from there on, a burst in few messages, each event once", async () => {
  await say("before");
  const { next, leave, response } = reader();
  expect(response.headers.get("x-accel-buffering")).toBe("no");
  const hello = await next();
  expect(hello).toMatchObject({ kind: "hello", constellation: "constel0" });
  await Promise.all(Array.from({ length: 1_200 }, (_, at) => say(`burst ${at}`)));
  const got: number[] = [];
  let messages = 0;
  while (got.length < 1_200) {
    const message = await next();
    if (message?.kind !== "events") continue;
    messages += 1;
    expect(message.subjects).toEqual(["owner"]);
    got.push(...message.events.map(({ seq }) => seq));
  }
  const first = (hello?.seq ?? 0) + 1;
  expect(got).toEqual(Array.from({ length: 1_200 }, (_, at) => first + at));
  expect(messages).toBeLessThanOrEqual(10);
  leave();
  expect(await next()).toBeUndefined();
});

test("who lost the connection goes on after the last message; who was away too long is told once to read anew", async () => {
  const { seq } = await say("one");
  await say("two");
  const back = reader(`?after=${seq}`);
  expect(await back.next()).toMatchObject({ kind: "hello", seq });
  expect(await back.next()).toMatchObject({ kind: "events", seq: seq + 1, events: [{ data: { text: "two" } }] });
  back.leave();
  await here.store.write(async (tx) => {
    for (let at = 0; at < 2_001; at++) await tx.record({ type: "owner.announced", actor: "owner", data: {} });
  });
  const late = reader(`?after=${seq}`);
  expect(await late.next()).toMatchObject({ kind: "hello", seq: seq + 2_002 });
  expect(await late.next()).toMatchObject({ kind: "resync", seq: seq + 2_002 });
  late.leave();
  // Another database than the reader knew.
  const strange = reader("?after=99999999");
  expect([(await strange.next())?.kind, (await strange.next())?.kind]).toEqual(["hello", "resync"]);
  strange.stop();
  expect(await strange.next()).toBeUndefined();
});

test("a text of a megabyte, and texts that act on what shows them, cross it cut and as numbers", async () => {
  const { next, leave } = reader();
  await next();
  for (const text of [...hostileTexts, `long ${"x".repeat(5_000)}`]) await say(text);
  await here.store.write((tx) =>
    tx.record({
      type: "task.created",
      actor: "owner",
      data: { title: "y".repeat(1_000_000), deep: { a: { b: { c: { d: 1 } } } } },
    }),
  );
  let seen = "";
  while (!seen.includes("more characters") || !seen.includes("task.created")) seen += JSON.stringify(await next());
  // oxlint-disable-next-line no-control-regex -- these are what must not be there
  expect(seen).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200b\u200e\u200f\u202a-\u202e\u2066-\u2069]/);
  expect(seen).not.toMatch(/\\u00(?!0a|09)/);
  expect(seen.length).toBeLessThan(30_000);
  leave();
});

test("a screen is told of when it changes; the newest counts", async () => {
  const { next, leave, tell } = reader("?screens=agent1");
  await next();
  const screen = (row: string): AgentScreen => ({ agent: "agent1", rows: [row], seen_ms: 1, problem: null });
  tell(screen("one"));
  tell(screen("two"));
  expect(await next()).toMatchObject({ kind: "screen", screen: { rows: ["two"] } });
  leave();
});

test("the stream ends with its token", async () => {
  let isGood = true;
  const { next } = reader("", async () => isGood);
  await next();
  isGood = false;
  await here.store.write((tx) => tx.record({ type: "token.revoked", actor: "owner", data: {} }));
  expect(await next()).toBeUndefined();
});

test("a wish that is no wish is refused", () => {
  for (const query of ["?after=-1", "?after=x", "?screens=agent1;kill", "?screens=../x"])
    expect(() => reader(query)).toThrow(/sequence number|names up to/);
});
