import { afterEach, beforeEach, expect, test } from "bun:test";
import { join } from "node:path";
import { systemClock } from "../../clock/system-clock.ts";
import { Scratch, snapshotOf } from "../scratch.suite.ts";
import { sortDirectories } from "./followed-paths.ts";
import { joinPaths } from "../objects/path-text.ts";
import { type WatchHolder, WatchBudget, watchBudget } from "./watch-budget.ts";
import { WorktreeWatch } from "./watch.ts";

const minuteMs = 60_000;

function holder(activeMs: number): WatchHolder & { gone: number } {
  const one = { activeMs, gone: 0, giveUp: () => void (one.gone += 1) };
  return one;
}

test("never more than a quarter of what the user may watch, whatever was asked for", () => {
  expect(watchBudget(50_000, 192_240).most).toBe(48_060);
  expect(watchBudget(500, 192_240).most).toBe(500);
  expect(watchBudget(0, 192_240).most).toBe(0);
  expect(watchBudget(10_000, 8_192).most).toBe(2_048);
  expect(watchBudget(10_000).most).toBeLessThanOrEqual(10_000);
});

test("what does not fit is refused whole, and what is given back can be taken", () => {
  const budget = new WatchBudget(10);
  const [one, other] = [holder(0), holder(0)];
  expect([budget.take(one, 6), budget.take(other, 5), budget.used]).toEqual([true, false, 6]);
  budget.giveBack(one, 1);
  expect([budget.take(other, 5), budget.used]).toEqual([true, 10]);
  budget.giveBack(one);
  budget.giveBack(one);
  expect([budget.used, one.gone, other.gone]).toEqual([5, 0, 0]);
});

test("who is at work takes from those that rested longest, and from no more of them than it needs", () => {
  const budget = new WatchBudget(30);
  const [oldest, old, young] = [holder(-Infinity), holder(0), holder(20 * minuteMs)];
  for (const one of [young, old, oldest]) budget.take(one, 10);
  const worker = holder(25 * minuteMs);
  expect(budget.take(worker, 10)).toBe(true);
  expect([oldest.gone, old.gone, young.gone, budget.used]).toEqual([1, 0, 0, 30]);
  // The young one was active within ten minutes of it: together with the old one there would have been enough.
  expect(budget.take(worker, 15)).toBe(false);
  expect([old.gone, young.gone, budget.used]).toEqual([0, 0, 30]);
});

test("two that rest do not take each other's", () => {
  const budget = new WatchBudget(10);
  const [one, other] = [holder(-Infinity), holder(-Infinity)];
  expect([budget.take(one, 8), budget.take(other, 8), one.gone]).toEqual([true, false, 0]);
});

test("who asks for a few gets them from one that holds many, and keeps them", () => {
  const budget = new WatchBudget(1_000);
  const [many, more] = [holder(2 * minuteMs), holder(minuteMs)];
  expect([budget.take(many, 500), budget.take(more, 450)]).toEqual([true, true]);
  const few = { ...holder(-Infinity), isModest: true };
  expect(budget.take(few, 100)).toBe(true);
  expect([many.gone, more.gone, budget.used]).toEqual([0, 1, 600]);
  // Another that wants all it has directories does not, and one that rests does not lose its few.
  const large = holder(60 * minuteMs);
  expect([budget.take(large, 900), few.gone, many.gone]).toEqual([true, 0, 1]);
});

let scratch: Scratch;
beforeEach(() => {
  scratch = new Scratch();
});
afterEach(() => scratch.close());

test("a watch counts every directory, counts it no more when it is gone, and leaves nothing when it ends", () => {
  const top = scratch.repository("r", { "a/x": "1", "b/x": "1" });
  const budget = new WatchBudget(6);
  const touched = (): void => undefined;
  const watch = new WorktreeWatch({ top, gitDirectory: join(top, ".git"), clock: systemClock, touched, budget });
  watch.follow(sortDirectories(joinPaths(["a/x", "b/x", "never-there/x"])));
  expect([watch.state.kind, budget.used]).toEqual(["watching", 5]); // top, .git, its log, a and b
  scratch.write(top, { "c/x": "1", "d/x": "1" });
  watch.follow(sortDirectories(joinPaths(["a/x", "b/x", "c/x", "d/x"])));
  expect([watch.state.kind, watch.isWaiting, budget.used]).toEqual(["polling", true, 0]);
  watch.resume(sortDirectories(joinPaths(["a/x"])));
  expect([watch.state.kind, budget.used, watch.take()]).toEqual(["watching", 4, "everything"]);
  watch.close();
  expect(budget.used).toBe(0);
});

test("a watch that gives up keeps nothing of the directories it knew, and knows them again when it resumes", () => {
  const top = scratch.repository("r", { "a/inner/x": "1", "b/x": "1" });
  const budget = new WatchBudget(5);
  const touched = (): void => undefined;
  const watch = new WorktreeWatch({ top, gitDirectory: join(top, ".git"), clock: systemClock, touched, budget });
  const few = sortDirectories(joinPaths(["a/inner/x"]));
  watch.follow(few);
  expect([watch.state.kind, watch.isBare("a")]).toEqual(["watching", true]);
  watch.follow(sortDirectories(joinPaths(["a/inner/x", "b/x", "c/x"])));
  expect([watch.state.kind, watch.isBare("a")]).toEqual(["polling", false]);
  watch.resume(few);
  expect([watch.state.kind, watch.isBare("a")]).toEqual(["watching", true]);
  watch.close();
});

test("with watches for one worktree the other is polled, and has them once something happens there; the first is polled then", async () => {
  const main = scratch.repository("main", { "a/x.txt": "1\n" });
  const other = scratch.worktree(main, "other");
  const watches = new WatchBudget(5);
  let nowMs = 0;
  const clock = { ...systemClock, monotonicMs: () => nowMs };
  const observer = await scratch.observe(main, { watches, clock });
  const asked: string[] = [];
  expect(await observer.watch(main, () => asked.push("main"))).toEqual({ kind: "watching" });
  const state = await observer.watch(other, () => asked.push("other"));
  expect(state.kind === "polling" ? state.reason : "watching").toContain("sense.watches");
  const polled = async (top: string): Promise<boolean> => {
    const outcome = await observer.snapshot(top);
    return outcome.kind === "taken" && outcome.polledMs !== undefined;
  };
  expect([await polled(main), await polled(other)]).toEqual([false, true]);
  nowMs += 60 * minuteMs;
  scratch.write(other, { "a/x.txt": "changed\n" });
  await snapshotOf(observer, other);
  while (!asked.includes("main")) await Bun.sleep(1); // it is told to look, because it is polled from now on
  expect([await polled(main), await polled(other), watches.used]).toEqual([true, false, 4]);
  // Both still see every edit.
  for (const top of [main, other]) {
    const before = await snapshotOf(observer, top);
    asked.length = 0;
    scratch.write(top, { "a/x.txt": `again in ${top}\n` });
    if (top === other) while (!asked.includes("other")) await Bun.sleep(1);
    expect((await snapshotOf(observer, top)).tree).not.toBe(before.tree);
  }
});
