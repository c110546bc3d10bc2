// A home with a root directory that is a repository with a bare origin, for stories about tasks.

import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { TestHome, type Ran } from "./home.ts";

export class TaskHome extends TestHome {
  readonly origin = join(this.top, "origin.git");
  readonly root = join(this.top, "root");

  constructor(gate = "test ! -e broken || { echo it is broken; exit 1; }") {
    super();
    writeFileSync(
      join(this.top, ".gitconfig"),
      '[user]\n\tname = Ada\n\temail = ada@example.org\n[init]\n\tdefaultBranch = main\n[protocol "file"]\n\tallow = always\n',
    );
    this.git(this.top, "init", "-q", "--bare", this.origin);
    this.git(this.top, "clone", "-q", this.origin, this.root);
    this.commit(
      this.root,
      {
        "constel.toml": `[gate]\ncommand = ${JSON.stringify(gate)}\n`,
        "a.txt": "one\ntwo\nthree\n",
        ".gitignore": "workspaces/\n",
      },
      "base",
    );
    this.git(this.root, "push", "-q", "-u", "origin", "main");
  }

  git(directory: string, ...args: string[]): string {
    const run = Bun.spawnSync(["git", ...args], { cwd: directory, env: this.env });
    if (run.exitCode !== 0) throw new Error(`git ${args.join(" ")}: ${run.stderr.toString()}`);
    return run.stdout.toString().trim();
  }

  commit(directory: string, files: Readonly<Record<string, string>>, message: string): void {
    for (const [path, content] of Object.entries(files)) {
      mkdirSync(dirname(join(directory, path)), { recursive: true });
      writeFileSync(join(directory, path), content);
    }
    this.git(directory, "add", "-A");
    this.git(directory, "commit", "-qm", message);
  }

  /** Somebody else pushes to main. */
  async pushed(files: Readonly<Record<string, string>>, message: string): Promise<void> {
    const other = join(this.top, `other-${message.replaceAll(/\W/g, "-")}`);
    this.git(this.top, "clone", "-q", this.origin, other);
    this.commit(other, files, message);
    this.git(other, "push", "-q", "origin", "HEAD:main");
  }

  /** Run where the owner stands: in the root directory. */
  run(...words: string[]): Promise<Ran> {
    return this.constel(words, { cwd: this.root });
  }

  ask<T>(...words: string[]): Promise<T> {
    return this.json<T>(words, { cwd: this.root });
  }

  /** A task whose work is committed and said to be ready. */
  async ready(title: string, files: Readonly<Record<string, string>>): Promise<number> {
    const { number } = await this.ask<{ number: number }>("task", "create", title);
    const { workspace } = await this.ask<{ workspace: string }>(
      "task",
      "dispatch",
      String(number),
      "--to-workspace",
      "--no-fetch",
    );
    this.commit(workspace, files, title);
    await this.ask("task", "ready", String(number));
    return number;
  }

  log(): string[] {
    return this.git(this.origin, "log", "--reverse", "--format=%s", "main").split("\n");
  }

  /** The commits on main that came from tasks, by where they came from. */
  landed(): string[] {
    const format = "--format=%(trailers:key=Constel-Commit,valueonly)";
    return this.git(this.origin, "log", format, "main").split("\n").filter(Boolean);
  }
}
