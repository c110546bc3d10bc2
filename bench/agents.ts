// The daemon with a hundred agents: what it costs while they stand idle, and what one sweep of their states costs against the
// bare questions to tmux that it cannot do without.

import { Database } from "bun:sqlite";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Fleet } from "../src/daemon/agents/fleet.ts";
import { systemClock, systemRandom } from "../src/host/clock/system-clock.ts";
import { systemProcesses } from "../src/host/process/run.ts";
import { runtimeNamed } from "../src/host/runtime/all.ts";
import { openStore } from "../src/store/open.ts";
import { ScriptAgents } from "../test/kit/script-agents.ts";
import { Fleet as Repository, settled } from "./fleet.ts";
import { type Entry, interleave, median, percentile } from "./harness.ts";

const count = 100;
const names = Array.from({ length: count }, (_, index) => `agent${index}`);
/** An agent that says once that it is idle, and then waits. A hundred of a heavier kind would measure themselves. */
const quietAgent = [
  "sh",
  "-c",
  `printf '{"event":"turn-ended","at":%s000,"session":"s"}\\n' "$(($(date +%s) + 1))" >> "$CONSTEL_HOOK_FILE"; exec cat`,
];

async function withAgents<T>(use: (at: ScriptAgents) => Promise<T>): Promise<T> {
  await using at = new ScriptAgents();
  for (const name of names) await at.start(name, {}, quietAgent);
  return await use(at);
}

export const agentsEntries: readonly Entry[] = [
  {
    name: "agents-idle",
    what: `CPU of the daemon with ${count} idle sessions, in percent of a core`,
    floorIs: "nothing (the bar is 2 %)",
    bar: 2,
    better: "lower",
    lane: "full",
    measure: () =>
      withAgents(async (at) => {
        await at.daemon("start");
        const pid = at.daemonPid ?? 0;
        while (idleCount(at.home) < count) await Bun.sleep(200);
        await Bun.sleep(15_000); // rounds become as rare as they get
        const seconds = 30;
        const before = cpuTicks(pid);
        await Bun.sleep(seconds * 1000);
        const used = (cpuTicks(pid) - before) / 100; // ticks of 10 ms
        const note = `RSS ${rssMegabytes(pid)} MB (bar 150), over ${seconds} s`;
        return { value: (used / seconds) * 100, floor: 0, unit: "%", note };
      }),
  },
  {
    name: "all-idle",
    what: `CPU of one daemon with ${count} idle sessions and 30 watched worktrees of 3,000 files, in percent of a core`,
    floorIs: "nothing (the bar is 2 %)",
    bar: 2,
    better: "lower",
    lane: "full",
    measure: () =>
      withAgents(async (at) => {
        using repository = new Repository(3_000, 30);
        const added = await at.constel(["repo", "add", repository.repository]);
        if (added.code !== 0) throw new Error(added.stderr);
        const pid = at.daemonPid ?? 0;
        await settled(repository, at.home);
        while (idleCount(at.home) < count) await Bun.sleep(200);
        await Bun.sleep(15_000); // rounds become as rare as they get
        const seconds = 30;
        const before = cpuTicks(pid);
        await Bun.sleep(seconds * 1000);
        const used = (cpuTicks(pid) - before) / 100;
        const note = `RSS ${rssMegabytes(pid)} MB (bar 150), over ${seconds} s`;
        return { value: (used / seconds) * 100, floor: 0, unit: "%", note };
      }),
  },
  {
    name: "agents-sweep",
    what: `one sweep of ${count} quiet agents by the daemon's code`,
    floorIs: "one list of all terminals through the same client",
    bar: 3,
    better: "lower",
    lane: "full",
    measure: (rounds) =>
      withAgents(async (at) => {
        const store = await openStore({
          url: `sqlite:${join(at.top, "sweep.db")}`,
          backupDirectory: at.top,
          clock: systemClock,
          random: systemRandom,
          constellation: "bench",
        });
        const machine = { processes: systemProcesses, clock: systemClock, env: at.env };
        const parts = { home: at.home, clock: systemClock, store, machine, runtimeNamed };
        const log = (line: string): void => console.error(line);
        const fleet = new Fleet({ ...parts, terminalsOn: () => at.terminals, log });
        try {
          while (!fleet.members().every(({ seen }) => seen.state === "idle") || fleet.members().length < count) {
            await fleet.sweep();
            await Bun.sleep(100);
          }
          await Bun.sleep(4000);
          await fleet.sweep();
          const { ours, floor } = await interleave(
            rounds,
            () => fleet.sweep(),
            () => at.terminals.list(),
          );
          const note = `p99 ${percentile(ours, 0.99).toFixed(1)} ms`;
          return { value: median(ours), floor: median(floor), unit: "ms", note };
        } finally {
          await store.close();
        }
      }),
  },
];

function idleCount(home: string): number {
  try {
    const database = new Database(join(home, "meta.db"), { readonly: true });
    try {
      const row = database.query<{ n: number }, []>("select count(*) as n from agents where seen = 'idle'").get();
      return row?.n ?? 0;
    } finally {
      database.close();
    }
  } catch {
    return 0; // not made yet
  }
}

function cpuTicks(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]?.split(" ") ?? [];
  return Number(fields[11]) + Number(fields[12]);
}

function rssMegabytes(pid: number): number {
  return Math.round(Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1] ?? 0) / 1024);
}
