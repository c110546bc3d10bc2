// Ends permission requests that nobody answered in time, and those whose agent no longer asks; agents that no longer hear how theirs ended are
// told by a message.

import { endApprovals } from "../../core/approvals/approve.ts";
import { wakeAskers } from "../../core/approvals/wake-askers.ts";
import { reactions } from "../../core/reactions.ts";
import type { LoopParts } from "./loop-parts.ts";
import type { Round } from "./react.ts";

const everyMs = reactions.approvals.everyMs;

export function approvalsLoop({
  store,
  clock,
  random,
  taskMachine,
}: Pick<LoopParts, "store" | "clock" | "random" | "taskMachine">): Round {
  const context = { store, clock, random, constellation: store.constellation, actor: "daemon" };
  // While no daemon ran, nobody could be heard.
  const sinceMs = clock.nowMs();
  const told = new Set<string>();
  return {
    async round() {
      const nextMs = await endApprovals(context, sinceMs);
      if (taskMachine.deliver !== undefined) await wakeAskers(context, taskMachine.deliver, told);
      return nextMs === undefined ? undefined : Math.min(everyMs, Math.max(1, nextMs - clock.nowMs()));
    },
  };
}
