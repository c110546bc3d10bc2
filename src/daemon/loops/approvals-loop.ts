// Ends permission requests that nobody answered in time, and those whose agent no longer asks.

import { endApprovals } from "../../core/approvals/approve.ts";
import { reactions } from "../../core/reactions.ts";
import type { LoopParts } from "./loop-parts.ts";
import type { Round } from "./react.ts";

const everyMs = reactions.approvals.everyMs;

export function approvalsLoop({ store, clock, random }: Pick<LoopParts, "store" | "clock" | "random">): Round {
  const context = { store, clock, random, constellation: store.constellation, actor: "daemon" };
  // While no daemon ran, nobody could be heard.
  const sinceMs = clock.nowMs();
  return {
    async round() {
      const nextMs = await endApprovals(context, sinceMs);
      return nextMs === undefined ? undefined : Math.min(everyMs, Math.max(1, nextMs - clock.nowMs()));
    },
  };
}
