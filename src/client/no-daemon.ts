// Says what it means when the daemon cannot be reached.

import { Outage, Refusal, systemCode } from "../protocol/errors.ts";

/** Nobody listens there: the daemon is not running. */
export class NoDaemon extends Outage {
  constructor(path: string, cause: unknown) {
    super("connect to", path, cause, { mayRetry: true });
    this.name = "NoDaemon";
  }
}

/** Something has the daemon's socket open and does not speak: a daemon that hangs, is stopped, or has too much to do. */
export function silentDaemon(path: string, deadlineMs: number): Refusal {
  return new Refusal("daemon.silent", `the daemon has said nothing for ${deadlineMs / 1000} s`, { path, deadlineMs });
}

export function isSilent(cause: unknown): boolean {
  return cause instanceof Refusal && cause.code === "daemon.silent";
}

/** We are kept from its socket, so that nothing is known of it. */
export function isOutOfReach(cause: unknown): boolean {
  return cause instanceof Refusal && cause.code === "daemon.out-of-reach";
}

/** `kernelSays` is why the kernel does not let us connect, where that was asked: Bun calls whatever fails refused. */
export function outageAt(path: string, cause: unknown, kernelSays?: string): Outage | Refusal {
  if (cause instanceof Outage || cause instanceof Refusal) return cause;
  const code = kernelSays ?? systemCode(cause) ?? "";
  if (code === "EPERM" || code === "EACCES")
    return new Refusal("daemon.out-of-reach", `the daemon cannot be reached from here: ${path}: ${code}`, {
      path,
      code,
    });
  if (isAbsent(cause)) return new NoDaemon(path, cause);
  return new Outage("call the daemon at", path, cause, { mayRetry: true });
}

function isAbsent(cause: unknown): boolean {
  const code = systemCode(cause);
  return code === "ECONNREFUSED" || code === "ENOENT" || code === "FailedToOpenSocket" || code === "ConnectionRefused";
}
