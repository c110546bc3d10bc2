// A worktree on a machine that has no watches left, with real git: what the times of files tell is what a look at
// everything finds.

import { afterEach, beforeEach, expect, test } from "bun:test";
import { lstatSync, mkdirSync, renameSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { RunOptions } from "../../../ports/machine.ts";
import { systemClock } from "../../clock/system-clock.ts";
import { systemProcesses } from "../../process/run.ts";
import { startFiles, work } from "../random-work.suite.ts";
import { chance, Scratch, snapshotOf } from "../scratch.suite.ts";
import { FollowedPaths } from "./followed-paths.ts";
import { joinPaths } from "../objects/path-text.ts";
import { StatPoll } from "./stat-poll.ts";

let scratch: Scratch;
beforeEach(() => {
  scratch = new Scratch();
});
afterEach(() => scratch.close());

/** Until all is long enough ago to be certain. */
function settled(poll: StatPoll): void {
  while (poll.take().length > 0) Bun.sleepSync(5);
}

test("a look costs no process while nothing happens or a known file is edited", async () => {
  const top = scratch.repository("r", { "a/one.txt": "1\n", "b/two.txt": "2\n" });
  let ran = 0;
  const processes = {
    run: (command: readonly string[], options: RunOptions) => {
      ran += 1;
      return systemProcesses.run(command, options);
    },
  };
  const observer = await scratch.observe(top, { processes, maxWatched: 0 });
  expect(await observer.watch(top, () => undefined)).toEqual({ kind: "polling", reason: "more than 0 directories" });
  const quiet = async (): Promise<boolean> => {
    const before = ran;
    await observer.snapshot(top);
    return ran === before;
  };
  while (!(await quiet())); // what was just written is looked at again until it is certain
  ran = 0;
  expect(await observer.snapshot(top)).toMatchObject({ kind: "taken", isNew: false });
  scratch.write(top, { "a/one.txt": "changed\n" });
  const seen = await observer.snapshot(top);
  expect(seen).toMatchObject({ kind: "taken", isNew: true });
  expect(seen.kind === "taken" && seen.polledMs !== undefined).toBe(true);
  expect(ran).toBe(0);
});

test("after any work it sees what a look at everything sees", async () => {
  for (const seed of [3, 4]) {
    const random = chance(seed);
    const main = scratch.repository(`main${seed}`, startFiles(random));
    const top = scratch.worktree(main, `work${seed}`);
    const polled = await scratch.observe(main, { maxWatched: 0 });
    await polled.watch(top, () => undefined);
    const truth = await scratch.observe(main, { directory: scratch.path("truth") });
    for (let round = 0; round < 25; round++) {
      work(random, top, 1 + random.below(3));
      if (random.coin(0.3)) mkdirSync(join(top, `empty${round}`, "inner"), { recursive: true });
      if (random.coin(0.3)) scratch.git(top, "add", "-A");
      const expected = await snapshotOf(truth, top, { full: true });
      expect(`${seed} ${round} ${(await snapshotOf(polled, top)).tree}`).toBe(`${seed} ${round} ${expected.tree}`);
    }
  }
});

test("a file in a directory that was made earlier, deep inside it, is named", () => {
  const top = scratch.repository("r", { "a.txt": "1\n" });
  const poll = new StatPoll(top, systemClock);
  poll.follow(new FollowedPaths(joinPaths(["a.txt"])));
  mkdirSync(join(top, "new/inner"), { recursive: true });
  settled(poll);
  scratch.write(top, { "new/inner/x.txt": "x\n" });
  expect(poll.take()).toContain("new/inner/x.txt");
});

test("a change that keeps size and time of writing is named; what git has no use for is named once", () => {
  const top = scratch.repository("r", { "a.txt": "1\n" });
  const poll = new StatPoll(top, systemClock);
  poll.follow(new FollowedPaths(joinPaths(["a.txt"])));
  scratch.write(top, { "notes.log": "1\n", "node_modules/x.js": "x\n" });
  expect(poll.take()).toContain("notes.log");
  settled(poll);
  utimesSync(join(top, "a.txt"), 1_000, 1_000);
  settled(poll);
  writeFileSync(join(top, "a.txt.new"), "2\n");
  utimesSync(join(top, "a.txt.new"), 1_000, 1_000);
  renameSync(join(top, "a.txt.new"), join(top, "a.txt"));
  expect(poll.take()).toEqual(["a.txt"]);
  settled(poll);
  scratch.write(top, { "notes.log": "more\n" });
  expect(poll.take()).toEqual([]);
});

test("what was written a moment ago is named again, because a second write may not show in its times", () => {
  const top = scratch.repository("r", { "a.txt": "1\n" });
  let laterMs = 0;
  const nowMs = (): number => lstatSync(join(top, "a.txt")).ctimeMs + laterMs;
  const poll = new StatPoll(top, { ...systemClock, nowMs });
  poll.follow(new FollowedPaths(joinPaths(["a.txt"])));
  expect([poll.take(), poll.take()]).toEqual([["a.txt"], ["a.txt"]]);
  laterMs = 10_000;
  expect([poll.take(), poll.take()]).toEqual([["a.txt"], []]);
});

test("more than a few changes at once, or another rule for ignoring, mean everything", () => {
  const top = scratch.repository("r", { "a.txt": "1\n" });
  const poll = new StatPoll(top, systemClock);
  poll.follow(new FollowedPaths(joinPaths(["a.txt"])));
  settled(poll);
  scratch.write(top, { "sub/.gitignore": "*.txt\n" });
  expect(poll.take()).toBe("everything");
  settled(poll);
  scratch.write(top, Object.fromEntries(Array.from({ length: 200 }, (_, file) => [`f${file}.txt`, "x\n"])));
  expect(poll.take()).toBe("everything");
});
