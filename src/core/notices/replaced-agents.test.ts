// An agent that another one of the same name replaces: what was told to the one is not told to the other, what waits reaches it, and
// nothing is held against it.

import { expect, test } from "bun:test";
import { sqliteScene, withStore } from "../../../test/kit/databases.ts";
import { addClaim } from "../claims/claim.ts";
import { nextRow } from "../messages/account.ts";
import { handleNotice } from "./handle.ts";
import { begunScene, collision, newsOrOver, NoticesScene, repository } from "./notices-scene.suite.ts";
import { listNotices } from "./queries.ts";

const here = withStore(sqliteScene);
const begun = (names: readonly string[], more: ConstructorParameters<typeof NoticesScene>[2] = {}) =>
  begunScene(here, names, more);
const told = async (at: NoticesScene, agent: string, session: string): Promise<string[]> => {
  at.machine.conversations.heard(agent, session);
  await at.rounds();
  return newsOrOver(await at.tell(agent, "prompt", undefined, session));
};

test("a successor is told what its predecessor was told, whether its launch or its first hook names the conversation; one that took the conversation up is not", async () => {
  const at = await begun(["a", "b"]);
  await at.launch("agenta", "one");
  await at.see([["a", "b", [collision("x")]]]);
  expect(await told(at, "agenta", "one")).toEqual(["news"]);
  expect(await told(at, "agenta", "one")).toEqual([]);
  // Restarted, and the conversation taken up.
  await at.launch("agenta", "one", { because: "crash" });
  expect(await told(at, "agenta", "one")).toEqual([]);
  // Ended and started again: it lies ready before the first hook.
  await at.launch("agenta", "two");
  await at.rounds();
  expect(at.desk.items("agenta")).toHaveLength(1);
  expect(await told(at, "agenta", "two")).toEqual(["news"]);
  // With another program, which says only in its hooks what its conversation is called.
  await at.launch("agenta", undefined, { runtime: "codex" });
  expect(await told(at, "agenta", "three")).toEqual(["news"]);
  // `/clear`: no launch, another conversation.
  expect(await told(at, "agenta", "four")).toEqual(["news"]);
  expect(await told(at, "agenta", "four")).toEqual([]);
  const tellings = await here.store.db.selectFrom("tellings").select(["told_to", "state"]).execute();
  const heardBy = tellings.filter(({ state }) => state === "told").map((one) => one.told_to);
  expect(heardBy.sort()).toEqual(["four", "one", "three", "two"]);
});

test("the next daemon knows it as well: it goes by what is stored until a hook speaks", async () => {
  const at = await begun(["a", "b"]);
  await at.launch("agenta", "one");
  await at.see([["a", "b", [collision("x")]]]);
  expect(await told(at, "agenta", "one")).toEqual(["news"]);
  const next = new NoticesScene(here, ["a", "b"]);
  await next.rounds();
  expect(next.desk.items("agenta")).toEqual([]);
  await next.launch("agenta", "two");
  await new NoticesScene(here, ["a", "b"]).rounds();
  await next.rounds();
  expect(newsOrOver(next.desk.items("agenta"))).toEqual(["news"]);
});

test("that something is over is not told to a successor, who never heard of it, not even when it lies ready already", async () => {
  const at = await begun(["a", "b"]);
  await at.launch("agenta", "one");
  await at.see([["a", "b", [collision("x")]]]);
  expect(await told(at, "agenta", "one")).toEqual(["news"]);
  await at.see([["a", "b", []]]);
  await at.rounds();
  expect(newsOrOver(at.desk.items("agenta"))).toEqual(["over"]);
  // Its hook comes before the daemon has looked.
  expect(at.desk.takeUp("agenta", "prompt", undefined, "two")).toEqual([]);
  expect(await told(at, "agenta", "two")).toEqual([]);
  expect(at.desk.items("agenta")).toEqual([]);
  expect((await listNotices(at.context, { agent: "agenta", all: false, limit: 9 })).notices).toEqual([]);
});

test("what the predecessor called done is open for the successor", async () => {
  const at = await begun(["a", "b"]);
  await at.launch("agenta", "one");
  await at.see([["a", "b", [collision("x")]]]);
  expect(await told(at, "agenta", "one")).toEqual(["news"]);
  const [notice] = (await listNotices(at.context, { agent: "agenta", all: false, limit: 9 })).notices;
  await handleNotice({ ...at.context, actor: "agenta" }, { id: notice?.id ?? "" });
  expect(await told(at, "agenta", "one")).toEqual([]);
  expect(await told(at, "agenta", "two")).toEqual(["news"]);
  const [now] = (await listNotices(at.context, { agent: "agenta", all: false, limit: 9 })).notices;
  expect(now).toMatchObject({ id: notice?.id, state: "told", handled_by: null });
});

test("the predecessor's noise is not counted against the successor", async () => {
  const at = await begun(["a", "b"], { budgetPerHour: 1 });
  await at.launch("agenta", "one");
  await at.see([["a", "b", [collision("x", { severity: "medium" })]]]);
  expect(await told(at, "agenta", "one")).toEqual(["news"]);
  await at.see([["a", "b", [collision("x", { severity: "medium" }), collision("y", { severity: "medium" })]]]);
  expect(await told(at, "agenta", "one")).toEqual([]);
  expect(await told(at, "agenta", "two")).toHaveLength(1);
});

test("a program that keeps no conversation begins another with every start; its messages are told anew", async () => {
  const at = await begun(["a", "b"], { hasHooks: () => false });
  await at.launch("agenta", undefined, { runtime: "plain" });
  await at.see([["a", "b", [collision("x")]]]);
  await at.rounds();
  const prove = async (id: string): Promise<void> => {
    const about = { message_id: id, kind: "notice", thread: null, in_reply_to: null, task: null };
    const content = { ...about, text: "", text_bytes: 0 };
    const sighting = { name: id, receiver: "agenta", sender: "agentnotices", atMs: here.clock.nowMs(), content };
    const row = nextRow(undefined, "constel0", { ...sighting, state: "delivered", evidence: "bound" });
    await here.store.write((tx) => tx.insert("messages", row));
    await at.rounds();
  };
  const own = () => at.sent.filter(({ agent }) => agent === "agenta");
  expect(own()).toHaveLength(1);
  await prove(own()[0]?.id ?? "");
  await at.rounds();
  expect(own()).toHaveLength(1);
  await at.launch("agenta", undefined, { runtime: "plain" });
  await at.rounds();
  expect(own()).toHaveLength(2);
});

test("a claim keeps others out while its holder is there or comes back: not of one that was taken down, nor of a session that has ended", async () => {
  const guest = "agentg000000000001";
  let isHere = true;
  const at = await begun(["a", "b", "c"], {
    guests: () => (isHere ? [{ agent: guest, runtime: "claude", cwd: "/w/c" }] : []),
  });
  const claim = (agent: string, word: string) =>
    addClaim(at.context, {
      repository,
      top: "/w/c",
      cwd: "/w/c",
      agent,
      forMs: 3_600_000,
      severity: "medium",
      words: [{ word, isThere: true }],
      reason: "",
      isExclusive: true,
    });
  await at.launch("agenta", "one");
  await claim("agenta", "src");
  await claim(guest, "docs");
  const denied = async (agent: string): Promise<string[]> => {
    await at.rounds();
    const items = at.desk.items(agent).filter(({ denies }) => denies === true);
    return items.map(({ files }) => files[0]?.replace(/^.*\//, "") ?? "").sort();
  };
  expect(await denied("agentb")).toEqual(["docs", "src"]);
  // It crashed and is wanted: what it claimed stays its own.
  await at.launch("agenta", "one", { seen: { state: "dead", on: "process", says: "" } });
  expect(await denied("agentb")).toEqual(["docs", "src"]);
  isHere = false;
  await at.launch("agenta", "one", { wanted: "down", seen: { state: "dead", on: "process", says: "" } });
  expect(await denied("agentb")).toEqual([]);
  isHere = true;
  await at.launch("agenta", "two");
  expect(await denied("agentb")).toEqual(["docs", "src"]);
  expect(await denied("agenta")).toEqual(["docs"]);
});

test("a denial that the predecessor met is told to the successor once, and denies each of its tries", async () => {
  const at = await begun(["a", "b"]);
  await at.launch("agenta", "one");
  await addClaim(at.context, {
    repository,
    top: "/w/b",
    cwd: "/w/b",
    agent: "agentb",
    forMs: 3_600_000,
    severity: "medium",
    words: [{ word: "src", isThere: true }],
    reason: "",
    isExclusive: true,
  });
  await at.rounds();
  const file = "/w/a/src";
  expect(await at.tell("agenta", "edit", file, "one")).toHaveLength(1);
  await at.launch("agenta", "two");
  await at.rounds();
  const items = at.desk.items("agenta");
  expect(items).toMatchObject([{ denies: true }]);
  expect(await at.tell("agenta", "edit", file, "two")).toHaveLength(1);
  expect(at.desk.items("agenta")).toMatchObject([{ id: items[0]?.id, denies: true }]);
});
