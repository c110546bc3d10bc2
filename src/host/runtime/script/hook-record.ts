// What a script says of itself through `constel hook script`.

import type { HookEvent, HookRecord } from "../../../protocol/runtime.ts";
import { asObject, asText } from "../json-lines.ts";

/** What a script gives to `constel hook script`: `{"event", "messages"?, "reason"?, "says"?}`. */
export function scriptHookRecord(payload: unknown, nowMs: number): HookRecord | undefined {
  const given = asObject(payload);
  const event = asText(given?.["event"]);
  if (given === undefined || event === undefined || !events.has(event)) return undefined;
  const messages = given["messages"];
  const reason = asText(given["reason"]);
  const says = asText(given["says"]);
  return {
    event: event as HookEvent,
    at: nowMs,
    session: asText(given["session"]) ?? "script",
    ...(Array.isArray(messages) ? { messages: messages.filter((id) => typeof id === "string") } : {}),
    ...(reason === undefined ? {} : { reason: reason.slice(0, 100) }),
    ...(says === undefined ? {} : { says: says.slice(0, 300) }),
  };
}

const events: ReadonlySet<string> = new Set<HookEvent>([
  "session-started",
  "prompt-submitted",
  "tool-began",
  "permission-asked",
  "tool-ended",
  "turn-ended",
  "turn-failed",
  "interrupted",
  "session-ended",
]);
