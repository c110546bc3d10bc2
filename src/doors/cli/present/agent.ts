// Words about an agent, the same in every command.

import type { AgentNow } from "../reach/agents-now.ts";
import { ago } from "./time.ts";

/** States that read otherwise than they are called. */
export const stateWords: Readonly<Record<string, string>> = {
  "waiting-permission": "waiting for permission",
  "waiting-answer": "waiting for an answer",
  "logged-out": "logged out",
};

/** `busy`, `limited until 14:05Z`, `waiting for permission`. */
export function stateText(agent: AgentNow, nowMs: number): string {
  const words = stateWords[agent.state];
  if (words !== undefined) return words;
  if (agent.state !== "limited" || agent.until_ms === null) return agent.state;
  const lifts = new Date(agent.until_ms).toISOString();
  const isSoon = agent.until_ms - nowMs < 20 * 3_600_000;
  return `limited until ${isSoon ? lifts.slice(11, 16) : lifts.slice(5, 16).replace("T", " ")}Z`;
}

export function sinceText(agent: AgentNow, nowMs: number): string {
  return ago(nowMs - agent.since_ms);
}

/** `2 waiting: its usage limit is reached`, or nothing. */
export function mailText({ messages, mail_held: held }: AgentNow): string {
  const parts = [
    ...(messages.waiting > 0 ? [`${messages.waiting} waiting`] : []),
    ...(messages.unknown > 0 ? [`${messages.unknown} unknown`] : []),
  ];
  return parts.length === 0 || held === null ? parts.join(", ") : `${parts.join(", ")}: ${held}`;
}

/** Terminals with fewer columns than this show less of an agent. */
export const narrowBelow = 110;

/** `12.3k`, and the money where it is known; where there is little room, the money alone. */
export function spentText({ tokens, micros }: AgentNow["today"], columns: number): string {
  if (tokens === 0) return "";
  if (micros > 0 && columns < narrowBelow) return `$${(micros / 1e6).toFixed(2)}`;
  const short =
    tokens < 1000 ? String(tokens) : tokens < 1e6 ? `${(tokens / 1e3).toFixed(1)}k` : `${(tokens / 1e6).toFixed(1)}M`;
  return micros === 0 ? short : `${short} $${(micros / 1e6).toFixed(2)}`;
}
