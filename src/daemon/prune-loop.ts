// Lets go of what is long over, a little at a time.

import { prune } from "../core/findings/prune.ts";
import { pruneNotices } from "../core/notices/prune.ts";
import type { LoopParts } from "./loop-parts.ts";
import type { Round } from "./react.ts";

/** Between two batches, so that others' writes come first. */
const restMs = 1_000;
const dayMs = 86_400_000;

export function pruneLoop({ store, clock, settings }: Pick<LoopParts, "store" | "clock" | "settings">): Round {
  const keepMs = settings.config["findings.keep_days"] * dayMs;
  return {
    async round() {
      const context = { store, constellation: store.constellation };
      const { more } = await prune(context, clock.nowMs() - keepMs);
      const { more: moreNotices } = await pruneNotices(context, clock.nowMs() - keepMs);
      return more || moreNotices ? restMs : undefined;
    },
  };
}
