// The channels to the owner, and the machine that they need, as the daemon escalates.

import type { EscalateContext } from "../../floor/escalate/escalate.ts";
import { lineConnections } from "../../host/notify/line-connections.ts";
import { systemHttp } from "../../host/notify/http-sender.ts";
import { childEnvironment } from "../../host/process/child-environment.ts";
import { processesOfNobody } from "../../host/process/run-as-nobody.ts";
import type { Clock, Random } from "../../ports/machine.ts";
import { readEnv } from "../../settings/env.ts";
import type { Settings } from "../../settings/settings.ts";

export function escalateContext(
  { home, config }: Settings,
  { clock, random }: { readonly clock: Clock; readonly random: Random },
  channels: EscalateContext["channels"],
): EscalateContext {
  return {
    home,
    constellation: config["constellation.name"],
    channels,
    clock,
    random,
    processes: processesOfNobody,
    http: systemHttp,
    connections: lineConnections(),
    platform: process.platform,
    env: childEnvironment(readEnv()),
  };
}
