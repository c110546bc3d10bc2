// Measures what a newcomer meets: how much memory the demo's whole tree takes at most, and how long the first look at a repository takes.

import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { watchMemory } from "../test/kit/memory.ts";
import { ascending, type Entry, median } from "./harness.ts";

const top = join(import.meta.dir, "..");

export const firstContactEntries: readonly Entry[] = [
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
  {
    name: "try-12",
    what: "CPU of constel try on 12 worktrees of 5,000 files that never saw it, in seconds",
    floorIs: "nothing (the bar is 5 s)",
    bar: 5,
    better: "lower",
    lane: "full",
    measure: async () => {
      const place = mkdtempSync(join(tmpdir(), "constel-bench-"));
      try {
        const shop = twelveWorktrees(place);
        const walls: number[] = [];
        const cpus: number[] = [];
        for (let round = 0; round < 3; round++) {
          const started = performance.now();
          const env = { PATH: process.env["PATH"] ?? "", HOME: join(place, "home") };
          const { exitCode, resourceUsage } = Bun.spawnSync([join(top, "bin/constel"), "try"], { cwd: shop, env });
          if (exitCode !== 1) throw new Error(`the look ended with ${exitCode}, and two of them collide`);
          walls.push((performance.now() - started) / 1000);
          cpus.push(Number(resourceUsage.cpuTime.total) / 1e6);
        }
        // With its gits it takes less time than CPU on two free cores, and any time on busy ones.
        const note = `${median(walls.sort(ascending)).toFixed(1)} s on the wall`;
        return { value: median(cpus.sort(ascending)), floor: 0, unit: "s", note };
      } finally {
        rmSync(place, { recursive: true, force: true });
      }
    },
  },
];

/** Eleven at work beside the first, thirty files each; two of them on the same line. */
function twelveWorktrees(place: string): string {
  const shop = join(place, "shop");
  const git = (cwd: string, ...words: string[]): void => {
    const config = ["-c", "user.name=a", "-c", "user.email=a@b.c", "-c", "init.defaultBranch=main"];
    const { exitCode, stderr } = Bun.spawnSync(["git", ...config, ...words], {
      cwd,
      env: { PATH: process.env["PATH"] ?? "", HOME: place },
    });
    if (exitCode !== 0) throw new Error(stderr.toString());
  };
  const write = (tree: string, part: number, file: number, sum: string): void =>
    writeFileSync(
      join(tree, `part${part}`, `f${file}.ts`),
      `import { f } from "../part${(part + 1) % 50}/f${file}.ts";\n\nexport function f${file}(x: number): number {\n  return f(x) + ${sum};\n}\n`,
    );
  for (let part = 0; part < 50; part++) {
    mkdirSync(join(shop, `part${part}`), { recursive: true });
    for (let file = 0; file < 100; file++) write(shop, part, file, "1");
  }
  git(shop, "init", "-q");
  git(shop, "add", "-A");
  git(shop, "commit", "-q", "-m", "start");
  for (let number = 1; number <= 11; number++) {
    const tree = join(place, `w${number}`);
    git(shop, "worktree", "add", "-q", "-b", `w${number}`, tree);
    for (let file = 0; file < 30; file++) write(tree, number, file, `${number}0`);
    if (number <= 2) write(tree, 0, 0, `${number}00`);
    if (number % 2 === 0) git(tree, "commit", "-q", "-a", "-m", "work");
  }
  return shop;
}

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
