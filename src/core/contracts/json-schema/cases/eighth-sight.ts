// An eighth round: conditions, dependencies, what is left over, references with something beside them, and the same in other words. Written before it
// was run; decision 0120 has what it showed at first sight.

// oxlint-disable unicorn/no-thenable -- a keyword of JSON Schema

import { object, text, whole } from "./fragments.ts";
import type { JsonSchemaCase } from "./json-schema-case.ts";

const when = "Core 10.2.2: if, then and else.";
const depends = "Validation 6.5.4 and Core 10.2.2.4: what must be there beside a property.";
const holds = "Core 10.3.1.3, Validation 6.4.4: contains, minContains, maxContains.";
const left = "Core 11: unevaluatedItems and unevaluatedProperties.";
const refers = "Core 8.2: identifiers, anchors and references; keywords beside a reference hold too.";
const same = "The same in other words.";
const limits = "Validation 6.";
const nested = "Core 10.2.1: each of these keywords applies to the instance as a whole.";

const card = (required: string[], otherwise: object = {}) => ({
  ...object({ kind: text, number: text, code: text }),
  if: { properties: { kind: { const: "card" } }, required: ["kind"] },
  then: { required },
  ...otherwise,
});
const list = (more: object) => ({ type: "array", items: whole, ...more });
const named = (schema: unknown, definition: unknown) => ({ properties: { a: schema }, $defs: { A: definition } });
const tree = (value: unknown) => ({
  $id: "https://a.test/tree",
  $dynamicAnchor: "node",
  type: "object",
  properties: { value, children: { type: "array", items: { $dynamicRef: "#node" } } },
});
const old = (more: object) => ({ $schema: "http://json-schema.org/draft-04/schema#", ...more });

export const eighthSight: readonly JsonSchemaCase[] = [
  ["breaking", "under a condition a second property is needed", card(["number"]), card(["number", "code"]), when],
  ["dangerous", "under a condition a property is no longer needed", card(["number", "code"]), card(["number"]), when],
  [
    "breaking",
    "otherwise something is needed too",
    card(["number"]),
    card(["number"], { else: { required: ["code"] } }),
    when,
  ],
  [
    "breaking",
    "what holds under a condition forbids a property",
    card([]),
    { ...card([]), then: { properties: { code: false } } },
    when,
  ],
  [
    "breaking",
    "beside one property two are needed",
    { ...object({ a: text }), dependentRequired: { a: ["b"] } },
    { ...object({ a: text }), dependentRequired: { a: ["b", "c"] } },
    depends,
  ],
  [
    "dangerous",
    "beside one property none is needed",
    { ...object({ a: text }), dependentRequired: { a: ["b"] } },
    object({ a: text }),
    depends,
  ],
  [
    "breaking",
    "beside one property another must be a number",
    { ...object({ a: text }), dependentSchemas: { a: { properties: { b: text } } } },
    { ...object({ a: text }), dependentSchemas: { a: { properties: { b: whole } } } },
    depends,
  ],
  [
    "breaking",
    "what a list must contain is smaller",
    list({ contains: { minimum: 1 } }),
    list({ contains: { minimum: 10 } }),
    holds,
  ],
  [
    "breaking",
    "a list must contain two of it",
    list({ contains: { minimum: 1 } }),
    list({ contains: { minimum: 1 }, minContains: 2 }),
    holds,
  ],
  [
    "dangerous",
    "a list need not contain any of it",
    list({ contains: { minimum: 1 } }),
    list({ contains: { minimum: 1 }, minContains: 0 }),
    holds,
  ],
  [
    "compatible",
    "that one is enough is written down",
    list({ contains: { minimum: 1 } }),
    list({ contains: { minimum: 1 }, minContains: 1 }),
    same,
  ],
  [
    "breaking",
    "what no part describes is refused",
    { allOf: [object({ a: text }), object({ b: text })] },
    { allOf: [object({ a: text }), object({ b: text })], unevaluatedProperties: false },
    left,
  ],
  [
    "compatible",
    "what is left over is refused in other words",
    { ...object({ a: text }), additionalProperties: false },
    { ...object({ a: text }), unevaluatedProperties: false },
    same,
  ],
  [
    "breaking",
    "what is left over must be a text",
    { allOf: [object({ a: whole })] },
    { allOf: [object({ a: whole })], unevaluatedProperties: text },
    left,
  ],
  [
    "breaking",
    "behind the places of a tuple nothing may follow",
    { type: "array", prefixItems: [text] },
    { type: "array", prefixItems: [text], unevaluatedItems: false },
    left,
  ],
  [
    "breaking",
    "a limit stands beside a reference",
    named({ $ref: "#/$defs/A" }, text),
    named({ $ref: "#/$defs/A", maxLength: 5 }, text),
    refers,
  ],
  [
    "dangerous",
    "a limit beside a reference goes",
    named({ $ref: "#/$defs/A", maxLength: 5 }, text),
    named({ $ref: "#/$defs/A" }, text),
    refers,
  ],
  [
    "compatible",
    "a reference is written out in its place",
    named({ $ref: "#/$defs/A" }, text),
    { properties: { a: text } },
    same,
  ],
  [
    "compatible",
    "a reference goes by a name instead of a path",
    named({ $ref: "#/$defs/A" }, text),
    named({ $ref: "#a" }, { $anchor: "a", ...text }),
    same,
  ],
  ["breaking", "the value in a tree that refers to itself by a dynamic name", tree(text), tree(whole), refers],
  [
    "breaking",
    "properties of a pattern are numbers now",
    { type: "object", patternProperties: { "^x-": text } },
    { type: "object", patternProperties: { "^x-": whole } },
    limits,
  ],
  [
    "breaking",
    "names must follow a pattern",
    { type: "object" },
    { type: "object", propertyNames: { pattern: "^[a-z]+$" } },
    limits,
  ],
  ["compatible", "the only word of a list is a constant", { enum: ["a"] }, { const: "a" }, same],
  ["breaking", "a constant is another", object({ v: { const: 1 } }), object({ v: { const: 2 } }), limits],
  [
    "breaking",
    "a number must be a multiple of four, not of two",
    { ...whole, multipleOf: 2 },
    { ...whole, multipleOf: 4 },
    limits,
  ],
  [
    "dangerous",
    "a number may be a multiple of two, not only of four",
    { ...whole, multipleOf: 4 },
    { ...whole, multipleOf: 2 },
    limits,
  ],
  [
    "breaking",
    "a number must be a multiple of three, not of two",
    { ...whole, multipleOf: 2 },
    { ...whole, multipleOf: 3 },
    limits,
  ],
  ["compatible", "a whole number is written as a multiple of one", whole, { type: "number", multipleOf: 1 }, same],
  [
    "compatible",
    "zero is refused, in the words of draft 4 and of today",
    old({ type: "number", minimum: 0, exclusiveMinimum: true }),
    { type: "number", exclusiveMinimum: 0 },
    same,
  ],
  [
    "breaking",
    "a third part must be matched too",
    { allOf: [object({ a: text }), object({ b: text })] },
    { allOf: [object({ a: text }), object({ b: text }), { required: ["a"] }] },
    nested,
  ],
  [
    "compatible",
    "an allOf of one is the one",
    { allOf: [object({ a: text }, ["a"])] },
    object({ a: text }, ["a"]),
    same,
  ],
  [
    "breaking",
    "a type deep inside three kinds of combination",
    { anyOf: [{ allOf: [{ oneOf: [object({ a: text }, ["a"]), whole] }] }, { type: "null" }] },
    { anyOf: [{ allOf: [{ oneOf: [object({ a: whole }, ["a"]), whole] }] }, { type: "null" }] },
    nested,
  ],
  ["breaking", "no value of a property is valid any more", object({ a: text }), object({ a: false }), nested],
  [
    "breaking",
    "a double negation gets a limit",
    { not: { not: { ...text } } },
    { not: { not: { ...text, maxLength: 3 } } },
    nested,
  ],
  ["dangerous", "less is excluded", { ...whole, not: { minimum: 10 } }, { ...whole, not: { minimum: 20 } }, nested],
  ["breaking", "more is excluded", { ...whole, not: { minimum: 20 } }, { ...whole, not: { minimum: 10 } }, nested],
  [
    "compatible",
    "examples and comments change",
    { ...text, examples: ["a"] },
    { ...text, $comment: "x", description: "y" },
    same,
  ],
  [
    "breaking",
    "one of two properties must be there",
    object({ a: text, b: text }),
    { ...object({ a: text, b: text }), anyOf: [{ required: ["a"] }, { required: ["b"] }] },
    nested,
  ],
  [
    "dangerous",
    "neither of two properties need be there",
    { ...object({ a: text, b: text }), anyOf: [{ required: ["a"] }, { required: ["b"] }] },
    object({ a: text, b: text }),
    nested,
  ],
];
