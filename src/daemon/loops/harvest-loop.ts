// The harvester: lands what was asked for, one train after the other. Woken when something is asked; otherwise it looks now
// and then, for what a daemon that was killed has left, and tidies up after itself.

import { harvestRound } from "../../core/tasks/landing/harvest.ts";
import { lookForTakenBack } from "../../core/tasks/landing/taken-back.ts";
import { tidyGrounds } from "../../core/tasks/landing/tidy.ts";
import type { LoopParts } from "./loop-parts.ts";
import type { Round } from "./react.ts";

const tidyEveryMs = 3_600_000;
/** One question to each origin on which something landed lately; nothing is fetched while its answer stays the same. */
const askOriginsEveryMs = 300_000;

export function harvestLoop(parts: LoopParts): Round {
  const { store, clock, random, taskMachine } = parts;
  const audit = parts.audit === undefined ? {} : { audit: parts.audit };
  const daemon = { constellation: store.constellation, actor: "daemon", machine: taskMachine };
  const context = { store, clock, random, ...daemon, ...audit };
  let tidiedMs = -Infinity;
  let askedMs = -Infinity;
  const known = new Map<string, string>();
  return {
    async round(signal) {
      let hasLanded = false;
      while (!signal.aborted && (await harvestRound(context, signal))) hasLanded = true;
      if (!signal.aborted && (hasLanded || clock.monotonicMs() - askedMs >= askOriginsEveryMs)) {
        askedMs = clock.monotonicMs();
        await lookForTakenBack(context, known);
      }
      if (signal.aborted || clock.monotonicMs() - tidiedMs < tidyEveryMs) return undefined;
      tidiedMs = clock.monotonicMs();
      await tidyGrounds(context);
      return undefined;
    },
  };
}
