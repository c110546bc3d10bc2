// Waits for the end of a train, saying where each task stands. When the daemon dies meanwhile, asking starts another one,
// which goes on where the journal stands.

import { Outage } from "../../protocol/errors.ts";
import { systemClock } from "../../host/clock/system-clock.ts";
import type { CliContext } from "./context.ts";
import { type Progress, withProgress } from "./present/progress.ts";
import type { HarvestRow } from "./present/task.ts";

/** A daemon that was killed under a call is asked again, a few times. */
const patience = 5;

export async function waitForHarvest(context: CliContext, train: string): Promise<HarvestRow[]> {
  return await withProgress(context.output, "harvesting", (progress) => wait(context, train, progress));
}

async function wait(context: CliContext, train: string, progress: Progress): Promise<HarvestRow[]> {
  const caller = await context.caller();
  let failures = 0;
  for (let waitMs = 20; ; waitMs = Math.min(500, waitMs * 1.5)) {
    try {
      const { harvests } = await caller.call("task.harvests", { train });
      failures = 0;
      tell(progress, harvests);
      // After an outage the daemon goes on trying, for half an hour perhaps; nobody need watch that.
      const isOver = harvests.every(({ ended_ms: ended, phase }) => ended !== null || phase === "waiting");
      if (context.signal.aborted || isOver) return harvests;
    } catch (cause) {
      failures += 1;
      if (!(cause instanceof Outage && cause.mayRetry) || failures > patience) throw cause;
    }
    await systemClock.sleep(waitMs, context.signal);
  }
}

/** How many have ended, and what happens to the first that has not. */
function tell({ tell: say }: Progress, rows: readonly HarvestRow[]): void {
  const ended = rows.filter(({ ended_ms: endedMs }) => endedMs !== null).length;
  const at = rows.find(({ ended_ms: endedMs }) => endedMs === null);
  const what = at === undefined ? "harvesting" : `harvesting: task ${at.task}, ${at.phase}`;
  say(what, rows.length > 1 ? { done: ended, total: rows.length } : undefined);
}
