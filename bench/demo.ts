// The demo as a newcomer runs it: how much memory its whole tree takes at most, and how long it takes.

import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { watchMemory } from "../test/kit/memory.ts";
import type { Entry } from "./harness.ts";

const top = join(import.meta.dir, "..");

export const demoEntries: readonly Entry[] = [
  {
    name: "demo-memory",
    what: "most memory the demo's processes take together (PSS, every 50 ms), in MB",
    floorIs: "nothing (the bar is 1,000 MB)",
    bar: 1000,
    better: "lower",
    lane: "full",
    measure: async () => {
      const place = mkdtempSync(join(tmpdir(), "constel-bench-"));
      try {
        for (const name of ["home", "tmp"]) mkdirSync(join(place, name));
        const started = performance.now();
        const child = Bun.spawn([join(top, "bin/constel"), "demo", "--fast"], {
          cwd: join(place, "home"),
          env: { PATH: process.env["PATH"] ?? "", HOME: join(place, "home"), TMPDIR: join(place, "tmp") },
          stdout: "ignore",
          stderr: "inherit",
        });
        const memory = watchMemory(() => [child.pid, ...pidsNaming(join(place, "tmp"))]);
        const code = await child.exited;
        const value = memory.end() / 1e6;
        if (code !== 0) throw new Error(`the demo ended with ${code}`);
        return { value, floor: 0, unit: "MB", note: `${((performance.now() - started) / 1000).toFixed(1)} s` };
      } finally {
        rmSync(place, { recursive: true, force: true });
      }
    },
  },
];

function pidsNaming(directory: string): string[] {
  return readdirSync("/proc").filter((name) => {
    if (!/^\d+$/.test(name) || Number(name) === process.pid) return false;
    try {
      return readFileSync(`/proc/${name}/environ`, "utf8").includes(directory);
    } catch {
      return false; // ended, or somebody else's
    }
  });
}
