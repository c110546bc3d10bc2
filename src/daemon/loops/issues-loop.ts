// Takes in the issues of followed labels, and writes back to them where their tasks stand.

import { issuesRound } from "../../core/issues/round.ts";
import type { LoopParts } from "./loop-parts.ts";
import type { Round } from "./react.ts";

export function issuesLoop(parts: LoopParts): Round {
  const { store, clock, random, taskMachine: machine } = parts;
  const context = { store, clock, random, constellation: store.constellation, actor: "daemon", machine };
  /** While nothing is followed, one question is asked after each write, and none in an idle time. */
  let quietSince = -1;
  return {
    async round(signal) {
      const { writes } = store;
      if (writes === quietSince) return undefined;
      const isFollowing = await issuesRound(context, signal);
      quietSince = isFollowing ? -1 : writes;
      return undefined;
    },
  };
}
