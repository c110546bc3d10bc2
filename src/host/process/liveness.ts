// Tells a process from a later one that got its number, by the time it started, and says when one has certainly ended.
// Numbers mean something only inside one PID namespace, so the mark carries that too: about a process of another
// namespace we know nothing. Where there is no /proc only an unused number proves an end.

import { readFileSync, readlinkSync } from "node:fs";
import { systemCode } from "../../protocol/errors.ts";
import type { Liveness, ProcessMark } from "../../ports/machine.ts";

export const systemLiveness: Liveness = {
  self: () => (own ??= markOf(process.pid) ?? { pid: process.pid, token: "0-0" }),
  isProvenDead(mark) {
    const [namespace = "", started = ""] = mark.token.split("-");
    if (namespace !== ownNamespace()) return false;
    if (!isThere(mark.pid)) return true;
    const now = startOf(mark.pid);
    return now !== undefined && started !== "0" && now !== started;
  },
};

/** The mark of a running process, or undefined when it is not there or has ended, whether or not its parent has heard of it. */
export function markOf(pid: number): ProcessMark | undefined {
  if (!isThere(pid)) return undefined;
  const started = startOf(pid) ?? "0";
  return started === ended ? undefined : { pid, token: `${ownNamespace()}-${started}` };
}

let own: ProcessMark | undefined;
let namespace: string | undefined;

function ownNamespace(): string {
  if (namespace === undefined) {
    try {
      namespace = /\[(\d+)\]/.exec(readlinkSync("/proc/self/ns/pid"))?.[1] ?? "0";
    } catch {
      namespace = "0";
    }
  }
  return namespace;
}

function isThere(pid: number): boolean {
  if (!Number.isSafeInteger(pid) || pid <= 0) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (cause) {
    return systemCode(cause) !== "ESRCH";
  }
}

/** Start time in clock ticks since boot; a zombie has ended, so it has none that matches. */
function startOf(pid: number): string | undefined {
  let stat: string;
  try {
    stat = readFileSync(`/proc/${pid}/stat`, "latin1");
  } catch {
    return undefined;
  }
  // The name, in parentheses, may itself contain spaces and parentheses.
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return fields[0] === "Z" || fields[0] === "X" ? ended : fields[19];
}

const ended = "ended";
