// The steps of starting and ending an agent between which a process may die. Fault tests end a process at each in turn.

import { killPoint } from "../../settings/kill-at.ts";

export const startSteps = [
  "agents.start.leftovers-ended",
  "agents.start.prompt-written",
  "agents.start.files-written",
  "agents.start.wanted-written",
  "agents.start.old-terminal-gone",
  "agents.start.terminal-created",
  "agents.start.leader-written",
  "agents.start.runtime-remembered",
] as const;

export const stopSteps = [
  "agents.stop.wanted-written",
  "agents.stop.processes-ended",
  "agents.stop.terminal-gone",
  "agents.stop.recorded",
] as const;

export type AgentStep = (typeof startSteps)[number] | (typeof stopSteps)[number];

export const step = (name: AgentStep): void => killPoint(name);
