// Holds what the parts of the AsyncAPI comparison hand to each other.

import type { ChangeList } from "../change-list.ts";
import type { SecurityRuleName, TellSecurity } from "../credentials.ts";
import type { ContractDirection } from "../format.ts";
import { flowOf, ruleText } from "../rule.ts";
import type { SchemaComparer } from "../schema/compare-schemas.ts";
import { type AsyncApiRuleName, asyncApiRules, dependsOnDirection } from "./asyncapi-rules.ts";
import type { Model } from "./model.ts";

export interface AsyncApiComparing {
  readonly before: Model;
  readonly after: Model;
  readonly schemas: SchemaComparer;
  readonly changes: ChangeList;
}

export interface Told {
  readonly path: string;
  readonly name?: string | null;
  readonly before?: string | null;
  readonly after?: string | null;
  readonly names?: readonly string[];
  readonly direction?: ContractDirection | null;
}

export function report({ changes }: AsyncApiComparing, name: AsyncApiRuleName, told: Told): void {
  const { path, name: called = null, before = null, after = null, direction = null } = told;
  const { what, verdicts } = asyncApiRules[name];
  // A rule about security holds for everybody who connects.
  const verdict = name.startsWith("security-") ? verdicts.in : verdicts[flowOf(direction)];
  const rule = direction !== null && dependsOnDirection(name) ? `${direction}-${name}` : name;
  const text = ruleText(what, direction === null ? "clients" : flowOf(direction), verdict, {
    name: called,
    before,
    after,
  });
  const names = told.names ?? (called === null ? [] : [called]);
  changes.add({ rule, verdict, path, direction, before, after, text, names });
}

export function tellAt(comparing: AsyncApiComparing, path: string): TellSecurity {
  return (rule: SecurityRuleName, told) => report(comparing, rule, { ...told, path });
}
