// Tests who should be told and who should not, where things change on the way: sessions that come and go, work in two places, claims that
// pass from one to another, findings that close and come back, names that change, hours that are quiet.

import { expect, test } from "bun:test";
import { sqliteScene, withStore } from "../../../test/kit/databases.ts";
import { addClaim, dropClaim } from "../claims/claim.ts";
import { forget } from "../worktrees/register.ts";
import { noteEdits } from "./note-edits.ts";
import { begunScene, collision, newsOrOver, type NoticesScene, repository } from "./notices-scene.suite.ts";
import { listNotices } from "./queries.ts";
import { isQuietAt } from "./quiet-hours.ts";

const here = withStore(sqliteScene);
const begun = (names: readonly string[], more: ConstructorParameters<typeof NoticesScene>[2] = {}) =>
  begunScene(here, names, more);
/** Returns what each of them has heard when everybody has had a prompt. */
const heard = async (at: NoticesScene, ...agents: string[]): Promise<Record<string, string[]>> => {
  await at.rounds();
  const all: Record<string, string[]> = {};
  for (const agent of agents) all[agent] = newsOrOver(await at.tell(agent));
  return all;
};

test("a person's session and a clone: each side once, also when the session was away meanwhile; a second session there is another", async () => {
  const guests = ["agentg000000000001", "agentg000000000002"];
  let present = [guests[0] ?? ""];
  const at = await begun(["a", "b"], {
    guests: () => present.map((agent) => ({ agent, runtime: "codex", cwd: "/w/b/src" })),
  });
  await at.see([["a", "b", [collision("x")]]]);
  expect(await heard(at, "agenta", ...guests)).toEqual({
    agenta: ["news"],
    agentg000000000001: ["news"],
    agentg000000000002: [],
  });
  present = [];
  await at.rounds();
  present = guests;
  expect(await heard(at, "agenta", ...guests)).toEqual({
    agenta: [],
    agentg000000000001: [],
    agentg000000000002: ["news"],
  });
  present = [guests[1] ?? ""];
  await at.see([["a", "b", []]]);
  expect(await heard(at, "agenta", guests[1] ?? "")).toEqual({ agenta: ["over"], agentg000000000002: ["over"] });
  present = guests;
  expect(await heard(at, ...guests)).toEqual({ agentg000000000001: ["over"], agentg000000000002: [] });
});

test("a person's session that has ended works nowhere, whatever it edited; come back, it works there again and is told what it has not heard", async () => {
  const [first = "", second = ""] = ["agentg000000000001", "agentg000000000002"];
  let present = [first, second];
  const at = await begun(["a", "b"], {
    guests: () => present.map((agent) => ({ agent, runtime: "claude", cwd: "/w/b" })),
  });
  await noteEdits(at.context, [{ agent: first, edited: "/w/b/x" }]);
  present = [second];
  await at.see([["a", "b", [collision("x")]]]);
  await at.rounds();
  expect(at.desk.items("agenta")[0]?.text).toContain(`with: ${second} and agentb on branch b`);
  expect(at.desk.hear("agenta")?.join ?? "").not.toContain(first);
  expect(await heard(at, first, second)).toEqual({ [first]: [], [second]: ["news"] });
  present = [first, second];
  expect(await heard(at, first, second)).toEqual({ [first]: ["news"], [second]: [] });
});

test("of a repository that is no longer watched nobody is told that anything is over: nobody knows", async () => {
  const guest = "agentg000000000001";
  const at = await begun(["a", "b"], { guests: () => [{ agent: guest, runtime: "claude", cwd: "/w/b" }] });
  await at.see([["a", "b", [collision("x")]]]);
  expect(await heard(at, "agenta", guest)).toEqual({ agenta: ["news"], [guest]: ["news"] });
  await forget(at.context, { repository });
  expect(await heard(at, "agenta", guest)).toEqual({ agenta: [], [guest]: [] });
  const { notices } = await listNotices(at.context, { agent: guest, all: true, limit: 10 });
  expect(notices).toMatchObject([{ state: "withdrawn", ended_because: "its repository is no longer watched" }]);
});

test("an agent with two worktrees hears once of what collides between them, and of each with another's; the other hears of one matter", async () => {
  const at = await begun(["a", "b", "c"]);
  await noteEdits(at.context, [{ agent: "agenta", edited: "/w/c/x" }]);
  await at.see([["a", "c", [collision("x")]]]);
  expect(await heard(at, "agenta", "agentb", "agentc")).toEqual({ agenta: ["news"], agentb: [], agentc: ["news"] });
  await at.see([
    ["a", "b", [collision("x")]],
    ["b", "c", [collision("x")]],
  ]);
  const [notice] = (await at.rounds(), at.desk.items("agentb"));
  expect(at.desk.items("agentb")).toHaveLength(1);
  expect(notice?.text).toContain("2 findings of one cause");
  // One for each of its worktrees; whoever works in the third with it hears of that one too.
  expect(await heard(at, "agenta", "agentb", "agentc")).toEqual({
    agenta: ["news", "news"],
    agentb: ["news"],
    agentc: ["news"],
  });
});

test("three on one line: each hears of the two others in one piece, and when one gives way the others still know of each other", async () => {
  const at = await begun(["a", "b", "c", "d"]);
  await at.see([
    ["a", "b", [collision("x")]],
    ["a", "c", [collision("x")]],
    ["b", "c", [collision("x")]],
  ]);
  await at.rounds();
  for (const [name, others] of Object.entries({ a: ["b", "c"], b: ["a", "c"], c: ["a", "b"] })) {
    const items = at.desk.items(`agent${name}`);
    expect(items).toHaveLength(1);
    for (const other of others) expect(items[0]?.text).toContain(`agent${other} on branch ${other}`);
  }
  await heard(at, "agenta", "agentb", "agentc");
  await at.see([
    ["a", "b", []],
    ["a", "c", []],
  ]);
  const all = await heard(at, "agenta", "agentb", "agentc", "agentd");
  expect(all).toEqual({ agenta: ["over"], agentb: ["over"], agentc: ["over"], agentd: [] });
  await at.see([["b", "c", []]]);
  expect(await heard(at, "agenta", "agentb", "agentc")).toEqual({ agenta: [], agentb: ["over"], agentc: ["over"] });
});

test("closed while it is on its way: who heard it hears its end, who did not hears nothing", async () => {
  const at = await begun(["a", "b"]);
  await at.see([["a", "b", [collision("x")]]]);
  await at.rounds();
  const onItsWay = at.desk.takeUp("agenta", "prompt");
  await at.see([["a", "b", []]]);
  await at.rounds();
  expect([at.desk.takeUp("agenta", "prompt"), at.desk.items("agentb")]).toEqual([[], []]);
  await at.prove("agenta", onItsWay);
  expect(await heard(at, "agenta", "agentb")).toEqual({ agenta: ["over"], agentb: [] });
});

test("back before its end was told: silence when it is the same, news when the evidence is another; back afterwards it is news", async () => {
  const at = await begun(["a", "b"]);
  const open = (kind: string) => at.see([["a", "b", [collision("x", { evidenceKind: kind })]]]);
  const close = () => at.see([["a", "b", []]]);
  await open("content x");
  expect(await heard(at, "agenta")).toEqual({ agenta: ["news"] });
  await close();
  await at.rounds();
  await open("content x");
  expect(await heard(at, "agenta")).toEqual({ agenta: [] });
  await close();
  await at.rounds();
  await open("delete x");
  expect(await heard(at, "agenta")).toEqual({ agenta: ["news"] });
  await close();
  expect(await heard(at, "agenta")).toEqual({ agenta: ["over"] });
  await open("delete x");
  expect(await heard(at, "agenta")).toEqual({ agenta: ["news"] });
});

test("a claim that is handed over keeps out everybody but the new holder, who hears that the old one is over", async () => {
  const at = await begun(["a", "b", "c"]);
  const claim = (agent: string) =>
    addClaim(at.context, {
      repository,
      top: `/w/${agent}`,
      cwd: `/w/${agent}`,
      agent: `agent${agent}`,
      forMs: 3_600_000,
      severity: "medium",
      words: [{ word: "src", isThere: true }],
      reason: "",
      isExclusive: true,
    });
  const denied = () => ["a", "b", "c"].filter((name) => at.desk.items(`agent${name}`).some(({ denies }) => denies));
  const { id } = await claim("a");
  await at.rounds();
  expect(denied()).toEqual(["b", "c"]);
  await at.tell("agentb", "edit", "/w/b/src");
  await dropClaim(at.context, { id });
  await claim("b");
  await at.rounds();
  expect(denied()).toEqual(["a", "c"]);
  expect(await heard(at, "agentb", "agentc")).toEqual({ agentb: ["over"], agentc: [] });
  expect(newsOrOver(await at.tell("agenta", "edit", "/w/a/src"))).toEqual(["news"]);
});

test("past the budget what is left comes in one piece, the urgent all the same, and nothing is lost", async () => {
  const at = await begun(["a", "b"], { budgetPerHour: 2 });
  const some = (severity: "high" | "medium", count: number) =>
    Array.from({ length: count }, (_, number) => collision(`${severity}${number}`, { severity }));
  await at.see([["a", "b", [...some("high", 4), ...some("medium", 3)]]]);
  await at.rounds();
  expect(at.desk.items("agenta")).toHaveLength(2);
  await heard(at, "agenta");
  await at.see([["a", "b", [...some("high", 5), ...some("medium", 4)]]]);
  await at.rounds();
  const [urgent, ...others] = at.desk.items("agenta");
  expect([urgent?.text.includes("high4"), urgent?.text.includes("medium3"), others.length]).toEqual([true, false, 0]);
  await heard(at, "agenta");
  here.clock.advance(3_600_001);
  await at.rounds();
  expect(at.desk.items("agenta").map(({ text }) => text.includes("medium3"))).toEqual([true]);
});

test("quiet hours go over midnight, begin at their first minute and end at their last; none and the same twice are never quiet", () => {
  const at = (time: string): Date => new Date(`2026-03-10T${time}:00`);
  const quiet = (setting: string, ...times: string[]) => times.map((time) => isQuietAt(setting, at(time)));
  const night = ["21:59", "22:00", "23:59", "00:00", "06:59", "07:00", "12:00"];
  expect(quiet("22:00-07:00", ...night)).toEqual([false, true, true, true, true, false, false]);
  expect(quiet("07:00-22:00", ...night)).toEqual([true, false, false, false, false, true, true]);
  expect(quiet("00:00-23:59", "00:00", "23:58", "23:59")).toEqual([true, true, false]);
  for (const setting of ["", "22:00-22:00"]) expect(quiet(setting, ...night)).toEqual(night.map(() => false));
});

test("a clock that was set back keeps nobody from hearing: neither of what was found before nor within the hour's budget", async () => {
  const at = await begun(["a", "b"], { budgetPerHour: 1 });
  await at.see([["a", "b", [collision("x")]]]);
  expect(await heard(at, "agenta")).toEqual({ agenta: ["news"] });
  await at.see([["a", "b", [collision("x"), collision("y")]]]);
  here.clock.jumpTo(here.clock.nowMs() - 9 * 3_600_000);
  expect(await heard(at, "agenta")).toEqual({ agenta: ["news"] });
  await at.see([["a", "b", []]]);
  here.clock.advance(3_600_001);
  expect(await heard(at, "agenta")).toEqual({ agenta: ["over"] });
});

test("an item that a hook took up and never told is offered again, also when the clock was set back meanwhile", async () => {
  const at = await begun(["a", "b"]);
  await at.see([["a", "b", [collision("x")]]]);
  await at.rounds();
  expect(at.desk.takeUp("agenta", "prompt")).toHaveLength(1);
  here.clock.jumpTo(here.clock.nowMs() - 3_600_000);
  expect(await heard(at, "agenta")).toEqual({ agenta: ["news"] });
});

test("quiet hours go by the wall clock on the days on which the clocks change: a doubled hour is quiet twice, a missing one is over", () => {
  const zone = process.env["TZ"];
  try {
    process.env["TZ"] = "Europe/Berlin";
    const quiet = (setting: string, ...times: string[]) => times.map((time) => isQuietAt(setting, new Date(time)));
    // 02:30 comes twice on 25 October 2026, at 00:30 and 01:30 UTC.
    const autumn = ["2026-10-24T23:59:00Z", "2026-10-25T00:30:00Z", "2026-10-25T01:30:00Z", "2026-10-25T02:00:00Z"];
    expect(quiet("02:00-03:00", ...autumn)).toEqual([false, true, true, false]);
    expect(quiet("22:00-07:00", ...autumn, "2026-10-25T06:00:00Z")).toEqual([true, true, true, true, false]);
    // On 29 March 2026 the clocks go from 01:59 to 03:00.
    const spring = ["2026-03-29T00:59:00Z", "2026-03-29T01:00:00Z"];
    expect(quiet("02:00-03:00", ...spring)).toEqual([false, false]);
    expect(quiet("22:00-07:00", ...spring, "2026-03-29T05:00:00Z")).toEqual([true, true, false]);
  } finally {
    if (zone === undefined) delete process.env["TZ"];
    else process.env["TZ"] = zone;
  }
});
