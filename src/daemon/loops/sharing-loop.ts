// Sends what others need of shared repositories, and takes in theirs. Only a team's database reaches anybody: in a file of its own nothing is sent.

import { hostname } from "node:os";
import { SharingRound } from "../../core/sharing/round.ts";
import { teamCarrier } from "../../core/sharing/team-carrier.ts";
import type { LoopParts } from "./loop-parts.ts";
import type { Round } from "./react.ts";

/** While nothing is shared, it is looked seldom whether that has changed: whoever shares something wakes this. */
const restMs = 60_000;

export function sharingLoop({ store, clock, sensing }: LoopParts): Round | undefined {
  if (store.dialect !== "postgres") return undefined;
  const sharing = new SharingRound({
    context: { store, clock },
    carrier: teamCarrier({ store, clock }),
    objects: sensing.sides,
    machine: hostname().slice(0, 100),
    lookedAnew: () => sensing.timesLost,
  });
  return {
    async round(signal) {
      return (await sharing.round(signal)) === 0 ? restMs : undefined;
    },
  };
}
