import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { RunOptions } from "../../../ports/machine.ts";
import { FakeClock } from "../../../ports/fake-clock.ts";
import { systemClock } from "../../clock/system-clock.ts";
import { systemProcesses } from "../../process/run.ts";
import { startFiles, work } from "../random-work.suite.ts";
import { chance, Scratch, snapshotOf } from "../scratch.suite.ts";
import { WorktreeWatch } from "./watch.ts";
import { sortDirectories } from "./followed-paths.ts";
import { joinPaths } from "../objects/path-text.ts";
import { WatchBudget } from "./watch-budget.ts";
import { throwing } from "../../../../test/kit/rejection.ts";

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

/** A hint that can be waited for. */
function hint(): { heard: () => void; next: () => Promise<void> } {
  let waiting = Promise.withResolvers<void>();
  return {
    heard: () => waiting.resolve(),
    next: async () => {
      await waiting.promise;
      waiting = Promise.withResolvers<void>();
    },
  };
}

describe("a watched worktree", () => {
  test("costs no process while nothing happens or a known file is edited, and a look at what is new", async () => {
    const top = scratch.repository("r", { "a/one.txt": "1\n", "b/two.txt": "2\n" });
    const { verbs, processes } = counting();
    const observer = await scratch.observe(top, { processes });
    const touched = hint();
    expect(await observer.watch(top, touched.heard)).toEqual({ kind: "watching" });
    const first = await snapshotOf(observer, top);
    verbs.length = 0;
    expect(await observer.snapshot(top)).toMatchObject({ kind: "taken", isNew: false });
    expect(verbs).toEqual([]);
    scratch.write(top, { "a/one.txt": "changed\n" });
    await touched.next();
    const second = await observer.snapshot(top);
    expect(second).toMatchObject({ kind: "taken", isNew: true });
    expect(verbs).toEqual([]);
    if (second.kind === "taken") {
      const changed = await observer.changedFiles(first.tree, second.snapshot);
      expect(changed.map((file) => `${file.change} ${file.path}`)).toEqual(["modified a/one.txt"]);
    }
    scratch.write(top, { "a/three.txt": "new\n" });
    // The hint may still be that of the first edit: what counts is what was done when the new file was seen.
    while (verbs.length === 0) {
      await touched.next();
      await snapshotOf(observer, top);
    }
    expect(verbs).toEqual(["status", "update-index", "write-tree"]);
  });

  test("is heard in a directory that was just made, and deep inside it", async () => {
    const top = scratch.repository("r");
    const observer = await scratch.observe(top);
    const touched = hint();
    await observer.watch(top, touched.heard);
    mkdirSync(join(top, "new"));
    await touched.next();
    await snapshotOf(observer, top);
    scratch.write(top, { "new/inner/x.txt": "x\n" });
    await touched.next();
    const tree = await observer.tree((await snapshotOf(observer, top)).tree);
    expect([...tree.keys()]).toEqual(["a.txt", "new/inner/x.txt"]);
    scratch.write(top, { "new/inner/x.txt": "changed\n" });
    await touched.next();
    const after = await observer.tree((await snapshotOf(observer, top)).tree);
    expect(after.get("new/inner/x.txt")).not.toEqual(tree.get("new/inner/x.txt"));
  });

  test("is heard in a directory that was made with others in it", async () => {
    const top = scratch.repository("r");
    const observer = await scratch.observe(top);
    const touched = hint();
    await observer.watch(top, touched.heard);
    mkdirSync(join(top, "new/inner"), { recursive: true });
    await touched.next();
    await snapshotOf(observer, top);
    scratch.write(top, { "new/inner/x.txt": "x\n" });
    await touched.next();
    expect([...(await observer.tree((await snapshotOf(observer, top)).tree)).keys()]).toContain("new/inner/x.txt");
  });

  test("is heard in a directory that has the name of one that was moved away", async () => {
    const top = scratch.repository("r", { "a/b/x.txt": "1\n", "a/y.txt": "1\n" });
    const observer = await scratch.observe(top);
    const touched = hint();
    await observer.watch(top, touched.heard);
    renameSync(join(top, "a"), scratch.path("elsewhere"));
    scratch.write(top, { "a/b/x.txt": "1\n", "a/y.txt": "1\n" });
    await touched.next();
    let seen = await snapshotOf(observer, top);
    for (const path of ["a/y.txt", "a/b/x.txt"]) {
      const before = seen.tree;
      scratch.write(top, { [path]: "changed\n" });
      while (seen.tree === before) {
        await touched.next();
        seen = await snapshotOf(observer, top);
      }
    }
  });

  test("is heard when HEAD or the index moves", async () => {
    const top = scratch.repository("r");
    const observer = await scratch.observe(top);
    const touched = hint();
    await observer.watch(top, touched.heard);
    scratch.git(top, "commit", "-q", "--allow-empty", "-m", "empty");
    await touched.next();
    const head = scratch.git(top, "rev-parse", "HEAD").trim();
    expect((await snapshotOf(observer, top)).parents).toEqual([head]);
  });

  test("is looked at as a whole now and then, whatever the watch says", async () => {
    const top = scratch.repository("r");
    const clock = new FakeClock();
    const { verbs, processes } = counting();
    const observer = await scratch.observe(top, { processes, clock, fullEveryMs: 1_000 });
    await observer.watch(top, () => undefined);
    await snapshotOf(observer, top);
    verbs.length = 0;
    await snapshotOf(observer, top);
    expect(verbs).toEqual([]);
    clock.advance(1_001);
    await snapshotOf(observer, top);
    expect(verbs).toContain("status");
  });

  test("after any work is seen as a look at everything sees it", async () => {
    for (const seed of [5, 6, 10]) {
      const random = chance(seed);
      const main = scratch.repository(`main${seed}`, startFiles(random));
      const top = scratch.worktree(main, `work${seed}`);
      const observer = await scratch.observe(main);
      await observer.watch(top, () => undefined);
      const truth = await scratch.observe(main, { directory: scratch.path("truth") });
      for (let round = 0; round < 25; round++) {
        work(random, top, 1 + random.below(3));
        if (random.coin(0.3)) mkdirSync(join(top, `lib/empty${round}`, "inner"), { recursive: true });
        const { tree } = await snapshotOf(truth, top, { full: true });
        // An event may still be on its way; one that never comes lets the test run out of time.
        while ((await snapshotOf(observer, top)).tree !== tree) await Bun.sleep(1);
      }
    }
  });

  test("without a watch is looked at every time", async () => {
    const top = scratch.repository("r");
    const observer = await scratch.observe(top);
    const first = await snapshotOf(observer, top);
    scratch.write(top, { "a.txt": "changed\n" });
    expect((await snapshotOf(observer, top)).commit).not.toBe(first.commit);
  });
});

describe("directories that hold nothing but directories", () => {
  let top: string;
  let clock: FakeClock;
  let budget: WatchBudget;
  let observer: Awaited<ReturnType<Scratch["observe"]>>;
  let touched: ReturnType<typeof hint>;

  beforeEach(async () => {
    top = scratch.repository("r", { ".gitignore": "out/\n", "packages/one/x.txt": "1\n", "packages/two/x.txt": "2\n" });
    // Ignored, and there before anybody watches.
    scratch.write(top, { "packages/out/a/b.txt": "made\n" });
    clock = new FakeClock(Date.now() + 60_000);
    budget = new WatchBudget(100);
    observer = await scratch.observe(top, { clock, watches: budget });
    touched = hint();
    await observer.watch(top, touched.heard);
    await snapshotOf(observer, top);
  });

  /** Until it is time to ask them, and then until that has settled. */
  const asked = async (): Promise<void> => {
    const heard = { isSo: false };
    const next = touched.next().then(() => (heard.isSo = true));
    while (!heard.isSo) {
      clock.advance(2_000);
      await Bun.sleep(1);
    }
    await next;
  };
  const files = async (): Promise<string[]> => [
    ...(await observer.tree((await snapshotOf(observer, top)).tree)).keys(),
  ];

  test("take no watch", () => {
    expect(budget.used).toBe(5); // the top, .git, its log, one and two
  });

  test("tell of a new file in them, and its edits are heard", async () => {
    scratch.write(top, { "packages/list.txt": "one\n" });
    await asked();
    expect(await files()).toContain("packages/list.txt");
    expect(budget.used).toBe(6);
    const before = await snapshotOf(observer, top);
    scratch.write(top, { "packages/list.txt": "one, two\n" });
    await asked();
    expect((await snapshotOf(observer, top)).tree).not.toBe(before.tree);
  });

  test("tell of a new directory, which is watched before there is anything in it, and of no ignored one that was there", async () => {
    mkdirSync(join(top, "packages/three/deep"), { recursive: true });
    await asked();
    await snapshotOf(observer, top);
    expect(budget.used).toBe(7); // three and what is in it, and not packages/out
    scratch.write(top, { "packages/three/deep/x.txt": "3\n" });
    await asked();
    expect(await files()).toContain("packages/three/deep/x.txt");
  });

  test("tell of one that was moved away with all that is in it", async () => {
    renameSync(join(top, "packages/two"), scratch.path("elsewhere"));
    await asked();
    expect(await files()).toEqual([".gitignore", "packages/one/x.txt"]);
    expect(budget.used).toBe(4);
  });

  test("tell of one that was moved away and made again, and edits in that are heard", async () => {
    renameSync(join(top, "packages/two"), scratch.path("elsewhere"));
    scratch.write(top, { "packages/two/x.txt": "2\n" });
    await asked();
    const before = await snapshotOf(observer, top);
    scratch.write(top, { "packages/two/x.txt": "changed\n" });
    await asked();
    expect((await snapshotOf(observer, top)).tree).not.toBe(before.tree);
    expect(budget.used).toBe(5);
  });

  test("tell of one that is filled again after it was emptied", async () => {
    rmSync(join(top, "packages/one"), { recursive: true });
    rmSync(join(top, "packages/two"), { recursive: true });
    await asked();
    expect(await files()).toEqual([".gitignore"]);
    scratch.write(top, { "packages/two/x.txt": "2\n" });
    await asked();
    expect(await files()).toEqual([".gitignore", "packages/two/x.txt"]);
  });

  test("are polled like all others once the watches are needed elsewhere", async () => {
    budget.take({ activeMs: Infinity, giveUp: () => undefined }, 100);
    await asked();
    await snapshotOf(observer, top);
    expect(budget.used).toBe(100);
    scratch.write(top, { "packages/list.txt": "one\n" });
    expect(await files()).toContain("packages/list.txt");
    expect(budget.used).toBe(100);
  });
});

describe("the watch", () => {
  test("gives up past its bound, says so, and then everything may have changed", () => {
    const top = scratch.repository("r", { "a/x": "1", "b/x": "1", "c/x": "1" });
    const watch = new WorktreeWatch({
      top,
      gitDirectory: join(top, ".git"),
      clock: systemClock,
      touched: () => undefined,
      maxDirectories: 5,
    });
    watch.follow(sortDirectories(joinPaths(["a/x", "b/x"])));
    expect(watch.state).toEqual({ kind: "watching" });
    watch.take();
    watch.follow(sortDirectories(joinPaths(["a/x", "b/x", "c/x"])));
    expect(watch.state).toEqual({ kind: "polling", reason: "more than 5 directories" });
    expect(watch.take()).toBe("everything");
    expect(watch.take()).toBe("everything");
    watch.close();
  });

  test("never watches node_modules, and does not mind directories that are gone", async () => {
    const top = scratch.repository("r");
    const touched = hint();
    const watch = new WorktreeWatch({
      top,
      gitDirectory: join(top, ".git"),
      clock: systemClock,
      touched: touched.heard,
    });
    watch.follow(sortDirectories(joinPaths(["gone/x"])));
    watch.take();
    scratch.write(top, { "node_modules/x/index.js": "x\n" });
    scratch.write(top, { "seen.txt": "x\n" });
    await touched.next();
    expect(watch.isWatching("node_modules")).toBe(false);
    expect(watch.take()).toContain("seen.txt");
    expect(watch.state).toEqual({ kind: "watching" });
    watch.close();
  });
});

// The runtime's own watches, on other systems, do not say that a directory is gone.
test.skipIf(process.platform !== "linux")(
  "a directory that is removed and made again is watched anew, and counted once",
  async () => {
    const top = scratch.repository("r", { "a/x": "1" });
    const touched = hint();
    const budget = new WatchBudget(100);
    const options = { top, gitDirectory: join(top, ".git"), clock: systemClock, touched: touched.heard, budget };
    const watch = new WorktreeWatch(options);
    watch.follow(sortDirectories(joinPaths(["a/x"])));
    const used = budget.used;
    watch.take();
    rmSync(join(top, "a"), { recursive: true });
    while (watch.isWatching("a")) await touched.next();
    expect(budget.used).toBe(used - 1);
    mkdirSync(join(top, "a"));
    while (!watch.isWatching("a")) await touched.next();
    expect(budget.used).toBe(used);
    watch.take();
    scratch.write(top, { "a/new": "2" });
    while (!watch.take().includes("a/new")) await touched.next();
    watch.close();
  },
);

test("a burst of events is told once", async () => {
  const top = scratch.repository("r");
  const clock = new FakeClock();
  const told: string[] = [];
  const options = { top, gitDirectory: join(top, ".git"), clock, touched: () => told.push("touched") };
  const watch = new WorktreeWatch({ ...options, settleMs: 100 });
  watch.take();
  for (let file = 0; file < 20; file++) scratch.write(top, { [`f${file}.txt`]: "x\n" });
  while (watch.isClean || clock.sleeping === 0) await Bun.sleep(1);
  expect(clock.sleeping).toBe(1);
  expect(told).toEqual([]);
  clock.advance(100);
  while (told.length === 0) await Bun.sleep(1);
  expect(told).toEqual(["touched"]);
  watch.close();
});

describe("pruning", () => {
  const looseObjects = (): number =>
    readdirSync(scratch.path("observe"), { recursive: true }).filter((name) =>
      /(objects|own)\/..\/.{38}$/.test(String(name)),
    ).length;

  test("keeps what current snapshots need and drops the rest", async () => {
    const top = scratch.repository("r");
    const observer = await scratch.observe(top, { pruneGraceMs: -60_000 });
    for (let edit = 0; edit < 20; edit++) {
      scratch.write(top, { "a.txt": `edit ${edit}\n` });
      await snapshotOf(observer, top, { touched: ["a.txt"] });
    }
    expect(looseObjects()).toBe(60); // blob, tree and commit of each
    // The newest, and the one that the private index stands for.
    expect(await observer.prune()).toEqual({ removed: 54, kept: 6 });
    expect(looseObjects()).toBe(6);
    const snapshot = await snapshotOf(observer, top, { full: true });
    const entry = (await observer.tree(snapshot.tree)).get("a.txt");
    expect(Buffer.from((await observer.read(entry?.blob ?? "")) ?? []).toString()).toBe("edit 19\n");
  });

  test("a day of edits leaves no more objects than the bound allows, and every look is whole", async () => {
    const top = scratch.repository("r");
    const clock = new FakeClock(Date.now());
    const observer = await scratch.observe(top, { clock, pruneGraceMs: -60_000, maxBytes: 256 * 4096 });
    let most = 0;
    for (let edit = 0; edit < 240; edit++) {
      clock.advance(60_000);
      scratch.write(top, { "a.txt": `edit ${edit}\n` });
      const { tree } = await snapshotOf(observer, top, { touched: ["a.txt"] });
      expect((await observer.tree(tree)).size).toBe(1);
      if (edit % 20 === 0) most = Math.max(most, looseObjects());
    }
    // Without the bound there would be 720 before the first prune comes by count.
    expect(most).toBeLessThan(600);
    expect(looseObjects()).toBeLessThan(600);
  });

  test("spares what is young", async () => {
    const top = scratch.repository("r");
    const observer = await scratch.observe(top);
    scratch.write(top, { "a.txt": "1\n" });
    const first = await snapshotOf(observer, top);
    scratch.write(top, { "a.txt": "2\n" });
    await snapshotOf(observer, top);
    expect((await observer.prune()).removed).toBe(0);
    expect((await observer.tree(first.tree)).size).toBe(1);
  });
});

test("closing ends the object reader and leaves the worktree", async () => {
  const top = scratch.repository("r");
  const observer = await scratch.observe(top);
  await observer.watch(top, () => undefined);
  await observer.close();
  await observer.close();
  expect(await throwing(observer.read("0".repeat(40)))).toThrow("closed");
  rmSync(scratch.path("observe"), { recursive: true });
  expect(existsSync(join(top, "a.txt"))).toBe(true);
});
