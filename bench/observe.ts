// Sensing: an edit in one of many worktrees until it is an open finding, the matrix of all pairs, and what it costs while
// nothing happens. The floor is git itself on the same pairs, in the same run.

import { mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { systemClock } from "../src/host/clock/system-clock.ts";
import { systemProcesses } from "../src/host/process/run.ts";
import { type Judge, RepositoryWatcher } from "../src/sensing/watch.ts";
import { openLanguages } from "../src/languages/open-languages.ts";
import { PairPipeline } from "../src/sensing/pipeline.ts";
import { openMemory } from "../src/sensing/repository-memory.ts";
import { QuietQueue } from "../src/sensing/quiet-queue.ts";
import { observe } from "../src/host/git/observer.ts";
import type { RepositoryReport } from "../src/ports/sensing.ts";
import { callerOf, Fleet, megabytes, settled, withDaemon } from "./fleet.ts";
import { ascending, type Entry, interleave, median, percentile, timed } from "./harness.ts";

interface Edits {
  readonly ours: number[];
  readonly floor: number[];
}

/** Edits of a file that three others work on too: times until its findings are open or closed, and of git's own merges. */
async function edits(rounds: number, files: number, worktrees: number, isTold: boolean): Promise<Edits> {
  using fleet = new Fleet(files, worktrees);
  const shared = fleet.ownFile(0, 0);
  const partners = [1, 2, 3];
  // Three others work on a file of the first: those are the pairs that git itself would have to merge.
  for (const name of partners) {
    fleet.write(fleet.worktrees[name] ?? "", shared, `${name} was here`);
    fleet.git(fleet.worktrees[name] ?? "", "commit", "-qam", "shared");
  }
  return await withDaemon(fleet, async () => {
    await settled(fleet);
    const caller = callerOf(fleet);
    const path = fleet.worktrees[0] ?? "";
    const file = fleet.pathOf(shared);
    // Beside the daemon's own objects: how long a file takes to be made is not the same everywhere on a disk.
    const objects = join(fleet.env.CONSTEL_HOME, "state/floor");
    mkdirSync(objects);
    const ours: number[] = [];
    const floor: number[] = [];
    for (let round = -3; round < rounds; round++) {
      const collides = round % 2 === 0;
      fleet.write(path, shared, collides ? `edit ${round}` : "base");
      const wanted = collides ? partners.length : 0;
      const found = async (): Promise<number> => {
        const { findings } = await caller.call("finding.list", {});
        return findings.filter(({ ours, theirs }) => [ours.worktree, theirs.worktree].includes(path)).length;
      };
      const took = await timed(async () => {
        if (!isTold) {
          while ((await found()) !== wanted) await Bun.sleep(2);
          return;
        }
        await caller.call("worktree.touch", { path, files: [file], wait: true });
        const seen = await found();
        if (seen !== wanted) throw new Error(`round ${round}: ${seen} findings`);
      });
      const edited = fleet.commitOf(path, shared);
      const least = await timed(() =>
        fleet.mergeAll(
          partners.map((name) => [edited, `w${name}`]),
          objects,
        ),
      );
      if (round < 0) continue;
      ours.push(took);
      floor.push(least);
    }
    ours.sort(ascending);
    floor.sort(ascending);
    return { ours, floor };
  });
}

async function editToFinding(rounds: number, files: number, worktrees: number) {
  const { ours, floor } = await edits(rounds, files, worktrees, true);
  return {
    value: percentile(ours, 0.95),
    floor: percentile(floor, 0.95),
    unit: "ms",
    note: `median ${median(ours).toFixed(0)} ms, floor ${median(floor).toFixed(0)} ms (bar: p95 < 1000 ms)`,
  };
}

/** Nobody says that there was an edit: the watch hears it. Its delays are ours, so the bar is the time itself. */
async function untoldEdit(rounds: number, files: number, worktrees: number) {
  const { ours, floor } = await edits(rounds, files, worktrees, false);
  const merges = `git merge-tree of the pairs: median ${median(floor).toFixed(0)} ms`;
  return {
    value: percentile(ours, 0.95),
    floor: 2_000,
    unit: "ms",
    note: `median ${median(ours).toFixed(0)} ms, worst ${percentile(ours, 1).toFixed(0)} ms; ${merges}`,
  };
}

/** The sense by itself, in this process: reports are counted and forgotten. */
async function senseOf(fleet: Fleet, directory: string, expected: number) {
  const observer = await observe(fleet.repository, {
    processes: systemProcesses,
    environment: fleet.env,
    clock: systemClock,
    directory,
  });
  let pairs = 0;
  const { promise: done, resolve } = Promise.withResolvers<void>();
  const report = async (said: RepositoryReport): Promise<void> => {
    pairs += said.pairs.length;
    if (pairs >= expected) resolve();
  };
  const log = (line: string): void => console.error(line);
  // As in the daemon, but for the compiler's own work, which is not measured here: it is put off and never done.
  const queue = new QuietQueue({ clock: systemClock, log });
  await queue.close();
  const pipeline = new PairPipeline({
    observer,
    memory: openMemory(openLanguages()),
    compilers: { asked: { when: "later", queue, recheck: () => undefined }, deadlineMs: 60_000 },
    deadlineMs: 30_000,
    log,
  });
  const judge: Judge = (ours, theirs, merge) => pipeline.judge(ours, theirs, merge);
  const sense = new RepositoryWatcher({ observer, judge, report, clock: systemClock, log });
  return { sense, done };
}

/** Every round starts with an empty private directory and nothing remembered; only the program itself is warm. */
async function coldMatrix(rounds: number, files: number, worktrees: number) {
  using fleet = new Fleet(files, worktrees);
  // A third of the worktrees work on files of their neighbours, so that some pairs share a file.
  const pairs: [number, number][] = [];
  for (let name = 0; name + 1 < worktrees; name += 3) {
    fleet.write(fleet.worktrees[name] ?? "", fleet.ownFile(name + 1, 3), `${name} was here`);
    fleet.git(fleet.worktrees[name] ?? "", "commit", "-qam", "shared");
    pairs.push([name, name + 1]);
  }
  const expected = (worktrees * (worktrees - 1)) / 2;
  const ours: number[] = [];
  const floor = { merges: [] as number[], status: [] as number[] };
  for (let round = 0; round < rounds; round++) {
    const directory = mkdtempSync(join(fleet.top, "observe-"));
    const started = performance.now();
    const { sense, done } = await senseOf(fleet, directory, expected);
    await done;
    ours.push(performance.now() - started);
    await sense.close();
    rmSync(directory, { recursive: true, force: true });
    floor.merges.push(await timed(() => fleet.mergeAll(pairs.map(([one, other]) => [`w${one}`, `w${other}`]))));
    floor.status.push(
      await timed(() => {
        for (const path of fleet.worktrees) fleet.git(path, "status", "--porcelain");
      }),
    );
  }
  const [first = 0] = ours;
  for (const times of [ours, floor.merges, floor.status]) times.sort(ascending);
  const [merges, status] = [median(floor.merges), median(floor.status)];
  return {
    value: median(ours),
    floor: merges + status,
    unit: "ms",
    note: `${expected} pairs, ${pairs.length} share a file; merge-tree ${merges.toFixed(0)} ms, status ${status.toFixed(0)} ms; the very first round ${first.toFixed(0)} ms`,
  };
}

/** One round of looking at worktrees in which nothing happened, against one git status each. */
async function stillMatrix(rounds: number, files: number, worktrees: number) {
  using fleet = new Fleet(files, worktrees);
  const observer = await observe(fleet.repository, {
    processes: systemProcesses,
    environment: fleet.env,
    clock: systemClock,
    directory: join(fleet.top, "observe"),
  });
  const unwatched: string[] = [];
  for (const path of fleet.worktrees) {
    const state = await observer.watch(path, () => {});
    if (state.kind === "polling") unwatched.push(path);
  }
  const { ours, floor } = await interleave(
    rounds,
    () => Promise.all(fleet.worktrees.map((path) => observer.snapshot(path))),
    () => fleet.worktrees.map((path) => fleet.git(path, "status", "--porcelain")),
  );
  await observer.close();
  const note = unwatched.length === 0 ? "all watched" : `${unwatched.length} without a watch`;
  return { value: median(ours), floor: median(floor), unit: "ms", note };
}

async function idle(files: number, worktrees: number) {
  using fleet = new Fleet(files, worktrees);
  return await withDaemon(fleet, async (pid) => {
    await settled(fleet);
    await Bun.sleep(10_000);
    const seconds = 30;
    const before = cpuTicks(pid);
    await Bun.sleep(seconds * 1000);
    const used = (cpuTicks(pid) - before) / 100; // ticks of 10 ms, of the daemon and of the programs it ran and waited for
    return { value: (used / seconds) * 100, floor: 0, unit: "%", note: `RSS ${megabytes(pid)} MB (bar 150)` };
  });
}

function cpuTicks(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]?.split(" ") ?? [];
  return [11, 12, 13, 14].reduce((sum, index) => sum + Number(fields[index]), 0);
}

export const observeEntries: readonly Entry[] = [
  {
    name: "edit-to-finding",
    what: "an edit with a hook's touch until its findings are open or closed (p95), 8 worktrees, 500 files",
    floorIs: "one git merge-tree process for the pairs that share the file",
    bar: 3,
    better: "lower",
    lane: "quick",
    // At 20 rounds a p95 is the second worst of them, and one hiccup of the machine decides: five times as many.
    measure: (rounds) => editToFinding(rounds * 5, 500, 8),
  },
  {
    name: "edit-to-finding-30",
    what: "the same with 30 worktrees of 3,000 files",
    floorIs: "one git merge-tree process for the pairs that share the file",
    bar: 3,
    better: "lower",
    lane: "full",
    measure: (rounds) => editToFinding(rounds * 5, 3_000, 30),
  },
  {
    name: "edit-to-finding-untold",
    what: "an edit that only the watch hears of until its findings are open or closed (p95), 30 worktrees, 3,000 files",
    floorIs: "the 2 s of the bar",
    bar: 1,
    better: "lower",
    lane: "full",
    measure: (rounds) => untoldEdit(rounds, 3_000, 30),
  },
  {
    name: "pair-matrix-cold",
    what: "every pair of 50 worktrees for the first time, 3,000 files, looking at their files included",
    floorIs: "one git status per worktree, and one git merge-tree process for the pairs that share a file",
    bar: 1.5,
    better: "lower",
    lane: "full",
    measure: (rounds) => coldMatrix(Math.min(rounds, 20), 3_000, 50),
  },
  {
    name: "pair-matrix-still",
    what: "looking at 30 watched worktrees in which nothing happened",
    floorIs: "one git status per worktree",
    bar: 0.5,
    better: "lower",
    lane: "full",
    measure: (rounds) => stillMatrix(rounds, 3_000, 30),
  },
  {
    name: "observe-idle",
    what: "CPU of the daemon over 30 worktrees while nothing happens, in percent of a core",
    floorIs: "nothing (the bar is 2 %)",
    bar: 2,
    better: "lower",
    lane: "full",
    measure: () => idle(3_000, 30),
  },
];
