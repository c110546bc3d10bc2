// Anchors the timeline's head outside the database, and once more when the daemon stops.

import { Anchoring } from "../../core/audit/anchor.ts";
import { auditMachine } from "../../host/keys/audit-machine.ts";
import { childEnvironment } from "../../host/process/child-environment.ts";
import { processesOfNobody } from "../../host/process/run-as-nobody.ts";
import { readEnv } from "../../settings/env.ts";
import type { LoopParts } from "./loop-parts.ts";
import type { Round } from "./react.ts";

/** One for all who write anchors: each line names the one before it. */
export function makeAnchoring({ settings, store, clock, random }: LoopParts): Anchoring {
  const audit = auditMachine(settings.home, {
    clock,
    processes: processesOfNobody,
    command: settings.config["audit.anchor_command"],
    env: childEnvironment(readEnv()),
  });
  const { constellation } = store;
  return new Anchoring({ store, clock, random, constellation, actor: "daemon", audit });
}

export function auditLoop({ log }: Pick<LoopParts, "log">, anchoring: Anchoring): Round {
  const anchor = async (): Promise<void> => {
    const problem = await anchoring.round();
    if (problem !== undefined) log(problem);
  };
  return {
    async round() {
      await anchor();
      return undefined;
    },
    end: anchor,
  };
}
