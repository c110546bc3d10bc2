// Runs the real programs in the lane: homes of their own, an empty environment, a scripted model, and, where we may make one, a network
// namespace that has nothing but loopback.

import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { systemClock } from "../../../src/host/clock/system-clock.ts";
import { layLinks } from "../../../src/floor/agents/lay-links.ts";
import { systemProcesses } from "../../../src/host/process/run.ts";
import { isAlive } from "../../../src/host/runtime/alive.ts";
import type { Launch, LiveSession, PushInbox, Runtime, RuntimeMachine } from "../../../src/ports/runtime.ts";
import { Model } from "./model.ts";
import { Terminal, type TmuxPane } from "./terminal.ts";

const bun = [process.execPath, "--no-env-file", "--config=/dev/null"];

/** The things that each program needs to find the scripted model instead of its vendor. Tests only: users' homes are never replaced. */
export interface Home {
  readonly env: (lab: Lab) => Record<string, string>;
  readonly files: (lab: Lab) => Record<string, string>;
}

export interface Started {
  readonly session: LiveSession & { readonly pane: TmuxPane };
  readonly pane: TmuxPane;
}

export class Lab {
  readonly directory: string;
  readonly home: string;
  readonly constel: string;
  readonly work: string;
  readonly runtime: Runtime;
  readonly model: Model;
  readonly machine: RuntimeMachine;
  readonly program: string;
  readonly terminal: Terminal;
  readonly #holder: Bun.Subprocess | undefined;
  #count = 0;

  private constructor(
    runtime: Runtime,
    model: Model,
    directory: string,
    program: string,
    holder: Bun.Subprocess | undefined,
  ) {
    this.runtime = runtime;
    this.model = model;
    this.directory = directory;
    this.home = join(directory, "home");
    this.constel = join(directory, "constel");
    this.work = join(directory, "work");
    this.program = program;
    this.#holder = holder;
    this.terminal = new Terminal(directory);
    this.machine = { processes: systemProcesses, clock: systemClock, env: {} };
  }

  static async open(runtime: Runtime, program: string, home: Home, options: { isolate: boolean }): Promise<Lab> {
    const directory = realpathSync(mkdtempSync(join(tmpdir(), "constel-runtimes-")));
    for (const name of ["home", "constel", "work", "bin", "tmp"]) mkdirSync(join(directory, name));
    writeFileSync(
      join(directory, "tmux.conf"),
      // A server that ends with its last session may be ending just as the next one is asked for.
      "set -s exit-empty off\nset -g remain-on-exit on\nset -g escape-time 0\nset -g default-terminal tmux-256color\n",
    );
    const holder = options.isolate ? await loopbackOnly() : undefined;
    const prefix = holder === undefined ? [] : ["nsenter", "-t", String(holder.pid), "-n", "--"];
    const model = await Model.start(prefix);
    const wrapper = join(directory, "bin", runtime.name);
    writeFileSync(wrapper, `#!/bin/sh\nexec ${[...prefix, program].join(" ")} "$@"\n`);
    chmodSync(wrapper, 0o755);
    const lab = new Lab(runtime, model, directory, wrapper, holder);
    await systemProcesses.run(["git", "init", "-q", "-b", "main", lab.work], {
      env: lab.baseEnv(),
      deadlineMs: 10_000,
    });
    for (const [path, content] of Object.entries(home.files(lab))) lab.write(path, content);
    Object.assign(lab.machine.env, lab.baseEnv(), home.env(lab));
    lab.write(join(lab.constel, "state", "prompts", "agent1.md"), "You are agent1. CONSTEL-SYSTEM-PROMPT\n");
    return lab;
  }

  baseEnv(): Record<string, string> {
    const path = `${join(this.directory, "bin")}:${dirname(process.execPath)}:${process.env["PATH"] ?? "/usr/bin:/bin"}`;
    const tmp = join(this.directory, "tmp");
    return { PATH: path, HOME: this.home, TERM: "tmux-256color", LANG: "C.UTF-8", TMPDIR: tmp, TZ: "UTC" };
  }

  write(path: string, content: string): void {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, content);
  }

  launch(extra: Partial<Launch> = {}): Launch {
    return {
      agent: `agent${++this.#count}`,
      home: this.constel,
      cwd: this.work,
      program: this.program,
      promptFile: join(this.constel, "state", "prompts", "agent1.md"),
      permissions: "ask",
      hookCommand: [...bun, fileURLToPath(import.meta.resolve("./hook.ts")), this.runtime.name],
      trusted: true,
      ...extra,
    };
  }

  async start(launch: Launch): Promise<Started> {
    const prepared = await this.runtime.prepare(launch, this.machine);
    for (const file of prepared.files) this.write(join(this.constel, file.path), file.content);
    layLinks(this.constel, prepared.links ?? []);
    const sinceMs = Date.now();
    const pane = await this.terminal.open(
      launch.agent,
      launch.cwd,
      { ...this.machine.env, ...prepared.env },
      prepared.argv,
    );
    const pid = await pane.pid();
    return { pane, session: { launch, sinceMs, pane, pid, push: this.push(launch.agent) } };
  }

  push(agent: string): PushInbox {
    const directory = join(this.constel, "state", "push", agent);
    const lock = join(directory, "waiter");
    return {
      put: (id, text) => Promise.resolve(this.write(join(directory, `${id}.message`), text)),
      withdraw: (id) => {
        const file = join(directory, `${id}.message`);
        const there = existsSync(file);
        rmSync(file, { force: true });
        return Promise.resolve(there);
      },
      attended: () => Promise.resolve(existsSync(lock) && isAlive(Number(readFileSync(lock, "utf8")))),
    };
  }

  waitCommand(): readonly string[] {
    return [...bun, fileURLToPath(import.meta.resolve("./wait.ts"))];
  }

  async close(): Promise<void> {
    await this.terminal.close();
    await this.model.close();
    this.#holder?.kill();
    await this.#holder?.exited;
    rmSync(this.directory, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
  }
}

/** A process that holds a network namespace with only loopback, or undefined where we may not make one. */
async function loopbackOnly(): Promise<Bun.Subprocess | undefined> {
  if (process.getuid?.() !== 0 || process.platform !== "linux") return undefined;
  const holder = Bun.spawn(["unshare", "-n", "sh", "-c", "ip link set lo up && echo ready && exec sleep 3600"], {
    stdout: "pipe",
    stderr: "ignore",
  });
  for await (const chunk of holder.stdout) {
    if (new TextDecoder().decode(chunk).includes("ready")) return holder;
  }
  return undefined; // no right to make one, or no `ip`
}

/** Looks again and again until it is so; says what it saw last when it never is. */
export async function until<T>(
  what: string,
  look: () => Promise<T>,
  good: (seen: T) => boolean,
  withinMs = 30_000,
): Promise<T> {
  const startedMs = performance.now();
  for (;;) {
    const seen = await look();
    if (good(seen)) return seen;
    if (performance.now() - startedMs > withinMs)
      throw new Error(`never ${what}; last seen: ${JSON.stringify(seen)?.slice(-600)}`);
    await Bun.sleep(50);
  }
}
