// Tells sensing what is claimed: when a claim is made or dropped, when one ends, and now and then, because agents move
// between worktrees.

import { heldClaims } from "../../core/claims/claim.ts";
import { reactions } from "../../core/reactions.ts";
import type { LoopParts } from "./loop-parts.ts";
import type { Round } from "./react.ts";

const everyMs = reactions.claims.everyMs;

export function claimsLoop({
  store,
  clock,
  sensing,
  audit,
}: Pick<LoopParts, "store" | "clock" | "sensing" | "audit">): Round {
  return {
    async round() {
      const { byRepository, nextEndMs } = await heldClaims({ store, clock, ...(audit === undefined ? {} : { audit }) });
      await sensing.tellClaims(byRepository);
      if (nextEndMs === undefined) return undefined;
      return Math.min(everyMs, Math.max(1, nextEndMs - clock.nowMs()));
    },
  };
}
