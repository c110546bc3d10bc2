// A worktree between its first look and the moment from which it is watched or polled, with real git: it is not read a second time, and
// nothing that happened meanwhile is lost.

import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { chmodSync, lstatSync, mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { RunOptions } from "../../../ports/machine.ts";
import { systemClock } from "../../clock/system-clock.ts";
import { systemProcesses } from "../../process/run.ts";
import { Scratch, snapshotOf } from "../scratch.suite.ts";
import { WatchBudget, type WatchHolder } from "./watch-budget.ts";

let scratch: Scratch;
beforeEach(() => {
  scratch = new Scratch();
});
afterEach(() => scratch.close());

/** Every git command that was run, by its verb. */
function counting(): { verbs: string[]; processes: typeof systemProcesses } {
  const verbs: string[] = [];
  const processes = {
    run: (command: readonly string[], options: RunOptions) => {
      verbs.push(command.slice(1).find((word, at, all) => /^[a-z]/.test(word) && all[at - 1] !== "-c") ?? "");
      return systemProcesses.run(command, options);
    },
  };
  return { verbs, processes };
}

const files = {
  "a/one.txt": "1\n",
  "a/deep/two.txt": "2\n",
  "b/three.txt": "3\n",
  "four.txt": "4\n",
  ".gitignore": "ignored\n",
};

/** So many watches that there are enough; or none, so that it is polled. */
const kinds = { watched: undefined, polled: 0 } as const;

for (const [kind, maxWatched] of Object.entries(kinds)) {
  const limit = maxWatched === undefined ? {} : { maxWatched };

  describe(`a worktree that begins to be ${kind}`, () => {
    test("is not read again, and git lists the names of one for all that have the same", async () => {
      const main = scratch.repository("r", files);
      const tops = ["one", "two", "three"].map((name) => scratch.worktree(main, name));
      for (const top of tops) {
        mkdirSync(join(top, "ignored/below"), { recursive: true });
        scratch.write(top, { "a/one.txt": `work in ${top}\n`, "ignored/below/it": "" });
      }
      const { verbs, processes } = counting();
      // All this was long ago.
      const clock = { ...systemClock, nowMs: () => systemClock.nowMs() + 60_000 };
      const observer = await scratch.observe(main, { processes, clock, ...limit });
      for (const top of tops) await snapshotOf(observer, top);
      verbs.length = 0;
      for (const top of tops) {
        expect((await observer.watch(top, () => undefined)).kind).toBe(kind === "watched" ? "watching" : "polling");
        expect(await observer.snapshot(top)).toMatchObject({ kind: "taken", isNew: false });
      }
      expect(verbs).toEqual(["ls-tree"]);
    });

    test("is read again when the clock was set meanwhile, or the files are newer than the look", async () => {
      const top = scratch.repository("r", files);
      for (const [aheadMs, setMs] of [
        [60_000, 5_000],
        [60_000, -5_000],
        [-60_000, 0],
      ] as const) {
        let nowMs = (): number => systemClock.nowMs() + aheadMs;
        const { verbs, processes } = counting();
        const clock = { ...systemClock, nowMs: () => nowMs() };
        const directory = scratch.path(`private ${aheadMs} ${setMs}`);
        const observer = await scratch.observe(top, { processes, clock, directory, ...limit });
        await snapshotOf(observer, top);
        nowMs = () => systemClock.nowMs() + aheadMs + setMs;
        verbs.length = 0;
        await observer.watch(top, () => undefined);
        await observer.snapshot(top);
        expect([aheadMs, setMs, verbs.includes("status")]).toEqual([aheadMs, setMs, true]);
      }
    });

    for (const [what, change] of Object.entries(changes)) {
      test(`is seen as it is then: ${what}`, async () => {
        const main = scratch.repository("r", files);
        const top = scratch.worktree(main, "work");
        const aside = scratch.path("aside");
        mkdirSync(join(aside, "deep"), { recursive: true });
        mkdirSync(join(top, "empty"));
        for (const name of ["one.txt", "deep/two.txt", "file"]) writeFileSync(join(aside, name), `other ${name}\n`);
        pass(join(aside, "file"));
        const observer = await scratch.observe(main, { clock: systemClock, ...limit });
        const before = await snapshotOf(observer, top);
        change(top, aside);
        await observer.watch(top, () => undefined);
        const seen = await snapshotOf(observer, top);
        const truth = await scratch.observe(main, { directory: scratch.path("truth") });
        expect(seen.tree).toBe((await snapshotOf(truth, top)).tree);
        expect(seen.tree === before.tree).toBe(what === "nothing");
      });
    }
  });
}

test("a worktree that gives its watches to others is not read again, and what happens there from then on is seen", async () => {
  const main = scratch.repository("r", files);
  const top = scratch.worktree(main, "work");
  const { verbs, processes } = counting();
  const clock = { ...systemClock, nowMs: () => systemClock.nowMs() + 60_000 };
  const watches = new WatchBudget(1_000);
  const observer = await scratch.observe(main, { processes, clock, watches });
  await snapshotOf(observer, top);
  expect(await observer.watch(top, () => undefined)).toEqual({ kind: "watching" });
  verbs.length = 0;
  // Somebody has been at work for long, and needs all there are.
  const other: WatchHolder = { activeMs: Number.MAX_SAFE_INTEGER, giveUp: () => undefined };
  expect(watches.take(other, 1_000)).toBe(true);
  expect(await observer.snapshot(top)).toMatchObject({ kind: "taken", isNew: false, polledMs: expect.any(Number) });
  expect(verbs).toEqual([]);
  const before = await snapshotOf(observer, top);
  scratch.write(top, { "a/one.txt": "changed\n" });
  expect((await snapshotOf(observer, top)).tree).not.toBe(before.tree);
});

const changes: Record<string, (top: string, aside: string) => void> = {
  nothing: () => undefined,
  "a file was edited, with the same size": (top) => writeFileSync(join(top, "a/one.txt"), "9\n"),
  "a file was made": (top) => writeFileSync(join(top, "b/new.txt"), "new\n"),
  "a file was made at the top": (top) => writeFileSync(join(top, "new.txt"), "new\n"),
  "a file was made in a directory that was made": (top) => {
    mkdirSync(join(top, "b/c/d"), { recursive: true });
    writeFileSync(join(top, "b/c/d/new.txt"), "new\n");
  },
  "a file was made in a directory that was empty": (top) => writeFileSync(join(top, "empty/new.txt"), "new\n"),
  "a file was removed": (top) => rmSync(join(top, "a/deep/two.txt")),
  "a directory was removed": (top) => rmSync(join(top, "a"), { recursive: true }),
  "a file was made executable": (top) => chmodSync(join(top, "four.txt"), 0o755),
  "an older file was moved to its place": (top, aside) => renameSync(join(aside, "file"), join(top, "four.txt")),
  "an older directory was moved to its place": (top, aside) => {
    renameSync(join(top, "a"), scratch.path("away"));
    renameSync(aside, join(top, "a"));
  },
  "an older directory was moved to a new place": (top, aside) => renameSync(aside, join(top, "b/moved")),
  "a file became a link": (top) => {
    rmSync(join(top, "four.txt"));
    symlinkSync("a/one.txt", join(top, "four.txt"));
  },
  "something else is ignored": (top) => {
    writeFileSync(join(top, "b/new.txt"), "new\n");
    writeFileSync(join(top, ".gitignore"), "ignored\nnew.txt\n");
  },
};

/** Until the times of this file are certain to be older than what begins now. */
function pass(path: string): void {
  const { ctimeMs } = lstatSync(path);
  while (systemClock.nowMs() < ctimeMs + 200) Bun.sleepSync(5);
}
