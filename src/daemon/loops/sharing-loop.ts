// Sends what others need of shared repositories, and takes in theirs: by a team's database, and over the mesh. While neither reaches anybody, nothing
// is sent.

import { hostname } from "node:os";
import { ownSides } from "../../core/sharing/own-sides.ts";
import { SharingRound } from "../../core/sharing/round.ts";
import { teamSides } from "../../core/sharing/team-sides.ts";
import type { MeshSides } from "../mesh/compose-mesh.ts";
import type { LoopParts } from "./loop-parts.ts";
import type { Round } from "./react.ts";

/** While nothing is shared, it is looked seldom whether that has changed: whoever shares something wakes this. */
const restMs = 60_000;

export function sharingLoop({ store, clock, sensing }: LoopParts, overMesh: MeshSides | undefined): Round {
  const isTeam = store.dialect === "postgres";
  const sharing = new SharingRound({
    context: { store, clock },
    record: ownSides({ store, clock }),
    sources: [...(isTeam ? [teamSides({ store })] : []), ...(overMesh === undefined ? [] : [overMesh])],
    reachesAnybody: async () => isTeam || (await overMesh?.hasPeers()) === true,
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
