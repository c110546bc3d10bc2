// Ends a whole process tree and makes sure of it: asks with SIGTERM, waits, insists with SIGKILL, and looks again until
// nothing is left. It never goes by a program's name, and never signals a number whose process is not the one it found.

import { Outage, systemCode } from "../../protocol/errors.ts";
import type { Clock } from "../../ports/machine.ts";
import { type ProcessIdentity, type ProcessTable, systemProcessTable } from "./process-table.ts";
import { findTree, type TreeQuery } from "./tree.ts";

export interface ReapOptions extends TreeQuery {
  readonly clock: Clock;
  /** Between asking and insisting. */
  readonly graceMs: number;
  /** The time to insist before reporting what is left; default 5 s. */
  readonly insistMs?: number;
  readonly table?: ProcessTable;
}

export interface ReapReport {
  /** Every process that was found, gone or not. */
  readonly found: readonly ProcessIdentity[];
  /** Those that had to be killed. */
  readonly killed: readonly ProcessIdentity[];
  /** Still there: stuck in the kernel, or not ours to end. Empty when all went well. */
  readonly left: readonly ProcessIdentity[];
}

const firstLookMs = 5;
const slowestLookMs = 100;

export async function reap(options: ReapOptions): Promise<ReapReport> {
  const { clock, table = systemProcessTable } = options;
  const found = new Map<string, ProcessIdentity>();
  const killed = new Map<string, ProcessIdentity>();
  const look = (): ProcessIdentity[] => {
    const now = findTree({ ...options, known: [...(options.known ?? []), ...found.values()] }, table);
    for (const identity of now) found.set(keyOf(identity), identity);
    return now;
  };
  /** Signals each once at most, those born meanwhile too; true when nothing is left. */
  const sweep = async (signal: "SIGTERM" | "SIGKILL", withinMs: number): Promise<boolean> => {
    const signalled = new Set<string>();
    const deadlineMs = clock.monotonicMs() + withinMs;
    for (let pauseMs = firstLookMs; ; pauseMs = Math.min(slowestLookMs, pauseMs * 2)) {
      const living = look();
      // Processes are listed one after another, so one that forks and ends at the right moment is missed; hardly twice.
      if (living.length === 0 && look().length === 0) return true;
      for (const identity of living) {
        const key = keyOf(identity);
        if (signalled.has(key)) continue;
        signalled.add(key);
        if (send(identity, signal, table) && signal === "SIGKILL") killed.set(key, identity);
      }
      const restMs = deadlineMs - clock.monotonicMs();
      if (restMs <= 0) return false;
      await clock.sleep(Math.min(pauseMs, restMs));
    }
  };
  const gone = (await sweep("SIGTERM", options.graceMs)) || (await sweep("SIGKILL", options.insistMs ?? 5000));
  const left = gone ? [] : look();
  return { found: [...found.values()], killed: [...killed.values()], left };
}

/** True when the signal went to the very process that was found. */
function send(identity: ProcessIdentity, signal: "SIGTERM" | "SIGKILL", table: ProcessTable): boolean {
  if (table.row(identity.pid)?.started !== identity.started) return false;
  try {
    process.kill(identity.pid, signal);
    return true;
  } catch (cause) {
    if (systemCode(cause) === "ESRCH" || systemCode(cause) === "EPERM") return false;
    throw new Outage("signal", String(identity.pid), cause);
  }
}

function keyOf(identity: ProcessIdentity): string {
  return `${identity.pid} ${identity.started}`;
}
