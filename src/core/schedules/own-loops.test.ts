// Loops that a clone opens on its own work: what it may have, and when they are over.

import { expect, test } from "bun:test";
import { ownLoop, ownLoopBounds, refuseTooSoon, whyOwnIsOver } from "./own-loops.ts";
import type { Loop, LoopWish } from "./schedule.ts";

const nowMs = Date.parse("2026-11-15T22:00:00Z");
const wish: LoopWish = { id: "checks", action: { agent: "agent1", prompt: "look at the checks" }, overlap: "queue" };
const inHand = new Map([
  ["agent1", [3, 7]],
  ["agent2", [4]],
]);
const own = { task: 7, endsMs: nowMs + ownLoopBounds.lifeMs };
const openLoop = (id: string): Loop => ({ ...wish, id, own, createdMs: nowMs, paused: false });

const refusals: [string, Partial<LoopWish>, Partial<Parameters<typeof ownLoop>[2]>, string][] = [
  ["another agent", { action: { agent: "agent2", prompt: "x" } }, {}, "tells that clone something"],
  ["a verb", { action: { verb: ["announce", "x"] } }, {}, "tells that clone something"],
  ["an until command", { until: "true" }, {}, "runs no command"],
  ["a look", { onChange: "date" }, {}, "runs no command"],
  ["a directory", { directory: "/" }, {}, "runs no command"],
  ["no task in hand", {}, { inHand: new Map([["agent2", [4]]]) }, "there is none"],
  ["too short a period", { everyMs: 60_000 }, {}, "waits 5m or longer"],
  ["a fourth", {}, { open: ["a", "b", "c"].map(openLoop) }, "at most 3; open now: a, b, c"],
];

test.each(refusals)("a clone is refused %s", (_, changed, scene, says) => {
  const asked = (): LoopWish => ownLoop("agent1", { ...wish, ...changed }, { inHand, open: [], nowMs, ...scene });
  expect(asked).toThrow(expect.objectContaining({ code: "schedule.own-work", message: expect.stringContaining(says) }));
});

test("it belongs to the newest task in hand, and never fires more often than it may", () => {
  const given = ownLoop("agent1", wish, { inHand, open: [], nowMs });
  expect(given).toEqual({ ...wish, most: 100, own });
  expect(ownLoop("agent1", { ...wish, most: 1_000_000 }, { inHand, open: [], nowMs }).most).toBe(100);
  expect(ownLoop("agent1", { ...wish, most: 4 }, { inHand, open: [], nowMs }).most).toBe(4);
});

test("loops of others, and those that the owner gave the clone, do not count", () => {
  const { own: _, ...given } = openLoop("given");
  const others = ["a", "b", "c"].map((id) => ({ ...openLoop(id), action: { agent: "agent2", prompt: "x" } }));
  expect(ownLoop("agent1", wish, { inHand, open: [given, ...others], nowMs }).own).toEqual(own);
});

test("it is over when the task is in other hands, is done, or a day has passed", () => {
  expect(whyOwnIsOver(own, "agent1", inHand, nowMs)).toBeUndefined();
  expect(whyOwnIsOver(own, "agent1", new Map(), nowMs)).toBe("task 7 is no longer in agent1's hands");
  expect(whyOwnIsOver(own, "agent1", new Map([["agent2", [7]]]), nowMs)).toContain("no longer in agent1's hands");
  expect(whyOwnIsOver(own, "agent1", inHand, own.endsMs)).toBe("its 1d are over");
});

test("nor may it be put off to less than its shortest period", () => {
  expect(() => refuseTooSoon("agent1", "checks", 299_999)).toThrow("5m or longer");
  refuseTooSoon("agent1", "checks", 300_000);
});
