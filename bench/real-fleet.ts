// `constel bench --fleet DIRECTORY`: a real repository, brought by the caller and never stored, with more and more worktrees in which each has edits of
// its own: how soon an edit is a finding, told by a hook and untold, and what looking costs. By processor time where that can be, and with the
// exponent of its growth: 1 means that ten times as many worktrees cost ten times as much.

import {
  appendFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { socketCaller } from "../src/client/socket.ts";
import { totals } from "../src/protocol/sensing-state.ts";
import { exponentOf } from "./growth.ts";
import { ascending, percentile } from "./harness.ts";
import { cpuOfTree, megabytesOfTree } from "./processes.ts";
import { constel } from "./program.ts";

export interface FleetWish {
  readonly source: string;
  readonly sizes: readonly number[];
  /** No size is begun past this, and none is gone on with. */
  readonly untilMs: number;
  /** Rows that are in this file are not measured again. */
  readonly into: string | undefined;
}

export interface FleetRow {
  readonly worktrees: number;
  readonly firstLookCpuMs: number;
  readonly statusCpuMs: number;
  readonly toldMs: readonly number[];
  readonly untoldMs: readonly number[];
  readonly editCpuMs: number;
  readonly idlePercent: number;
  readonly megabytes: number;
  readonly planMs: number;
  /** Null where it did not end in time. */
  readonly tryCpuMs: number | null;
  readonly watched: number;
  readonly watches: number;
  readonly longHolds: number;
}

const ownEdits = 5;
const edits = 12;
const idleMs = 20_000;
const answeredWithinMs = 120_000;

export async function measureFleets(wish: FleetWish, tell: (row: FleetRow) => void): Promise<FleetRow[]> {
  const rows: FleetRow[] = wish.into !== undefined && existsSync(wish.into) ? readRows(wish.into) : [];
  for (const row of rows) tell(row);
  for (const size of wish.sizes) {
    if (rows.some(({ worktrees }) => worktrees === size)) continue;
    if (Date.now() >= wish.untilMs) break;
    using fleet = new RealFleet(wish.source, size, wish.untilMs);
    const row = await fleet.measure();
    if (row === undefined) break;
    rows.push(row);
    tell(row);
    if (wish.into !== undefined) writeFileSync(wish.into, `${JSON.stringify(rows, null, 2)}\n`);
  }
  return rows.sort((one, other) => one.worktrees - other.worktrees);
}

const readRows = (path: string): FleetRow[] => JSON.parse(readFileSync(path, "utf8")) as FleetRow[];

/** How cost grows with the number of worktrees. */
export function growthOf(rows: readonly FleetRow[], cost: (row: FleetRow) => number): number | undefined {
  const points = rows.map((row) => ({ size: row.worktrees, cost: cost(row) })).filter((point) => point.cost > 0);
  return points.length < 2 ? undefined : exponentOf(points);
}

class RealFleet {
  readonly #top = realpathSync(mkdtempSync(join(tmpdir(), "constel-fleet-")));
  readonly #main = join(this.#top, "main");
  readonly #home = join(this.#top, "home");
  readonly #env = {
    PATH: process.env["PATH"] ?? "",
    HOME: this.#top,
    CONSTEL_HOME: this.#home,
    TMUX_TMPDIR: this.#top,
    GIT_CONFIG_NOSYSTEM: "1",
    GIT_AUTHOR_NAME: "Ada",
    GIT_AUTHOR_EMAIL: "ada@example.org",
    GIT_COMMITTER_NAME: "Ada",
    GIT_COMMITTER_EMAIL: "ada@example.org",
  };
  readonly #worktrees: string[] = [];
  readonly #files: readonly string[];
  readonly #untilMs: number;

  constructor(source: string, size: number, untilMs: number) {
    this.#untilMs = untilMs;
    this.#git(this.#top, "clone", "--quiet", "--no-hardlinks", source, this.#main);
    this.#files = this.#git(this.#main, "ls-files", "-z").split("\0").filter(isSource);
    for (let name = 0; name < size && !this.#isLate; name++) this.#addWorktree(name);
  }

  /** Undefined when the time was over before it was done. */
  async measure(): Promise<FleetRow | undefined> {
    const statusCpuMs = this.#worktrees.reduce(
      (sum, path) => sum + this.#cpuOf(path, "git", "status", "--porcelain"),
      0,
    );
    const tryCpuMs = this.#cpuOfTry();
    mkdirSync(this.#home, { mode: 0o700 });
    this.#cpuOf(this.#main, constel, "daemon", "start");
    try {
      return await this.#measured(statusCpuMs, tryCpuMs);
    } finally {
      Bun.spawnSync([constel, "daemon", "stop"], { cwd: this.#main, env: this.#env });
    }
  }

  async #measured(statusCpuMs: number, tryCpuMs: number | null): Promise<FleetRow | undefined> {
    const { pid } = JSON.parse(readFileSync(join(this.#home, "state/daemon.json"), "utf8")) as { pid: number };
    const caller = socketCaller(join(this.#home, "state/daemon.sock"), "owner");
    const before = cpuOfTree(pid);
    await caller.call("repository.add", { path: this.#main });
    const look = await this.#until(caller, ({ looked, pairs_waiting: waiting, worktrees }) => {
      return looked === this.#worktrees.length + 1 && worktrees === looked && waiting === 0;
    });
    if (look === undefined) return undefined;
    const firstLookCpuMs = cpuOfTree(pid) - before;
    await this.#until(caller, ({ watched, polled, worktrees }) => watched + polled === worktrees);
    if (!(await this.#rest(pid))) return undefined;
    const idleBefore = cpuOfTree(pid);
    await Bun.sleep(idleMs);
    const idlePercent = (100 * (cpuOfTree(pid) - idleBefore)) / idleMs;
    const toldMs: number[] = [];
    const untoldMs: number[] = [];
    const beforeEdits = cpuOfTree(pid);
    for (let edit = 0; edit < edits && !this.#isLate; edit++) {
      untoldMs.push(await this.#edit(caller, edit, false));
      toldMs.push(await this.#edit(caller, edit + edits, true));
    }
    const editCpuMs = (cpuOfTree(pid) - beforeEdits) / (2 * edits);
    if (this.#isLate) return undefined;
    const started = performance.now();
    await caller.call("plan.landing", {});
    const planMs = performance.now() - started;
    const { sensing, stalls } = await caller.call("daemon.status", {});
    const seen = sensing === null ? undefined : totals(sensing);
    return {
      worktrees: this.#worktrees.length,
      firstLookCpuMs,
      statusCpuMs,
      toldMs: toldMs.sort(ascending),
      untoldMs: untoldMs.sort(ascending),
      editCpuMs,
      idlePercent,
      megabytes: megabytesOfTree(pid),
      planMs,
      tryCpuMs,
      watched: seen?.watched ?? 0,
      watches: sensing?.watches.used ?? 0,
      longHolds: stalls.long,
    };
  }

  /** A line in a file that a neighbour changed too, each time in another worktree. */
  async #edit(caller: Caller, edit: number, isTold: boolean): Promise<number> {
    const count = this.#worktrees.length;
    const own = Math.floor(((edit % edits) + 0.5) * (count / edits)) % count;
    const file = this.#ownFile((own + 1) % count, isTold ? 3 : 4);
    const path = this.#worktrees[own] ?? "";
    const started = performance.now();
    appendFileSync(join(path, file), `// edit ${edit}\n`);
    if (isTold) void caller.call("worktree.touch", { path, files: [file], wait: true }).catch(() => undefined);
    for (;;) {
      const { findings } = await caller.call("finding.list", {});
      const isThere = findings.some(
        ({ files, ours, theirs }) => files.includes(file) && [ours.worktree, theirs.worktree].includes(path),
      );
      const tookMs = performance.now() - started;
      if (isThere || tookMs > answeredWithinMs) return tookMs;
      await Bun.sleep(10);
    }
  }

  /** Until compilers and gates have had their say too; false when the time is over. */
  async #rest(pid: number): Promise<boolean> {
    for (let before = cpuOfTree(pid); !this.#isLate;) {
      await Bun.sleep(restMs);
      const now = cpuOfTree(pid);
      if (now - before < restMs * quietShare) return true;
      before = now;
    }
    return false;
  }

  async #until(caller: Caller, isSo: (seen: ReturnType<typeof totals>) => boolean): Promise<true | undefined> {
    while (!this.#isLate) {
      const { sensing } = await caller.call("daemon.status", {});
      if (sensing !== null && isSo(totals(sensing))) return true;
      await Bun.sleep(200);
    }
    return undefined;
  }

  #addWorktree(name: number): void {
    const path = join(this.#top, `w${name}`);
    this.#git(this.#main, "worktree", "add", "--quiet", "-b", `w${name}`, path);
    for (let own = 0; own < ownEdits; own++)
      appendFileSync(join(path, this.#ownFile(name, own)), `// work of ${name}\n`);
    this.#git(path, "commit", "--quiet", "-am", "work");
    this.#worktrees.push(path);
  }

  #ownFile(worktree: number, own: number): string {
    return this.#files[(worktree * ownEdits + own) % this.#files.length] ?? "";
  }

  get #isLate(): boolean {
    return Date.now() >= this.#untilMs;
  }

  #git(cwd: string, ...args: string[]): string {
    const { exitCode, stdout, stderr } = Bun.spawnSync(["git", ...args], { cwd, env: this.#env });
    if (exitCode !== 0) throw new Error(`git ${args.join(" ")}: ${stderr.toString()}`);
    return stdout.toString();
  }

  #cpuOf(cwd: string, ...command: string[]): number {
    const given = { cwd, env: this.#env, stdout: "ignore", stderr: "pipe" } as const;
    const { resourceUsage, exitCode, stderr } = Bun.spawnSync(command, given);
    if (exitCode !== 0) throw new Error(`${command.join(" ")}: ${exitCode} ${stderr.toString()}`);
    return Number(resourceUsage.cpuTime.total) / 1000;
  }

  /** Exits that say that something collides, or that not all could be checked, are answers too. */
  #cpuOfTry(): number | null {
    const timeout = Math.max(1, this.#untilMs - Date.now());
    const given = { cwd: this.#main, env: this.#env, stdout: "ignore", stderr: "ignore", timeout } as const;
    const { resourceUsage, exitCode } = Bun.spawnSync([constel, "try", "--json"], given);
    return exitCode !== null && [0, 1, 5].includes(exitCode) ? Number(resourceUsage.cpuTime.total) / 1000 : null;
  }

  [Symbol.dispose](): void {
    rmSync(this.#top, { recursive: true, force: true });
  }
}

type Caller = ReturnType<typeof socketCaller>;

const restMs = 5_000;
/** Of one core: what still goes on then is what idling costs. */
const quietShare = 0.1;

const isSource = (path: string): boolean => /\.(ts|tsx|js|py|go|java|rs)$/.test(path) && !path.endsWith(".d.ts");

/** A table for people. */
export function fleetLines(rows: readonly FleetRow[]): string[] {
  const ms = (value: number): string => `${value.toFixed(0)} ms`;
  const both = (times: readonly number[]): string => `${ms(percentile(times, 0.5))} / ${ms(percentile(times, 0.95))}`;
  const lines: [string, (row: FleetRow) => string, ((row: FleetRow) => number)?][] = [
    ["told edit → finding, p50 / p95", (row) => both(row.toldMs), (row) => percentile(row.toldMs, 0.5)],
    ["untold edit → finding, p50 / p95", (row) => both(row.untoldMs), (row) => percentile(row.untoldMs, 0.5)],
    ["CPU of an edit", (row) => ms(row.editCpuMs), (row) => row.editCpuMs],
    ["idle, of one core", (row) => `${row.idlePercent.toFixed(1)} %`],
    ["memory of all processes", (row) => `${row.megabytes} MB`, (row) => row.megabytes],
    ["CPU of the first look", (row) => ms(row.firstLookCpuMs), (row) => row.firstLookCpuMs],
    ["  against git status of each", (row) => `${(row.firstLookCpuMs / row.statusCpuMs).toFixed(1)}×`],
    ["plan", (row) => ms(row.planMs), (row) => row.planMs],
    ["CPU of try", (row) => (row.tryCpuMs === null ? "not in time" : ms(row.tryCpuMs)), (row) => row.tryCpuMs ?? 0],
    ["watched in full; watches", (row) => `${row.watched}; ${row.watches}`],
    ["holds over 50 ms of CPU", (row) => String(row.longHolds)],
  ];
  const head = ["worktrees".padEnd(34), ...rows.map(({ worktrees }) => String(worktrees).padEnd(20)), "exponent"].join(
    "",
  );
  return [
    head,
    ...lines.map(([name, cell, cost]) => {
      const exponent = cost === undefined ? undefined : growthOf(rows, cost);
      return [name.padEnd(34), ...rows.map((row) => cell(row).padEnd(20)), exponent?.toFixed(2) ?? ""].join("");
    }),
  ];
}
