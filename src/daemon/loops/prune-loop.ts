// Lets go of what is long over, a little at a time.

import type { Anchoring } from "../../core/audit/anchor.ts";
import { pruneEvents } from "../../core/events/prune.ts";
import { prune } from "../../core/findings/prune.ts";
import { pruneNotices } from "../../core/notices/prune.ts";
import { type KeepDays, letGo } from "../../core/retention/let-go.ts";
import type { Config } from "../../settings/declarations.ts";
import { forgetOld } from "../../core/owner/forget-old.ts";
import type { LoopParts } from "./loop-parts.ts";
import type { Round } from "./react.ts";

/** Between two batches, so that others' writes come first. */
const restMs = 1_000;
const dayMs = 86_400_000;

export function pruneLoop(
  { store, clock, settings }: Pick<LoopParts, "store" | "clock" | "settings">,
  anchoring: Anchoring,
): Round {
  const keepMs = settings.config["findings.keep_days"] * dayMs;
  const { constellation } = store;
  const keep = keepDays(settings.config);
  return {
    async round() {
      const context = { store, constellation };
      const beforeMs = clock.settledMs() - keepMs;
      await forgetOld(context, beforeMs);
      const pruned = [
        await prune(context, beforeMs),
        await pruneNotices(context, beforeMs),
        await pruneEvents(context, beforeMs),
        await letGo({ ...context, clock }, keep, (mark) => anchoring.pruned(mark)),
      ];
      return pruned.some(({ more }) => more) ? restMs : undefined;
    },
  };
}

const keepDays = (config: Config): KeepDays => ({
  events: config["retention.events_days"],
  messages: config["retention.messages_days"],
  invocations: config["retention.invocations_days"],
  usage: config["retention.usage_days"],
  artefacts: config["retention.artefacts_days"],
});
