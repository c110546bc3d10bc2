// Reviews: tells the agents that were asked for one, and asks again when other commits are ready.

import { reviewsRound } from "../../core/reviews/tell-reviewers.ts";
import type { LoopParts } from "./loop-parts.ts";
import type { Round } from "./react.ts";

export function reviewsLoop(parts: LoopParts): Round {
  const { store, clock, random, taskMachine: machine, log } = parts;
  const audit = parts.audit === undefined ? {} : { audit: parts.audit };
  const context = { store, clock, random, constellation: store.constellation, actor: "daemon", machine, ...audit };
  /** All that a round goes by is in the database, so one round follows each write, and none an idle time. */
  let lastWrites = -1;
  return {
    async round() {
      const { writes } = store;
      if (writes === lastWrites) return undefined;
      await reviewsRound(context, log);
      lastWrites = writes;
      return undefined;
    },
  };
}
