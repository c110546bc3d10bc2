// Gives workers their turns. Woken by the timeline when a cause was written, and by their holders' journals when a turn has ended.

import { join } from "node:path";
import { workersRound } from "../../core/workers/round.ts";
import { busTrust } from "../../host/keys/bus-trust.ts";
import { systemLiveness } from "../../host/process/liveness.ts";
import { constellationHolder } from "../../ports/keys.ts";
import { workerRows } from "../../core/workers/workers.sql.ts";
import { inHome } from "../../settings/paths.ts";
import type { LoopParts } from "../loops/loop-parts.ts";
import type { Round } from "../loops/react.ts";
import { WorkerBus } from "./worker-bus.ts";

export function workersLoop(parts: LoopParts): Round {
  const { store, clock, random, log } = parts;
  const { home, config } = parts.settings;
  const context = { store, clock, random, constellation: store.constellation, actor: "daemon" };
  const machine = new WorkerBus({
    bus: { home, clock, random, liveness: systemLiveness, ...busTrust(home, clock, () => constellationHolder) },
    context,
    budget: {
      tokensPerDay: config["budget.agent_tokens_per_day"],
      microsPerDay: config["budget.agent_micros_per_day"],
    },
    log,
  });
  let agents: string[] = [];
  const running = new Map<string, number>();
  return {
    // A holder's journal grows when a turn has ended.
    directories: () => agents.map((agent) => join(home, inHome.state, "runtime", agent)),
    async round() {
      agents = (await workerRows(store.db, store.constellation))
        .filter(({ state }) => state === "turning")
        .map(({ agent }) => agent);
      return await workersRound({ ...context, machine, running, gatherMs: config["workers.gather_seconds"] * 1_000 });
    },
  };
}
