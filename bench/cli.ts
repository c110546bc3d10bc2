// Measures how long a command takes to start, in CPU time, against the least program on the same runtime.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { socketCaller } from "../src/client/socket.ts";
import { ascending, cpuOf, type Entry, median, percentile } from "./harness.ts";
import { compileFloor, constel } from "./program.ts";

/** Our command and the hello in turn. A home is made and filled by `prepare`, and its daemon stopped afterwards. */
async function against(
  rounds: number,
  words: readonly string[],
  prepare: (home: string, env: Record<string, string>) => Promise<void>,
) {
  const directory = mkdtempSync(join(tmpdir(), "constel-bench-"));
  const env = { PATH: process.env["PATH"] ?? "", HOME: directory, CONSTEL_HOME: join(directory, "home") };
  try {
    const hello = await compileFloor(directory, "hello", 'console.log("hello");\n');
    await prepare(env.CONSTEL_HOME, env);
    const ours: number[] = [];
    const floor: number[] = [];
    for (let round = 0; round < rounds + 2; round++) {
      const both = [cpuOf([constel, ...words], env), cpuOf([hello], env)] as const;
      if (round < 2) continue;
      ours.push(both[0]);
      floor.push(both[1]);
    }
    ours.sort(ascending);
    floor.sort(ascending);
    return {
      value: median(ours),
      floor: median(floor),
      unit: "ms CPU",
      note: `p99 ${percentile(ours, 0.99).toFixed(1)} ms`,
    };
  } finally {
    cpuOf([constel, "daemon", "stop"], env);
    rmSync(directory, { recursive: true, force: true });
  }
}

const nothing = async (): Promise<void> => {};

export const cliEntries: readonly Entry[] = [
  {
    name: "cli-version",
    what: "constel --version",
    floorIs: "a compiled hello on the same runtime",
    bar: 3,
    better: "lower",
    lane: "quick",
    measure: (rounds) => against(rounds, ["--version"], nothing),
  },
  {
    name: "cli-floor-verb",
    what: "a floor verb with its record left (constel config path)",
    floorIs: "a compiled hello on the same runtime",
    bar: 3,
    better: "lower",
    lane: "quick",
    measure: (rounds) =>
      against(rounds, ["config", "path"], async (_home, env) => void cpuOf([constel, "daemon", "start"], env)),
  },
  {
    name: "cli-through-daemon",
    what: "a verb through the daemon (constel task list, 1,000 tasks)",
    floorIs: "a compiled hello on the same runtime",
    bar: 6,
    better: "lower",
    lane: "quick",
    measure: (rounds) =>
      against(rounds, ["task", "list"], async (home, env) => {
        cpuOf([constel, "daemon", "start"], env);
        const caller = socketCaller(join(home, "state/daemon.sock"), "owner");
        const made = Array.from({ length: 1_000 }, (_, at) =>
          caller.call("task.create", { root: env["HOME"] ?? "", title: `task ${at}`, directive: "Rename lookUp." }),
        );
        await Promise.all(made);
      }),
  },
];
