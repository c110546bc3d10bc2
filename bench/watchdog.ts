// One tick of the watchdog with a hundred agents, against what it cannot do without: one tmux command list that captures every
// screen, and one stat for each agent.

import { statSync } from "node:fs";
import { uptime } from "node:os";
import { join } from "node:path";
import { type StepsPorts, tickSteps } from "../src/floor/watchdog/tick-steps.ts";
import { tick } from "../src/floor/watchdog/tick.ts";
import { systemClock, systemRandom } from "../src/host/clock/system-clock.ts";
import { busTrust } from "../src/host/keys/bus-trust.ts";
import { tryLock } from "../src/host/process/file-lock.ts";
import { systemLiveness } from "../src/host/process/liveness.ts";
import { hookFile } from "../src/host/runtime/hook-records.ts";
import { inHome } from "../src/settings/paths.ts";
import { ScriptAgents } from "../test/kit/script-agents.ts";
import { type Entry, interleave, median, percentile } from "./harness.ts";

const count = 100;
const names = Array.from({ length: count }, (_, index) => `agent${index}`);
const quietAgent = [
  "sh",
  "-c",
  `printf '{"event":"turn-ended","at":%s000,"session":"s"}\\n' "$(($(date +%s) + 1))" >> "$CONSTEL_HOOK_FILE"; exec cat`,
];

export const watchdogEntries: readonly Entry[] = [
  {
    name: "watchdog-tick",
    what: `one tick of the watchdog with ${count} quiet agents, tokens 0`,
    floorIs: `one tmux command list of ${count} captures, and ${count} stats`,
    bar: 3,
    better: "lower",
    lane: "full",
    async measure(rounds) {
      await using at = new ScriptAgents();
      for (const name of names) await at.start(name, {}, quietAgent);
      const place = { home: at.home, constellation: "bench", clock: systemClock, random: systemRandom };
      const ports = {
        ...place,
        terminals: at.terminals,
        bus: { ...place, liveness: systemLiveness, ...busTrust(at.home, systemClock, () => "agentinfinity") },
        liveness: systemLiveness,
        keepMs: 1e12,
        uptimeMs: () => uptime() * 1000,
        hooks(agent: string) {
          const stat = statSync(hookFile(at.home, agent), { throwIfNoEntry: false });
          return stat === undefined ? undefined : { sign: `${stat.size}:${stat.mtimeMs}`, lastMs: stat.mtimeMs };
        },
        daemonNow: () => Promise.resolve("answers" as const),
        startDaemon: () => Promise.reject(new Error("it answers")),
        page: () => Promise.reject(new Error("nobody is paged")),
        spawnRestart(): never {
          throw new Error("nobody is restarted");
        },
      } satisfies Partial<StepsPorts> as unknown as StepsPorts;
      const steps = tickSteps(ports);
      const turn = (): { release(): void } | undefined => tryLock(at.home, inHome.watchdogLock);
      const ours = async (): Promise<void> => {
        const report = await tick({ ...place, tryTurn: turn, terminals: () => at.terminals.list(), steps });
        const bad = report.steps.find(({ ok }) => !ok);
        if (bad !== undefined || report.missing.length > 0)
          throw new Error(`a tick went wrong: ${JSON.stringify(bad)}`);
      };
      const captures = names.flatMap((name) => [";", "capture-pane", "-p", "-t", `=${name}:`]).slice(1);
      const floor = async (): Promise<void> => {
        const command = ["tmux", "-u", "-L", at.socket, "-f", "/dev/null", ...captures];
        const child = Bun.spawn(command, { env: at.env, stdout: "pipe" });
        await Promise.all([child.stdout.text(), child.exited]);
        for (const name of names) statSync(join(at.home, "state/agents", `${name}.json`));
      };
      await ours();
      await ours();
      const times = await interleave(rounds, ours, floor);
      const note = `p99 ${percentile(times.ours, 0.99).toFixed(1)} ms`;
      return { value: median(times.ours), floor: median(times.floor), unit: "ms", note };
    },
  },
];
