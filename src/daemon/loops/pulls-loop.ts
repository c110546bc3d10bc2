// Follows the pull requests that have not ended, and the checks of the branches on which some have landed lately.

import { pullsRound } from "../../core/pulls/round.ts";
import { watchTargets } from "../../core/pulls/watch-targets.ts";
import type { LoopParts } from "./loop-parts.ts";
import type { Round } from "./react.ts";

const askTargetsEveryMs = 60_000;

export function pullsLoop(parts: LoopParts): Round {
  const { store, clock, random, taskMachine, log } = parts;
  const context = { store, clock, random, constellation: store.constellation, actor: "daemon", machine: taskMachine };
  let askedMs = -Infinity;
  return {
    async round(signal) {
      await pullsRound(context, signal);
      if (signal.aborted || clock.monotonicMs() - askedMs < askTargetsEveryMs) return undefined;
      askedMs = clock.monotonicMs();
      await watchTargets(context, log);
      return undefined;
    },
  };
}
