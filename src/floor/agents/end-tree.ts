// Ends all processes of an agent, by everything that leads to them: the process that led its terminal, the one that does now,
// its mark in their environment, and its control group. Refuses to say it is done while one is left.

import type { AgentLaunch } from "../../ports/agent-launch.ts";
import { Refusal } from "../../protocol/errors.ts";
import type { AgentTree } from "../../ports/process-trees.ts";
import type { Terminal } from "../../ports/terminal.ts";
import { tickerAgent } from "./agent-names.ts";
import type { AgentPorts } from "./agent-ports.ts";

/** Returns how many processes there were. */
export async function endTree(
  ports: AgentPorts,
  agent: string,
  terminals: readonly Terminal[],
  launch: AgentLaunch | undefined,
): Promise<number> {
  const { found, left } = await ports.trees.end(treeOf(ports, agent, terminals, launch));
  if (left.length > 0) {
    const pids = left.join(", ");
    throw new Refusal("agents.not-ended", `${agent}: still there after SIGKILL: ${pids}`, { agent, pids: left });
  }
  return found;
}

export function treeOf(
  ports: AgentPorts,
  agent: string,
  terminals: readonly Terminal[],
  launch: AgentLaunch | undefined,
): AgentTree {
  // The number of a dead terminal's process may be somebody else's by now.
  const living = terminals.filter(({ dead }) => !dead);
  const terminalPid = living.find(({ name }) => name === agent)?.pid;
  return {
    ...(launch?.leader === undefined ? {} : { leader: launch.leader }),
    ...(terminalPid === undefined ? {} : { terminalPid }),
    // The ticker acts for the owner and carries no agent's mark.
    ...(agent === tickerAgent
      ? {}
      : { mark: { CONSTEL_AGENT: agent, CONSTEL_HOME: launch?.launch.home ?? ports.home } }),
    ...(launch?.cgroup === undefined ? {} : { cgroup: launch.cgroup }),
    terminalPids: living.map(({ pid }) => pid),
  };
}
