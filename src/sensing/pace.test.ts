import { expect, test } from "bun:test";
import { restAfterLook, usualPace } from "./pace.ts";

const member = (more: { activeMs?: number; polledMs?: number | undefined } = {}) => ({
  everyMs: 0,
  activeMs: -Infinity,
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

test("at rest they cost one part in a hundred together: few are looked at often, many rarely, each within a minute", () => {
  const quiet = (count: number) => Array.from({ length: count }, () => member({ polledMs: 7 }));
  const restOf = (all: ReturnType<typeof quiet>): number => rest(all[0] ?? member(), all);
  expect([restOf(quiet(2)), restOf(quiet(5)), restOf(quiet(30)), restOf(quiet(200))]).toEqual([
    2_000, 3_500, 21_000, 60_000,
  ]);
  // Those at work do not make them slower.
  const busy = member({ polledMs: 7, activeMs: nowMs });
  expect(restOf([...quiet(5), busy])).toBe(3_500);
});

test("a huge worktree is looked at more rarely even while somebody is at work there", () => {
  expect(rest(member({ polledMs: 400, activeMs: nowMs }))).toBe(8_000);
});
