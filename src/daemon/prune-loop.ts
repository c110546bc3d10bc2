// Lets go of what is long over, a little at a time.

import { prune } from "../core/findings/prune.ts";
import { forgetOld } from "../core/owner/forget-old.ts";
import type { LoopParts } from "./loop-parts.ts";
import type { Round } from "./react.ts";

/** Between two batches, so that others' writes come first. */
const restMs = 1_000;
const dayMs = 86_400_000;

export function pruneLoop({ store, clock, settings }: Pick<LoopParts, "store" | "clock" | "settings">): Round {
  const keepMs = settings.config["findings.keep_days"] * dayMs;
  return {
    async round() {
      await forgetOld({ store, constellation: store.constellation }, clock.nowMs() - keepMs);
      const { more } = await prune({ store, constellation: store.constellation }, clock.nowMs() - keepMs);
      return more ? restMs : undefined;
    },
  };
}
