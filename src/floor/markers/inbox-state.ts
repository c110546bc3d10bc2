// `inbox-state-<agent>`: whether the agent's inbox was seen with something in it, and seen empty after that. A clone that
// has drained its inbox and rests is done, not hung.

import { checkAgentId } from "../../protocol/agent-id.ts";
import { putMarker, readMarkerValues, removeMarker } from "./marker-files.ts";

export interface InboxState {
  readonly seen: "empty" | "waiting" | "drained";
  readonly sinceMs: number;
}

const nameOf = (agent: string): string => `inbox-state-${checkAgentId(agent)}`;

/** What is known after seeing `count` envelopes now. Empty becomes waiting, waiting becomes drained, drained waiting. */
export function nextInboxState(before: InboxState | undefined, count: number, nowMs: number): InboxState {
  const wasUsed = before !== undefined && before.seen !== "empty";
  const seen = count > 0 ? "waiting" : wasUsed ? "drained" : "empty";
  if (before?.seen === seen && before.sinceMs <= nowMs) return before;
  return { seen, sinceMs: nowMs };
}

export function seeInbox(home: string, agent: string, count: number, nowMs: number): InboxState {
  const before = readInboxState(home, agent);
  const state = nextInboxState(before, count, nowMs);
  if (state !== before) {
    putMarker(home, nameOf(agent), JSON.stringify({ seen: state.seen, since_ms: nowMs, count }), { sync: false });
  }
  return state;
}

export function readInboxState(home: string, agent: string): InboxState | undefined {
  const { seen, since_ms: sinceMs } = readMarkerValues(home, nameOf(agent)) ?? {};
  if (seen !== "empty" && seen !== "waiting" && seen !== "drained") return undefined;
  return typeof sinceMs === "number" ? { seen, sinceMs } : undefined;
}

export const clearInboxState = (home: string, agent: string): boolean => removeMarker(home, nameOf(agent));
