import { expect, test } from "bun:test";
import { sqliteScene, withStore } from "../../../test/kit/databases.ts";
import { seededRandom } from "../../ports/fake-clock.ts";
import type { TextContext } from "../keep-text.ts";
import { forget, pin, pinnedMemories, recall, remember } from "./memory.ts";

const here = withStore(sqliteScene);
const random = seededRandom(5);

function as(actor: string): TextContext {
  const { store, clock } = here;
  const texts = { hideSecrets: async (text: string) => text.replaceAll("hunter2", "***") };
  return { store, clock, random, constellation: store.constellation, actor, texts } as TextContext;
}

const keep = (actor: string, text: string, more: { own?: boolean; pinned?: boolean } = {}) =>
  remember(as(actor), { text, own: false, pinned: false, ...more });
const found = async (actor: string, query?: string): Promise<string[]> =>
  (await recall(as(actor), { query, pinned: false, limit: 10 })).memories.map(({ text }) => text).sort();
const code = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => "allowed",
    (cause: { code?: string }) => cause.code ?? String(cause),
  );

test("what is for everybody is everybody's, what is an agent's own is its own and the owner's", async () => {
  await keep("agent1", "the tests need redis");
  await keep("agent1", "I prefer small commits", { own: true });
  expect(await found("agent1")).toEqual(["I prefer small commits", "the tests need redis"]);
  expect(await found("agent2")).toEqual(["the tests need redis"]);
  expect(await found("owner")).toEqual(["I prefer small commits", "the tests need redis"]);
});

test("words are found whatever their case and accents; a question without a letter finds nothing", async () => {
  await keep("agent1", "Das Café öffnet um neun");
  expect(await found("agent2", "cafe OFFNET")).toHaveLength(1);
  expect(await found("agent2", "zehn")).toEqual([]);
  expect(await found("agent2", "?!")).toEqual([]);
});

test("the same words again renew what is there, and secrets are not kept", async () => {
  const first = await keep("agent1", "the password is hunter2");
  expect([first.text, first.masked, first.renewed]).toEqual(["the password is ***", true, false]);
  here.clock.advance(5);
  const again = await keep("agent1", "the password is hunter2");
  expect([again.id, again.renewed]).toEqual([first.id, true]);
  expect(again.updated_ms).toBe(first.updated_ms + 5);
  expect(await found("owner")).toHaveLength(1);
});

test("a clone pins and forgets its own, the root any agent's, and nobody but the owner what is the owner's", async () => {
  const mine = await keep("agent1", "mine");
  const owners = await keep("owner", "the owner's");
  expect(await code(forget(as("agent2"), { id: mine.id }))).toBe("memory.not-yours");
  expect(await code(pin(as("agent2"), { id: mine.id, pinned: true }))).toBe("memory.not-yours");
  expect(await code(forget(as("agent0"), { id: owners.id }))).toBe("memory.not-yours");
  expect(await code(pin(as("agent0"), { id: mine.id, pinned: true }))).toBe("allowed");
  expect((await pinnedMemories(as("owner"))).map(({ text }) => text)).toEqual(["mine"]);
  expect(await code(forget(as("agent1"), { id: mine.id }))).toBe("allowed");
  expect(await code(forget(as("agent1"), { id: mine.id }))).toBe("memory.unknown");
  expect(await code(forget(as("owner"), { id: owners.id }))).toBe("allowed");
});

test("an agent cannot find, pin or forget what is another's alone", async () => {
  const { id } = await keep("agent1", "only mine", { own: true });
  expect(await code(pin(as("agent2"), { id, pinned: true }))).toBe("memory.unknown");
  expect(await code(forget(as("agent0"), { id }))).toBe("memory.unknown");
});

test("twenty may be pinned and a thousand kept by one, each with its own count", async () => {
  for (let at = 0; at < 20; at++) await keep("agent1", `pinned ${at}`, { pinned: true });
  expect(await code(keep("agent1", "one more", { pinned: true }))).toBe("memory.full");
  expect(await code(keep("agent2", "another's", { pinned: true }))).toBe("allowed");
  for (let at = 20; at < 1_000; at++) await keep("agent1", `number ${at}`);
  expect(await code(keep("agent1", "too much"))).toBe("memory.full");
  expect(await code(keep("agent1", "number 30"))).toBe("allowed");
});

test("the timeline says that something was remembered and forgotten, never what", async () => {
  const { id } = await keep("agent1", "a word nobody else knows");
  await forget(as("agent1"), { id });
  const rows = await here.store.db.selectFrom("events").selectAll().execute();
  expect(rows.map(({ type }) => type)).toEqual(["memory.remembered", "memory.forgotten"]);
  expect(JSON.stringify(rows)).not.toContain("nobody else knows");
});
