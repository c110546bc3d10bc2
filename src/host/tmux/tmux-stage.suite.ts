// A tmux server of a test's own, on its own socket in its own directory, gone at the end whatever happened.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Clock } from "../../ports/machine.ts";
import { systemClock } from "../clock/system-clock.ts";
import type { Stage } from "../../ports/terminals.suite.ts";
import { sweepAfter } from "../process/sweep-after.suite.ts";
import { endWithin, serverProcess } from "./server-process.ts";
import { TmuxTerminals, type TmuxTerminalsOptions } from "./tmux-terminals.ts";

export class TmuxStage implements Stage {
  readonly directory = mkdtempSync(join(tmpdir(), "constel-tmux-"));
  readonly socket = `test-${crypto.randomUUID().slice(0, 8)}`;
  readonly lockPath = join(this.directory, "tmux.lock");
  readonly env = {
    PATH: process.env["PATH"] ?? "/usr/bin:/bin",
    HOME: this.directory,
    LC_ALL: "C",
    TMUX_TMPDIR: this.directory,
    TMUX: "/nowhere,1,0",
    // As in an account that nobody logs in to: whatever tmux gives to the user's shell comes to nothing.
    SHELL: "/bin/false",
    CONSTEL_AGENT: "agent99",
  };
  readonly #clients: TmuxTerminals[] = [];
  readonly terminals = this.another();

  constructor() {
    sweepAfter(this.directory);
  }

  /** A second client of the same server. */
  another(options: Partial<TmuxTerminalsOptions> & { clock?: Clock } = {}): TmuxTerminals {
    const terminals = new TmuxTerminals({
      socket: this.socket,
      env: this.env,
      clock: systemClock,
      lockPath: this.lockPath,
      ...options,
    });
    this.#clients.push(terminals);
    return terminals;
  }

  /** tmux as a person would call it. */
  tmux(...args: string[]): { out: string; code: number } {
    const { TMUX: _, ...env } = this.env;
    const done = Bun.spawnSync(["tmux", "-u", "-L", this.socket, "-f", "/dev/null", "-N", ...args], { env });
    return { out: done.stdout.toString() + done.stderr.toString(), code: done.exitCode };
  }

  get serverIsUp(): boolean {
    return this.tmux("list-sessions").code === 0;
  }

  get serverPid(): number {
    return Number(this.tmux("display-message", "-p", "#{pid}").out);
  }

  async finish(name: string, status: number): Promise<void> {
    await this.terminals.paste(name, `exit${status}`, { clearLine: true });
    await this.terminals.enter(name);
  }

  async scrollBack(name: string): Promise<void> {
    this.tmux("copy-mode", "-t", `=${name}:`);
  }

  async end(): Promise<void> {
    const server = await serverProcess({ socket: this.socket, env: this.env, clock: systemClock });
    // One that a test stopped and left would not even hear that it should end.
    if (server !== undefined) process.kill(server.pid, "SIGCONT");
    this.tmux("kill-server");
    for (const terminals of this.#clients) await terminals.close();
    if (server !== undefined) await endWithin(server, systemClock, 2000);
    rmSync(this.directory, { recursive: true, force: true });
  }
}
