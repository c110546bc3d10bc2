// Ends the daemon and waits until it is gone. Asking about the daemon never starts it.

import { join } from "node:path";
import { NoDaemon, socketCaller } from "../../client/socket.ts";
import { systemClock } from "../../host/clock/system-clock.ts";
import { tryLock } from "../../host/process/file-lock.ts";
import { Refusal } from "../../protocol/errors.ts";
import { inHome } from "../../settings/paths.ts";
import type { CliContext } from "./context.ts";

/** Its process id; undefined when it does not run. */
export async function stopDaemon(context: CliContext): Promise<number | undefined> {
  let pid: number;
  try {
    ({ pid } = await directCaller(context).call("daemon.stop", {}));
  } catch (cause) {
    if (cause instanceof NoDaemon) return undefined;
    throw cause;
  }
  await waitUntilGone(context);
  return pid;
}

/** Straight to the socket: asking about the daemon must not start it. */
export function directCaller(context: CliContext) {
  return socketCaller(join(context.places.home, inHome.socket), context.places.agent ?? "owner");
}

/** The kernel frees the daemon's lock when the process is gone, so that is what is waited for. */
async function waitUntilGone(context: CliContext): Promise<void> {
  const path = join(context.places.home, inHome.daemonLock);
  const until = systemClock.monotonicMs() + 15_000;
  while (systemClock.monotonicMs() < until) {
    const lock = tryLock(path);
    if (lock !== undefined) return lock.release();
    await systemClock.sleep(10);
  }
  throw new Refusal("daemon.unreachable", "the daemon did not end within 15 s", {}, "Look at `constel daemon logs`.");
}
