// The steps of a restart between which its process may die, besides those of starting the agent (agents/steps.ts). Fault tests
// end it at each in turn; the next tick, or the same command again, finishes what was begun.

import { killPoint } from "../../settings/kill-at.ts";

export const restartSteps = [
  "restart.status-written",
  "restart.agent-started",
  "restart.agent-ready",
  "restart.crash-state-cleared",
  "restart.handoff-sent",
  "restart.handoff-archived",
  "restart.ended",
] as const;

export const restartStep = (name: (typeof restartSteps)[number]): void => killPoint(name);
