// A temporary home (and HOME) for a test, and the real program run in it. What a test started is ended by it: agents and daemon
// by their own verbs, then whatever process still holds the daemon's lock, by its id.

import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sweepAfter } from "../../src/host/process/sweep-after.suite.ts";
import { storeForHome } from "./story-store.ts";

export const projectTop = join(import.meta.dir, "..", "..");

export interface Ran {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

export interface RunOptions {
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly input?: string;
  /** Another program than this clone's bin/constel. */
  readonly program?: readonly string[];
}

/** A verb, and the field of its answer that `json` gives. */
const lists = [
  ["query", "rows"],
  ["task", "list", "tasks"],
  ["task", "next", "tasks"],
  ["task", "queue", "tasks"],
  ["task", "export", "tasks"],
  ["workspace", "ls", "workspaces"],
  ["events", "events"],
  ["agents", "agents"],
];

export class TestHome {
  /** The outer directory: HOME of what runs here. */
  readonly top: string;
  readonly home: string;
  readonly #store = storeForHome();

  constructor() {
    this.top = mkdtempSync(join(tmpdir(), "constel-test-"));
    this.home = join(this.top, "home");
    sweepAfter(this.top);
  }

  /** A clean environment: nothing of the machine's but the PATH. */
  get env(): Record<string, string> {
    return {
      PATH: process.env["PATH"] ?? "",
      HOME: this.top,
      CONSTEL_HOME: this.home,
      TMUX_TMPDIR: this.top,
      LC_ALL: "C.UTF-8",
      TZ: "UTC",
      CONSTEL_CHECK_ANSWERS: "yes",
      ...(this.#store === undefined ? {} : { CONSTEL_STORE_URL: this.#store }),
    };
  }

  /** Runs `bin/constel` to its end. */
  async constel(words: readonly string[], options: RunOptions = {}): Promise<Ran> {
    const child = Bun.spawn([...(options.program ?? [join(projectTop, "bin/constel")]), ...words], {
      cwd: options.cwd ?? this.top,
      env: { ...this.env, ...options.env },
      stdin: options.input === undefined ? "ignore" : new TextEncoder().encode(options.input),
      stdout: "pipe",
      stderr: "pipe",
    });
    const [stdout, stderr, code] = await Promise.all([
      new Response(child.stdout).text(),
      new Response(child.stderr).text(),
      child.exited,
    ]);
    return { code, stdout, stderr };
  }

  /** The same, expecting success; answers stdout as JSON, without the version of its format. The lists that tests ask for most come as lists. */
  async json<T = unknown>(words: readonly string[], options: RunOptions = {}): Promise<T> {
    const ran = await this.constel([...words, "--json"], options);
    if (ran.code !== 0) throw new Error(`constel ${words.join(" ")} ended with ${ran.code}: ${ran.stderr}`);
    const { format_version: version, ...answer } = JSON.parse(ran.stdout) as Record<string, unknown>;
    if (version !== 1) throw new Error(`constel ${words.join(" ")} --json says no format version: ${ran.stdout}`);
    const list = lists.find(([...of]) => of.slice(0, -1).every((word, at) => words[at] === word))?.at(-1);
    return (list === undefined || answer[list] === undefined ? answer : answer[list]) as T;
  }

  get daemonPid(): number | undefined {
    try {
      return (JSON.parse(readFileSync(join(this.home, "state/daemon.json"), "utf8")) as { pid: number }).pid;
    } catch {
      return undefined;
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const pid = this.daemonPid;
    if (existsSync(join(this.home, "state/agents"))) await this.constel(["down", "--all"]);
    await this.constel(["daemon", "stop"]);
    if (pid !== undefined && (await stillRuns(pid, this.home))) process.kill(pid, "SIGKILL");
    rmSync(this.top, { recursive: true, force: true });
  }
}

/** Tells whether the process is there and is a daemon of this home, not another program that was given the same id. */
async function stillRuns(pid: number, home: string): Promise<boolean> {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8").includes(home);
  } catch {
    return false;
  }
}

/** Beside other work a few seconds become a minute; what never comes true is told soon enough all the same. */
const untilMs = 90_000;

/** Asks again until it holds; fails with the last answer when it never does. Waits on conditions, not on time. */
export async function until<T>(what: string, ask: () => T | Promise<T>, holds: (answer: T) => boolean): Promise<T> {
  const deadline = performance.now() + untilMs;
  for (;;) {
    const answer = await ask();
    if (holds(answer)) return answer;
    if (performance.now() > deadline) throw new Error(`never came true: ${what}; last: ${JSON.stringify(answer)}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
