// A home with a repository of two worktrees beside it, for stories about sensing and findings.

import { mkdirSync, realpathSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { socketCaller } from "../../src/client/socket.ts";
import { TestHome, until } from "./home.ts";

/** Twelve lines, some of them changed. */
export const text = (change: Readonly<Record<number, string>> = {}): string =>
  Array.from({ length: 12 }, (_, index) => `${change[index] ?? `line ${index}`}\n`).join("");

export class WorktreesHome extends TestHome {
  readonly repository: string;
  readonly a: string;
  readonly b: string;

  constructor(files: Readonly<Record<string, string>> = { "x.txt": text() }) {
    super();
    const top = realpathSync(this.top);
    this.repository = join(top, "app");
    mkdirSync(this.repository);
    this.git(this.repository, "init", "-q", "-b", "main");
    this.write(this.repository, files);
    this.git(this.repository, "add", "-A");
    this.git(this.repository, "commit", "-qm", "base");
    this.a = this.worktree("a");
    this.b = this.worktree("b");
  }

  worktree(name: string): string {
    const path = join(dirname(this.repository), name);
    this.git(this.repository, "worktree", "add", "-q", "-b", name, path);
    return path;
  }

  git(cwd: string, ...args: string[]): string {
    const who = { GIT_AUTHOR_NAME: "A", GIT_AUTHOR_EMAIL: "a@b", GIT_COMMITTER_NAME: "A", GIT_COMMITTER_EMAIL: "a@b" };
    const run = Bun.spawnSync(["git", ...args], { cwd, env: { ...this.env, ...who, GIT_CONFIG_NOSYSTEM: "1" } });
    if (run.exitCode !== 0) throw new Error(`git ${args.join(" ")}: ${run.stderr.toString()}`);
    return run.stdout.toString();
  }

  write(top: string, files: Readonly<Record<string, string>>): void {
    for (const [path, content] of Object.entries(files)) {
      mkdirSync(dirname(join(top, path)), { recursive: true });
      writeFileSync(join(top, path), content);
    }
  }

  get caller() {
    return this.callerAs("owner");
  }

  callerAs(actor: string) {
    return socketCaller(join(this.home, "state/daemon.sock"), actor);
  }

  async observe(): Promise<void> {
    const ran = await this.constel(["repo", "add"], { cwd: this.repository });
    if (ran.code !== 0) throw new Error(ran.stderr);
    await this.known(3);
  }

  async known(worktrees: number): Promise<void> {
    await until(
      "the worktrees are known",
      async () => (await this.caller.call("repository.list", {})).repositories[0]?.worktrees.length,
      (count) => count === worktrees,
    );
  }

  async touch(path: string, ...files: string[]): Promise<void> {
    await this.caller.call("worktree.touch", { path, files, wait: true });
  }

  async titles(): Promise<string[]> {
    return (await this.caller.call("finding.list", {})).findings.map(({ title }) => title);
  }

  async events(prefix: string): Promise<string[]> {
    const { events } = await this.caller.call("timeline.list", { limit: 1000, after_seq: 0 });
    return events.map(({ type }) => type).filter((type) => type.startsWith(prefix));
  }
}
