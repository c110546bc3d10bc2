// Ends agents, and makes sure that nothing of them is left. Without a name: root, clones and workers. With `all`: the ticker first,
// which could bring others back, then everyone, then the terminals' server; the daemon is the caller's.

import type { AgentLaunch } from "../../ports/agent-launch.ts";
import { Outage, Refusal } from "../../protocol/errors.ts";
import { listed } from "../../protocol/listed.ts";
import { isWorkerId, watchdogAgent } from "../../protocol/agent-id.ts";
import { byPlace, numberOf, tickerAgent } from "./agent-names.ts";
import type { AgentPorts } from "./agent-ports.ts";
import { listLaunches } from "./launch-files.ts";
import { stopAgent, type Stopped } from "./stop-agent.ts";

export interface DownRequest {
  readonly agent?: string;
  readonly all?: boolean;
}

/** `last` is called when every agent is gone and before the terminals' server is: the place to end the daemon. */
export function down(ports: AgentPorts, request: DownRequest, last: () => Promise<void>): Promise<readonly Stopped[]> {
  return ports.exclusively(async () => {
    const terminals = await ports.terminals.list();
    const launches = new Map(listLaunches(ports.home).launches.map((launch) => [launch.agent, launch]));
    const agents =
      request.agent === undefined
        ? everyone(
            ports,
            launches,
            terminals.map(({ name }) => name),
            request.all === true,
          )
        : [request.agent];
    const servers = ports.trees.parentsOf(terminals.filter(({ dead }) => !dead).map(({ pid }) => pid));
    const answers: Stopped[] = [];
    const wish = { isWithAll: request.agent === undefined, evenUnrecorded: true };
    for (const agent of agents) answers.push(await stopAgent(ports, agent, terminals, launches.get(agent), wish));
    if (request.all === true) {
      await last();
      await ports.terminals.killServer();
      const left = await ports.trees.untilEnded(servers);
      if (left.length > 0) {
        throw new Refusal("agents.not-ended", `the tmux server has not ended: ${left.join(", ")}`, { pids: left });
      }
      await ports.terminals.clearAway();
    }
    tellUnrecorded(answers);
    return answers.filter(({ agent, outcome }) => outcome === "ended" || agent === request.agent);
  });
}

/** They are ended, and the watchdog knows nothing of it. */
function tellUnrecorded(answers: readonly Stopped[]): void {
  const open = answers.filter(({ unrecorded }) => unrecorded !== undefined);
  const [first] = open;
  if (first?.unrecorded === undefined) return;
  const are = open.length === 1 ? "which was ended, is" : "which were ended, are";
  throw new Outage(
    "write down that",
    `${listed(open.map(({ agent }) => agent))}, ${are} not wanted any more`,
    first.unrecorded.cause,
  );
}

/** Those we wrote down, those whose terminal is there, and those of whom only processes are left. Root comes last. */
function everyone(
  ports: AgentPorts,
  launches: ReadonlyMap<string, AgentLaunch>,
  terminals: readonly string[],
  all: boolean,
): string[] {
  const known = new Set([...launches.keys(), ...terminals, ...ports.trees.agentsAmong(ports.home)]);
  const isMeant = (agent: string): boolean =>
    numberOf(agent) !== undefined || isWorkerId(agent) || (all && (agent === watchdogAgent || agent === tickerAgent));
  return [...known].filter(isMeant).sort(byPlace).reverse();
}
