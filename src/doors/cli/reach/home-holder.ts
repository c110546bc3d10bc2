// The process that holds a home: whoever has the daemon's lock, of whatever build it is. It can be named and ended even when nobody can talk to it.

import { existsSync } from "node:fs";
import { join } from "node:path";
import { systemClock } from "../../../host/clock/system-clock.ts";
import { tryLock } from "../../../host/process/file-lock.ts";
import { markOf, systemLiveness } from "../../../host/process/liveness.ts";
import { lockHolder } from "../../../host/process/lock-holder.ts";
import type { ProcessMark } from "../../../ports/machine.ts";
import { Refusal } from "../../../protocol/errors.ts";
import { inHome } from "../../../settings/paths.ts";
import { daemonPid } from "./daemon-pid.ts";

/** The time that a daemon that was told to end may take to finish what it has. */
const endsWithinMs = 15_000;

/** Undefined when nobody holds it, or the kernel does not say who and the daemon left no word. */
export function homeHolder(home: string): ProcessMark | undefined {
  if (!isHeld(home)) return undefined;
  const pid = lockHolder(join(home, inHome.daemonLock)) ?? daemonPid(home);
  return pid === undefined ? undefined : markOf(pid);
}

/** The same, only when it has said that it is ready to be asked. */
export function readyHolder(home: string): ProcessMark | undefined {
  const holder = homeHolder(home);
  return holder !== undefined && holder.pid === daemonPid(home) ? holder : undefined;
}

/** Tells it to finish what it has and end. One that does not is killed. Safe to do twice: it is this very process or none. */
export async function endHolder(home: string, holder: ProcessMark): Promise<void> {
  for (const signal of ["SIGTERM", "SIGKILL"] as const) {
    if (systemLiveness.isProvenDead(holder)) return;
    process.kill(holder.pid, signal);
    if (await isGone(home, holder)) return;
  }
  throw new Refusal("agents.not-ended", `the daemon is still there after SIGKILL: ${holder.pid}`, {
    pids: [holder.pid],
  });
}

/**
 * The kernel frees the daemon's lock with the process, or the daemon does, a moment before: both are waited for. A lock that another process
 * has taken meanwhile is no reason to wait.
 */
export async function isGone(home: string, mark: ProcessMark | undefined): Promise<boolean> {
  const until = systemClock.monotonicMs() + endsWithinMs;
  while (systemClock.monotonicMs() < until) {
    const isDead = mark !== undefined && systemLiveness.isProvenDead(mark);
    if (isDead || (mark === undefined && !isHeld(home))) return true;
    await systemClock.sleep(10);
  }
  return false;
}

export function isHeld(home: string): boolean {
  if (!existsSync(join(home, inHome.daemonLock))) return false;
  const lock = tryLock(home, inHome.daemonLock);
  lock?.release();
  return lock === undefined;
}
