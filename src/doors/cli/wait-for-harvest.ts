// Waits for the end of a train, saying where each task stands. When the daemon dies meanwhile, asking starts another one,
// which goes on where the journal stands.

import { Outage } from "../../protocol/errors.ts";
import { systemClock } from "../../host/clock/system-clock.ts";
import type { CliContext } from "./context.ts";
import type { HarvestRow } from "./present/task.ts";

/** A daemon that was killed under a call is asked again, a few times. */
const patience = 5;

export async function waitForHarvest(context: CliContext, train: string): Promise<HarvestRow[]> {
  const caller = await context.caller();
  const said = new Map<string, string>();
  let failures = 0;
  for (let waitMs = 20; ; waitMs = Math.min(500, waitMs * 1.5)) {
    try {
      const { harvests } = await caller.call("task.harvests", { train });
      failures = 0;
      if (!context.output.json) tell(context, harvests, said);
      if (context.signal.aborted || harvests.every(({ ended_ms: ended }) => ended !== null)) return harvests;
    } catch (cause) {
      failures += 1;
      if (!(cause instanceof Outage && cause.mayRetry) || failures > patience) throw cause;
    }
    await systemClock.sleep(waitMs, context.signal);
  }
}

function tell(context: CliContext, rows: readonly HarvestRow[], said: Map<string, string>): void {
  for (const row of rows) {
    if (row.phase === "queued" || row.phase === "ended" || said.get(row.id) === row.phase) continue;
    said.set(row.id, row.phase);
    if (context.output.interactive) context.output.say(context.output.paint.dim(`task ${row.task}: ${row.phase}`));
  }
}
