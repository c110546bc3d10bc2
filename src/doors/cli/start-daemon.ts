// Starts the daemon and waits until it answers. Two starts at once are settled by the daemon's own lock: the second one
// ends at once, and both callers find the first.

import { closeSync, constants, mkdirSync, openSync } from "node:fs";
import { join } from "node:path";
import { request } from "../../client/socket.ts";
import { systemClock } from "../../host/clock/system-clock.ts";
import { childEnvironment } from "../../host/process/child-environment.ts";
import { Refusal } from "../../protocol/errors.ts";
import { fromWire } from "../../protocol/wire.ts";
import { inHome } from "../../settings/paths.ts";
import { removeTrusted, readTrusted } from "../../settings/trusted-files.ts";
import type { CliContext } from "./context.ts";

const deadlineMs = 20_000;

export async function startDaemon(context: CliContext): Promise<{ started: boolean }> {
  const settings = await context.settings(); // a malformed config is told here, not in a log file
  if (await answers(settings.home)) return { started: false };
  removeTrusted(settings.home, inHome.daemonFailure);
  spawnDetached(context, settings.home);
  const until = systemClock.monotonicMs() + deadlineMs;
  while (systemClock.monotonicMs() < until) {
    if (await answers(settings.home)) {
      context.output.say("constel: started the daemon");
      return { started: true };
    }
    const failure = readTrusted(settings.home, inHome.daemonFailure);
    if (failure !== undefined) throw fromWire(JSON.parse(failure.toString()));
    await systemClock.sleep(10, context.signal);
  }
  throw new Refusal("daemon.unreachable", `the daemon did not answer within ${deadlineMs / 1000} s`, { deadlineMs });
}

async function answers(home: string): Promise<boolean> {
  try {
    return (await request(join(home, inHome.socket), "/health")).ok;
  } catch {
    return false;
  }
}

function spawnDetached(context: CliContext, home: string): void {
  mkdirSync(join(home, inHome.logs), { recursive: true, mode: 0o700 });
  const { O_APPEND, O_CREAT, O_NOFOLLOW, O_WRONLY } = constants;
  const log = openSync(join(home, inHome.daemonLog), O_WRONLY | O_CREAT | O_APPEND | O_NOFOLLOW, 0o600);
  try {
    const child = Bun.spawn([...ownCommand(), "daemon", "run", "--home", home], {
      cwd: home, // it must not keep the caller's directory busy
      env: daemonEnvironment(context.env),
      stdin: "ignore",
      stdout: log,
      stderr: log,
      detached: true,
    });
    child.unref();
  } finally {
    closeSync(log);
  }
}

/** The daemon is nobody's: with an agent's mark in its environment it would be ended with that agent. */
function daemonEnvironment(env: CliContext["env"]): Record<string, string> {
  const { CONSTEL_AGENT: _, AGENT_N: __, ...own } = childEnvironment(env);
  return own;
}

/** How this very program was started: Bun with its guards and main.ts, or a compiled binary. */
export function ownCommand(): string[] {
  const script = Bun.main;
  const isCompiled = script.startsWith("/$bunfs/") || script.includes("~BUN");
  return isCompiled
    ? [process.execPath]
    : [
        process.execPath,
        "--no-env-file",
        "--config=/dev/null",
        "--tsconfig-override=/dev/null",
        "--no-install",
        script,
      ];
}
