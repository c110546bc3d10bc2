// Lists the agents that are wanted and those that are seen, from the launch files and one look at the terminals: what can be said with no
// daemon. What an agent is doing is for those who read its hooks and transcript.

import type { AgentLaunch, AgentRole } from "../../ports/agent-launch.ts";
import type { Terminal } from "../../ports/terminal.ts";
import { byPlace, numberOf, roleOf, tickerAgent } from "./agent-names.ts";
import { isWorkerId, watchdogAgent } from "../../protocol/agent-id.ts";
import type { Launches } from "./launch-files.ts";

export interface ListedAgent {
  readonly agent: string;
  readonly role: AgentRole | "guest";
  /** `unknown`: it has no launch file, or a damaged one. `nothing`: a person started it. */
  readonly wanted: AgentLaunch["wanted"] | "unknown" | "nothing";
  /** `up`: its terminal's program runs. `dead`: the terminal is there, its program has ended. */
  readonly seen: "up" | "dead" | "missing";
  readonly runtime: string;
  readonly pid?: number;
  readonly exitStatus?: number;
  readonly exitSignal?: number;
  readonly sinceMs?: number;
  readonly attached: boolean;
  /** The reason why the watchdog leaves it down, if it does. */
  readonly leftDown?: string;
}

export function listAgents({ launches, damaged }: Launches, terminals: readonly Terminal[]): readonly ListedAgent[] {
  const wanted = new Map(launches.map((launch) => [launch.agent, launch]));
  const seen = new Map(terminals.map((terminal) => [terminal.name, terminal]));
  const names = new Set([...wanted.keys(), ...damaged, ...seen.keys()]);
  return [...names]
    .filter((name) => hasTerminal(name))
    .sort(byPlace)
    .map((name) => listed(name, wanted.get(name), seen.get(name)));
}

const hasTerminal = (name: string): boolean =>
  numberOf(name) !== undefined || isWorkerId(name) || name === watchdogAgent || name === tickerAgent;

function listed(agent: string, launch: AgentLaunch | undefined, terminal: Terminal | undefined): ListedAgent {
  return {
    agent,
    role: launch?.role ?? roleOf(agent),
    wanted: launch?.wanted ?? "unknown",
    seen: terminal === undefined ? "missing" : terminal.dead ? "dead" : "up",
    runtime: launch?.runtime ?? "unknown",
    ...(terminal === undefined || terminal.dead ? {} : { pid: terminal.pid }),
    ...(terminal?.exitStatus === undefined ? {} : { exitStatus: terminal.exitStatus }),
    ...(terminal?.exitSignal === undefined ? {} : { exitSignal: terminal.exitSignal }),
    ...(launch === undefined ? {} : { sinceMs: launch.sinceMs }),
    attached: terminal?.attached ?? false,
  };
}
