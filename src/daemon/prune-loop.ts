// Lets go of what is long over, a little at a time.

import { pruneEvents } from "../core/events/prune.ts";
import { prune } from "../core/findings/prune.ts";
import type { LoopParts } from "./loop-parts.ts";
import type { Round } from "./react.ts";

/** Between two batches, so that others' writes come first. */
const restMs = 1_000;
const dayMs = 86_400_000;

export function pruneLoop({ store, clock, settings }: Pick<LoopParts, "store" | "clock" | "settings">): Round {
  const keepMs = settings.config["findings.keep_days"] * dayMs;
  return {
    async round() {
      const where = { store, constellation: store.constellation };
      const beforeMs = clock.nowMs() - keepMs;
      const findings = await prune(where, beforeMs);
      const events = await pruneEvents(where, beforeMs);
      return findings.more || events.more ? restMs : undefined;
    },
  };
}
