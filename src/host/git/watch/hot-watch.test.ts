import { afterEach, beforeEach, expect, test } from "bun:test";
import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { systemClock } from "../../clock/system-clock.ts";
import { Scratch, snapshotOf } from "../scratch.suite.ts";
import { HotWatch } from "./hot-watch.ts";
import { WatchBudget } from "./watch-budget.ts";

let scratch: Scratch;
beforeEach(() => {
  scratch = new Scratch();
});
afterEach(() => scratch.close());

async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await Bun.sleep(1);
}

test("what happens in the directories that are watched is heard and named; the budget counts them and no more", async () => {
  const top = scratch.repository("r", { "a/x": "1", "b/x": "1", "c/x": "1" });
  const budget = new WatchBudget(5);
  let heard = 0;
  const touched = (): void => void (heard += 1);
  const watch = new HotWatch({ top, gitDirectory: join(top, ".git"), budget, touched, activeMs: () => 0 });
  watch.follow(["a", "b", "gone", "c"]);
  // The top, .git, a and b; what is not there takes no place, and c has the last.
  expect(budget.used).toBe(5);
  expect(watch.take()).toBeUndefined();
  scratch.write(top, { "a/x": "2" });
  await until(() => heard > 0);
  expect(watch.take()).toEqual(["a/x"]);
  watch.follow(["b"]);
  expect(budget.used).toBe(3);
  rmSync(join(top, "b"), { recursive: true });
  await until(() => budget.used === 2);
  mkdirSync(join(top, "b"));
  watch.follow(["b"]);
  expect(budget.used).toBe(3);
  watch.close();
  expect(budget.used).toBe(0);
});

test("a worktree for which there are not enough watches is watched where its work is, and an edit there is told at once", async () => {
  const files = Object.fromEntries(["a", "b", "c", "d", "e", "f"].map((name) => [`${name}/x.txt`, "1\n"]));
  const main = scratch.repository("main", files);
  const other = scratch.worktree(main, "other");
  scratch.write(other, { "e/x.txt": "work\n" });
  const watches = new WatchBudget(12);
  const observer = await scratch.observe(main, { watches });
  expect(await observer.watch(main, () => {})).toEqual({ kind: "watching" });
  const asked: string[] = [];
  const ours = await snapshotOf(observer, main);
  const theirs = await snapshotOf(observer, other);
  // The merge finds out where each side differs.
  await observer.merge([{ ours, theirs }]);
  expect((await observer.watch(other, () => asked.push("other"))).kind).toBe("polling");
  expect(watches.used).toBe(12);
  scratch.write(other, { "e/x.txt": "more work\n" });
  await until(() => asked.length > 0);
  const again = await observer.snapshot(other, { touched: [] });
  expect(again.kind === "taken" && again.isNew).toBe(true);
  await observer.close();
  expect(watches.used).toBe(0);
}, 20_000);

test("what is heard all the time does not keep from what happens elsewhere", async () => {
  const main = scratch.repository("main", { "a/x.txt": "1\n", "b/y.txt": "1\n", "b/z.txt": "1\n" });
  const watches = new WatchBudget(3);
  let nowMs = 0;
  const clock = { ...systemClock, monotonicMs: () => nowMs };
  const observer = await scratch.observe(main, { watches, clock });
  const asked: number[] = [];
  expect((await observer.watch(main, () => asked.push(0))).kind).toBe("polling");
  await observer.snapshot(main, { touched: [] });
  const changed = async (path: string, text: string): Promise<void> => {
    const before = asked.length;
    scratch.write(main, { [path]: text });
    await until(() => asked.length > before);
  };
  scratch.write(main, { "a/x.txt": "not watched\n" });
  await changed("b/y.txt", "2\n");
  const first = await observer.snapshot(main, { touched: [] });
  nowMs += 120_000;
  await changed("b/y.txt", "3\n");
  const second = await observer.snapshot(main, { touched: [] });
  const read = async (outcome: typeof first): Promise<string> => {
    if (outcome.kind !== "taken") throw new Error(outcome.detail);
    const entry = (await observer.tree(outcome.snapshot.tree)).get("a/x.txt");
    return Buffer.from((await observer.read(entry?.blob ?? "")) ?? []).toString();
  };
  expect([await read(first), await read(second)]).toEqual(["1\n", "not watched\n"]);
  await observer.close();
}, 20_000);
