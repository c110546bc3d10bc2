// Who is running: the agent ids that may become part of a file name, and the role that goes with each.

import { Refusal } from "./errors.ts";

export const rootAgent = "agent0";
export const watchdogAgent = "agentinfinity";

export type Role = "root" | "clone" | "watchdog";

export interface Identity {
  readonly agent: string;
  readonly role: Role;
}

/** `agent` and digits, or one of the lower-case names of the bus. Short enough for any file name it becomes part of. */
export function checkAgentId(agent: string): string {
  if (!/^agent[a-z0-9]{1,32}$/.test(agent)) {
    throw new Refusal("agent.bad-id", `not an agent's id: ${JSON.stringify(agent.slice(0, 80))}`, { agent });
  }
  return agent;
}

/** A session that a person started: named after its program and its own id, so that it is the same one whenever it comes back. */
export const isGuestId = (agent: string): boolean => /^agentg[0-9a-f]{12}$/.test(agent);

/** Identity as CONSTEL_AGENT gives it. With none set it is the person at the terminal or their own session: the root. */
export function agentIdentity(agent: string | undefined): Identity {
  const id = checkAgentId(agent === undefined || agent === "" ? rootAgent : agent);
  if (id === rootAgent) return { agent: id, role: "root" };
  if (id === watchdogAgent) return { agent: id, role: "watchdog" };
  return { agent: id, role: "clone" };
}

/** The command that brings an agent back, whatever it is at. `constel restart` takes the numbered ones alone. */
export const restartCommand = (agent: string): string =>
  agent === watchdogAgent ? `constel ${watchdogAgent} --fresh` : `constel restart ${agent}`;

/** The command that starts an agent which does not run. */
export const startCommand = (agent: string): string =>
  agent === watchdogAgent ? `constel ${watchdogAgent}` : /\d$/.test(agent) ? `constel agent ${agent}` : "constel up";
