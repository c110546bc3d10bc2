import { expect, test } from "bun:test";
import { sqliteScene, withStore } from "../../../test/kit/databases.ts";
import { seededRandom } from "../../ports/fake-clock.ts";
import { operations } from "../../protocol/operations/all.ts";
import { seeAgents } from "../agents/see.ts";
import { addClaim } from "../claims/claim.ts";
import { type DecisionContext, record } from "../decisions/decision.ts";
import { remember } from "../memory/memory.ts";
import { eventRouter } from "../notices/address-event.ts";
import { collision, NoticesScene, repository } from "../notices/notices-scene.suite.ts";
import { register } from "../worktrees/register.ts";
import { joinPacket } from "./join.ts";

const here = withStore(sqliteScene);
const random = seededRandom(3);
const as = (actor: string): DecisionContext => {
  const context = { store: here.store, clock: here.clock, random, constellation: "constel0", actor };
  return {
    ...context,
    texts: { hideSecrets: async (text) => text },
    router: () => eventRouter(context, { root: "/w", guests: [] }),
  };
};
const where = { root: "/w", guests: [] };
const seen = { state: "idle", on: "hooks", says: "" } as const;
const start = (...agents: string[]) =>
  seeAgents(
    here.store,
    agents.map((agent) => ({
      agent,
      role: "clone",
      runtime: "script",
      wanted: "up",
      seen,
      launchedMs: 1,
      because: "up",
      cwd: "/w",
      mailHeld: null,
    })),
  );
const decide = (actor: string, title: string) =>
  record(as(actor), operations["decision.record"].input.parse({ title }));
const pin = (actor: string, text: string) =>
  remember(as(actor), operations["memory.remember"].input.parse({ text, pinned: true }));

test("whoever joins is told who they are, who else is here, what was decided, and what to do", async () => {
  await start("agent1", "agent2");
  await decide("owner", "Tabs");
  await pin("agent2", "the tests need Postgres");
  expect(await joinPacket(as("agent1"), { ...where, path: "/nowhere" })).toMatchObject({
    you: "agent1",
    role: "clone",
    worktree: null,
    task: null,
    agents: [{ agent: "agent2", state: "idle" }],
    decisions: [{ title: "Tabs", owner_verified: true }],
    memories: [{ text: "the tests need Postgres", by: "agent2" }],
    left_out: {},
    next: [expect.stringContaining("no task") as string],
  });
});

test("the packet is at most 1,500 tokens, and says how much it leaves out", async () => {
  const agents = Array.from({ length: 100 }, (_, index) => `agent${index}`);
  await start(...agents);
  for (let count = 0; count < 20; count++) {
    await decide("owner", `${count} ${"\u0001".repeat(290)}`);
    await pin("owner", `${count} ${"w".repeat(3_900)}`);
  }
  const packet = await joinPacket(as("agent1"), where);
  expect(JSON.stringify(packet).length / 3.5).toBeLessThanOrEqual(1_500);
  expect(packet.agents.length + (packet.left_out["agents"] ?? 0)).toBe(99);
  expect(packet.decisions.length + (packet.left_out["decisions"] ?? 0)).toBe(20);
  expect(packet.memories.length + (packet.left_out["memories"] ?? 0)).toBe(20);
  expect(packet.decisions.length).toBeGreaterThan(0);
});

test("what a hook prints at the start of a session is the same packet: nothing more, and nothing of another repository", async () => {
  const at = new NoticesScene(here, ["a", "b"]);
  await at.begin();
  const elsewhere = { repository: "remote:example.org/team/other", path: "/o/x", top: "/o/x" };
  await register(at.context, { place: elsewhere, agent: "agentx", isOwnersWord: true });
  await record(as("owner"), operations["decision.record"].input.parse({ title: "Here tabs", repository }));
  const other = { repository: elsewhere.repository };
  await record(as("owner"), operations["decision.record"].input.parse({ title: "There spaces", ...other }));
  await pin("agentb", "the tests need Postgres");
  const remembered = operations["memory.remember"].input;
  await remember(as("agentb"), remembered.parse({ text: "only mine", pinned: true, own: true }));
  await remember(as("agentb"), remembered.parse({ text: "of elsewhere", pinned: true, ...other }));
  const claim = { repository, top: "/w/b", cwd: "/w/b", agent: "agentb", forMs: 1_000_000, severity: "low" as const };
  await addClaim(at.context, {
    ...claim,
    words: [{ word: "src", isThere: true }],
    reason: "moving it",
    isExclusive: false,
  });
  await at.see([["a", "b", [collision("x.ts")]]]);
  await at.rounds();
  const packet = await joinPacket({ ...at.context, actor: "agenta" }, { ...where, path: "/w/a/src" });
  const text = at.desk.hear("agenta")?.join ?? "";
  expect(packet).toMatchObject({ you: "agenta", worktree: "/w/a", branch: "a", left_out: {} });
  expect(packet.agents.map(({ agent, branch }) => [agent, branch])).toEqual([
    ["agentb", "b"],
    ["agentx", null],
  ]);
  const said = [
    ...packet.findings.flatMap(({ title, notice }) => [title, String(notice)]),
    ...packet.decisions.map(({ title }) => title),
    ...packet.memories.map(({ text: words }) => words),
    ...packet.claims.map(({ reason }) => reason),
    ...packet.agents.map(({ agent }) => agent),
  ];
  expect(said).toEqual(expect.arrayContaining(["Here tabs", "the tests need Postgres", "moving it", "agentb"]));
  for (const words of said) expect(text).toContain(words);
  for (const words of ["There spaces", "only mine", "of elsewhere"]) {
    expect(text).not.toContain(words);
    expect(JSON.stringify(packet)).not.toContain(words);
  }
  expect(text.split("\n").filter((line) => line.startsWith("| ")).length).toBe(
    1 + said.length - packet.findings.length,
  );
});

test("the owner is told of several who collide over one thing where they stand as one finding with their names", async () => {
  const at = new NoticesScene(here, ["a", "b", "c", "d"]);
  await at.begin();
  await at.see([
    ["a", "b", [collision("x.ts")]],
    ["a", "c", [collision("x.ts"), collision("y.ts")]],
    ["b", "d", [collision("x.ts")]],
  ]);
  const packet = await joinPacket({ ...at.context, actor: "owner" }, { ...where, path: "/w/a" });
  expect(packet.findings.map(({ title }) => title).sort()).toEqual([
    "a, b and c collide over x.ts",
    expect.stringContaining("y.ts"),
  ]);
});
