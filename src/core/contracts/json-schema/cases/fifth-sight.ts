// A fifth round: alternatives that are paired and compared one by one. Written before it was run; decision 0065 has what it showed.

import { object, text, whole } from "./fragments.ts";
import type { JsonSchemaCase } from "./json-schema-case.ts";

const oneOf = "Core 10.2.1.3: oneOf is valid if exactly one subschema is.";
const anyOf = "Core 10.2.1.2: anyOf is valid if at least one subschema is.";
const pets = (breed: object, keyword = "oneOf") => ({
  [keyword]: [{ $ref: "#/$defs/Cat" }, { $ref: "#/$defs/Dog" }],
  $defs: { Cat: object({ name: text }), Dog: object({ name: text, ...breed }) },
});
const told = (kind: string, more: object = {}) => object({ kind: { const: kind }, ...more }, ["kind"]);

export const fifthSight: readonly JsonSchemaCase[] = [
  ["breaking", "a named alternative of oneOf changes a type", pets({ breed: text }), pets({ breed: whole }), oneOf],
  ["breaking", "a named alternative of oneOf loses a property", pets({ breed: text }), pets({}), oneOf],
  ["compatible", "a named alternative of oneOf gets a property", pets({}), pets({ breed: text }), oneOf],
  [
    "breaking",
    "a named alternative of anyOf changes a type",
    pets({ breed: text }, "anyOf"),
    pets({ breed: whole }, "anyOf"),
    anyOf,
  ],
  [
    "breaking",
    "an alternative with a constant changes a type",
    { oneOf: [told("a"), told("b", { n: text })] },
    { oneOf: [told("a"), told("b", { n: whole })] },
    oneOf,
  ],
  [
    "dangerous",
    "an alternative with a constant is added",
    { oneOf: [told("a"), told("b")] },
    { oneOf: [told("a"), told("b"), told("c")] },
    oneOf,
  ],
  ["breaking", "an alternative with a constant goes", { oneOf: [told("a"), told("b")] }, { oneOf: [told("a")] }, oneOf],
  [
    "breaking",
    "two alternatives of oneOf begin to overlap",
    {
      oneOf: [
        { ...whole, maximum: 1 },
        { ...whole, minimum: 5 },
      ],
    },
    {
      oneOf: [
        { ...whole, maximum: 7 },
        { ...whole, minimum: 5 },
      ],
    },
    oneOf,
  ],
  [
    "dangerous",
    "two alternatives of oneOf grow and stay apart",
    {
      oneOf: [
        { ...whole, maximum: 1 },
        { ...whole, minimum: 5 },
      ],
    },
    {
      oneOf: [
        { ...whole, maximum: 2 },
        { ...whole, minimum: 5 },
      ],
    },
    oneOf,
  ],
  [
    "compatible",
    "alternatives with constants change places",
    { oneOf: [told("a"), told("b")] },
    { oneOf: [told("b"), told("a")] },
    oneOf,
  ],
];
