// Waits for the end of a train, saying where each task stands.

import type { CliContext } from "./context.ts";
import { type Progress, withProgress } from "./present/progress.ts";
import type { HarvestRow } from "./present/task.ts";
import { watchUntil } from "./watch-until.ts";

export async function waitForHarvest(context: CliContext, train: string): Promise<HarvestRow[]> {
  const caller = await context.caller();
  return await withProgress(context.output, "harvesting", (progress) =>
    watchUntil(context, {
      ask: async () => (await caller.call("task.harvests", { train })).harvests,
      // After an outage the daemon goes on trying, for half an hour perhaps; nobody need watch that.
      isOver: (rows) => rows.every(({ ended_ms: ended, phase }) => ended !== null || phase === "waiting"),
      tell: (rows) => tell(progress, rows),
    }),
  );
}

/** How many have ended, and what happens to the first that has not. */
function tell({ tell: say }: Progress, rows: readonly HarvestRow[]): void {
  const ended = rows.filter(({ ended_ms: endedMs }) => endedMs !== null).length;
  const at = rows.find(({ ended_ms: endedMs }) => endedMs === null);
  const what = at === undefined ? "harvesting" : `harvesting: task ${at.task}, ${at.phase}`;
  say(what, rows.length > 1 ? { done: ended, total: rows.length } : undefined);
}
