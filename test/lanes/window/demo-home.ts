// The home of `constel demo --keep`: four agents in terminals, tasks, two collisions, a contract that breaks, a harvest. Script agents; git,
// tmux and constel are real. The tests of the window look at it and act in it.

import { existsSync, mkdtempSync, readFileSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { projectTop, type Ran, type TestHome } from "../../kit/home.ts";

interface Kept {
  readonly home: string;
  readonly root: string;
  readonly directory: string;
}

/** What the tests of the window need of a home. */
export type WindowHome = Pick<TestHome, "constel" | "json" | "home" | "daemonPid">;

export class DemoHome implements AsyncDisposable {
  readonly home: string;
  readonly root: string;
  readonly #top: string;
  readonly #directory: string;

  private constructor(top: string, { home, root, directory }: Kept) {
    this.#top = top;
    this.home = home;
    this.root = root;
    this.#directory = directory;
  }

  static async play(): Promise<DemoHome> {
    const top = realpathSync(mkdtempSync(join(tmpdir(), "constel-test-")));
    const env = { PATH: process.env["PATH"] ?? "", HOME: top, TMPDIR: top, LC_ALL: "C.UTF-8", TZ: "UTC" };
    const { code, stdout, stderr } = await run(["demo", "--keep", "--fast", "--json"], { cwd: top, env });
    const answer = JSON.parse(stdout === "" ? "{}" : stdout) as { kept?: Kept; missing?: readonly string[] };
    if (code !== 0 || answer.kept === undefined) {
      rmSync(top, { recursive: true, force: true });
      throw new Error(`the demo ended with ${code}: ${JSON.stringify(answer.missing)} ${stderr}`);
    }
    return new DemoHome(top, answer.kept);
  }

  get env(): Record<string, string> {
    const { home } = this;
    return {
      PATH: process.env["PATH"] ?? "",
      HOME: dirname(home),
      CONSTEL_HOME: home,
      TMUX_TMPDIR: this.#directory,
      CONSTEL_AGENTS_SCRIPT_COMMAND: "constel,demo-agent",
      LC_ALL: "C.UTF-8",
      TZ: "UTC",
    };
  }

  get daemonPid(): number | undefined {
    const file = join(this.home, "state/daemon.json");
    return existsSync(file) ? (JSON.parse(readFileSync(file, "utf8")) as { pid: number }).pid : undefined;
  }

  constel(words: readonly string[], options: { readonly cwd?: string; readonly input?: string } = {}): Promise<Ran> {
    return run(words, { cwd: options.cwd ?? this.root, env: this.env, ...options });
  }

  async json<T = unknown>(words: readonly string[]): Promise<T> {
    const { code, stdout, stderr } = await this.constel([...words, "--json"]);
    // Some commands say by their exit code that something needs the owner.
    if (stdout === "") throw new Error(`constel ${words.join(" ")} ended with ${code}: ${stderr}`);
    return JSON.parse(stdout) as T;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.constel(["down", "--all"]);
    await this.constel(["daemon", "stop"]);
    rmSync(this.#top, { recursive: true, force: true, maxRetries: 5 });
  }
}

async function run(
  words: readonly string[],
  options: { readonly cwd: string; readonly env: Record<string, string>; readonly input?: string },
): Promise<Ran> {
  const { cwd, env, input } = options;
  const child = Bun.spawn([join(projectTop, "bin/constel"), ...words], {
    cwd,
    env,
    stdin: input === undefined ? "ignore" : new TextEncoder().encode(input),
    stdout: "pipe",
    stderr: "pipe",
  });
  const [stdout, stderr, code] = await Promise.all([child.stdout.text(), child.stderr.text(), child.exited]);
  return { code, stdout, stderr };
}
