// A sense over real repositories; reports are taken as they come, and time is the machine's.

import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { mkdirSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { systemClock } from "../host/clock/system-clock.ts";
import { keepBudgets } from "../ports/budget.ts";
import { until } from "../../test/kit/home.ts";
import { fingerprint, Scratch } from "../host/git/scratch.suite.ts";
import { systemProcesses } from "../host/process/run.ts";
import { dressed, lines, scene, Watched } from "./watch.suite.ts";

describe("a repository watched over", () => {
  let scratch: Scratch;
  let watched: Watched;
  beforeEach(() => {
    scratch = new Scratch();
    watched = new Watched();
  });
  afterEach(async () => {
    await watched.sense?.close();
    await scratch.close();
  });

  test("an edit that is touched costs its own pairs only, and is said when the touch returns", async () => {
    const { main, a, b, c } = scene(scratch);
    scratch.write(a, { "x.txt": lines({ 3: "a was here" }) });
    scratch.write(c, { "y.txt": lines({ 3: "and c elsewhere" }) });
    const sense = await watched.open(scratch, main, { slowestMs: 60_000, fastestMs: 60_000 });
    await until(
      "all were compared",
      () => watched.verdicts.size,
      (size) => size === 3,
    );
    await sense.touch(b, []);
    const before = watched.reviews;
    scratch.write(b, { "x.txt": lines({ 3: "so was b" }) });
    await sense.touch(b, [`${b}/x.txt`]);
    expect(watched.titles()).toEqual(["a and b change the same lines of x.txt"]);
    expect(watched.reviews - before).toBe(3);
    scratch.write(b, { "x.txt": lines() });
    await sense.touch(b, ["x.txt"]);
    expect(watched.titles()).toEqual([]);
  });

  test("while git merges one pair the others are judged, each once, and one that fails then has its turn later", async () => {
    const { main, a, b, c } = scene(scratch);
    scratch.write(a, { "x.txt": lines({ 3: "a was here" }) });
    scratch.write(c, { "y.txt": lines({ 3: "and c elsewhere" }) });
    const judged = { ahead: 0 };
    const sense = await watched.open(scratch, main, { slowestMs: 60_000, fastestMs: 60_000 }, (observer) =>
      dressed(observer, "merge", async (pairs, options) => {
        const before = watched.reviews;
        // Git is quick here: it is not done before the others are.
        const outcomes = await observer.merge(pairs, {
          ...options,
          meanwhile: async (known) =>
            await options?.meanwhile?.(known, { isDone: () => false, more: async () => false }),
        });
        judged.ahead = watched.reviews - before;
        return outcomes;
      }),
    );
    await until(
      "all were compared",
      () => watched.verdicts.size,
      (size) => size === 3,
    );
    await sense.touch(b, []);
    for (const [text, failures, ahead, reviews] of [
      ["so was b", 0, 2, 3],
      ["and again", 1, 2, 4],
    ] as const) {
      const before = watched.reviews;
      watched.failures = failures;
      scratch.write(b, { "x.txt": lines({ 3: text }) });
      await sense.touch(b, [`${b}/x.txt`]);
      expect(watched.titles()).toEqual(["a and b change the same lines of x.txt"]);
      expect([judged.ahead, watched.reviews - before]).toEqual([ahead, reviews]);
    }
    expect(watched.log).toEqual([]);
  });

  test("what was found is told while others of the round take long, and those of a tree that ran over before come last", async () => {
    const { main, a, b, c } = scene(scratch);
    const all = [a, b, c, scratch.worktree(main, "d")];
    for (const [at, path] of all.entries()) {
      scratch.write(path, { [`${at}.txt`]: "own\n" });
      scratch.git(path, "add", "-A");
      scratch.git(path, "commit", "-qm", "work");
    }
    const bad = scratch.git(a, "rev-parse", "HEAD^{tree}").trim();
    let tookMs = 0;
    watched.clock = { ...systemClock, monotonicMs: () => systemClock.monotonicMs() + tookMs };
    watched.judged = () => void (tookMs += 1_000);
    const named = { waits: () => undefined, end: () => undefined };
    keepBudgets({
      isOneByOne: false,
      refused: () => undefined,
      begin: () => named,
      suspicion: (trees) => (trees.includes(bad) ? 1 : 0),
    });
    try {
      await watched.open(scratch, main, { slowestMs: 600_000, fastestMs: 600_000, defaultEveryMs: 600_000 });
      await until(
        "all were compared",
        () => watched.verdicts.size,
        (size) => size === 10,
      );
    } finally {
      keepBudgets(undefined);
    }
    const told = watched.reports.map(({ pairs }) => pairs).filter((pairs) => pairs.length > 0);
    expect(Math.max(...told.map(({ length }) => length))).toBeLessThan(10);
    const isOfA = told.flat().map(({ ours, theirs }) => [ours.worktree, theirs.worktree].includes(a));
    expect(isOfA.slice(0, 2)).toEqual([false, false]);
    expect(watched.reviews).toBe(10);
  });

  test("without a touch an edit is noticed too, and what is undone is noticed as undone", async () => {
    const { main, a, b } = scene(scratch);
    await watched.open(scratch, main);
    scratch.write(a, { "new.txt": "one\n" });
    scratch.write(b, { "new.txt": "two\n" });
    await until(
      "it collides",
      () => watched.titles(),
      (titles) => titles.length === 1,
    );
    rmSync(`${b}/new.txt`);
    await until(
      "it does not",
      () => watched.titles(),
      (titles) => titles.length === 0,
    );
  });

  test("on a machine with no watches left an edit is noticed by the times of files, and looking costs no process", async () => {
    const { main, a, b } = scene(scratch);
    // The number of looks since a process was last needed.
    let free = 0;
    const run: typeof systemProcesses.run = (command, options) => {
      free = 0;
      return systemProcesses.run(command, options);
    };
    watched.options = { maxWatched: 0, processes: { run } };
    const never = 600_000;
    const pace = { slowestMs: 20, listEveryMs: never, defaultEveryMs: never };
    await watched.open(scratch, main, pace, (observer) =>
      dressed(observer, "snapshot", (...about) => {
        free += 1;
        return observer.snapshot(...about);
      }),
    );
    await watched.allSeen([main, a, b]);
    scratch.write(a, { "x.txt": lines({ 3: "a" }) });
    scratch.write(b, { "x.txt": lines({ 3: "b" }) });
    await until(
      "it collides",
      () => watched.titles(),
      (titles) => titles.length === 1,
    );
    await until(
      "looks that cost nothing follow each other",
      () => free,
      (count) => count > 40,
    );
    rmSync(`${b}/x.txt`);
    await until(
      "it collides in another way",
      () => watched.titles(),
      (titles) => titles.length === 1 && titles[0] !== "a and b change the same lines of x.txt",
    );
  });

  test("worktrees come and go without being announced", async () => {
    const { main, a, c } = scene(scratch);
    await watched.open(scratch, main);
    await until("all seen", () => watched.seen(c), Boolean);
    const d = scratch.worktree(main, "d");
    await until("the new one is seen", () => watched.seen(d), Boolean);
    rmSync(a, { recursive: true, force: true });
    scratch.git(main, "worktree", "remove", "--force", c);
    await until(
      "two are gone",
      () => watched.reports.at(-1)?.present.toSorted(),
      (present) => present?.join() === [d, main, scratch.path("b")].toSorted().join(),
    );
  });

  test("a worktree that comes while git is being asked for them is seen", async () => {
    const { main, c } = scene(scratch);
    let late: string | undefined;
    let isArmed = false;
    await watched.open(scratch, main, {}, (observer) =>
      dressed(observer, "worktrees", async () => {
        const answer = await observer.worktrees();
        if (isArmed) late ??= scratch.worktree(main, "late");
        return answer;
      }),
    );
    await until("all seen", () => watched.seen(c), Boolean);
    isArmed = true;
    const d = scratch.worktree(main, "d");
    await until("both are seen", () => watched.seen(d) && late !== undefined && watched.seen(late), Boolean);
  });

  test("a worktree that git has a name for but cannot list yet is seen once it can", async () => {
    const { main, c } = scene(scratch);
    let asked = 0;
    await watched.open(scratch, main, {}, (observer) =>
      dressed(observer, "worktrees", () => {
        asked += 1;
        return observer.worktrees();
      }),
    );
    await until("all seen", () => watched.seen(c), Boolean);
    const d = scratch.worktree(main, "d");
    const gitdir = join(main, ".git", "worktrees", "d", "gitdir");
    renameSync(gitdir, `${gitdir}.later`);
    const before = asked;
    await until(
      "git was asked in vain",
      () => asked,
      (times) => times > before,
    );
    renameSync(`${gitdir}.later`, gitdir);
    await until("it is seen", () => watched.seen(d), Boolean);
  });

  test("a touch in a worktree that nobody knew of yet waits until it was compared", async () => {
    const { main, a, c } = scene(scratch);
    scratch.write(a, { "x.txt": lines({ 3: "a was here" }) });
    scratch.write(c, { "y.txt": lines({ 3: "and c elsewhere" }) });
    const sense = await watched.open(scratch, main, { slowestMs: 60_000, fastestMs: 60_000, listEveryMs: 60_000 });
    await until(
      "all were compared",
      () => watched.verdicts.size,
      (size) => size === 3,
    );
    const d = scratch.worktree(main, "d");
    scratch.write(d, { "x.txt": lines({ 3: "so was d" }) });
    await sense.touch(d, ["x.txt"]);
    expect(watched.titles()).toEqual(["a and d change the same lines of x.txt"]);
  });

  test("work that is contained in the other, or the same, is no collision", async () => {
    const { main, a, b } = scene(scratch);
    scratch.commit(a, { "x.txt": lines({ 3: "a" }) });
    scratch.git(b, "merge", "-q", "a");
    scratch.commit(b, { "x.txt": lines({ 3: "b after a" }) });
    await watched.open(scratch, main);
    await until(
      "all were compared",
      () => watched.verdicts.size,
      (size) => size === 3,
    );
    expect(watched.titles()).toEqual([]);
  });

  test("in the middle of a rebase a worktree is left alone, and counts again afterwards", async () => {
    const { main, a, b } = scene(scratch);
    scratch.commit(a, { "x.txt": lines({ 3: "a" }) });
    scratch.commit(b, { "x.txt": lines({ 3: "b" }) });
    scratch.tryGit(b, "rebase", "a");
    const sense = await watched.open(scratch, main);
    await until(
      "b is seen in its rebase",
      () => watched.reports.some(({ worktrees }) => worktrees.some((one) => one.operation === "rebase")),
      Boolean,
    );
    expect([...watched.verdicts.keys()].filter((key) => key.split(" ").includes("b"))).toEqual([]);
    scratch.git(b, "rebase", "--abort");
    await sense.touch(b, []);
    await until(
      "they collide",
      () => watched.titles(),
      (titles) => titles.length === 1,
    );
  });

  test("the default branch is a side of its own when no worktree stands on it", async () => {
    const { main, a } = scene(scratch);
    scratch.commit(a, { "x.txt": lines({ 3: "a" }) });
    scratch.commit(main, { "x.txt": lines({ 3: "landed" }) });
    scratch.git(main, "checkout", "-q", "--detach", "HEAD~1");
    await watched.open(scratch, main);
    await until(
      "a collides with main",
      () => watched.titles(),
      (titles) => titles.length === 1,
    );
    expect(watched.titles()).toEqual(["a and main change the same lines of x.txt"]);
    const seen = watched.reports.flatMap(({ worktrees }) => worktrees).filter(({ path }) => path === a);
    expect(seen.at(-1)).toMatchObject({ ahead: 1, behind: 1, uncommitted: false });
  });

  test("a second clone of the repository is paired with the first, both on main", async () => {
    const main = scratch.repository("main", { "x.txt": lines() });
    scratch.git(scratch.root, "clone", "-q", main, "twin");
    const twin = scratch.path("twin");
    scratch.write(main, { "x.txt": lines({ 5: "here" }) });
    scratch.write(twin, { "x.txt": lines({ 5: "there" }) });
    const sense = await watched.open(scratch, main);
    await sense.add(twin);
    await until(
      "they collide",
      () => watched.titles(),
      (titles) => titles.length === 1,
    );
    expect(watched.titles()).toEqual(["main (main) and main (twin) change the same lines of x.txt"]);
  });

  test("the repository is as it was before, whatever was edited and looked at", async () => {
    const { main, a, b } = scene(scratch);
    scratch.write(b, { "x.txt": lines({ 3: "b" }), "untracked/file.txt": "new\n" });
    scratch.git(a, "add", "-A");
    const before = [main, a, b].map((path) => fingerprint(scratch, path));
    const sense = await watched.open(scratch, main);
    for (let round = 0; round < 20; round++) {
      scratch.write(a, { "x.txt": lines({ 3: `a ${round}` }), [`dir${round % 3}/new.txt`]: `${round}\n` });
      await sense.touch(a, ["x.txt"]);
    }
    await sense.touch(a, []);
    scratch.write(a, { "x.txt": lines() });
    for (const name of ["dir0", "dir1", "dir2"]) rmSync(`${a}/${name}`, { recursive: true });
    await sense.touch(a, []);
    expect([main, a, b].map((path) => fingerprint(scratch, path))).toEqual(before);
  });

  test("fifty worktrees in one package with files of their own collide in nothing", async () => {
    const main = scratch.repository(
      "main",
      Object.fromEntries(
        Array.from({ length: 50 }, (_, index) => [`pkg/f${index}.ts`, `export const v${index} = ${index};\n`]),
      ),
    );
    for (let index = 0; index < 50; index++) {
      const path = scratch.worktree(main, `w${index}`);
      scratch.write(path, { [`pkg/f${index}.ts`]: `export const v${index} = "${index}";\n` });
    }
    await watched.open(scratch, main, { slowestMs: 60_000, fastestMs: 60_000 });
    await until(
      "every pair was looked at",
      () => watched.verdicts.size,
      (size) => size === (51 * 50) / 2,
    );
    expect([...watched.verdicts.values()].flatMap(({ findings }) => findings)).toEqual([]);
    // Nobody can take the first report for all there is to say.
    const left = watched.reports.map((report) => report.left);
    expect(left[0]).toBeGreaterThan(1_000);
    expect(left.at(-1)).toBe(0);
  });

  test("a directory that is not a worktree any more but still listed is passed over", async () => {
    const { main, a, b, c } = scene(scratch);
    rmSync(a, { recursive: true });
    mkdirSync(a);
    await watched.open(scratch, main);
    await watched.allSeen([main, b, c]);
    expect(watched.reports.at(-1)?.present).not.toContain(a);
  });
});
