// Gives the monitor its terminal, and the commands by which it acts. Drawing and keys are the monitor's (doors/tui/).

import { join } from "node:path";
import { followEvents } from "../../../client/follow-events.ts";
import { childEnvironment } from "../../../host/process/child-environment.ts";
import { ownCommand } from "../../../host/process/own-command.ts";
import { systemClock } from "../../../host/clock/system-clock.ts";
import { daemonProof } from "../../../host/keys/daemon-proof.ts";
import { Refusal } from "../../../protocol/errors.ts";
import { inHome } from "../../../settings/paths.ts";
import type { CliContext } from "../context.ts";
import type { RunCommand } from "../input/command.ts";
import type { WatchTerminal } from "../../../client/monitor.ts";

export const watch: RunCommand = async (context) => await monitor(context);

export async function monitor(context: CliContext): Promise<undefined> {
  const { output, signal, places } = context;
  if (!output.interactive || output.json || !process.stdin.isTTY)
    throw new Refusal(
      "usage.bad-value",
      "constel watch draws on a terminal; for a pipe there is `constel status --watch --json`",
      {},
    );
  const { config } = await context.settings();
  const caller = await context.caller();
  // The daemon is there from here on, if it can be.
  await caller.call("attention.list", { limit: 1 });
  const socket = join(places.home, inHome.socket);
  const terminal = terminalOf(output.raw);
  const attach = async (agent: string): Promise<void> => {
    terminal.rest();
    const child = Bun.spawn([...ownCommand(), "attach", agent, "--home", places.home], {
      env: childEnvironment(context.env),
      stdin: "inherit",
      stdout: "inherit",
      stderr: "inherit",
    });
    await child.exited;
    terminal.begin();
  };
  const run = async (words: readonly string[]): Promise<{ ok: boolean; said: string }> => {
    const child = Bun.spawn([...ownCommand(), ...withHome(words, places.home)], {
      env: childEnvironment(context.env),
      cwd: context.cwd,
      stdin: "ignore",
      stdout: "pipe",
      stderr: "pipe",
    });
    const [out, complaint, code] = await Promise.all([
      new Response(child.stdout).text(),
      new Response(child.stderr).text(),
      child.exited,
    ]);
    const last = (text: string): string => text.trim().split("\n").at(-1) ?? "";
    const first = (text: string): string => text.trim().split("\n")[0] ?? "";
    return code === 0 ? { ok: true, said: last(out) || "done" } : { ok: false, said: first(complaint) || last(out) };
  };
  terminal.begin();
  try {
    await context.backstage.watchScreen({
      caller,
      follow: (until) => followEvents(socket, undefined, until, daemonProof(places.home)),
      run,
      attach,
      terminal: terminal.port,
      sleep: (ms, until) => systemClock.sleep(ms, until),
      constellation: config["constellation.name"],
      signal,
    });
  } finally {
    terminal.rest();
  }
  return undefined;
}

/** Flags stand before `--`, behind which all is words. */
function withHome(words: readonly string[], home: string): string[] {
  const end = words.indexOf("--");
  const flags = ["--home", home];
  return end === -1 ? [...words, ...flags] : [...words.slice(0, end), ...flags, ...words.slice(end)];
}

/** The process's own terminal, whose keys come as they are typed between `begin` and `rest`. */
function terminalOf(write: (bytes: string) => void): { port: WatchTerminal; begin(): void; rest(): void } {
  const { stdin, stdout } = process;
  return {
    begin() {
      stdin.setRawMode(true);
      stdin.resume();
    },
    rest() {
      stdin.pause();
      stdin.setRawMode(false);
    },
    port: {
      size: () => ({ columns: stdout.columns || 80, rows: stdout.rows || 24 }),
      write,
      onKeys(heard) {
        const listener = (bytes: Buffer): void => heard(bytes.toString());
        stdin.on("data", listener);
        return () => void stdin.off("data", listener);
      },
      onResize(resized) {
        stdout.on("resize", resized);
        return () => void stdout.off("resize", resized);
      },
    },
  };
}
