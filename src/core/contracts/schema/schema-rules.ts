// Every rule about schemas, for all formats that use them. The three letters are the verdicts where others send the data, where they
// read it, and where nobody says which (JSON Schema by itself): b breaking, d dangerous, c compatible. In a format with
// directions the id begins with the direction: `request-property-removed`, `subscribe-property-removed`.
//
// Behind most of them is one thought: what is sent may be widened, what is read may be narrowed. Where nobody says, narrowing breaks
// those who send, and widening is dangerous for those who read. Readers are expected to pass over properties they do not know.

import { rule, type Rule } from "../rule.ts";

const limits = [
  "min-length",
  "max-length",
  "min-items",
  "max-items",
  "min-properties",
  "max-properties",
  "min-contains",
  "max-contains",
] as const;
const bounds = [...limits, "minimum", "maximum", "multiple-of"] as const;
type Bound = (typeof bounds)[number];
type BoundRule = `${Bound}-${"added" | "removed" | "tightened" | "loosened"}`;

const fixed = {
  "type-narrowed": rule("bcb", "{name} allowed {before} and now allows only {after}"),
  "type-widened": rule("cbd", "{name} allowed only {before} and now allows {after}"),
  "type-changed": rule("bbb", "{name} changed its type from {before} to {after}"),
  "became-nullable": rule("cbd", "{name} may now be null"),
  "became-not-nullable": rule("bcb", "{name} may no longer be null"),
  "value-forbidden": rule("bbb", "{name} may no longer have any value"),
  "value-allowed": rule("ccd", "{name}, which had to be absent, may now have a value"),
  "reference-not-judged": rule("ddd", "{name} refers to {after} instead of {before}, and not both could be read"),

  "enum-added": rule("bcb", "{name} could have any value and now only {after}"),
  "enum-removed": rule("cdd", "{name} could only be {before} and now may have any value"),
  "enum-value-added": rule("cdd", "{name} may now also be {after}"),
  "enum-value-removed": rule("bcb", "{name} may no longer be {before}"),
  "enum-replaced": rule("bbb", "{name} was {before} and is now {after}, with no value in common"),
  "known-value-added": rule("ccc", "{name} has a new known value {after}"),
  "known-value-removed": rule("bcb", "{name} no longer knows the value {before}"),

  "format-added": rule("bcd", "{name} now has the format {after}"),
  "format-removed": rule("cbd", "{name} no longer has the format {before}"),
  "format-widened": rule("cbd", "{name} has the format {after}, which allows more than {before}"),
  "format-narrowed": rule("bcd", "{name} has the format {after}, which allows less than {before}"),
  "format-changed": rule("bbd", "{name} has the format {after} instead of {before}"),
  "pattern-added": rule("bcb", "{name} must now match {after}"),
  "pattern-removed": rule("cbd", "{name} need no longer match {before}"),
  "pattern-changed": rule("ddd", "{name} must match {after} instead of {before}"),
  "content-encoding-changed": rule("bbb", "{name} is encoded as {after} instead of {before}"),
  "content-media-type-changed": rule("bbb", "{name} holds {after} instead of {before}"),

  "property-added": rule("ccc", "The property {name} is new"),
  "property-added-required": rule("bcb", "The property {name} is new and required"),
  "property-added-required-with-default": rule(
    "dcd",
    "The property {name} is new and required, with the default {after}",
  ),
  "property-removed": rule("dbb", "The property {name} is gone"),
  "property-refused": rule("bbb", "The property {name} is gone and no longer allowed"),
  "property-became-required": rule("bcb", "The property {name} is now required"),
  "property-became-required-with-default": rule("dcd", "The property {name} is now required, with the default {after}"),
  "property-became-optional": rule("cbd", "The property {name} is no longer required"),
  "property-became-read-only": rule("dcc", "The property {name} is now read-only, so what is sent is ignored"),
  "property-became-write-only": rule("cbc", "The property {name} is now write-only, so it is no longer sent"),
  "additional-properties-forbidden": rule("bcb", "{name} may no longer have properties that are not described"),
  "additional-properties-allowed": rule("ccc", "{name} may now have properties that are not described"),
  "map-values-removed": rule("bbb", "{name} held any names with values {before} and may hold none now"),
  "pattern-property-added": rule("bcb", "Properties whose names match {name} must now follow a schema"),
  "pattern-property-allowed": rule("ccc", "Properties whose names match {name} are now allowed"),
  "pattern-property-removed": rule("dbb", "Properties whose names match {name} are no longer described"),
  "pattern-property-refused": rule("bbb", "Properties whose names match {name} are no longer allowed"),
  "property-names-restricted": rule("bcb", "The names of the properties of {name} must now follow a schema"),
  "property-names-freed": rule("cbd", "The names of the properties of {name} need no longer follow a schema"),
  "dependent-required-added": rule("bcb", "Where {name} is present, {after} must be present too"),
  "dependent-required-removed": rule("cbd", "Where {name} is present, {before} need no longer be present"),
  "dependent-schema-added": rule("bcb", "Where {name} is present, the object must now follow a schema"),
  "dependent-schema-removed": rule("cbd", "Where {name} is present, the object need no longer follow a schema"),

  "unique-items-required": rule("bcb", "The items of {name} must now be unique"),
  "unique-items-freed": rule("cbd", "The items of {name} may now repeat"),
  "contains-added": rule("bcb", "{name} must now contain a certain item"),
  "contains-removed": rule("cbd", "{name} need no longer contain a certain item"),

  "alternative-added": rule("cbd", "{name} may now also be {after}"),
  "alternative-removed": rule("bcb", "{name} may no longer be {before}"),
  "alternatives-overlap": rule(
    "bcb",
    "What matches {before} may now match {after} too, and {name} must match exactly one of them",
  ),
  "exactly-one-required": rule("dcd", "{name} must now match exactly one alternative, where one or more was enough"),
  "exactly-one-freed": rule("cdc", "{name} may now match several alternatives at once"),
  "not-added": rule("bcb", "{name} must no longer match what is now excluded"),
  "not-removed": rule("cbd", "{name} may now match what was excluded"),
  "not-changed": rule("ddd", "What {name} must not be has changed"),
  "condition-added": rule("bcb", "{name} must now follow a further schema under a condition"),
  "condition-removed": rule("cbd", "{name} need no longer follow a schema under a condition"),
  "condition-changed": rule("ddd", "The condition under which {name} must follow a schema has changed"),
  "discriminator-added": rule("dcc", "{name} is now told apart by {after}"),
  "discriminator-removed": rule("cdd", "{name} is no longer told apart by {before}"),
  "discriminator-changed": rule("bbb", "{name} is told apart by {after} instead of {before}"),
  "discriminator-value-added": rule("cdd", "{name} may now be told apart by the value {after}"),
  "discriminator-value-removed": rule("bcb", "{name} is no longer told apart by the value {before}"),
  "discriminator-value-changed": rule("bbb", "The values that tell {name} apart changed from {before} to {after}"),

  "default-added": rule("dcc", "{name} now has the default {after}"),
  "default-removed": rule("dcc", "{name} no longer has the default {before}"),
  "default-changed": rule("dcc", "The default of {name} changed from {before} to {after}"),
  "property-deprecated": rule("ccc", "{name} is now deprecated"),
  "xml-changed": rule("bbb", "{name} is written otherwise in XML: {after} instead of {before}"),
} satisfies Record<string, Rule>;

export type SchemaRuleName = keyof typeof fixed | BoundRule;

export const schemaRules: Readonly<Record<SchemaRuleName, Rule>> = { ...fixed, ...boundRules() };

export function boundRule(keyword: string, change: "added" | "removed" | "tightened" | "loosened"): SchemaRuleName {
  const kebab = keyword.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`) as Bound;
  return `${kebab}-${change}`;
}

function boundRules(): Record<BoundRule, Rule> {
  const rules: Partial<Record<BoundRule, Rule>> = {};
  for (const bound of bounds) {
    const keyword = bound.replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase());
    rules[`${bound}-added`] = rule("bcb", `{name} now has the ${keyword} {after}`);
    rules[`${bound}-removed`] = rule("cbd", `{name} no longer has the ${keyword} {before}`);
    rules[`${bound}-tightened`] = rule(
      "bcb",
      `The ${keyword} of {name} changed from {before} to {after}, which allows less`,
    );
    rules[`${bound}-loosened`] = rule(
      "cbd",
      `The ${keyword} of {name} changed from {before} to {after}, which allows more`,
    );
  }
  return rules as Record<BoundRule, Rule>;
}
