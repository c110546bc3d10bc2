// `inbox-state-<agent>`: whether the agent's inbox was seen with something in it, and seen empty after that. A clone that
// has drained its inbox and rests is done, not hung.

import { allMarkerValues, putMarker } from "./marker-files.ts";
import { markers } from "./markers.ts";

export interface InboxState {
  readonly seen: "empty" | "waiting" | "drained";
  readonly sinceMs: number;
}

/** Returns the state after seeing `count` envelopes now. Empty becomes waiting, waiting becomes drained, drained waiting. */
export function nextInboxState(before: InboxState | undefined, count: number, nowMs: number): InboxState {
  const wasUsed = before !== undefined && before.seen !== "empty";
  const seen = count > 0 ? "waiting" : wasUsed ? "drained" : "empty";
  if (before?.seen === seen && before.sinceMs <= nowMs) return before;
  return { seen, sinceMs: nowMs };
}

/** `before`: what is remembered of it, as one look for all agents found it (`allInboxStates`); undefined when nothing is. */
export function seeInbox(
  home: string,
  agent: string,
  count: number,
  nowMs: number,
  before: InboxState | undefined,
): InboxState {
  const state = nextInboxState(before, count, nowMs);
  // Of an inbox that never held anything there is nothing to remember.
  if (state !== before && (state.seen !== "empty" || before !== undefined)) {
    putMarker(home, markers.inboxState(agent), JSON.stringify({ seen: state.seen, since_ms: nowMs, count }), {
      sync: false,
    });
  }
  return state;
}

/** Of every agent that has one. */
export function allInboxStates(home: string): ReadonlyMap<string, InboxState> {
  const states = new Map<string, InboxState>();
  for (const [agent, values] of allMarkerValues(home, markers.inboxState.prefix)) {
    const state = inboxStateIn(values);
    if (state !== undefined) states.set(agent, state);
  }
  return states;
}

function inboxStateIn(values: Readonly<Record<string, unknown>>): InboxState | undefined {
  const { seen, since_ms: sinceMs } = values;
  if (seen !== "empty" && seen !== "waiting" && seen !== "drained") return undefined;
  return typeof sinceMs === "number" ? { seen, sinceMs } : undefined;
}
