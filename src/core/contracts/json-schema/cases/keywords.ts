// JSON Schema by itself, keyword by keyword: what shrinks the set of valid data breaks, what widens it is dangerous.

import { words } from "../../openapi/cases/words.ts";
import type { JsonSchemaCase } from "./json-schema-case.ts";

// Made of pairs, because an object with a field `then` looks like a promise.
const whenA = (then: object) =>
  Object.fromEntries([
    ["if", { required: ["a"] }],
    ["then", then],
  ]);
const text = { type: "string" };
const whole = { type: "integer" };
const object = (properties: unknown, required: string[] = []) => ({ type: "object", properties, required });
const list = (items: unknown) => ({ type: "array", items });
const draft4 = "http://json-schema.org/draft-04/schema#";
const draft7 = "http://json-schema.org/draft-07/schema#";

export const keywords: readonly JsonSchemaCase[] = [
  ["breaking", "a required property is added", object({}), object({ a: text }, ["a"]), words.required],
  ["breaking", "a property is renamed", object({ total: whole }), object({ amount: whole }), words.gone],
  [
    "compatible",
    "the properties change places",
    object({ a: text, b: text }),
    object({ b: text, a: text }),
    words.tolerant,
  ],
  [
    "compatible",
    "nothing changes but the identifier",
    { $id: "https://x.test/a", type: "string" },
    { $id: "https://x.test/b", type: "string" },
    words.annotation,
  ],
  [
    "compatible",
    "a comment and a description are added",
    object({ a: text }),
    { ...object({ a: { type: "string", description: "x" } }), $comment: "y" },
    words.annotation,
  ],
  [
    "compatible",
    "a default is added",
    object({ a: text }),
    object({ a: { type: "string", default: "x" } }),
    words.annotation,
  ],
  [
    "compatible",
    "a property is deprecated",
    object({ a: text }),
    object({ a: { type: "string", deprecated: true } }),
    words.annotation,
  ],
  [
    "compatible",
    "a schema moves into $defs",
    object({ a: text }),
    { ...object({ a: { $ref: "#/$defs/a" } }), $defs: { a: text } },
    words.reference,
  ],
  [
    "compatible",
    "an unused definition is removed",
    { ...object({ a: text }), $defs: { old: whole } },
    object({ a: text }),
    words.reference,
  ],
  [
    "breaking",
    "a definition of a library is removed",
    { $defs: { a: text, b: text } },
    { $defs: { a: text } },
    words.reference,
  ],
  [
    "compatible",
    "a definition of a library is added",
    { $defs: { a: text } },
    { $defs: { a: text, b: text } },
    words.reference,
  ],
  [
    "breaking",
    "a definition of a library is narrowed",
    { $defs: { a: text } },
    { $defs: { a: { type: "string", maxLength: 3 } } },
    words.maxLength,
  ],
  ["dangerous", "an integer becomes a number", whole, { type: "number" }, words.integer],
  ["breaking", "a number becomes an integer", { type: "number" }, whole, words.integer],
  ["dangerous", "a value may be null", object({ a: text }), object({ a: { type: ["string", "null"] } }), words.type],
  [
    "breaking",
    "a value may no longer be null",
    object({ a: { type: ["string", "null"] } }),
    object({ a: text }),
    words.type,
  ],
  [
    "compatible",
    "null is written by anyOf",
    { type: ["string", "null"] },
    { anyOf: [text, { type: "null" }] },
    words.anyOf,
  ],
  [
    "breaking",
    "maxLength is lowered",
    { type: "string", maxLength: 5 },
    { type: "string", maxLength: 3 },
    words.maxLength,
  ],
  [
    "dangerous",
    "maxLength is raised",
    { type: "string", maxLength: 3 },
    { type: "string", maxLength: 5 },
    words.maxLength,
  ],
  ["compatible", "minLength 0 is written out", text, { type: "string", minLength: 0 }, words.minLength],
  ["breaking", "a pattern is added", text, { type: "string", pattern: "^a" }, words.pattern],
  ["dangerous", "a format is added", text, { type: "string", format: "email" }, words.format],
  ["breaking", "a minimum is added", whole, { type: "integer", minimum: 0 }, words.minimum],
  ["dangerous", "a minimum is removed", { type: "integer", minimum: 0 }, whole, words.minimum],
  [
    "compatible",
    "bounds are written for draft 4 and for 2020-12",
    { $schema: draft4, type: "number", maximum: 3, exclusiveMaximum: true },
    { type: "number", exclusiveMaximum: 3 },
    words.exclusiveMaximum,
  ],
  ["breaking", "items must be unique", list(text), { ...list(text), uniqueItems: true }, words.uniqueItems],
  [
    "compatible",
    "a tuple is written for draft 7 and for 2020-12",
    { $schema: draft7, type: "array", items: [text, whole], additionalItems: false },
    { type: "array", prefixItems: [text, whole], items: false },
    words.prefixItems,
  ],
  [
    "breaking",
    "a tuple gets no more items",
    { type: "array", prefixItems: [text] },
    { type: "array", prefixItems: [text], items: false },
    words.items,
  ],
  [
    "compatible",
    "dependencies are written for draft 7 and for 2020-12",
    { $schema: draft7, type: "object", dependencies: { a: ["b"] } },
    { type: "object", dependentRequired: { a: ["b"] } },
    words.dependentRequired,
  ],
  [
    "breaking",
    "one property needs another",
    { type: "object" },
    { type: "object", dependentRequired: { a: ["b"] } },
    words.dependentRequired,
  ],
  [
    "dangerous",
    "an alternative is added",
    { oneOf: [text, whole] },
    { oneOf: [text, whole, { type: "boolean" }] },
    words.oneOf,
  ],
  [
    "breaking",
    "an alternative is removed",
    { anyOf: [text, whole, { type: "boolean" }] },
    { anyOf: [text, whole] },
    words.anyOf,
  ],
  ["compatible", "the alternatives change places", { oneOf: [text, whole] }, { oneOf: [whole, text] }, words.oneOf],
  [
    "compatible",
    "parts of an allOf are put into one",
    { allOf: [object({ a: text }), object({ b: text })] },
    object({ a: text, b: text }),
    words.allOf,
  ],
  [
    "breaking",
    "a condition is added",
    { type: "object" },
    { type: "object", ...whenA({ required: ["b"] }) },
    words.conditional,
  ],
  ["breaking", "a value is excluded", text, { type: "string", not: { const: "x" } }, words.not],
  [
    "compatible",
    "other names are allowed",
    { ...object({ a: text }), additionalProperties: false },
    object({ a: text }),
    words.tolerant,
  ],
  [
    "compatible",
    "beside a reference of draft 7 a bound is ignored",
    { $schema: draft7, $ref: "#/definitions/a", definitions: { a: text } },
    { $schema: draft7, $ref: "#/definitions/a", maxLength: 3, definitions: { a: text } },
    "Draft 7, 8.3: all other properties in a $ref object MUST be ignored.",
  ],
  [
    "breaking",
    "beside a reference of 2020-12 a bound counts",
    { $ref: "#/$defs/a", $defs: { a: text } },
    { $ref: "#/$defs/a", maxLength: 3, $defs: { a: text } },
    words.maxLength,
  ],
  [
    "compatible",
    "an anchor takes the place of a pointer",
    { $ref: "#/$defs/a", $defs: { a: text } },
    { $ref: "#here", $defs: { a: { type: "string", $anchor: "here" } } },
    words.reference,
  ],
  [
    "compatible",
    "an identifier takes the place of a pointer",
    { $ref: "#/$defs/a", $defs: { a: text } },
    { $id: "https://x.test/root", $ref: "part", $defs: { a: { $id: "part", type: "string" } } },
    words.reference,
  ],
];
