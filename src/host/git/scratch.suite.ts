// A place for tests with real repositories: a temporary directory, git with nobody's settings, and an observer whose
// private directory is inside. Everything is gone after `close`.

import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { RepositoryObserver, Snapshot } from "../../ports/git.ts";
import { systemClock } from "../clock/system-clock.ts";
import { systemProcesses } from "../process/run.ts";
import { Git, type GitOptions } from "./git.ts";
import { observe, type ObserverOptions } from "./observer.ts";

export class Scratch {
  readonly root = realpathSync(mkdtempSync(join(tmpdir(), "constel-git-")));
  readonly home = join(this.root, "home");
  readonly environment: Record<string, string>;
  readonly #observers: RepositoryObserver[] = [];

  constructor() {
    mkdirSync(this.home);
    this.environment = {
      PATH: process.env["PATH"] ?? "/usr/bin:/bin",
      HOME: this.home,
      LC_ALL: "C",
      GIT_CONFIG_NOSYSTEM: "1",
      GIT_AUTHOR_NAME: "Ada",
      GIT_AUTHOR_EMAIL: "ada@example.org",
      GIT_COMMITTER_NAME: "Ada",
      GIT_COMMITTER_EMAIL: "ada@example.org",
    };
  }

  path(...parts: string[]): string {
    return join(this.root, ...parts);
  }

  /** Runs git as the user would, and answers its output. */
  git(directory: string, ...args: string[]): string {
    const outcome = this.tryGit(directory, ...args);
    if (outcome.code !== 0) throw new Error(`git ${args.join(" ")}: ${outcome.stderr}`);
    return outcome.stdout;
  }

  tryGit(directory: string, ...args: string[]): { code: number; stdout: string; stderr: string } {
    const run = Bun.spawnSync(["git", "-c", "init.defaultBranch=main", "-c", "protocol.file.allow=always", ...args], {
      cwd: directory,
      env: this.environment,
    });
    return { code: run.exitCode ?? 255, stdout: run.stdout.toString(), stderr: run.stderr.toString() };
  }

  /** A repository with one commit of these files. */
  repository(name: string, files: Readonly<Record<string, string>> = { "a.txt": "one\n" }): string {
    const path = this.path(name);
    mkdirSync(path, { recursive: true });
    this.git(path, "init", "-q");
    this.write(path, files);
    this.git(path, "add", "-A");
    this.git(path, "commit", "-qm", "base");
    return path;
  }

  /** A linked worktree on a new branch. */
  worktree(repository: string, name: string, from = "HEAD"): string {
    const path = this.path(name);
    this.git(repository, "worktree", "add", "-q", "-b", name, path, from);
    return path;
  }

  write(directory: string, files: Readonly<Record<string, string>>): void {
    for (const [path, content] of Object.entries(files)) {
      mkdirSync(dirname(join(directory, path)), { recursive: true });
      writeFileSync(join(directory, path), content);
    }
  }

  commit(directory: string, files: Readonly<Record<string, string>>, message = "change"): string {
    this.write(directory, files);
    this.git(directory, "add", "-A");
    this.git(directory, "commit", "-qm", message);
    return this.git(directory, "rev-parse", "HEAD").trim();
  }

  gitOptions(): GitOptions {
    return { processes: systemProcesses, environment: { PATH: this.environment["PATH"], HOME: this.home } };
  }

  hardenedGit(): Git {
    return new Git(this.gitOptions());
  }

  async observe(path: string, options: Partial<ObserverOptions> = {}): Promise<RepositoryObserver> {
    const observer = await observe(path, {
      ...this.gitOptions(),
      clock: systemClock,
      directory: this.path("observe"),
      ...options,
    });
    this.#observers.push(observer);
    return observer;
  }

  async close(): Promise<void> {
    for (const observer of this.#observers) await observer.close();
    for (const entry of existsSync(this.root) ? readdirSync(this.root) : []) unlock(join(this.root, entry));
    rmSync(this.root, { recursive: true, force: true });
  }
}

/** The snapshot, where the test expects that there is one. */
export async function snapshotOf(
  observer: RepositoryObserver,
  worktree: string,
  options?: Parameters<RepositoryObserver["snapshot"]>[1],
): Promise<Snapshot> {
  const outcome = await observer.snapshot(worktree, options);
  if (outcome.kind !== "taken") throw new Error(`${worktree}: ${outcome.reason}: ${outcome.detail}`);
  return outcome.snapshot;
}

/** Everything about a repository that observing must leave alone, but for the times of directories' last reading. */
export function fingerprint(scratch: Scratch, worktree: string): Record<string, unknown> {
  const common = scratch.git(worktree, "rev-parse", "--path-format=absolute", "--git-common-dir").trim();
  const own = scratch.git(worktree, "rev-parse", "--path-format=absolute", "--git-dir").trim();
  const index = join(own, "index");
  const files: string[] = [];
  const walk = (directory: string): void => {
    for (const entry of readdirSync(directory, { withFileTypes: true })) {
      const path = join(directory, entry.name);
      if (entry.isDirectory()) walk(path);
      else files.push(`${path} ${statSync(path, { throwIfNoEntry: false })?.size}`);
    }
  };
  walk(common);
  return {
    files: files.sort(),
    index: existsSync(index)
      ? [readFileSync(index).toString("hex"), statSync(index, { bigint: true }).mtimeNs]
      : "none",
    objects: scratch.git(worktree, "count-objects", "-v"),
    refs: scratch.git(worktree, "for-each-ref"),
    status: scratch.git(worktree, "--no-optional-locks", "status", "--porcelain=v2", "--branch", "-z"),
  };
}

/** A small reproducible source of chance. */
export function chance(seed: number): {
  below(limit: number): number;
  pick<T>(items: readonly T[]): T;
  coin(share: number): boolean;
} {
  let state = seed * 2_654_435_761 + 1;
  const next = (): number => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
  const below = (limit: number): number => Math.floor(next() * limit);
  return {
    below,
    pick: (items) => {
      const item = items[below(items.length)];
      if (item === undefined) throw new Error("nothing to pick from");
      return item;
    },
    coin: (share) => next() < share,
  };
}

function unlock(path: string): void {
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory() === true) chmodSync(path, 0o700);
}
