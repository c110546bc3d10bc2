// Says who is running: the agent ids that may become part of a file name, and the role that goes with each.

import { Refusal } from "./errors.ts";

export const rootAgent = "agent0";
export const watchdogAgent = "agentinfinity";

export type Role = "root" | "clone" | "watchdog";

export interface Identity {
  readonly agent: string;
  readonly role: Role;
}

/**
 * The one rule for an agent's id: `agent` and a plain number of at most six digits, or `agent` and a name of at most 32 lower-case letters and digits
 * with a letter in it. Short enough for any file name it becomes part of; no two spellings are one number.
 */
export const anAgentId = "agent(?:0|[1-9][0-9]{0,5}|(?=[0-9]*[a-z])[a-z0-9]{1,32})";

export const agentIdPattern = new RegExp(`^${anAgentId}$`);

export function isAgentId(id: string): boolean;
export function isAgentId(id: unknown): id is string;
export function isAgentId(id: unknown): boolean {
  return typeof id === "string" && agentIdPattern.test(id);
}

/** An agent with a number, as people start them: `agent0`, `agent12`. */
export const isNumberedAgent = (id: unknown): boolean => isAgentId(id) && /^agent\d+$/.test(id);

export function checkAgentId(agent: string): string {
  if (isAgentId(agent)) return agent;
  throw new Refusal("agent.bad-id", `not an agent's id: ${JSON.stringify(agent.slice(0, 80))}`, {
    agent: agent.slice(0, 80),
  });
}

/** The agent whose id a file's name begins with, where nothing but one of these endings follows; undefined for any other file. */
export function agentOfFile(name: string, ...endings: readonly string[]): string | undefined {
  const ending = endings.find((one) => name.endsWith(one));
  const agent = ending === undefined ? undefined : name.slice(0, name.length - ending.length);
  return isAgentId(agent) ? agent : undefined;
}

/** A session that a person started: named after its program and its own id, so that it is the same one whenever it comes back. */
export const isGuestId = (agent: string): boolean => /^agentg[0-9a-f]{12}$/.test(agent);

/** A worker: an agent with a name, without a terminal of its program's own. Its id is `agentw` and that name. */
export const isWorkerId = (agent: unknown): boolean =>
  typeof agent === "string" && /^agentw[a-z0-9]{1,24}$/.test(agent);

/** A name that reads as an agent's id would be another agent than whoever says it means. */
export const workerNamePattern = /^(?!agent)[a-z0-9]{1,24}$/;

export const workerId = (name: string): string => `agentw${name}`;

/** Before a worker of this name is begun. */
export function newWorkerId(name: string): string {
  if (workerNamePattern.test(name)) return workerId(name);
  const short = name.slice(0, 80);
  const means = /^agentw[a-z0-9]/.test(name)
    ? `${short} reads as the id of the worker ${workerName(short)}`
    : `${JSON.stringify(short)} is no name for a worker`;
  throw new Refusal("worker.bad-name", means, { name: short });
}

export const workerName = (agent: string): string => agent.slice("agentw".length);

/** Somebody who is given work: a clone, the root, or a worker. */
export const isWorkingAgent = (id: unknown): boolean => isNumberedAgent(id) || isWorkerId(id);

/** Identity as CONSTEL_AGENT gives it. With none set it is the person at the terminal or their own session: the root. */
export function agentIdentity(agent: string | undefined): Identity {
  const id = checkAgentId(agent === undefined || agent === "" ? rootAgent : agent);
  if (id === rootAgent) return { agent: id, role: "root" };
  if (id === watchdogAgent) return { agent: id, role: "watchdog" };
  return { agent: id, role: "clone" };
}

/** The command that brings an agent back, whatever it is at. `constel restart` takes the numbered ones alone. */
export const restartCommand = (agent: string): string =>
  agent === watchdogAgent
    ? `constel ${watchdogAgent} --fresh`
    : isWorkerId(agent)
      ? startCommand(agent)
      : `constel restart ${agent}`;

/** The command that starts an agent which does not run. */
export const startCommand = (agent: string): string =>
  agent === watchdogAgent
    ? `constel ${watchdogAgent}`
    : isWorkerId(agent)
      ? `constel worker start ${workerName(agent)}`
      : isNumberedAgent(agent)
        ? `constel agent ${agent}`
        : "constel up";
