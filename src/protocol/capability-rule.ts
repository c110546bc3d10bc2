// A capability as a permission: where the owner says so, only agents that were given it may ask for some operations. It adds to who may ask for
// what (authority.ts) and never widens it. The owner and colleagues are no agents: these rules are not about them.

import type { Asker } from "./authority.ts";
import { Refusal } from "./errors.ts";

export interface CapabilityRule {
  readonly capability: string;
  /** `event.publish`, `task.*`. */
  readonly operations: readonly string[];
  readonly agents: readonly string[];
}

const agentRoles: ReadonlySet<string> = new Set(["root", "watchdog", "clone"]);

const covers = (scope: string, name: string): boolean =>
  scope === name || (scope.endsWith(".*") && name.startsWith(scope.slice(0, -1)));

/** The refusal, or undefined when no rule is in the way. An agent needs every capability that covers the operation. */
export function refuseWithoutCapability(
  { role, name: agent }: Asker,
  operation: string,
  input: unknown,
  rules: readonly CapabilityRule[],
): Refusal | undefined {
  if (rules.length === 0 || !agentRoles.has(role)) return undefined;
  const claimed = operation === "notice.subscribe" ? claimedIn(input) : [];
  const lacking = rules.find(
    ({ capability, operations, agents }) =>
      !agents.includes(agent) && (claimed.includes(capability) || operations.some((scope) => covers(scope, operation))),
  );
  if (lacking === undefined) return undefined;
  const { capability, agents } = lacking;
  const who =
    agents.length === 0
      ? "nobody has it"
      : `${agents.slice(0, 10).join(", ")} ${agents.length === 1 ? "has" : "have"} it`;
  return new Refusal(
    "authority.capability",
    `\`${operation}\` needs the capability ${capability} here, which ${agent} was not given; ${who}`,
    { agent, verb: operation, capability, agents: agents.slice(0, 50) },
  );
}

/** Nobody takes by its own word what the owner gives. */
function claimedIn(input: unknown): readonly unknown[] {
  const given = (input as { capabilities?: unknown } | null)?.capabilities;
  return Array.isArray(given) ? given : [];
}
