// A lab with a constellation in it: a repository with its origin, a daemon, and one clone of the real program. Under the default
// permissions whatever it asks is asked of constel.

import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Runtime } from "../../../src/ports/runtime.ts";
import { rowsOf } from "../../kit/rows-of.ts";
import { homes } from "./homes.ts";
import { Lab, until } from "./lab.ts";

const top = join(import.meta.dir, "..", "..", "..");

export interface Ran {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

export interface TaskLabOptions {
  /** config.toml. */
  readonly config?: string;
  /** In the repository's first commit, by path. */
  readonly files?: Readonly<Record<string, string>>;
  /** With no network but loopback. */
  readonly isolate?: boolean;
  /** The time that the program may take to come to a state. */
  readonly slowMs?: number;
}

/** Nothing is asked at all. */
export const allAllowed = '[agents]\npermissions = "all"\n';

export class TaskLab {
  readonly lab: Lab;
  readonly origin: string;

  readonly #slowMs: number;

  private constructor(lab: Lab, slowMs: number) {
    this.lab = lab;
    this.#slowMs = slowMs;
    this.origin = join(lab.directory, "origin.git");
  }

  static async open(runtime: Runtime, program: string, options: TaskLabOptions = {}): Promise<TaskLab> {
    const { config = "", files = {}, isolate = true, slowMs = 60_000 } = options;
    const home = homes[runtime.name];
    if (home === undefined) throw new Error(`no test home for ${runtime.name}`);
    const here = new TaskLab(await Lab.open(runtime, program, home, { isolate }), slowMs);
    const { lab, origin } = here;
    mkdirSync(lab.constel, { recursive: true });
    // Where the tests run as root, Claude Code does everything unasked only when told that it is in a sandbox.
    if (config.includes(allAllowed)) Object.assign(lab.machine.env, { IS_SANDBOX: "1" });
    writeFileSync(join(lab.constel, "config.toml"), config);
    lab.write(join(lab.home, ".gitconfig"), "[user]\n\tname = Ada\n\temail = ada@example.org\n");
    lab.write(join(lab.work, ".gitignore"), "workspaces/\n");
    for (const [path, content] of Object.entries(files)) lab.write(join(lab.work, path), content);
    for (const words of [
      ["init", "-q", "--bare", "-b", "main", origin],
      ["add", "-A"],
      ["commit", "-qm", "base"],
      ["remote", "add", "origin", origin],
      ["push", "-q", "-u", "origin", "main"],
    ])
      await here.run(["git", ...words]);
    return here;
  }

  /** Starts the clone, and waits until it stands idle. */
  async begin(): Promise<void> {
    await this.constel("daemon", "start");
    await this.constel("agent", "1", "--type", this.lab.runtime.name);
    await this.becomes("idle");
  }

  async tried(command: readonly string[]): Promise<Ran> {
    const { lab } = this;
    const env = { ...lab.machine.env, CONSTEL_HOME: lab.constel, CONSTEL_ROOT: lab.work, TMUX_TMPDIR: lab.directory };
    const child = Bun.spawn([...command], { cwd: lab.work, env, stdout: "pipe", stderr: "pipe" });
    const [out, err, code] = await Promise.all([child.stdout.text(), child.stderr.text(), child.exited]);
    return { code, out, err };
  }

  async run(command: readonly string[]): Promise<string> {
    const { code, out, err } = await this.tried(command);
    if (code !== 0) throw new Error(`${command.join(" ")} ended with ${code}: ${err}${out}`);
    return out;
  }

  constel(...words: string[]): Promise<string> {
    return this.run([join(top, "bin/constel"), ...words]);
  }

  /** The answer of a command that says by its exit code that something needs the owner. */
  async says<T>(...words: string[]): Promise<T> {
    return JSON.parse((await this.tried([join(top, "bin/constel"), ...words, "--json"])).out) as T;
  }

  async query(sql: string): Promise<Record<string, unknown>[]> {
    return rowsOf(join(this.lab.constel, "meta.db"), sql);
  }

  becomes(state: string): Promise<unknown> {
    return until(
      state,
      async () => (await this.query("select state, evidence from clones_now where agent = 'agent1'"))[0],
      (row) => row?.["state"] === state,
      this.#slowMs,
    );
  }

  async close(): Promise<void> {
    await this.tried([join(top, "bin/constel"), "down", "--all"]);
    await this.tried([join(top, "bin/constel"), "daemon", "stop"]);
    await this.lab.close();
  }
}
