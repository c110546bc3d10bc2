// Tells sensing what is claimed: when a claim is made or dropped, when one ends, and now and then, because agents move
// between worktrees.

import { heldClaims } from "../core/claims/claim.ts";
import type { LoopParts } from "./loop-parts.ts";
import type { LoopDeclaration } from "./loops.ts";

const everyMs = 30_000;

export function claimsLoop({ store, clock, sensing }: Pick<LoopParts, "store" | "clock" | "sensing">): LoopDeclaration {
  return {
    name: "claims",
    everyMs,
    async round() {
      const { byRepository, nextEndMs } = await heldClaims({ store, clock });
      await sensing.tellClaims(byRepository);
      if (nextEndMs === undefined) return undefined;
      return Math.min(everyMs, Math.max(1, nextEndMs - clock.nowMs()));
    },
  };
}
