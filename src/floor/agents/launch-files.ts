// `state/agents/<agent>.json`: what is wanted of each agent and how it was last started. Written whole or not at all, and sealed by constel:
// which process is whose is told from these files, and any process of the account can write one.

import { agentOfFile } from "../../protocol/agent-id.ts";
import { type AgentLaunch, launchFile } from "../../ports/agent-launch.ts";
import { Refusal } from "../../protocol/errors.ts";
import { inHome } from "../../settings/paths.ts";
import { TrustedDirectory } from "../../files/trusted-directory.ts";
import { listTrusted, readTrusted, writeTrusted } from "../../files/trusted-files.ts";
import { byPlace } from "./agent-names.ts";

export interface Launches {
  /** Root, clones by number, watchdog, ticker. */
  readonly launches: readonly AgentLaunch[];
  /** Agents whose file cannot be read. */
  readonly damaged: readonly string[];
  /** Agents whose file constel did not write as it stands there. */
  readonly unproven: readonly string[];
}

/** Adds constel's seal to a file that is one line of JSON. */
export type Seal = (json: string) => string;
/** Tells whether a file carries the seal. */
export type IsGenuine = (text: string) => boolean;

export function writeLaunch(home: string, launch: AgentLaunch, seal: Seal): void {
  writeTrusted(home, launchFile(launch.agent), `${seal(JSON.stringify(launch))}\n`);
}

/** undefined when there is none, and when it is damaged: then it says as little. */
export function readLaunch(home: string, agent: string): AgentLaunch | undefined {
  const text = unlessRefused(() => readTrusted(home, launchFile(agent)));
  return text === undefined ? undefined : parseLaunch(agent, text);
}

/** Tells whether constel wrote the agent's file as it stands there. */
export function isLaunchGenuine(home: string, agent: string, isGenuine: IsGenuine): boolean {
  return isGenuine(unlessRefused(() => readTrusted(home, launchFile(agent)))?.trim() ?? "");
}

/** Without `isGenuine` every file is believed. */
export function listLaunches(home: string, isGenuine: IsGenuine = () => true): Launches {
  const agents = listTrusted(home, inHome.agents).flatMap((name) => agentOfFile(name, ".json") ?? []);
  const launches: AgentLaunch[] = [];
  const damaged: string[] = [];
  const unproven: string[] = [];
  if (agents.length === 0) return { launches, damaged, unproven };
  using directory = TrustedDirectory.open(home, inHome.agents);
  for (const agent of agents) {
    const text = unlessRefused(() => directory.read(`${agent}.json`));
    const launch = text === undefined ? undefined : parseLaunch(agent, text);
    if (launch === undefined) damaged.push(agent);
    else launches.push(launch);
    if (!isGenuine(text?.trim() ?? "")) unproven.push(agent);
  }
  return { launches: launches.sort((a, b) => byPlace(a.agent, b.agent)), damaged, unproven };
}

/** A link or a directory in its place is damage to that one file; the other agents must not suffer for it. */
function unlessRefused(read: () => Buffer | undefined): string | undefined {
  try {
    return read()?.toString("utf8");
  } catch (cause) {
    if (cause instanceof Refusal) return undefined;
    throw cause;
  }
}

const roles = new Set(["root", "clone", "worker", "watchdog", "ticker"]);
const wishes = new Set(["up", "down", "paused"]);

export function parseLaunch(agent: string, text: string): AgentLaunch | undefined {
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
