// `state/agents/<agent>.json`: what is wanted of each agent and how it was last started. Written whole or not at all.

import { type AgentLaunch, launchFile } from "../../ports/agent-launch.ts";
import { inHome } from "../../settings/paths.ts";
import { TrustedDirectory } from "../../files/trusted-directory.ts";
import { listTrusted, readTrusted, writeTrusted } from "../../files/trusted-files.ts";
import { byPlace } from "./agent-names.ts";

export interface Launches {
  /** Root, clones by number, watchdog, ticker. */
  readonly launches: readonly AgentLaunch[];
  /** Agents whose file cannot be read. */
  readonly damaged: readonly string[];
}

export function writeLaunch(home: string, launch: AgentLaunch): void {
  writeTrusted(home, launchFile(launch.agent), `${JSON.stringify(launch, null, 2)}\n`);
}

/** undefined when there is none, and when it is damaged: then it says as little. */
export function readLaunch(home: string, agent: string): AgentLaunch | undefined {
  const text = readTrusted(home, launchFile(agent))?.toString("utf8");
  return text === undefined ? undefined : parseLaunch(agent, text);
}

export function listLaunches(home: string): Launches {
  const agents = listTrusted(home, inHome.agents).flatMap(
    (name) => /^(agent[a-z0-9]{1,32})\.json$/.exec(name)?.[1] ?? [],
  );
  const launches: AgentLaunch[] = [];
  const damaged: string[] = [];
  if (agents.length === 0) return { launches, damaged };
  using directory = TrustedDirectory.open(home, inHome.agents);
  for (const agent of agents) {
    const text = directory.read(`${agent}.json`)?.toString("utf8");
    const launch = text === undefined ? undefined : parseLaunch(agent, text);
    if (launch === undefined) damaged.push(agent);
    else launches.push(launch);
  }
  return { launches: launches.sort((a, b) => byPlace(a.agent, b.agent)), damaged };
}

const roles = new Set(["root", "clone", "watchdog", "ticker"]);
const wishes = new Set(["up", "down", "paused"]);

function parseLaunch(agent: string, text: string): AgentLaunch | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (typeof value !== "object" || value === null) return undefined;
  const launch = value as Partial<AgentLaunch>;
  const isWhole =
    launch.agent === agent &&
    roles.has(launch.role ?? "") &&
    wishes.has(launch.wanted ?? "") &&
    typeof launch.runtime === "string" &&
    typeof launch.tmuxSocket === "string" &&
    typeof launch.sinceMs === "number" &&
    typeof launch.launch === "object" &&
    typeof launch.launch?.home === "string";
  return isWhole ? (launch as AgentLaunch) : undefined;
}
