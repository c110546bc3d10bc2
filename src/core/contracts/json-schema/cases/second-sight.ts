// A second round of cases, written after the rules and run once before anything was mended on them; see the table of OpenAPI.

import { words } from "../../openapi/cases/words.ts";
import type { JsonSchemaCase } from "./json-schema-case.ts";

const text = { type: "string" };
const whole = { type: "integer" };
const object = (properties: unknown, required: string[] = []) => ({ type: "object", properties, required });

export const secondSight: readonly JsonSchemaCase[] = [
  [
    "breaking",
    "a required property is added, once more",
    object({ a: text }),
    object({ a: text, b: text }, ["b"]),
    words.required,
  ],
  [
    "breaking",
    "a nested property becomes required",
    object({ a: object({ b: text }) }),
    object({ a: object({ b: text }, ["b"]) }),
    words.required,
  ],
  [
    "breaking",
    "a bound is drawn tighter",
    { type: "integer", maximum: 10 },
    { type: "integer", maximum: 5 },
    words.maximum,
  ],
  [
    "dangerous",
    "a bound is loosened",
    { type: "integer", maximum: 5 },
    { type: "integer", maximum: 10 },
    words.maximum,
  ],
  ["breaking", "a pattern is added, once more", text, { type: "string", pattern: "^a" }, words.pattern],
  ["dangerous", "a pattern is taken away", { type: "string", pattern: "^a" }, text, words.pattern],
  ["breaking", "null is no longer allowed", { type: ["string", "null"] }, text, words.type],
  ["dangerous", "null is allowed", text, { type: ["string", "null"] }, words.type],
  [
    "breaking",
    "items must be whole numbers",
    { type: "array", items: { type: "number" } },
    { type: "array", items: whole },
    words.integer,
  ],
  [
    "breaking",
    "a tuple's second place has another type",
    { type: "array", prefixItems: [text, text] },
    { type: "array", prefixItems: [text, whole] },
    words.prefixItems,
  ],
  [
    "compatible",
    "draft 7's tuple is written as 2020-12 has it",
    { $schema: "http://json-schema.org/draft-07/schema#", type: "array", items: [text, whole] },
    { $schema: "https://json-schema.org/draft/2020-12/schema", type: "array", prefixItems: [text, whole] },
    words.prefixItems,
  ],
  [
    "breaking",
    "a condition is added, once more",
    object({ a: text, b: text }),
    // oxlint-disable-next-line unicorn/no-thenable -- a keyword of JSON Schema
    { ...object({ a: text, b: text }), if: { properties: { a: { const: "x" } } }, then: { required: ["b"] } },
    words.conditional,
  ],
  [
    "breaking",
    "dependentRequired is added",
    object({ a: text, b: text }),
    { ...object({ a: text, b: text }), dependentRequired: { a: ["b"] } },
    words.dependentRequired,
  ],
  [
    "compatible",
    "draft 7's dependencies are written as dependentRequired",
    { $schema: "http://json-schema.org/draft-07/schema#", ...object({ a: text, b: text }), dependencies: { a: ["b"] } },
    { ...object({ a: text, b: text }), dependentRequired: { a: ["b"] } },
    words.dependentRequired,
  ],
  ["breaking", "something is excluded", text, { type: "string", not: { const: "x" } }, words.not],
  [
    "breaking",
    "items must be unique, once more",
    { type: "array", items: text },
    { type: "array", items: text, uniqueItems: true },
    words.uniqueItems,
  ],
  [
    "compatible",
    "uniqueItems false is written out",
    { type: "array", items: text },
    { type: "array", items: text, uniqueItems: false },
    words.uniqueItems,
  ],
  [
    "breaking",
    "a schema that allowed everything allows nothing",
    object({ a: true }),
    object({ a: false }),
    words.booleanSchema,
  ],
  ["compatible", "true is written as an empty schema", object({ a: true }), object({ a: {} }), words.booleanSchema],
  [
    "compatible",
    "a reference stands for what was written there",
    object({ a: object({ b: text }) }),
    { ...object({ a: { $ref: "#/$defs/A" } }), $defs: { A: object({ b: text }) } },
    words.reference,
  ],
  [
    "compatible",
    "a reference by anchor stands for one by pointer",
    { ...object({ a: { $ref: "#/$defs/A" } }), $defs: { A: text } },
    { ...object({ a: { $ref: "#here" } }), $defs: { A: { $anchor: "here", type: "string" } } },
    words.reference,
  ],
  [
    "breaking",
    "what a definition refers to changes its type",
    { ...object({ a: { $ref: "#/$defs/A" } }), $defs: { A: text } },
    { ...object({ a: { $ref: "#/$defs/A" } }), $defs: { A: whole } },
    words.reference,
  ],
  [
    "breaking",
    "additional properties must be numbers",
    { type: "object", additionalProperties: true },
    { type: "object", additionalProperties: whole },
    words.additional,
  ],
  [
    "breaking",
    "unevaluated properties are forbidden",
    { allOf: [object({ a: text })] },
    { allOf: [object({ a: text })], unevaluatedProperties: false },
    words.unevaluated,
  ],
  [
    "breaking",
    "names must follow an expression",
    { type: "object" },
    { type: "object", propertyNames: { pattern: "^a" } },
    words.propertyNames,
  ],
  ["breaking", "a constant changes", { const: 1 }, { const: 2 }, words.const],
  ["compatible", "an enum is in another order", { enum: ["a", "b"] }, { enum: ["b", "a"] }, words.enum],
  [
    "compatible",
    "an integer is written as a number that is a multiple of one",
    whole,
    { type: "number", multipleOf: 1 },
    words.integer,
  ],
];
