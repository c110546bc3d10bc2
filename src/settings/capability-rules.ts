// Reads which capabilities are permissions from the setting `authority.capabilities`. An operation that there is not stops the verb: a rule
// with a typing error would hold nothing back.

import { checkAgentId } from "../protocol/agent-id.ts";
import type { CapabilityRule } from "../protocol/capability-rule.ts";
import { messageOf, Refusal } from "../protocol/errors.ts";
import { operations } from "../protocol/operations/all.ts";

export function capabilityRulesIn(tables: readonly Readonly<Record<string, unknown>>[]): readonly CapabilityRule[] {
  return tables.map((table, index) => {
    const refuse = (problem: string): Refusal =>
      new Refusal("config.malformed", `authority.capabilities, table ${index + 1}: ${problem}`, { table: index + 1 });
    const words = (key: string): string[] =>
      String(table[key] ?? "")
        .split(/[\s,]+/)
        .filter((word) => word !== "");
    const capability = String(table["capability"] ?? "");
    if (!/^[\p{L}\p{N}._/:@+-]{1,100}$/u.test(capability)) throw refuse("capability must be one plain word");
    const named = words("operations");
    if (named.length === 0) throw refuse("operations must name at least one, as `task.ready` or `task.*`");
    for (const one of named)
      if (!isKnown(one)) throw refuse(`there is no operation ${JSON.stringify(one.slice(0, 80))}`);
    const agents = words("agents").map((agent) => {
      try {
        return checkAgentId(agent);
      } catch (cause) {
        throw refuse(messageOf(cause));
      }
    });
    return { capability, operations: named, agents };
  });
}

const isKnown = (name: string): boolean =>
  name.endsWith(".*")
    ? Object.keys(operations).some((one) => one.startsWith(name.slice(0, -1)))
    : Object.hasOwn(operations, name);
