// Starts this very program as a process of its own that outlives the caller: no terminal, no agent's mark, its own session.

import { resolve } from "node:path";
import { noteOwned } from "../../../floor/agents/owned-files.ts";
import { sealForConstel } from "../../../host/keys/seal-for-constel.ts";
import { markOf, systemLiveness } from "../../../host/process/liveness.ts";
import { Outage } from "../../../protocol/errors.ts";
import type { CliContext } from "../context.ts";
import { ownCommand, ownEnvironment } from "./start-daemon.ts";
import { whoRuns } from "../who-runs.ts";

/** Its process id. */
export function spawnDetached(context: CliContext, words: readonly string[]): number {
  const { home, root } = context.places;
  const { CONSTEL_AGENT: _, AGENT_N: __, ...env } = ownEnvironment(context.env);
  const command = [...ownCommand(), ...words, "--home", resolve(home), "--root", resolve(root), ...settings(context)];
  try {
    const child = Bun.spawn(command, {
      cwd: home, // it must not keep the caller's directory busy
      env: { ...env, CONSTEL_HOME: home, CONSTEL_ROOT: root },
      stdin: "ignore",
      stdout: "ignore",
      stderr: "ignore",
      detached: true,
    });
    child.unref();
    note(context, child.pid);
    return child.pid;
  } catch (cause) {
    throw new Outage("start", words[0] ?? "constel", cause);
  }
}

/**
 * Notes a process that the owner began, so that it still counts as the owner's when this process has ended and nothing leads there any
 * more.
 */
function note({ places: { home, agent } }: CliContext, pid: number): void {
  const mark = markOf(pid);
  if (mark !== undefined && whoRuns({ home, agent }).role === "owner")
    noteOwned(home, mark, sealForConstel(home), systemLiveness);
}

const settings = ({ flags }: CliContext): string[] => (flags.set ?? []).flatMap((pair) => ["--set", pair]);
