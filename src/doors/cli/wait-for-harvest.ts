// Waits for the end of a train, saying where each task stands. When the daemon dies meanwhile, asking starts another one,
// which goes on where the journal stands.

import { Outage } from "../../protocol/errors.ts";
import { systemClock } from "../../host/clock/system-clock.ts";
import type { CliContext } from "./context.ts";
import { type Progress, withProgress } from "./present/progress.ts";
import type { HarvestRow } from "./present/task.ts";

/** A daemon that was killed under a call is asked again, a few times. */
const patience = 5;
/** Past this it is asked whether the harvest can go on at all. */
const sayAfterMs = 3_000;

export async function waitForHarvest(context: CliContext, train: string): Promise<HarvestRow[]> {
  return await withProgress(context.output, "harvesting", (progress) => wait(context, train, progress));
}

async function wait(context: CliContext, train: string, progress: Progress): Promise<HarvestRow[]> {
  const caller = await context.caller();
  let failures = 0;
  let asked = performance.now();
  let said: string | undefined;
  for (let waitMs = 20; ; waitMs = Math.min(500, waitMs * 1.5)) {
    try {
      const { harvests } = await caller.call("task.harvests", { train });
      failures = 0;
      tell(progress, harvests);
      if (performance.now() - asked > sayAfterMs) {
        // Waiting without a word would hide that nothing can happen: the disk is full, say.
        asked = performance.now();
        const { loops } = await caller.call("daemon.status", {});
        const problem = loops.find(({ name }) => name === "harvest")?.problem ?? undefined;
        if (problem !== undefined && problem !== said)
          context.output.say(
            `The harvest cannot go on for now: ${problem}. It is tried again until it can; Ctrl-C stops only the waiting.`,
          );
        said = problem;
      }
      if (context.signal.aborted || harvests.every(({ ended_ms: ended }) => ended !== null)) return harvests;
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
