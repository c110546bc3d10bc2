// All rules of a format, for the reference: what they are called, how they judge, and what they say.

import { leftOutRules } from "./change-list.ts";
import { type AsyncApiRuleName, asyncApiRules, dependsOnDirection } from "./asyncapi/asyncapi-rules.ts";
import type { ContractDirection, ContractFormat } from "./format.ts";
import { jsonSchemaRules } from "./json-schema/json-schema.ts";
import { openApiRules } from "./openapi/openapi-rules.ts";
import { type Flow, flowOf, type ListedRule, type Rule } from "./rule.ts";
import { schemaRules } from "./schema/schema-rules.ts";

export function listRules(format: ContractFormat["name"]): readonly ListedRule[] {
  if (format === "openapi") {
    const turned = Object.entries(openApiRules).filter(([name]) => !/^(callback|webhook|security|server)/.test(name));
    return [
      ...rows(openApiRules, "in"),
      ...rows(Object.fromEntries(turned), "out", "callback-"),
      ...schemaRows(["request", "response"]),
      ...rows(leftOutRules, "both"),
    ];
  }
  if (format === "asyncapi") {
    const names = Object.keys(asyncApiRules) as AsyncApiRuleName[];
    const picked = (depends: boolean): Record<string, Rule> =>
      Object.fromEntries(
        names.filter((name) => dependsOnDirection(name) === depends).map((name) => [name, asyncApiRules[name]]),
      );
    return [
      ...rows(picked(false), "in"),
      ...rows(picked(true), "in", "publish-"),
      ...rows(picked(true), "out", "subscribe-"),
      ...rows(picked(true), "both"),
      ...schemaRows(["publish", "subscribe"]),
      ...rows(schemaRules, "both"),
      ...rows(leftOutRules, "both"),
    ];
  }
  return format === "json-schema"
    ? [...rows(jsonSchemaRules, "both"), ...rows(schemaRules, "both"), ...rows(leftOutRules, "both")]
    : [];
}

function rows(rules: Readonly<Record<string, Rule>>, flow: Flow, prefix = ""): ListedRule[] {
  return Object.entries(rules).map(([name, { what, verdicts }]) => ({
    rule: `${prefix}${name}`,
    verdict: verdicts[flow],
    text: what,
  }));
}

function schemaRows(directions: readonly ContractDirection[]): ListedRule[] {
  return directions.flatMap((direction) => rows(schemaRules, flowOf(direction), `${direction}-`));
}
