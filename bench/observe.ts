// Sensing: an edit in one of many worktrees until it is an open finding, the matrix of all pairs, and what it costs while
// nothing happens. The floor is git itself on the same pairs, in the same run.

import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { socketCaller } from "../src/client/socket.ts";
import { systemClock } from "../src/host/clock/system-clock.ts";
import { systemProcesses } from "../src/host/process/run.ts";
import { RepositorySense } from "../src/daemon/sense/repository-sense.ts";
import { reviewPorts, reviewWith } from "../src/daemon/sense/review-with.ts";
import { observe } from "../src/host/git/observer.ts";
import type { RepositoryReport } from "../src/protocol/sensing.ts";
import { ascending, cpuOf, type Entry, interleave, median, percentile, timed } from "./harness.ts";

const constel = join(import.meta.dir, "../bin/constel");

/** A repository of many small modules, and worktrees that each changed ten files of their own. */
class Fleet {
  readonly top = realpathSync(mkdtempSync(join(tmpdir(), "constel-observe-")));
  readonly repository = join(this.top, "repository");
  readonly worktrees: string[] = [];
  readonly env = {
    PATH: process.env["PATH"] ?? "",
    HOME: this.top,
    CONSTEL_HOME: join(this.top, "home"),
    GIT_CONFIG_NOSYSTEM: "1",
    GIT_AUTHOR_NAME: "Ada",
    GIT_AUTHOR_EMAIL: "ada@example.org",
    GIT_COMMITTER_NAME: "Ada",
    GIT_COMMITTER_EMAIL: "ada@example.org",
  };
  readonly #files: number;

  constructor(files: number, worktrees: number) {
    this.#files = files;
    mkdirSync(this.repository);
    this.git(this.repository, "init", "-q", "-b", "main");
    for (let index = 0; index < files; index++) this.write(this.repository, index, "base");
    this.git(this.repository, "add", "-A");
    this.git(this.repository, "commit", "-qm", "base");
    for (let name = 0; name < worktrees; name++) {
      const path = join(this.top, `w${name}`);
      this.git(this.repository, "worktree", "add", "-q", "-b", `w${name}`, path);
      this.worktrees.push(path);
      for (let own = 0; own < 10; own++) this.write(path, this.ownFile(name, own), `work of ${name}`);
      this.git(path, "commit", "-qam", "work");
    }
  }

  ownFile(worktree: number, own: number): number {
    return (worktree * 10 + own) % this.#files;
  }

  pathOf(index: number): string {
    return `src/part${index % 150}/module${index}.ts`;
  }

  write(top: string, index: number, what: string): void {
    const path = join(top, this.pathOf(index));
    const other = Math.floor(index / 2);
    const lines = Array.from(
      { length: 40 },
      (_, line) => `  // ${line}: what this step is about\n  total += value * ${line};`,
    );
    const body = [
      `import { compute${other} } from "../part${other % 150}/module${other}.ts";`,
      `export function compute${index}(value: number): number {`,
      `  let total = 0; // ${what}`,
      ...lines,
      `  return value > 0 && total > 9 ? total : compute${other}(value - 1);`,
      "}",
      "",
    ];
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, body.join("\n"));
  }

  git(cwd: string, ...args: string[]): string {
    const run = Bun.spawnSync(["git", ...args], { cwd, env: this.env });
    if (run.exitCode !== 0 && args[0] !== "merge-tree") throw new Error(`git ${args.join(" ")}: ${run.stderr}`);
    return run.stdout.toString();
  }

  [Symbol.dispose](): void {
    rmSync(this.top, { recursive: true, force: true });
  }
}

async function withDaemon<T>(fleet: Fleet, use: (pid: number) => Promise<T>): Promise<T> {
  cpuOf([constel, "repo", "add", fleet.repository], fleet.env);
  const { pid } = JSON.parse(readFileSync(join(fleet.env.CONSTEL_HOME, "state/daemon.json"), "utf8")) as {
    pid: number;
  };
  try {
    return await use(pid);
  } finally {
    cpuOf([constel, "daemon", "stop"], fleet.env);
  }
}

const callerOf = (fleet: Fleet) => socketCaller(join(fleet.env.CONSTEL_HOME, "state/daemon.sock"), "owner");

/** Until every worktree has been seen and is watched. */
async function settled(fleet: Fleet): Promise<void> {
  const caller = callerOf(fleet);
  for (;;) {
    const { repositories } = await caller.call("repository.list", {});
    if (repositories[0]?.worktrees.length === fleet.worktrees.length + 1) break;
    await Bun.sleep(50);
  }
  for (const path of fleet.worktrees) await caller.call("worktree.touch", { path, wait: true });
}

async function editToFinding(rounds: number, files: number, worktrees: number) {
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
    const ours: number[] = [];
    const floor: number[] = [];
    for (let round = -3; round < rounds; round++) {
      const collides = round % 2 === 0;
      fleet.write(path, shared, collides ? `edit ${round}` : "base");
      const took = await timed(async () => {
        await caller.call("worktree.touch", { path, files: [file], wait: true });
        const { findings } = await caller.call("finding.list", {});
        const found = findings.filter(({ ours, theirs }) => [ours.worktree, theirs.worktree].includes(path)).length;
        if (found !== (collides ? partners.length : 0)) throw new Error(`round ${round}: ${found} findings`);
      });
      fleet.git(path, "commit", "-qam", `edit ${round}`, "--allow-empty");
      const least = await timed(() => {
        for (const name of partners) fleet.git(fleet.repository, "merge-tree", "--write-tree", "w0", `w${name}`);
      });
      fleet.git(path, "reset", "-q", "--soft", "HEAD~1");
      fleet.git(path, "reset", "-q");
      await caller.call("worktree.touch", { path, wait: true });
      if (round < 0) continue;
      ours.push(took);
      floor.push(least);
    }
    ours.sort(ascending);
    floor.sort(ascending);
    return {
      value: percentile(ours, 0.95),
      floor: percentile(floor, 0.95),
      unit: "ms",
      note: `median ${median(ours).toFixed(0)} ms, floor ${median(floor).toFixed(0)} ms (bar: p95 < 1000 ms)`,
    };
  });
}

/** The sense by itself, in this process: reports are counted and forgotten. */
async function senseOf(fleet: Fleet) {
  const observer = await observe(fleet.repository, {
    processes: systemProcesses,
    environment: fleet.env,
    clock: systemClock,
    directory: join(fleet.top, "observe"),
  });
  let pairs = 0;
  const report = async (said: RepositoryReport): Promise<void> => void (pairs += said.pairs.length);
  const review = reviewWith(reviewPorts(), observer);
  const log = (line: string): void => console.error(line);
  const sense = new RepositorySense({ observer, review, report, clock: systemClock, log });
  return { sense, seen: () => pairs };
}

async function coldMatrix(files: number, worktrees: number) {
  using fleet = new Fleet(files, worktrees);
  // A third of the worktrees work on files of their neighbours, so that some pairs share a file.
  const pairs: [number, number][] = [];
  for (let name = 0; name + 1 < worktrees; name += 3) {
    fleet.write(fleet.worktrees[name] ?? "", fleet.ownFile(name + 1, 3), `${name} was here`);
    fleet.git(fleet.worktrees[name] ?? "", "commit", "-qam", "shared");
    pairs.push([name, name + 1]);
  }
  const expected = (worktrees * (worktrees - 1)) / 2;
  const started = performance.now();
  const { sense, seen } = await senseOf(fleet);
  while (seen() < expected) await Bun.sleep(5);
  const value = performance.now() - started;
  await sense.close();
  const floor = await timed(() => {
    for (const [one, other] of pairs) fleet.git(fleet.repository, "merge-tree", "--write-tree", `w${one}`, `w${other}`);
  });
  const status = await timed(() => {
    for (const path of fleet.worktrees) fleet.git(path, "status", "--porcelain");
  });
  return {
    value,
    floor: floor + status,
    unit: "ms",
    note: `${expected} pairs, ${pairs.length} share a file; merge-tree ${floor.toFixed(0)} ms, status ${status.toFixed(0)} ms`,
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

/** Growth of the daemon from the first tenth of many edits to the end. */
async function memory(edits: number, files: number, worktrees: number) {
  using fleet = new Fleet(files, worktrees);
  return await withDaemon(fleet, async (pid) => {
    await settled(fleet);
    const caller = callerOf(fleet);
    const readings: number[] = [];
    for (let edit = 0; edit < edits; edit++) {
      const name = edit % worktrees;
      const file = fleet.ownFile(name, edit % 10);
      const path = fleet.worktrees[name] ?? "";
      fleet.write(path, file, `edit ${edit}`);
      await caller.call("worktree.touch", { path, files: [fleet.pathOf(file)], wait: true });
      if (edit % Math.ceil(edits / 20) === 0) readings.push(megabytes(pid));
    }
    readings.push(megabytes(pid));
    const early = Math.max(...readings.slice(0, 5));
    const late = Math.max(...readings.slice(-3));
    return { value: late, floor: early, unit: "MB", note: `${edits} edits: ${readings.join(" ")}` };
  });
}

function cpuTicks(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]?.split(" ") ?? [];
  return [11, 12, 13, 14].reduce((sum, index) => sum + Number(fields[index]), 0);
}

function megabytes(pid: number): number {
  return Math.round(Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1] ?? 0) / 1024);
}

export const observeEntries: readonly Entry[] = [
  {
    name: "edit-to-finding",
    what: "an edit with a hook's touch until its findings are open or closed (p95), 8 worktrees, 500 files",
    floorIs: "git merge-tree of the pairs that share the file",
    bar: 3,
    better: "lower",
    lane: "quick",
    // At 20 rounds a p95 is the second worst of them, and one hiccup of the machine decides: three times as many.
    measure: (rounds) => editToFinding(rounds * 3, 500, 8),
  },
  {
    name: "edit-to-finding-30",
    what: "the same with 30 worktrees of 3,000 files",
    floorIs: "git merge-tree of the pairs that share the file",
    bar: 3,
    better: "lower",
    lane: "full",
    measure: (rounds) => editToFinding(rounds, 3_000, 30),
  },
  {
    name: "pair-matrix-cold",
    what: "every pair of 50 worktrees for the first time, 3,000 files, looking at their files included",
    floorIs: "one git status per worktree, and git merge-tree of the pairs that share a file",
    bar: 1.5,
    better: "lower",
    lane: "full",
    measure: () => coldMatrix(3_000, 50),
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
  {
    name: "observe-memory",
    what: "RSS of the daemon at the end of 10,000 edits",
    floorIs: "its largest RSS in the first fifth of them",
    bar: 1.15,
    better: "lower",
    lane: "full",
    measure: (rounds) => memory(rounds * 100, 1_000, 10),
  },
];
