// A repository of many small modules with worktrees that each changed ten files of their own, and the daemon watching over
// them: what the entries of sensing are measured on.

import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { socketCaller } from "../src/client/socket.ts";
import { cpuOf } from "./harness.ts";

const constel = join(import.meta.dir, "../bin/constel");

export class Fleet {
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

export async function withDaemon<T>(fleet: Fleet, use: (pid: number) => Promise<T>): Promise<T> {
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

export const callerOf = (fleet: Fleet) => socketCaller(join(fleet.env.CONSTEL_HOME, "state/daemon.sock"), "owner");

/** Until every worktree has been seen and is watched. */
export async function settled(fleet: Fleet): Promise<void> {
  const caller = callerOf(fleet);
  for (;;) {
    const { repositories } = await caller.call("repository.list", {});
    if (repositories[0]?.worktrees.length === fleet.worktrees.length + 1) break;
    await Bun.sleep(50);
  }
  for (const path of fleet.worktrees) await caller.call("worktree.touch", { path, wait: true });
}

/** Of one process, its threads included and its children not. */
export function megabytes(pid: number): number {
  return Math.round(Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1] ?? 0) / 1024);
}
