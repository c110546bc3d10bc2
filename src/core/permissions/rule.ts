// Defines requests, rules and answers. A rule names a tool, the words a command begins with, or paths; it allows, denies or asks. Of all
// rules that fit, deny wins over ask, and ask over allow; a request that no rule fits is asked.

import type { Decision, Rule } from "../../protocol/permission-rule.ts";
import type { ParseShell } from "../../protocol/shell-script.ts";

export type { Decision, Rule } from "../../protocol/permission-rule.ts";

/** A request of an agent's program, in the program's own words. */
export interface PermissionRequest {
  readonly tool: string;
  readonly input: unknown;
  /** The program's working directory; absolute. */
  readonly cwd: string;
}

/** The agent that asks, and what is its own. Paths are absolute and lead where they say (no links). */
export interface Place {
  readonly role: "root" | "clone" | "watchdog";
  /** The workspace of the task in hand; undefined without one. */
  readonly workspace?: string | undefined;
  /** The branch of the task in hand. */
  readonly branch?: string | undefined;
  /** Directories and files outside the workspace that it may read: its brief, its notes. */
  readonly readable: readonly string[];
  /** The path of `constel` itself, for shells that do not find it by its name. */
  readonly program?: string | undefined;
}

/** The facts that only the machine can tell. */
export interface PlaceFacts {
  /** Returns where an absolute path leads, links followed as far as it exists. Undefined if that cannot be told. */
  resolve(path: string): string | undefined;
  /** The top of the repository that git would use in a directory; undefined for none. A bare repository counts as itself. */
  repositoryOf(directory: string): string | undefined;
  /** The names in a directory; none when there is no such directory. */
  names(directory: string): readonly string[];
}

export interface JudgeContext {
  readonly rules: readonly Rule[];
  readonly place: Place;
  readonly facts: PlaceFacts;
  readonly parse: ParseShell;
}

export interface Judgement {
  readonly decision: Decision;
  /** The rule that decided: where it stands, or which default. */
  readonly rule: string;
  /** The part of the request that was decisive. */
  readonly part: string;
  readonly why: string;
  /** Asked, because it might be what a rule of this decision is about: which command it runs does not stand in it. */
  readonly mayBe?: "ask" | "deny";
}

/** Of two that ask, the one that a rule is behind says more. */
function weightOf({ decision, rule, mayBe }: Judgement): number {
  if (decision !== "ask") return decision === "deny" ? 5 : 0;
  return rule === noRule ? 1 : mayBe === "deny" ? 3 : 2;
}

/** The most cautious of several; of equals the first. There is always one. */
export function strictest(judgements: readonly Judgement[]): Judgement {
  const [first, ...others] = judgements;
  if (first === undefined) return unruled("", "there is nothing in it that could be judged");
  return others.reduce((worst, one) => (weightOf(one) > weightOf(worst) ? one : worst), first);
}

export const noRule = "no rule allows it";

export function unruled(part: string, why: string): Judgement {
  return { decision: "ask", rule: noRule, part, why };
}

export function byDefault(part: string, why: string): Judgement {
  return { decision: "allow", rule: `default: ${why}`, part, why };
}

/** The strictest of the rules that fit; undefined when none does. */
export function byRules(rules: readonly Rule[], part: string, fits: (rule: Rule) => boolean): Judgement | undefined {
  const found = rules.filter((rule) => (rule.trusted || rule.decision !== "allow") && fits(rule));
  if (found.length === 0) return undefined;
  return strictest(
    found.map(({ decision, from }) => ({ decision, rule: from, part, why: `${from} says ${decision}` })),
  );
}

/** Tells whether a rule about a tool is about this one. A `*` at the end stands for anything. */
export function fitsTool(pattern: string, tool: string): boolean {
  return pattern.endsWith("*") ? tool.startsWith(pattern.slice(0, -1)) : tool === pattern;
}
