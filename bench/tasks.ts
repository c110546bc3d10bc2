// Workspaces and harvests against the bare git commands, on real repositories in a temporary directory.

import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { systemGrounds } from "../src/host/harvest/landing-repository.ts";
import { systemProcesses } from "../src/host/process/run.ts";
import { systemWorkspaces } from "../src/host/workspace/workspaces.ts";
import { ascending, type Entry, median, percentile, timed } from "./harness.ts";

export const taskEntries: readonly Entry[] = [
  {
    name: "workspace-20000",
    what: "a workspace from a repository of 20,000 files",
    floorIs: "git clone --local of the same",
    bar: 1.3,
    better: "lower",
    lane: "full",
    measure: async () => {
      using at = new Repository(20_000);
      const workspaces = systemWorkspaces({ processes: systemProcesses, environment: at.env });
      const common = { source: at.source, root: at.top, fetch: false, ports: undefined, environment: {} };
      const ours: number[] = [];
      const floor: number[] = [];
      // Interleaved, and removed outside the measured time.
      for (let round = -1; round < 20; round++) {
        const place = `workspaces/${round + 2}/repo`;
        const made = await timed(() => workspaces.make({ ...common, place, branch: `constel/c/${round + 2}` }));
        rmSync(join(at.top, "workspaces"), { recursive: true });
        const cloned = await timed(() => at.git(at.top, "clone", "-q", "--local", at.source, "cloned"));
        rmSync(join(at.top, "cloned"), { recursive: true });
        if (round < 0) continue;
        ours.push(made);
        floor.push(cloned);
      }
      ours.sort(ascending);
      floor.sort(ascending);
      return {
        value: median(ours),
        floor: median(floor),
        unit: "ms",
        note: `p99 ${percentile(ours, 0.99).toFixed(0)} ms`,
      };
    },
  },
  {
    name: "harvest",
    what: "landing one commit onto a main that moved, without a gate",
    floorIs: "git fetch twice, merge-tree, commit-tree, push: no worktree",
    bar: 2,
    better: "lower",
    lane: "full",
    measure: async (rounds) => {
      using at = new Repository(500);
      const options = { processes: systemProcesses, environment: at.env, directory: join(at.top, "grounds") };
      const wish = { origin: at.origin, source: join(at.source, ".git"), target: "main" };
      const ground = await systemGrounds(options).open(wish);
      const ours: number[] = [];
      const floor: number[] = [];
      for (let round = 0; round < Math.max(20, Math.min(rounds, 40)); round++) {
        const mine = at.work(`mine-${round}`);
        at.moveMain();
        ours.push(
          await timed(async () => {
            const onto = await ground.fetch();
            await ground.settings({ root: at.top, base: onto });
            const found = await ground.find({ task: round, branch: "work", commit: undefined, workspace: mine });
            if (found.kind !== "found") throw new Error(found.kind);
            const picked = await ground.pick({
              onto,
              tip: found.tip,
              task: round,
              title: "t",
              atMs: Date.now(),
              landedAs: async () => new Map(),
              regenerate: new Map(),
              signal: new AbortController().signal,
            });
            if (picked.kind !== "picked") throw new Error(picked.kind);
            const pushed = await ground.push({ expected: onto, tip: picked.tip });
            if (pushed.kind !== "pushed") throw new Error(pushed.kind);
            await ground.fetch();
            if (!(await ground.contains(picked.tip))) throw new Error("it is not there");
          }),
        );
        const bare = at.work(`bare-${round}`);
        at.moveMain();
        floor.push(
          await timed(() => {
            at.git(at.source, "fetch", "-q", "origin", "main");
            at.git(at.source, "fetch", "-q", bare, "+work:refs/bench/work");
            const onto = ["merge-tree", "--write-tree", "origin/main", "refs/bench/work"];
            const tree = at.git(at.source, ...onto).trim();
            const commit = at.git(at.source, "commit-tree", "-p", "origin/main", "-m", "landed", tree).trim();
            at.git(at.source, "push", "-q", "origin", `${commit}:main`);
          }),
        );
      }
      ours.sort(ascending);
      floor.sort(ascending);
      return {
        value: median(ours),
        floor: median(floor),
        unit: "ms",
        note: `p99 ${percentile(ours, 0.99).toFixed(0)} ms`,
      };
    },
  },
];

class Repository {
  readonly top = realpathSync(mkdtempSync(join(tmpdir(), "constel-bench-")));
  readonly origin = join(this.top, "origin.git");
  readonly source = join(this.top, "source");
  readonly env = { PATH: process.env["PATH"] ?? "", HOME: this.top, LC_ALL: "C" };
  #moves = 0;

  constructor(files: number) {
    writeFileSync(
      join(this.top, ".gitconfig"),
      "[user]\n\tname = B\n\temail = b@example.org\n[init]\n\tdefaultBranch = main\n[gc]\n\tauto = 0\n",
    );
    this.git(this.top, "init", "-q", "--bare", this.origin);
    this.git(this.top, "init", "-q", this.source);
    for (let index = 0; index < files; index++) {
      const directory = join(this.source, `d${index % 200}`, `e${index % 7}`);
      if (index < 1_400) mkdirSync(directory, { recursive: true });
      writeFileSync(join(directory, `file-${index}.ts`), `export const value${index} = ${index};\n`.repeat(20));
    }
    this.git(this.source, "add", "-A");
    this.git(this.source, "commit", "-qm", "base");
    this.git(this.source, "gc", "-q");
    this.git(this.source, "remote", "add", "origin", this.origin);
    this.git(this.source, "push", "-q", "origin", "main");
    this.git(this.source, "fetch", "-q");
  }

  git(directory: string, ...args: string[]): string {
    const run = Bun.spawnSync(["git", ...args], { cwd: directory, env: this.env });
    if (run.exitCode !== 0) throw new Error(`git ${args.join(" ")}: ${run.stderr.toString()}`);
    return run.stdout.toString();
  }

  /** A clone with one commit on the branch `work`. */
  work(name: string): string {
    const path = join(this.top, name);
    this.git(this.top, "clone", "-q", "--local", this.source, path);
    this.git(path, "checkout", "-q", "-b", "work");
    writeFileSync(join(path, `${name}.txt`), name);
    this.git(path, "add", "-A");
    this.git(path, "commit", "-qm", name);
    return path;
  }

  moveMain(): void {
    const path = join(this.top, "mover");
    if (this.#moves === 0) this.git(this.top, "clone", "-q", this.origin, path);
    else this.git(path, "pull", "-q", "--rebase");
    writeFileSync(join(path, "moves.txt"), String((this.#moves += 1)));
    this.git(path, "add", "-A");
    this.git(path, "commit", "-qm", "moved");
    this.git(path, "push", "-q", "origin", "HEAD:main");
  }

  [Symbol.dispose](): void {
    rmSync(this.top, { recursive: true, force: true });
  }
}
