// A ninth round: what is excluded, conditions that hold more often, limits that say the same, and null by a word of another format. Written before it was
// run; decision 0120 has what it showed at first sight.

// oxlint-disable unicorn/no-thenable -- a keyword of JSON Schema

import { object, text, whole } from "./fragments.ts";
import type { JsonSchemaCase } from "./json-schema-case.ts";

const excluded = "Core 10.2.1.4: not is valid if its subschema is not.";
const when = "Core 10.2.2: then holds where if does.";
const same = "The same in other words.";
const holds = "Core 10.3.1.3";

const card = (kinds: string[]) => ({
  ...object({ kind: text, number: text }),
  if: { properties: { kind: { enum: kinds } }, required: ["kind"] },
  then: { required: ["number"] },
});
const list = (contains: unknown) => ({ type: "array", contains });

const condition = (kind: string, required: string[]) => ({
  if: { properties: { kind: { const: kind } }, required: ["kind"] },
  then: { required },
});
const two = (required: string[]) => ({
  ...object({}),
  allOf: [condition("card", ["number"]), condition("bank", required)],
});
const otherwise = (kinds: string[]) => ({ ...text, if: { enum: kinds }, else: { minLength: 5 } });

export const ninthSight: readonly JsonSchemaCase[] = [
  [
    "breaking",
    "more words are excluded",
    { ...text, not: { enum: ["a"] } },
    { ...text, not: { enum: ["a", "b"] } },
    excluded,
  ],
  [
    "dangerous",
    "fewer words are excluded",
    { ...text, not: { enum: ["a", "b"] } },
    { ...text, not: { enum: ["a"] } },
    excluded,
  ],
  [
    "breaking",
    "a longer text is excluded no more, and shorter ones are",
    { ...text, not: { minLength: 9 } },
    { ...text, not: { minLength: 5 } },
    excluded,
  ],
  [
    "breaking",
    "another type is excluded too",
    { not: { type: "string" } },
    { not: { type: ["string", "null"] } },
    excluded,
  ],
  [
    "breaking",
    "a property is excluded, whatever stands beside it",
    { ...object({ a: text }), not: { required: ["a", "b"] } },
    { ...object({ a: text }), not: { required: ["a"] } },
    excluded,
  ],
  ["breaking", "a condition holds for one word more", card(["card"]), card(["card", "bank"]), when],
  ["dangerous", "a condition holds for one word less", card(["card", "bank"]), card(["card"]), when],
  [
    "breaking",
    "what holds otherwise is refused",
    { if: { type: "string" }, then: { maxLength: 5 } },
    { if: { type: "string" }, then: { maxLength: 5 }, else: false },
    when,
  ],
  [
    "compatible",
    "a condition without consequences comes",
    object({ a: text }),
    { ...object({ a: text }), if: { required: ["a"] } },
    when,
  ],
  [
    "compatible",
    "more than zero is at least one for whole numbers",
    { ...whole, exclusiveMinimum: 0 },
    { ...whole, minimum: 1 },
    same,
  ],
  [
    "compatible",
    "constants of alternatives and a list of words",
    { anyOf: [{ const: 1 }, { const: 2 }] },
    { enum: [1, 2] },
    same,
  ],
  [
    "compatible",
    "types in a list and as alternatives",
    { type: ["string", "integer"] },
    { oneOf: [text, whole] },
    same,
  ],
  [
    "breaking",
    "null by type becomes null by a word of OpenAPI",
    object({ a: { type: ["string", "null"] } }),
    object({ a: { type: "string", nullable: true } }),
    "nullable is no keyword of JSON Schema.",
  ],
  ["breaking", "what a list must contain is of another type", list(text), list(whole), holds],
  ["dangerous", "what a list must contain may be more", list({ enum: ["a"] }), list({ enum: ["a", "b"] }), holds],
  [
    "breaking",
    "a schema that refers to itself gets a limit",
    { ...object({ a: text, next: { $ref: "#" } }) },
    { ...object({ a: text, next: { $ref: "#" } }), maxProperties: 1 },
    "Core 8.2.3.1",
  ],
  [
    "breaking",
    "only known names are allowed",
    { type: "object" },
    { type: "object", propertyNames: { enum: ["a", "b"] } },
    "Core 10.3.2.4",
  ],
  ["breaking", "the second of two conditions asks for more", two(["number"]), two(["number", "iban"]), when],
  ["dangerous", "the second of two conditions asks for less", two(["number", "iban"]), two(["number"]), when],
  [
    "compatible",
    "two conditions in another order",
    two(["iban"]),
    { ...object({}), allOf: two(["iban"]).allOf.toReversed() },
    same,
  ],
  [
    "breaking",
    "a third condition comes",
    two(["iban"]),
    { ...two(["iban"]), allOf: [...two(["iban"]).allOf, condition("cash", ["place"])] },
    when,
  ],
  [
    "dangerous",
    "the first of two conditions goes",
    two(["iban"]),
    { ...object({}), allOf: two(["iban"]).allOf.slice(1) },
    when,
  ],
  [
    "breaking",
    "a second exclusion says more",
    { allOf: [{ not: { const: "a" } }, { not: { const: "b" } }] },
    { allOf: [{ not: { const: "a" } }, { not: { enum: ["b", "c"] } }] },
    excluded,
  ],
  ["breaking", "otherwise more is asked, where fewer pass the test", otherwise(["a", "b"]), otherwise(["a"]), when],
  ["dangerous", "otherwise less is asked, where more pass the test", otherwise(["a"]), otherwise(["a", "b"]), when],
  ["compatible", "a name for a schema that nobody uses comes", text, { ...text, $defs: { A: whole } }, same],
];
