// Measures how cost grows with the work, as an exponent: 1 means that ten times as much costs ten times as much, 2 a hundred times. By CPU
// time, which a busy machine does not change. And measures how long a stranger waits for a first answer.

import { Database } from "bun:sqlite";
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { seeAgents } from "../src/core/agents/see.ts";
import { listAgents } from "../src/core/agents/queries.ts";
import type { AgentSighting } from "../src/core/agents/agent.ts";
import { systemClock, systemRandom } from "../src/host/clock/system-clock.ts";
import { makeId } from "../src/protocol/ids.ts";
import { openStore, type Store } from "../src/store/open.ts";
import { readEvents } from "../src/store/timeline.ts";
import { ascending, type Entry, type Measured, median, timed } from "./harness.ts";

const top = join(import.meta.dir, "..");
const rounds = 7;

async function withScratch<T>(use: (directory: string) => Promise<T>): Promise<T> {
  const directory = mkdtempSync(join(tmpdir(), "constel-bench-"));
  try {
    return await use(directory);
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

function open(directory: string): Promise<Store> {
  mkdirSync(join(directory, "backups"), { recursive: true });
  return openStore({
    url: `sqlite:${join(directory, "meta.db")}`,
    backupDirectory: join(directory, "backups"),
    clock: systemClock,
    random: systemRandom,
    constellation: "constel0",
  });
}

/** Median CPU of one go, in milliseconds. */
async function cpuOfOne(work: (round: number) => Promise<unknown>): Promise<number> {
  const times: number[] = [];
  for (let round = -2; round < rounds; round++) {
    const before = process.cpuUsage();
    await work(round);
    const { user, system } = process.cpuUsage(before);
    if (round >= 0) times.push((user + system) / 1000);
  }
  return median(times.sort(ascending));
}

/** The slope of log cost over log size, by least squares. */
export function exponentOf(points: readonly { size: number; cost: number }[]): number {
  const logs = points.map(({ size, cost }) => [Math.log(size), Math.log(cost)] as const);
  const mean = (at: 0 | 1): number => logs.reduce((sum, point) => sum + point[at], 0) / logs.length;
  const [x, y] = [mean(0), mean(1)];
  const above = logs.reduce((sum, point) => sum + (point[0] - x) * (point[1] - y), 0);
  return above / logs.reduce((sum, point) => sum + (point[0] - x) ** 2, 0);
}

function growth(points: readonly { size: number; cost: number }[], what: string): Measured {
  const each = points.map(({ size, cost }) => `${size}: ${((cost * 1000) / size).toFixed(1)}`).join(", ");
  return { value: exponentOf(points), floor: 0, unit: "", note: `µs CPU per ${what} at ${each}` };
}

/** 640 more events and 100 looks at the newest, on top of so many: what one event costs, times all of them. */
function ofEvents(): Promise<Measured> {
  return withScratch(async (directory) => {
    const points: { size: number; cost: number }[] = [];
    for (const size of [1_000, 10_000, 100_000, 1_000_000]) {
      const place = join(directory, String(size));
      await (await open(place)).close();
      fillTimeline(join(place, "meta.db"), size);
      const store = await open(place);
      const cpu = await cpuOfOne(async () => {
        const event = { type: "bench.wrote", subject: "task:7", actor: "bench", data: { exit: 0 } };
        await Promise.all(Array.from({ length: 640 }, () => store.write((tx) => tx.record(event))));
        for (let look = 0; look < 100; look++)
          await readEvents(store.db, { constellation: "constel0", limit: 20, newestFirst: true });
      });
      await store.close();
      rmSync(place, { recursive: true });
      points.push({ size, cost: (cpu / 640) * size });
    }
    return growth(points, "event");
  });
}

/** Past the store, because nobody waits for it: the chain does not verify, and nothing here asks. */
function fillTimeline(path: string, size: number): void {
  const raw = new Database(path);
  const append = raw.prepare("insert into events values (?, ?, 'constel0', ?, ?, ?, 'bench', '{}', ?, ?)");
  const hash = "0".repeat(64);
  const started = Date.now() - size;
  raw.run("begin");
  for (let seq = 1; seq <= size; seq++) {
    const at = started + seq;
    append.run(
      seq,
      makeId("evt", at, systemRandom.bytes(10)),
      at,
      `bench.kind-${seq % 20}`,
      `task:${seq % 1000}`,
      hash,
      hash,
    );
  }
  raw.run(
    "insert into chain_heads (constellation, seq, hash, pruned_seq, pruned_hash) values ('constel0', ?, ?, 0, ?)",
    [size, hash, hash],
  );
  raw.run("commit");
  raw.close();
}

/** So many agents all change their state, are written down, and are looked at. */
function ofAgents(): Promise<Measured> {
  return withScratch(async (directory) => {
    const points: { size: number; cost: number }[] = [];
    // The first, which is not counted, has the code translated by the time the others run.
    for (const [turn, size] of [100, 10, 100, 1_000].entries()) {
      const store = await open(join(directory, String(turn)));
      const cost = await cpuOfOne(async (round) => {
        await seeAgents(
          store,
          Array.from({ length: size }, (_, index) => sighting(index, round)),
        );
        await listAgents({ store, clock: systemClock });
      });
      await store.close();
      if (turn > 0) points.push({ size, cost });
    }
    return growth(points, "agent");
  });
}

const sighting = (index: number, round: number): AgentSighting => ({
  agent: `agent${index}`,
  role: index === 0 ? "root" : "clone",
  runtime: "script",
  wanted: "up",
  seen: { state: round % 2 === 0 ? "busy" : "idle", on: "hooks", says: "a hook said so" },
  launchedMs: 1,
  because: "asked",
  cwd: "/",
  mailHeld: null,
});

/** All but the download: the clone, the quick program, and `constel try` in it. The dependencies of this clone stand in. */
function firstOutput(): Promise<Measured> {
  return withScratch(async (directory) => {
    const clone = join(directory, "constel");
    const env = { PATH: process.env["PATH"] ?? "", HOME: directory, CONSTEL_HOME: join(directory, "home") };
    const run = (...command: string[]): number => {
      const { exitCode, stderr } = Bun.spawnSync(command, { cwd: directory, env, stdout: "ignore", stderr: "pipe" });
      if (exitCode === 0 || exitCode === 1) return exitCode;
      throw new Error(`${command.join(" ")}: ${exitCode} ${stderr.toString()}`);
    };
    const cloning = await timed(() => run("git", "clone", "--quiet", "--no-local", top, clone));
    cpSync(join(top, "node_modules"), join(clone, "node_modules"), { recursive: true, verbatimSymlinks: true });
    rmSync(join(clone, "node_modules/.constel"), { recursive: true, force: true });
    const bun = process.execPath.replace(join(top, "node_modules"), join(clone, "node_modules"));
    writeFileSync(join(clone, "node_modules/.constel-installed"), `bun='${bun}'\n`);
    const building = await timed(() => run("sh", join(clone, "scripts/install.sh")));
    const trying = await timed(() => run(join(clone, "bin/constel"), "demo", "--help"));
    const looking = await timed(() => run("sh", "-c", `cd ${clone} && bin/constel try`));
    const seconds = (ms: number): string => `${(ms / 1000).toFixed(1)} s`;
    return {
      value: (cloning + building + trying + looking) / 1000,
      floor: 0,
      unit: "s",
      note: `clone ${seconds(cloning)}, build ${seconds(building)}, help ${seconds(trying)}, try ${seconds(looking)}`,
    };
  });
}

export const growthEntries: readonly Entry[] = [
  {
    name: "growth-events",
    what: "the exponent of cost, from 1,000 events to 1,000,000",
    floorIs: "nothing (1 is linear)",
    bar: 1.15,
    better: "lower",
    lane: "full",
    measure: ofEvents,
  },
  {
    name: "growth-agents",
    what: "the exponent of cost, from 10 agents to 1,000, all changing state",
    floorIs: "nothing (1 is linear)",
    bar: 1.15,
    better: "lower",
    lane: "full",
    measure: ofAgents,
  },
  {
    name: "first-output",
    what: "from nothing to a first useful answer, the download left out",
    floorIs: "nothing (the bar is 60 s)",
    bar: 60,
    better: "lower",
    lane: "full",
    measure: firstOutput,
  },
];
