// Who runs this very command, for what is decided without a daemon: as the kernel tells of this process, not as its environment says.

import { readHousehold } from "../../floor/agents/household.ts";
import { belongsTo } from "../../host/process/belongs-to.ts";
import { type Asker, askerFor } from "../../protocol/authority.ts";
import type { CliContext } from "./context.ts";
import { daemonPid } from "./daemon-pid.ts";

export function whoRuns({ home, agent }: Pick<CliContext["places"], "home" | "agent">): Asker {
  return askerFor(belongsTo(process.pid, readHousehold(home, daemonPid(home))), agent ?? null);
}
