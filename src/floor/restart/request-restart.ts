// Prepares `constel restart` before anything is ended: everything that could be refused is refused first (the agent, its program, its
// prompt, the handoff, tmux), then every give-up marker goes, the handoff is laid down, and a detached process makes the restart. Nothing
// here ends an agent.

import type { AgentLaunch } from "../../ports/agent-launch.ts";
import { isWorkerId, startCommand } from "../../protocol/agent-id.ts";
import { messageOf, Refusal } from "../../protocol/errors.ts";
import { byPlace, numberOf, tickerAgent } from "../agents/agent-names.ts";
import { listLaunches } from "../agents/launch-files.ts";
import { checkWish } from "../agents/start-agent.ts";
import { completeEnvelope } from "../bus/send.ts";
import { clearGiveUp } from "../markers/give-up.ts";
import { tryAppendRecord } from "../records.ts";
import { handoffName, longestHandoff, writeHandoff } from "./handoff-files.ts";
import type { RestartOrder, RestartPorts } from "./restart-agents.ts";

export interface RestartRequest {
  /** One agent's name, or all that are wanted. */
  readonly agents: readonly string[] | "all";
  readonly handoff: string | undefined;
  readonly fresh: boolean;
  readonly account?: string | undefined;
}

export interface RequestedRestart {
  readonly agents: readonly string[];
  /** Give-up markers that were there, by agent. */
  readonly released: Readonly<Record<string, readonly string[]>>;
  readonly pid: number;
}

export async function requestRestart(
  ports: RestartPorts,
  request: RestartRequest,
  spawn: (order: RestartOrder) => number,
): Promise<RequestedRestart> {
  const chosen = choose(listLaunches(ports.home).launches, request.agents);
  for (const launch of chosen) {
    const runtime = ports.runtimeNamed(launch.runtime);
    const account = request.account === undefined ? {} : { account: request.account };
    const confined = launch.confined === true;
    await checkWish(ports, { agent: launch.agent, runtime, because: "restart", confined, ...account });
    if (request.handoff !== undefined) checkHandoff(ports, launch.agent, request.handoff);
  }
  await ports.terminals.list();
  const agents = chosen.map(({ agent }) => agent);
  const released = Object.fromEntries(agents.map((agent) => [agent, clearGiveUp(ports.home, agent)]));
  for (const agent of agents) {
    const says = released[agent]?.join(", ") ?? "";
    tryAppendRecord(ports, "watchdog-events", { event: "agent.restart-asked", agent, says, data: {} });
    if (request.handoff !== undefined)
      writeHandoff(ports, handoffName(agent, ports.clock.nowMs(), "operator"), request.handoff);
  }
  const pid = spawn({
    agents,
    because: "restart",
    fresh: request.fresh,
    ...(request.account === undefined ? {} : { account: request.account }),
  });
  return { agents, released, pid };
}

function choose(launches: readonly AgentLaunch[], asked: RestartRequest["agents"]): readonly AgentLaunch[] {
  const wanted = launches.filter(({ agent, wanted }) => isRestartable(agent) && wanted === "up");
  const names = asked === "all" ? wanted.map(({ agent }) => agent) : asked;
  if (names.length === 0) throw nothing("no agent is wanted", "agent0");
  return names.toSorted(byPlace).map((agent) => {
    if (!isRestartable(agent)) {
      throw new Refusal("agent.bad-id", `${agent} is not one of the numbered agents`, { agent });
    }
    const launch = wanted.find((one) => one.agent === agent);
    if (launch === undefined) throw nothing(`${agent} was never started, or was taken down`, agent);
    return launch;
  });
}

const nothing = (what: string, agent: string): Refusal =>
  new Refusal("restart.nothing", what, { agent }, `\`${startCommand(agent)}\` starts it.`);

/** Asked of the bus itself, which would refuse it later, when the old agent is gone. */
function checkHandoff(ports: RestartPorts, agent: string, text: string): void {
  const bad = (why: string): Refusal =>
    new Refusal("restart.bad-handoff", `the handoff cannot be used: ${why}`, { why });
  if (text.trim() === "") throw bad("it is empty");
  if (Buffer.byteLength(text) > longestHandoff) throw bad(`it is over ${longestHandoff / 1024} KiB`);
  try {
    completeEnvelope(ports.bus, { from: tickerAgent, to: agent, kind: "handoff", text });
  } catch (cause) {
    throw bad(messageOf(cause));
  }
}

/** The watchdog agent and the ticker come back in their own ways. */
const isRestartable = (agent: string): boolean => numberOf(agent) !== undefined || isWorkerId(agent);
