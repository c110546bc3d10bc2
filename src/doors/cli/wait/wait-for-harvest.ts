// Waits for the end of a train, saying where each task stands.

import type { Caller } from "../../../client/caller.ts";
import type { CliContext } from "../context.ts";
import { type Progress, withProgress } from "../present/progress.ts";
import type { HarvestRow } from "../present/task.ts";
import { watchUntil } from "./watch-until.ts";

/** Past this it is asked whether the harvest can go on at all. */
const sayAfterMs = 3_000;

export async function waitForHarvest(context: CliContext, train: string): Promise<HarvestRow[]> {
  const caller = await context.caller();
  const cannotGoOn = stuckTeller(context, caller);
  return await withProgress(context.output, "harvesting", (progress) =>
    watchUntil(context, {
      ask: async () => {
        await cannotGoOn();
        return (await caller.call("task.harvests", { train })).harvests;
      },
      // After an outage the daemon goes on trying, for half an hour perhaps; nobody need watch that.
      isOver: (rows) => rows.every(({ ended_ms: ended, phase }) => ended !== null || phase === "waiting"),
      tell: (rows) => tell(progress, rows),
    }),
  );
}

/** Waiting without a word would hide that nothing can happen: the disk is full, say. */
function stuckTeller(context: CliContext, caller: Caller): () => Promise<void> {
  let asked = performance.now();
  let said: string | undefined;
  return async () => {
    if (performance.now() - asked <= sayAfterMs) return;
    asked = performance.now();
    const { loops } = await caller.call("daemon.status", {});
    const problem = loops.find(({ name }) => name === "harvest")?.problem ?? undefined;
    if (problem !== undefined && problem !== said)
      context.output.say(
        `The harvest cannot go on for now: ${problem}. It is tried again until it can; Ctrl-C stops only the waiting.`,
      );
    said = problem;
  };
}

/** Says how many have ended, and what happens to the first that has not. */
function tell({ tell: say }: Progress, rows: readonly HarvestRow[]): void {
  const ended = rows.filter(({ ended_ms: endedMs }) => endedMs !== null).length;
  const at = rows.find(({ ended_ms: endedMs }) => endedMs === null);
  const what = at === undefined ? "harvesting" : `harvesting: task ${at.task}, ${at.phase}`;
  say(what, rows.length > 1 ? { done: ended, total: rows.length } : undefined);
}
