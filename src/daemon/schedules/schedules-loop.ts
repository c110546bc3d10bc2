// Drives schedules: fires what is due, carries it out, and says when it wants to look again.

import { scheduleRound, type RoundReport, type UntilsUnderWay } from "../../core/schedules/round.ts";
import { reactions } from "../../core/reactions.ts";
import type { ScheduleMachine } from "../../ports/schedules.ts";
import type { LoopParts } from "../loops/loop-parts.ts";
import type { Round } from "../loops/react.ts";

const everyMs = reactions.schedules.everyMs;
/** While a firing waits or is under way. */
const openMs = 2_000;

export interface SchedulesLoop extends Round {
  /** A round at once, for who asks. */
  tick(): Promise<RoundReport>;
  /** Returns what was wrong in the last round. */
  problems(): readonly string[];
}

export function schedulesLoop(
  { store, clock, random, log }: Pick<LoopParts, "store" | "clock" | "random" | "log">,
  machine: ScheduleMachine,
): SchedulesLoop {
  const context = { store, clock, random, constellation: store.constellation, actor: "daemon", machine };
  const untils: UntilsUnderWay = new Map();
  let wakeUp = (): void => {};
  let last: readonly string[] = [];
  const tick = async (): Promise<RoundReport> => {
    const report = await scheduleRound(context, untils, () => wakeUp());
    for (const problem of report.problems) if (!last.includes(problem)) log(`schedules: ${problem}`);
    last = report.problems;
    return report;
  };
  return {
    tick,
    problems: () => last,
    begin(wake) {
      wakeUp = wake;
    },
    async round() {
      const { nextMs, isOpen } = await tick();
      const untilNextMs = nextMs === undefined ? everyMs : Math.max(1, nextMs - clock.nowMs());
      return Math.min(everyMs, untilNextMs, isOpen ? openMs : everyMs);
    },
    async end() {
      await Promise.all(untils.values());
    },
  };
}
