// `crashloop-<agent>`: the agent came down too often and is left alone until an operator restarts it or a tick sees it
// healthy.

import { checkAgentId } from "../../protocol/agent-id.ts";
import { hasMarker, markersNamed, putNewMarker, removeMarker } from "./marker-files.ts";

const prefix = "crashloop-";

/** True the first time: then is the moment to tell somebody. */
export function markCrashloop(home: string, agent: string, why: string): boolean {
  return putNewMarker(home, prefix + checkAgentId(agent), why);
}

export const isCrashlooping = (home: string, agent: string): boolean => hasMarker(home, prefix + checkAgentId(agent));

export const clearCrashloop = (home: string, agent: string): boolean =>
  removeMarker(home, prefix + checkAgentId(agent));

export const crashloopingAgents = (home: string): string[] =>
  markersNamed(home, prefix).map((name) => name.slice(prefix.length));
