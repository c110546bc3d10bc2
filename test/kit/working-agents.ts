// Script agents that do work: a repository with a bare origin as the root directory, and clones that on a brief do in the named
// workspace what the task's words tell them, line by line: `write FILE: TEXT`, `reply: TEXT`, `say ready on the bus`,
// `never ready`, `say nothing`. They commit and run `constel task ready`.

import { mkdirSync, realpathSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { type Ran, until } from "./home.ts";
import { agentBeginning, ScriptAgents } from "./script-agents.ts";

const workerText = `${agentBeginning}
async function run(cwd, ...command) {
  const child = Bun.spawn(command, { cwd, stdin: "ignore", stdout: "pipe", stderr: "pipe" });
  const [out, err, code] = await Promise.all([child.stdout.text(), child.stderr.text(), child.exited]);
  appendFileSync(CONSTEL_HOME + "/did-" + CONSTEL_AGENT, JSON.stringify({ command: command.slice(1), code, out, err }) + "\\n");
}
async function turn(id, text) {
  if (text.includes("say nothing")) return;
  appendFileSync(CONSTEL_HOME + "/heard-" + CONSTEL_AGENT, JSON.stringify({ id, text }) + "\\n");
  tell("prompt-submitted", { messages: [id] });
  const task = /Task (\\d+) is yours\\./.exec(text)?.[1];
  const workspace = /Workspace: (\\S+)/.exec(text)?.[1];
  if (task !== undefined && workspace !== undefined) {
    for (const [, file, content] of text.matchAll(/write (\\S+): (.*)/g)) {
      mkdirSync(dirname(join(workspace, file)), { recursive: true });
      writeFileSync(join(workspace, file), content.replaceAll("/", "\\n") + "\\n");
    }
    await run(workspace, "git", "add", "-A");
    await run(workspace, "git", "commit", "-qm", "Do task " + task);
    const reply = /reply: (.*)/.exec(text)?.[1];
    if (reply !== undefined) await run(workspace, CONSTEL_PROGRAM, "channel", "send", "agent0", reply, "--task", task);
    if (text.includes("say ready on the bus"))
      await run(workspace, CONSTEL_PROGRAM, "channel", "send", "agent0", "done", "--task", task, "--kind", "ready");
    else if (!text.includes("never ready")) await run(workspace, CONSTEL_PROGRAM, "task", "ready", task);
  }
  tell("turn-ended");
}
`;

export class WorkingAgents extends ScriptAgents {
  readonly origin = join(this.top, "origin.git");
  readonly root = join(this.top, "root");

  constructor(gate = "test ! -e broken || { echo it is broken; exit 1; }") {
    super();
    writeFileSync(join(this.top, "worker.mjs"), workerText);
    writeFileSync(
      join(this.top, ".gitconfig"),
      "[user]\n\tname = Ada\n\temail = ada@example.org\n[init]\n\tdefaultBranch = main\n",
    );
    this.git(this.top, "init", "-q", "--bare", this.origin);
    this.git(this.top, "clone", "-q", this.origin, this.root);
    this.commit({
      "constel.toml": `[gate]\ncommand = ${JSON.stringify(gate)}\n`,
      "a.txt": "one\ntwo\nthree\n",
      ".gitignore": "workspaces/\n",
    });
    this.git(this.root, "push", "-q", "-u", "origin", "main");
  }

  git(directory: string, ...words: string[]): string {
    const run = Bun.spawnSync(["git", ...words], { cwd: directory, env: this.env });
    if (run.exitCode !== 0) throw new Error(`git ${words.join(" ")}: ${run.stderr.toString()}`);
    return run.stdout.toString().trim();
  }

  commit(files: Readonly<Record<string, string>>): void {
    for (const [path, content] of Object.entries(files)) {
      mkdirSync(dirname(join(this.root, path)), { recursive: true });
      writeFileSync(join(this.root, path), content);
    }
    this.git(this.root, "add", "-A");
    this.git(this.root, "commit", "-qm", "base");
  }

  /** A clone that works on what it is given. */
  async clone(number: number): Promise<void> {
    const program = join(realpathSync(join(import.meta.dir, "..", "..")), "bin/constel");
    const worker = [process.execPath, "--no-env-file", "--config=/dev/null", join(this.top, "worker.mjs")];
    const given = Object.entries({ ...this.env, CONSTEL_PROGRAM: program }).map(([name, value]) => `${name}=${value}`);
    await this.start(`agent${number}`, {}, ["env", ...given, ...worker]);
  }

  /** Run where the owner stands: in the root directory. */
  run(...words: string[]): Promise<Ran> {
    return this.constel(words, { cwd: this.root });
  }

  ask<T = Record<string, unknown>>(...words: string[]): Promise<T> {
    return this.json<T>(words, { cwd: this.root });
  }

  async create(title: string, text: string, ...more: string[]): Promise<number> {
    const words = text === "" ? more : ["--text", text, ...more];
    return (await this.ask<{ number: number }>("task", "create", title, ...words)).number;
  }

  state(task: number): unknown {
    return this.query(`select state from tasks where number = ${task}`)[0]?.["state"];
  }

  events(task: number): unknown[] {
    return this.query(`select type from task_events where task = ${task} order by seq`).map(({ type }) => type);
  }

  becomes(task: number, ...states: string[]): Promise<unknown> {
    return until(
      `task ${task} is ${states.join(" or ")}`,
      () => this.state(task),
      (state) => states.includes(String(state)),
    );
  }

  seen(agent: string, wanted: string): Promise<unknown> {
    return until(
      `${agent} is seen ${wanted}`,
      () => this.query(`select state from clones_now where agent = '${agent}'`)[0]?.["state"],
      (state) => state === wanted,
    );
  }

  /** The briefs about a task that an agent's program was given. */
  briefs(task: number): string[] {
    return ["agent1", "agent2", "agent3"].flatMap((agent) =>
      this.heard(agent)
        .filter(({ text }) => text.includes(`Task ${task} is yours.`))
        .map(() => agent),
    );
  }
}
