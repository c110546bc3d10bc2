// A terminal for the lane: a tmux server of its own, driven by plain commands.

import { join } from "node:path";
import { sweepAfter } from "../../../src/host/process/sweep-after.suite.ts";
import { systemProcesses } from "../../../src/host/process/run.ts";
import type { Pane } from "../../../src/ports/runtime.ts";

const marks = ["#{cursor_x}", "#{cursor_y}", "#{pane_in_mode}", "#{pane_dead}", "#{pane_pid}", "#{pane_title}"].join(
  "\t",
);

export class Terminal {
  readonly #directory: string;

  constructor(directory: string) {
    this.#directory = directory;
    sweepAfter(directory);
  }

  async open(
    name: string,
    cwd: string,
    env: Readonly<Record<string, string>>,
    argv: readonly string[],
  ): Promise<TmuxPane> {
    const pairs = Object.entries(env).map(([key, value]) => `${key}=${value}`);
    await this.tmux(
      "new-session",
      "-d",
      "-x",
      "140",
      "-y",
      "45",
      "-s",
      name,
      "-c",
      cwd,
      "--",
      "env",
      "-i",
      ...pairs,
      ...argv,
    );
    return new TmuxPane(this, name);
  }

  async tmux(...command: readonly string[]): Promise<string> {
    return this.tmuxWith(undefined, ...command);
  }

  async tmuxWith(stdin: string | undefined, ...command: readonly string[]): Promise<string> {
    const outcome = await systemProcesses.run(
      ["tmux", "-S", join(this.#directory, "tmux.sock"), "-f", join(this.#directory, "tmux.conf"), ...command],
      {
        env: {
          PATH: process.env["PATH"] ?? "/usr/bin:/bin",
          TERM: "xterm-256color",
          LANG: "C.UTF-8",
          HOME: this.#directory,
        },
        deadlineMs: 10_000,
        ...(stdin === undefined ? {} : { stdin }),
      },
    );
    if (outcome.code !== 0) throw new Error(`tmux ${command[0] ?? ""}: ${outcome.stderr}`);
    return new TextDecoder().decode(outcome.stdout);
  }

  /** Not every program ends when its terminal does: opencode goes on, and takes half a processor. */
  async close(): Promise<void> {
    const pids = await this.tmux("list-panes", "-a", "-F", "#{pane_pid}").catch(() => "");
    await this.tmux("kill-server").catch(() => "");
    for (const pid of pids.split("\n").filter((line) => /^\d+$/.test(line))) {
      try {
        process.kill(-Number(pid), "SIGKILL"); // a terminal's first process leads a group of its own
      } catch {
        // it has ended
      }
    }
  }
}

export class TmuxPane implements Pane {
  readonly #terminal: Terminal;
  readonly name: string;

  constructor(terminal: Terminal, name: string) {
    this.#terminal = terminal;
    this.name = name;
  }

  async capture() {
    const target = `=${this.name}:`;
    const both = await this.#terminal.tmux(
      "display-message",
      "-p",
      "-t",
      target,
      marks,
      ";",
      "capture-pane",
      "-p",
      "-t",
      target,
    );
    const [first = "", ...text] = both.split("\n");
    const [x, y, mode, dead, , ...title] = first.split("\t");
    return {
      text: text.join("\n"),
      title: title.join("\t"),
      cursorX: Number(x),
      cursorY: Number(y),
      inMode: mode !== "0",
      dead: dead === "1",
    };
  }

  async pid(): Promise<number> {
    return Number(await this.#terminal.tmux("display-message", "-p", "-t", `=${this.name}:`, "#{pane_pid}"));
  }

  async paste(text: string): Promise<void> {
    const buffer = `constel-${this.name}`;
    await this.#terminal.tmuxWith(text, "load-buffer", "-b", buffer, "-");
    await this.#terminal.tmux("paste-buffer", "-p", "-r", "-d", "-b", buffer, "-t", `=${this.name}:`);
  }

  enter(): Promise<void> {
    return this.keys("Enter");
  }

  async keys(...names: readonly string[]): Promise<void> {
    await this.#terminal.tmux("send-keys", "-t", `=${this.name}:`, ...names);
  }

  async type(text: string): Promise<void> {
    await this.#terminal.tmux("send-keys", "-t", `=${this.name}:`, "-l", text);
  }

  async enterCopyMode(): Promise<void> {
    await this.#terminal.tmux("copy-mode", "-t", `=${this.name}:`);
  }

  async leaveMode(): Promise<void> {
    await this.#terminal.tmux("copy-mode", "-q", "-t", `=${this.name}:`);
  }

  async kill(): Promise<void> {
    await this.#terminal.tmux("kill-session", "-t", `=${this.name}`);
  }
}
