import { expect, test } from "bun:test";
import { restAfterLook, usualPace } from "./pace.ts";

const member = (more: { activeMs?: number; metMs?: number; polledMs?: number | undefined } = {}) => ({
  everyMs: 0,
  activeMs: -Infinity,
  metMs: -Infinity,
  polledMs: undefined as number | undefined,
  ...more,
});
const nowMs = 10_000_000;
const rest = (one: ReturnType<typeof member>, all = [one], tookMs = 1): number =>
  restAfterLook(one, all, usualPace, { nowMs, tookMs });

test("a watched worktree is looked at soon after a change, then ever more rarely", () => {
  const one = member({ activeMs: nowMs });
  expect(rest(one)).toBe(2_000);
  one.activeMs = nowMs - 1;
  expect([rest(one), rest(one), rest(one)]).toEqual([4_000, 8_000, 16_000]);
  for (let times = 0; times < 5; times++) rest(one);
  expect(rest(one)).toBe(60_000);
});

test("one that cannot be watched is looked at every second for as long as somebody may be at work there", () => {
  const one = member({ polledMs: 7, activeMs: nowMs - 14 * 60_000 });
  expect([rest(one), rest(one), rest(one)]).toEqual([1_000, 1_000, 1_000]);
});

test("all that are at work cost no more than a tenth of a core together, and less than 2 s for 25 of 3,000 files", () => {
  const busy = Array.from({ length: 25 }, () => member({ polledMs: 7, activeMs: nowMs }));
  expect(rest(busy[0] ?? member(), busy)).toBe(1_750);
});

test("one that was seen to change, or was first seen, within the hour is looked at every four seconds", () => {
  const rested = [{ activeMs: nowMs - 59 * 60_000 }, { metMs: nowMs - 59 * 60_000 }, { metMs: nowMs }];
  expect(rested.map((when) => rest(member({ polledMs: 7, ...when })))).toEqual([4_000, 4_000, 4_000]);
});

test("200 of 3,000 files at rest cost three hundredths of a core together, and none waits longer than a minute", () => {
  const resting = (polledMs: number) => Array.from({ length: 200 }, () => member({ polledMs, metMs: nowMs }));
  const restOf = (all: ReturnType<typeof resting>): number => rest(all[0] ?? member(), all);
  expect([restOf(resting(5)), restOf(resting(6)), restOf(resting(20))]).toEqual([(5 / 0.03) * 200, 40_000, 60_000]);
});

test("where nothing happened for an hour they cost one part in a hundred together: each within a minute", () => {
  const asleep = (count: number) => Array.from({ length: count }, () => member({ polledMs: 7 }));
  const restOf = (all: ReturnType<typeof asleep>): number => rest(all[0] ?? member(), all);
  expect([restOf(asleep(2)), restOf(asleep(10)), restOf(asleep(30)), restOf(asleep(200))]).toEqual([
    4_000, 7_000, 21_000, 60_000,
  ]);
  // Those at work, and those at rest, do not make them slower.
  const others = [member({ polledMs: 7, activeMs: nowMs }), member({ polledMs: 7, metMs: nowMs })];
  expect(restOf([...asleep(10), ...others])).toBe(7_000);
});

test("a huge worktree is looked at more rarely even while somebody is at work there", () => {
  expect(rest(member({ polledMs: 400, activeMs: nowMs }))).toBe(8_000);
});
