// A repository of modules in TypeScript and Python, short and long, in nested directories, with worktrees that each changed ten files of their own, and the daemon watching over
// them: what the entries of sensing are measured on.

import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";
import { socketCaller } from "../src/client/socket.ts";
import { totals } from "../src/protocol/sensing-state.ts";
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

  /** `settings`: files beside the modules, by their names. */
  constructor(files: number, worktrees: number, settings: Readonly<Record<string, string>> = {}) {
    this.#files = files;
    mkdirSync(this.repository);
    for (const [name, text] of Object.entries(settings)) writeFileSync(join(this.repository, name), text);
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

  /** As in real repositories: two languages, directories five deep, a third of it Python. */
  pathOf(index: number): string {
    const [area, part] = [index % 12, index % 150];
    return isPython(index)
      ? `services/area${area}/part${part}/handlers/module${index}.py`
      : `packages/area${area}/src/part${part}/module${index}.ts`;
  }

  write(top: string, index: number, what: string): void {
    const path = join(top, this.pathOf(index));
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, isPython(index) ? this.#python(index, what) : this.#typescript(index, what));
  }

  /** A commit of a file as it is now. Neither HEAD nor the index moves, so whoever watches the worktree has nothing new to look at. */
  commitOf(top: string, index: number): string {
    const own = { ...this.env, GIT_INDEX_FILE: join(this.top, "index-of-commits") };
    const git = (...args: string[]): string => this.#run(top, own, args).trim();
    git("read-tree", "HEAD");
    git("add", this.pathOf(index));
    return git("commit-tree", "-p", "HEAD", "-m", "edit", git("write-tree"));
  }

  /** Merges each pair of branches, in one process: the cheapest way git has. `objects`: where it writes what it makes. */
  mergeAll(pairs: readonly (readonly [string, string])[], objects = join(this.repository, ".git/objects")): void {
    const env = {
      ...this.env,
      GIT_OBJECT_DIRECTORY: objects,
      GIT_ALTERNATE_OBJECT_DIRECTORIES: join(this.repository, ".git/objects"),
    };
    const stdin = new TextEncoder().encode(pairs.map(([one, other]) => `${one} ${other}\n`).join(""));
    const command = ["git", "merge-tree", "--write-tree", "--stdin"];
    const { exitCode, stderr } = Bun.spawnSync(command, { cwd: this.repository, env, stdin });
    if (exitCode !== 0) throw new Error(`git merge-tree: ${exitCode} ${stderr.toString()}`);
  }

  #typescript(index: number, what: string): string {
    const used = before(index, false);
    const from = dirname(this.pathOf(index));
    return [
      ...(used === index ? [] : [`import { compute${used} } from "./${relative(from, this.pathOf(used))}";`, ""]),
      `export interface Options${index} {`,
      "  readonly limit: number;",
      "  readonly label?: string;",
      "}",
      "",
      `export function compute${index}(value: number, options: Options${index} = { limit: 9 }): number {`,
      `  let total = 0; // ${what}`,
      ...steps(index).map((step) => `  // ${step}: what this step is about\n  total += value * ${step};`),
      `  return value > 0 && total > options.limit ? total : compute${used}(value - 1);`,
      "}",
      "",
    ].join("\n");
  }

  #python(index: number, what: string): string {
    const used = before(index, true);
    const from = dirname(this.pathOf(used)).replaceAll("/", ".");
    return [
      `from ${from}.module${used} import compute_${used}`,
      "",
      "",
      `class Handler${index}:`,
      `    """Handles what comes for part ${index}."""`,
      "",
      "    def __init__(self, limit: int = 9) -> None:",
      "        self.limit = limit",
      "",
      "",
      `def compute_${index}(value: int, handler: Handler${index} | None = None) -> int:`,
      `    total = 0  # ${what}`,
      ...steps(index).map((step) => `    # ${step}: what this step is about\n    total += value * ${step}`),
      `    return total if value > 0 else compute_${used}(value - 1)`,
      "",
    ].join("\n");
  }

  git(cwd: string, ...args: string[]): string {
    return this.#run(cwd, this.env, args);
  }

  #run(cwd: string, env: Record<string, string>, args: readonly string[]): string {
    const run = Bun.spawnSync(["git", ...args], { cwd, env });
    if (run.exitCode !== 0 && args[0] !== "merge-tree") throw new Error(`git ${args.join(" ")}: ${run.stderr}`);
    return run.stdout.toString();
  }

  [Symbol.dispose](): void {
    rmSync(this.top, { recursive: true, force: true });
  }
}

const isPython = (index: number): boolean => index % 3 === 2;

/** A module of the same language that this one rests on; the first ones rest on themselves. */
function before(index: number, python: boolean): number {
  let used = Math.floor(index / 2);
  while (used > 2 && isPython(used) !== python) used -= 1;
  return isPython(used) === python ? used : index;
}

/** Most files are short, some are long: 20 steps, and in every tenth file 300. */
const steps = (index: number): number[] => Array.from({ length: index % 10 === 7 ? 300 : 20 }, (_, step) => step);

/** Starts the daemon where its start is not what is measured. */
export const startDaemon = (fleet: Fleet): void => void cpuOf([constel, "daemon", "start"], fleet.env);

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

export const callerOf = (fleet: Fleet, home = fleet.env.CONSTEL_HOME) =>
  socketCaller(join(home, "state/daemon.sock"), "owner");

/** Until every worktree has been seen and is watched. */
export async function settled(fleet: Fleet, home = fleet.env.CONSTEL_HOME): Promise<void> {
  const caller = callerOf(fleet, home);
  for (;;) {
    const { sensing } = await caller.call("daemon.status", {});
    if (sensing !== null) {
      const { worktrees, looked, pairs_waiting: pairs, watched, polled } = totals(sensing);
      const all = fleet.worktrees.length + 1;
      if (worktrees === all && looked === all && pairs === 0 && watched + polled === all) return;
    }
    await Bun.sleep(50);
  }
}

/** Of one process, its threads included and its children not. */
export function megabytes(pid: number): number {
  return Math.round(Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1] ?? 0) / 1024);
}
