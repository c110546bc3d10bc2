// Sets up the place where the demo plays: a temporary directory with a home, a tmux server, an origin and a repository of its own, and
// nothing of the user's but PATH and the looks of the terminal. `strike` ends and removes all of it, however far things had come.

import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { systemClock } from "../../../host/clock/system-clock.ts";
import { reap } from "../../../host/process/reap.ts";
import { systemProcesses } from "../../../host/process/run.ts";
import { makeTemporaryDirectory } from "../../../host/process/temporary-directory.ts";
import { Outage } from "../../../protocol/errors.ts";
import type { Env } from "../../../settings/env.ts";

export interface Ran {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a command as its user would and shows it, with at most so many lines of what it prints; `exits`: the codes with which it may end. */
export type Show = (words: readonly string[], most?: number, exits?: readonly number[]) => Promise<Ran>;

/** Nothing in the demo takes this long; past it, it has failed. */
const deadlineMs = 90_000;
const graceMs = 3_000;
const endsWithinMs = 45_000;

export class Stage {
  readonly top: string;
  readonly root: string;
  readonly home: string;
  readonly env: Readonly<Record<string, string>>;
  readonly #self: readonly string[];
  readonly #signal: AbortSignal;

  constructor(self: readonly string[], from: Env & Readonly<Record<string, string | undefined>>, signal: AbortSignal) {
    this.#self = self;
    this.#signal = signal;
    this.top = makeTemporaryDirectory("constel-demo-", baseFor(tmpdir()));
    this.root = join(this.top, "shop");
    this.home = join(this.top, "home", ".constel");
    this.env = {
      PATH: from["PATH"] ?? "/usr/local/bin:/usr/bin:/bin",
      HOME: join(this.top, "home"),
      TMPDIR: join(this.top, "tmp"),
      TMUX_TMPDIR: this.top,
      CONSTEL_HOME: this.home,
      CONSTEL_AGENTS_SCRIPT_COMMAND: "constel,demo-agent",
      LC_ALL: "C.UTF-8",
      COLUMNS: from.COLUMNS ?? "80",
    };
  }

  /** The directories, the origin, and the repository with one commit on both. */
  async build(files: Readonly<Record<string, string>>): Promise<void> {
    for (const name of ["home", "tmp"]) mkdirSync(join(this.top, name), { mode: 0o700 });
    const identity = "[user]\n\tname = You\n\temail = you@example.com\n[init]\n\tdefaultBranch = main\n";
    writeFileSync(join(this.top, "home", ".gitconfig"), identity);
    await this.#git(this.top, "init", "-q", "--bare", "shop.git");
    await this.#git(this.top, "clone", "-q", "shop.git", "shop");
    for (const [path, content] of Object.entries(files)) {
      mkdirSync(dirname(join(this.root, path)), { recursive: true });
      writeFileSync(join(this.root, path), content);
    }
    await this.#git(this.root, "add", "-A");
    await this.#git(this.root, "commit", "-q", "-m", "A small shop");
    await this.#git(this.root, "push", "-q", "-u", "origin", "main");
  }

  /** A second repository beside the first, with one commit and work that is not committed. */
  async buildBeside(
    name: string,
    files: Readonly<Record<string, string>>,
    work: Readonly<Record<string, string>>,
  ): Promise<void> {
    const top = join(this.top, name);
    await this.#git(this.top, "init", "-q", name);
    const write = ([path, content]: readonly [string, string]): void => {
      mkdirSync(dirname(join(top, path)), { recursive: true });
      writeFileSync(join(top, path), content);
    };
    Object.entries(files).forEach(write);
    await this.#git(top, "add", "-A");
    await this.#git(top, "commit", "-q", "-m", `The ${name}`);
    Object.entries(work).forEach(write);
  }

  /** A command as its user would type it: `constel` is this very program. `home`: another constellation's. */
  async run(words: readonly string[], home?: string): Promise<Ran> {
    this.#signal.throwIfAborted();
    const [program = "", ...rest] = words;
    const command = program === "constel" ? [...this.#self, ...rest] : words;
    const ran = await this.#execute(command, this.root, deadlineMs, this.#signal, home);
    this.#signal.throwIfAborted();
    return ran;
  }

  /** Asks again until the answer holds; undefined when it never does. */
  async until<T>(ask: () => Promise<T>, holds: (answer: T) => boolean): Promise<T | undefined> {
    const endMs = systemClock.monotonicMs() + deadlineMs;
    for (let waitMs = 60; ; waitMs = Math.min(400, waitMs * 1.3)) {
      const answer = await ask();
      if (holds(answer)) return answer;
      if (systemClock.monotonicMs() > endMs) return undefined;
      await systemClock.sleep(waitMs, this.#signal);
    }
  }

  /** Ends everything and removes the directory. What it cannot end it names. */
  async strike(): Promise<void> {
    // Its own verb first. An interrupted start may have left what no file tells of yet: that has our directory as its mark.
    await this.#execute([...this.#self, "down", "--all"], this.root, endsWithinMs).catch(() => undefined);
    const { left } = await reap({ clock: systemClock, graceMs, mark: { TMUX_TMPDIR: this.top } });
    rmSync(this.top, { recursive: true, force: true, maxRetries: 5 });
    if (left.length > 0) throw new Outage("end", `processes ${left.map(({ pid }) => pid).join(", ")}`, "still there");
  }

  async #git(cwd: string, ...words: string[]): Promise<void> {
    this.#signal.throwIfAborted();
    const { code, stderr } = await this.#execute(["git", ...words], cwd, deadlineMs, this.#signal);
    this.#signal.throwIfAborted();
    if (code !== 0) throw new Outage("git", words[0] ?? "", stderr.trim());
  }

  /** In a process group of its own, so that Ctrl-C reaches us and we decide. */
  async #execute(
    command: readonly string[],
    cwd: string,
    withinMs: number,
    signal?: AbortSignal,
    home: string = this.home,
  ): Promise<Ran> {
    const options = {
      cwd,
      env: { ...this.env, CONSTEL_HOME: home },
      deadlineMs: withinMs,
      ...(signal === undefined ? {} : { signal }),
    };
    const { code, stdout, stderr } = await systemProcesses.run(command, options);
    return { code: code ?? 255, stdout: new TextDecoder().decode(stdout), stderr };
  }
}

/** Sockets are made there, of tmux too, and the kernel takes paths of some hundred bytes. */
export function baseFor(temporary: string): string {
  return Buffer.byteLength(join(temporary, "constel-demo-XXXXXX/tmux-4294967295/constel-01234567")) > 103
    ? "/tmp"
    : temporary;
}
