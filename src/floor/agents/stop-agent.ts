// Ends one agent with everything it started. That it is not wanted is on disk first, so that nobody brings it back meanwhile;
// dying between two steps is mended by ending it again.

import type { AgentLaunch } from "../../ports/agent-launch.ts";
import type { Terminal } from "../../ports/terminal.ts";
import { watchdogAgent } from "../../protocol/agent-id.ts";
import type { AgentPorts } from "./agent-ports.ts";
import { endTree } from "./end-tree.ts";
import { writeLaunch } from "./launch-files.ts";
import { step } from "./steps.ts";
import { removeMarker } from "../markers/marker-files.ts";
import { markers } from "../markers/markers.ts";

export interface Stopped {
  readonly agent: string;
  /** `absent`: there was no terminal and no process. */
  readonly outcome: "ended" | "absent";
  readonly processes: number;
}

/** Whoever is taken down alone is not wanted any more; whoever goes with all the others comes back with them. */
function withReturn({ returns, ...launch }: AgentLaunch, isWithAll: boolean): AgentLaunch {
  const isBack = isWithAll && (launch.wanted !== "down" || returns === true);
  return isBack ? { ...launch, returns: true } : launch;
}

/** `terminals` is what the caller saw; `given` the agent's own launch, where there is one. */
export async function stopAgent(
  ports: AgentPorts,
  agent: string,
  terminals: readonly Terminal[],
  given: AgentLaunch | undefined,
  isWithAll = false,
): Promise<Stopped> {
  const { home } = ports;
  const launch = given === undefined ? undefined : withReturn(given, isWithAll);
  if (launch !== undefined && launch.wanted !== "down") writeLaunch(home, { ...launch, wanted: "down" }, ports.seal);
  step("agents.stop.wanted-written");
  const processes = await endTree(ports, agent, terminals, launch);
  step("agents.stop.processes-ended");
  const hadTerminal = await ports.terminals.kill(agent);
  step("agents.stop.terminal-gone");
  if (agent === watchdogAgent) removeMarker(home, markers.watchdogReady);
  if (launch !== undefined) {
    const { leader: _, cgroup: __, ...rest } = launch;
    writeLaunch(home, { ...rest, wanted: "down" }, ports.seal);
  }
  step("agents.stop.recorded");
  return { agent, outcome: hadTerminal || processes > 0 ? "ended" : "absent", processes };
}
