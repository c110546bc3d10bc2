// Tests what a sense says and does when a repository, a look, git or the store fails it.

import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { renameSync, writeFileSync } from "node:fs";
import { until } from "../../test/kit/home.ts";
import { Scratch } from "../host/git/scratch.suite.ts";
import { dressed, lines, scene, Watched } from "./watch.suite.ts";

describe("a repository watched over, in trouble", () => {
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

  test("a repository that vanishes is said to be gone and leaves no side", async () => {
    const { main, a, b, c } = scene(scratch);
    await watched.open(scratch, main);
    await watched.allSeen([main, a, b, c]);
    for (const name of ["main", "a", "b", "c"]) renameSync(scratch.path(name), scratch.path(`${name}-moved`));
    await until(
      "gone",
      () => watched.reports.at(-1),
      (last) => last?.present.length === 0 && last.problem !== null,
    );
    expect(watched.reports.at(-1)?.sides.filter((side) => side.startsWith("worktree"))).toEqual([]);
  });

  test("a worktree that cannot be read is named with the reason, and the others go on", async () => {
    const { main, a, b, c } = scene(scratch);
    writeFileSync(`${main}/.git/worktrees/c/HEAD`, "nonsense\n");
    scratch.write(a, { "x.txt": lines({ 3: "a" }) });
    scratch.write(b, { "x.txt": lines({ 3: "b" }) });
    await watched.open(scratch, main);
    await until(
      "a and b collide",
      () => watched.titles(),
      (titles) => titles.length === 1,
    );
    const said = watched.reports.flatMap(({ worktrees }) => worktrees).find(({ path }) => path === c);
    expect(said).toMatchObject({ skipped: "corrupt", detail: "HEAD cannot be read", tree: null });
    expect(watched.log).toEqual([]);
  });

  test("a repository whose worktrees cannot be listed is never called looked at, and is when they can be", async () => {
    const { main, a, b } = scene(scratch);
    scratch.write(a, { "x.txt": lines({ 3: "a" }) });
    scratch.write(b, { "x.txt": lines({ 3: "b" }) });
    let failures = 6;
    await watched.open(scratch, main, {}, (observer) =>
      dressed(observer, "worktrees", async () => {
        if (failures-- > 0) throw new Error("it is closed to this account");
        return await observer.worktrees();
      }),
    );
    await until(
      "a and b are told of after all",
      () => watched.titles(),
      (titles) => titles.length === 1,
    );
    const said = watched.reports.filter(({ present }) => present.length === 0);
    expect(said.map(({ problem, isUnlooked }) => [problem, isUnlooked])).toEqual([
      ["it is closed to this account", true],
    ]);
  });

  test("a look that fails is said once and tried again, and the others go on meanwhile", async () => {
    const { main, a, b, c } = scene(scratch);
    scratch.write(a, { "x.txt": lines({ 3: "a" }) });
    scratch.write(b, { "x.txt": lines({ 3: "b" }) });
    let isFailing = true;
    await watched.open(scratch, main, {}, (observer) =>
      dressed(observer, "snapshot", async (path, options) => {
        if (path === c && isFailing) throw new Error("the disk is on fire");
        return await observer.snapshot(path, options);
      }),
    );
    await until(
      "a and b collide",
      () => watched.titles(),
      (titles) => titles.length === 1,
    );
    expect(watched.log).toEqual([`${c}: the disk is on fire`]);
    isFailing = false;
    await until("c is seen after all", () => watched.seen(c), Boolean);
  });

  test("a pair that git had no answer for is asked about again, though nobody touches anything", async () => {
    const { main, a, b } = scene(scratch);
    scratch.write(a, { "x.txt": lines({ 3: "a" }) });
    scratch.write(b, { "x.txt": lines({ 3: "b" }) });
    let failures = 3;
    await watched.open(scratch, main, {}, (observer) =>
      dressed(observer, "merge", async (pairs, options) => {
        if (failures-- <= 0) return await observer.merge(pairs, options);
        return pairs.map(() => ({ kind: "skipped", reason: "failed", detail: "git was ended" }) as const);
      }),
    );
    await until(
      "a and b are told of after all",
      () => watched.titles(),
      (titles) => titles.length === 1,
    );
    const open = watched.reports.flatMap(({ pairs }) => pairs.flatMap((pair) => pair.open));
    expect(open).toContainEqual({ what: "comparison", why: "not compared: git was ended", mayPass: true });
    expect([...watched.verdicts.values()].filter(({ complete }) => !complete)).toEqual([]);
  });

  test("a review that failed is made again, though nobody touches anything", async () => {
    const { main, a, b } = scene(scratch);
    scratch.write(a, { "x.txt": lines({ 3: "a" }) });
    scratch.write(b, { "x.txt": lines({ 3: "b" }) });
    let failures = 4;
    await watched.open(scratch, main, {}, (observer) =>
      dressed(observer, "changedFiles", async (base, snapshot) => {
        if (failures-- > 0) throw new Error("git was ended");
        return await observer.changedFiles(base, snapshot);
      }),
    );
    await until(
      "a and b are told of after all",
      () => [watched.titles().length, [...watched.verdicts.values()].filter(({ complete }) => !complete).length],
      ([titles, open]) => titles === 1 && open === 0,
    );
    expect(failures).toBeLessThanOrEqual(0);
  });

  test("what could not be stored is reported again", async () => {
    const { main, a, b } = scene(scratch);
    scratch.write(a, { "x.txt": lines({ 3: "a" }) });
    scratch.write(b, { "x.txt": lines({ 3: "b" }) });
    watched.failing = true;
    await watched.open(scratch, main);
    await until(
      "it failed",
      () => watched.log,
      (log) => log.length > 0,
    );
    watched.failing = false;
    await until(
      "it was said after all",
      () => watched.titles(),
      (titles) => titles.length === 1,
    );
    expect(watched.seen(a)).toBe(true);
  });

  test("pairs whose look failed are looked at again", async () => {
    const { main, a, b } = scene(scratch);
    scratch.write(a, { "x.txt": lines({ 3: "a" }) });
    scratch.write(b, { "x.txt": lines({ 3: "b" }) });
    let failures = 1;
    await watched.open(scratch, main, {}, (observer) =>
      dressed(observer, "merge", async (...asked) => {
        if (asked[0].length > 1 && failures-- > 0) throw new Error("git is not itself today");
        return await observer.merge(...asked);
      }),
    );
    await until(
      "it was said after all",
      () => watched.titles(),
      (titles) => titles.length === 1,
    );
    expect(watched.log).toHaveLength(1);
    expect(watched.reports.filter(({ isUnlooked }) => isUnlooked === true)).toEqual([]);
  });

  test("a look that fails again and again is told as the repository's problem, keeps nobody waiting, and is over when one succeeds", async () => {
    const { main, a } = scene(scratch);
    let isFailing = true;
    const sense = await watched.open(scratch, main, {}, (observer) =>
      dressed(observer, "merge", async (...asked) => {
        if (isFailing) throw new Error("an object is missing");
        return await observer.merge(...asked);
      }),
    );
    scratch.write(a, { "x.txt": lines({ 3: "a" }) });
    await sense.touch(a, []);
    expect(watched.reports).toMatchObject([{ problem: "an object is missing", isUnlooked: true }]);
    isFailing = false;
    await sense.touch(a, []);
    expect(watched.reports.at(-1)).toMatchObject({ problem: null });
    expect(watched.seen(a)).toBe(true);
  });
});
