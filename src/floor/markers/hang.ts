// `hang-<agent>`: the agent is thought hung. `hang-paged-<agent>`: the owner was told of this hang, once.

import { checkAgentId } from "../../protocol/agent-id.ts";
import { hasMarker, markersNamed, putNewMarker, removeMarker } from "./marker-files.ts";

const hang = (agent: string): string => `hang-${checkAgentId(agent)}`;
const paged = (agent: string): string => `hang-paged-${checkAgentId(agent)}`;

/** True the first time. */
export const markHang = (home: string, agent: string, why: string): boolean => putNewMarker(home, hang(agent), why);
/** Who is marked so, by one look. */
export const hungAgents = (home: string): ReadonlySet<string> =>
  new Set(
    markersNamed(home, "hang-")
      .filter((name) => !name.startsWith("hang-paged-"))
      .map((name) => name.slice("hang-".length)),
  );
export const isHung = (home: string, agent: string): boolean => hasMarker(home, hang(agent));

/** True the first time: the caller pages only then. */
export const markHangPaged = (home: string, agent: string, why: string): boolean =>
  putNewMarker(home, paged(agent), why);
export const isHangPaged = (home: string, agent: string): boolean => hasMarker(home, paged(agent));

/** The agent moves again: both go, so that a later hang is told of again. */
export function clearHang(home: string, agent: string): boolean {
  const wasPaged = removeMarker(home, paged(agent));
  return removeMarker(home, hang(agent)) || wasPaged;
}
