// `pane-hash-<agent>`: what the agent's screen hashed to, and since when it has not changed.

import { checkAgentId } from "../../protocol/agent-id.ts";
import { putMarker, readMarkerValues, removeMarker } from "./marker-files.ts";

export interface PaneHash {
  readonly hash: string;
  readonly sinceMs: number;
}

const nameOf = (agent: string): string => `pane-hash-${checkAgentId(agent)}`;

/** Remembers what was seen now. `sinceMs` moves only when the hash does, or when the clock was set back past it. */
export function seePaneHash(home: string, agent: string, hash: string, nowMs: number): PaneHash {
  const before = readPaneHash(home, agent);
  if (before !== undefined && before.hash === hash && before.sinceMs <= nowMs) return before;
  const seen = { hash, sinceMs: nowMs };
  putMarker(home, nameOf(agent), JSON.stringify({ hash, since_ms: nowMs, since: new Date(nowMs).toISOString() }));
  return seen;
}

export function readPaneHash(home: string, agent: string): PaneHash | undefined {
  const values = readMarkerValues(home, nameOf(agent));
  const { hash, since_ms: sinceMs } = values ?? {};
  return typeof hash === "string" && typeof sinceMs === "number" ? { hash, sinceMs } : undefined;
}

export const clearPaneHash = (home: string, agent: string): boolean => removeMarker(home, nameOf(agent));
