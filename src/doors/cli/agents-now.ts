// What the daemon knows of the agents, for commands that also work without it: undefined when it does not run or cannot tell.
// What an old snapshot says of a state would pass for the present, so none is read.

import { join } from "node:path";
import { socketCaller } from "../../client/socket.ts";
import type { OutputOf } from "../../protocol/operation.ts";
import type { operations } from "../../protocol/operations/all.ts";
import { inHome } from "../../settings/paths.ts";
import type { CliContext } from "./context.ts";

export type AgentNow = OutputOf<(typeof operations)["agents.list"]>["agents"][number];

export async function agentsNow(context: CliContext): Promise<ReadonlyMap<string, AgentNow> | undefined> {
  try {
    const caller = socketCaller(join(context.places.home, inHome.socket), context.places.agent ?? "owner");
    const { agents } = await caller.call("agents.list", {});
    return new Map(agents.map((one) => [one.agent, one]));
  } catch {
    return undefined; // the floor's own look is all there is
  }
}
