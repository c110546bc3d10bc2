// Reads what the daemon knows of the agents, for commands that also work without it: undefined when it does not run or cannot tell. No
// snapshot is read, because an old state would pass for the present.

import type { OutputOf } from "../../../protocol/operation.ts";
import type { operations } from "../../../protocol/operations/all.ts";
import type { CliContext } from "../context.ts";
import { directCaller } from "./stop-daemon.ts";

export type AgentNow = OutputOf<(typeof operations)["agents.list"]>["agents"][number];

export async function agentsNow(context: CliContext): Promise<ReadonlyMap<string, AgentNow> | undefined> {
  try {
    const { agents } = await directCaller(context).call("agents.list", {});
    return new Map(agents.map((one) => [one.agent, one]));
  } catch {
    return undefined; // the floor's own look is all there is
  }
}
