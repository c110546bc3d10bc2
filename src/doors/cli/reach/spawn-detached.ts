// Starts this very program as a process of its own that outlives the caller: no terminal, no agent's mark, its own session.

import { basename, dirname, resolve } from "node:path";
import { writeFully } from "../../../files/open-file.ts";
import { TrustedDirectory } from "../../../files/trusted-directory.ts";
import { noteOwned } from "../../../floor/agents/owned-files.ts";
import { systemClock } from "../../../host/clock/system-clock.ts";
import { sealForConstel } from "../../../host/keys/seal-for-constel.ts";
import { markOf, systemLiveness } from "../../../host/process/liveness.ts";
import { Outage } from "../../../protocol/errors.ts";
import type { CliContext } from "../context.ts";
import { ownCommand, ownEnvironment } from "./start-daemon.ts";
import { whoRuns } from "../who-runs.ts";

/** Its process id. Its words are appended to that log of the home. */
export function spawnDetached(context: CliContext, words: readonly string[], log: string): number {
  const { home, root } = context.places;
  const { CONSTEL_AGENT: _, AGENT_N: __, ...env } = ownEnvironment(context.env);
  const command = [...ownCommand(), ...words, "--home", resolve(home), "--root", resolve(root), ...settings(context)];
  using place = TrustedDirectory.open(home, dirname(log), { create: true });
  const pid = place.appending(basename(log), (to) => {
    writeFully(to, `-- ${new Date(systemClock.nowMs()).toISOString()} ${words.join(" ")}\n`);
    try {
      const child = Bun.spawn(command, {
        cwd: home, // it must not keep the caller's directory busy
        env: { ...env, CONSTEL_HOME: home, CONSTEL_ROOT: root },
        stdin: "ignore",
        stdout: to,
        stderr: to,
        detached: true,
      });
      child.unref();
      return child.pid;
    } catch (cause) {
      throw new Outage("start", words[0] ?? "constel", cause);
    }
  });
  note(context, pid);
  return pid;
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
