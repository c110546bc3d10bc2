// `agentinit-failures`: starts of an agent that did not reach readiness, counted. `agentinit-escalation`: they were given
// up, and the next root session must tell the owner.

import { addToTally, clearTally } from "./tally.ts";
import { putMarker, readMarker, removeMarker } from "./marker-files.ts";

const failures = "agentinit-failures";
const escalation = "agentinit-escalation";

export const countAgentInitFailure = (home: string, nowMs: number): number => addToTally(home, failures, nowMs);
export const clearAgentInitFailures = (home: string): boolean => clearTally(home, failures);

export const markAgentInitEscalation = (home: string, why: string): void => putMarker(home, escalation, why);
export const agentInitEscalation = (home: string): string | undefined => readMarker(home, escalation);
export const clearAgentInitEscalation = (home: string): boolean => removeMarker(home, escalation);
