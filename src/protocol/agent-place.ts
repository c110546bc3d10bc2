// Holds what the rules about permissions have to know of an agent. The daemon lays it beside what the agent is to hear next
// (`state/hear/<agent>/place.json`). A hook judges by it alone, whether the daemon answers, is stopped or is gone. A confined agent cannot
// read the owner's settings, so the rules that hold for everybody lie here too; its directory is read-only to it.

import type { Rule } from "./permission-rule.ts";

export interface AgentPlace {
  readonly version: 1;
  /** The root directory, whose constel.toml has rules too. */
  readonly root: string;
  /** The task in hand. */
  readonly task: string | null;
  /** The workspaces of that task. */
  readonly workspaces: readonly { readonly path: string; readonly branch: string }[];
  /** The rules of config.toml and of the root's constel.toml, as they were read; a text is why they could not be. */
  readonly rules: readonly Rule[] | string;
  /** While they cannot be read: the rules as they were before. What these forbid stays forbidden. */
  readonly before?: readonly Rule[];
}

/** The rules that are known to hold, or held when they were last understood. */
export const lastRules = (place: AgentPlace | undefined): readonly Rule[] | undefined =>
  typeof place?.rules === "string" ? place.before : place?.rules;

/** Past this somebody wrote thousands of rules, or it is not ours. */
export const longestPlaceBytes = 1024 * 1024;

/** Undefined for what is not whole: then nothing is known of the agent, which allows nothing. */
export function parseAgentPlace(text: string): AgentPlace | undefined {
  let given: unknown;
  try {
    given = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (typeof given !== "object" || given === null) return undefined;
  const { version, root, task, workspaces, rules, before = [] } = given as Readonly<Record<string, unknown>>;
  const isWhole =
    version === 1 &&
    typeof root === "string" &&
    (task === null || typeof task === "string") &&
    Array.isArray(workspaces) &&
    workspaces.every(isWorkspace) &&
    (typeof rules === "string" || (Array.isArray(rules) && rules.every(isRule))) &&
    Array.isArray(before) &&
    before.every(isRule);
  return isWhole ? (given as AgentPlace) : undefined;
}

function isWorkspace(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return false;
  const { path, branch } = value as Readonly<Record<string, unknown>>;
  return typeof path === "string" && path.startsWith("/") && typeof branch === "string";
}

function isRule(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return false;
  const { decision, from, trusted, tool, command, path, action } = value as Readonly<Record<string, unknown>>;
  const isWords = Array.isArray(command) && command.length > 0 && command.every((word) => typeof word === "string");
  const isDecided = decision === "allow" || decision === "ask" || decision === "deny";
  const isAbout = typeof tool === "string" || typeof path === "string" || isWords;
  const isAction = action === undefined || action === "read" || action === "edit";
  return isDecided && typeof from === "string" && typeof trusted === "boolean" && isAbout && isAction;
}
