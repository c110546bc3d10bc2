// Finds work that is between two states for longer than its deadline, or with nobody at it: workspaces being made, removed or brought
// back, assignments on their way to an agent, harvests. It reads the database without a daemon; the daemon is what ends such work.

import { systemClock } from "../host/clock/system-clock.ts";
import { systemLiveness } from "../host/process/liveness.ts";
import type { StuckWork } from "../protocol/store-keeping.ts";
import { openSnapshot } from "../store/snapshot.ts";
import type { OpenStoreOptions } from "../store/open.ts";
import { unendedHarvests, unsentDispatches, unsettledWorkspaces } from "./stuck-work.sql.ts";

/** A clone, its fetch and its set-up have ten minutes each at most. */
const workspaceMs = 30 * 60_000;
/** Workspaces of several repositories may have to be made first. */
const assignmentMs = 60 * 60_000;
/** A gate may run for as long as its own deadline says, a day at most. */
const harvestMs = 24 * 3_600_000;

export async function stuckWork(options: OpenStoreOptions): Promise<StuckWork[]> {
  const snapshot = await openSnapshot(options);
  try {
    const { db } = snapshot;
    const { constellation } = options;
    const nowMs = systemClock.nowMs();
    const workspaces = await unsettledWorkspaces(db, constellation);
    const dispatches = await unsentDispatches(db, constellation);
    const harvests = await unendedHarvests(db, constellation);
    const found: (StuckWork & { readonly deadlineMs: number })[] = [
      ...workspaces.map(({ task, name, state, holder, created_ms: made, removing_ms: removing }) => ({
        what: `workspace ${task}/${name}`,
        state,
        sinceMs: state === "making" ? made : state === "removing" ? removing : null,
        isAbandoned: isGone(holder),
        deadlineMs: workspaceMs,
      })),
      ...dispatches.map(({ task, agent, state, asked_ms: sinceMs }) => ({
        what: `assignment of task ${task} to ${agent ?? "nobody"}`,
        state,
        sinceMs,
        isAbandoned: false,
        deadlineMs: assignmentMs,
      })),
      ...harvests.map(({ task, phase, asked_ms: sinceMs }) => ({
        what: `harvest of task ${task}`,
        state: phase,
        sinceMs,
        isAbandoned: false,
        deadlineMs: harvestMs,
      })),
    ];
    return found
      .filter((one) => one.isAbandoned || (one.sinceMs !== null && nowMs - one.sinceMs > one.deadlineMs))
      .map(({ what, state, sinceMs, isAbandoned }) => ({ what, state, sinceMs, isAbandoned }));
  } finally {
    await snapshot.close();
  }
}

/** `<constellation>:<pid>:<token>`; nobody at all counts as gone. */
function isGone(holder: string | null): boolean {
  if (holder === null) return true;
  const [, pid, token = ""] = holder.split(":");
  return systemLiveness.isProvenDead({ pid: Number(pid), token });
}
