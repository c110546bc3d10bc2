// The agents that have a terminal: `agent` and a plain number for people's agents, the watchdog, and the ticker, which is no
// agent but lives beside them.

import type { AgentRole } from "../../ports/agent-launch.ts";
import { Refusal } from "../../protocol/errors.ts";
import { isGuestId, isWorkerId, rootAgent, watchdogAgent } from "../../protocol/agent-id.ts";

export const tickerAgent = "agentticker";

const numbered = /^agent(0|[1-9]\d{0,5})$/;

/** `3`, `agent3`, `agentinfinity` and `agentticker` as an agent's name; anything else is refused. */
export function agentNamed(word: string): string {
  const name = /^\d+$/.test(word) ? `agent${word}` : word;
  if (numbered.test(name) || isWorkerId(name) || name === watchdogAgent || name === tickerAgent) return name;
  if (isGuestId(name)) throw new Refusal("agent.guest", `${name} is a session that a person started`, { agent: name });
  const shown = JSON.stringify(word.slice(0, 80));
  throw new Refusal(
    "agent.bad-id",
    `not an agent's name: ${shown}`,
    { agent: word.slice(0, 80) },
    "Agents are called `agent0`, `agent1`, … with no zeros in front; `3` is short for `agent3`.",
  );
}

/** The role of a name that `agentNamed` let pass. */
export function roleOf(agent: string): AgentRole {
  if (agent === rootAgent) return "root";
  if (agent === watchdogAgent) return "watchdog";
  if (isWorkerId(agent)) return "worker";
  return agent === tickerAgent ? "ticker" : "clone";
}

/** The number in the name; undefined for those that have none. */
export function numberOf(agent: string): number | undefined {
  const digits = numbered.exec(agent)?.[1];
  return digits === undefined ? undefined : Number(digits);
}

const places: Readonly<Record<AgentRole, number>> = { root: 0, clone: 1, worker: 2, watchdog: 3, ticker: 4 };

/** Root, clones by number, workers by name, watchdog, ticker. */
export function byPlace(a: string, b: string): number {
  return (
    places[roleOf(a)] - places[roleOf(b)] || (numberOf(a) ?? 0) - (numberOf(b) ?? 0) || (a < b ? -1 : Number(a > b))
  );
}
