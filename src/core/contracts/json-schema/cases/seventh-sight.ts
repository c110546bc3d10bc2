// A seventh round: what matches two alternatives of a oneOf is refused by it, also where one of them is new, or where one or more was enough
// before. The first two were labelled before they were run, and not met; decision 0071 has the round.

import { text, whole } from "./fragments.ts";
import type { JsonSchemaCase } from "./json-schema-case.ts";

const once = "Core 10.2.1.3: an instance validates against oneOf if it validates against exactly one subschema.";
const some = "Core 10.2.1.2: an instance validates against anyOf if it validates against at least one subschema.";
const upTo = (maximum: number) => ({ type: "integer", maximum });
const from = (minimum: number) => ({ type: "integer", minimum });

export const seventhSight: readonly JsonSchemaCase[] = [
  [
    "breaking",
    "a new alternative overlaps two that stay",
    { oneOf: [text, whole] },
    { oneOf: [text, whole, { type: ["integer", "string"], minimum: 0, maxLength: 3 }] },
    once,
  ],
  [
    "breaking",
    "one or more was enough, and two share values",
    { anyOf: [upTo(5), from(4)] },
    { oneOf: [upTo(5), from(4)] },
    once,
  ],
  [
    "breaking",
    "known words beside any word, of which exactly one must match",
    { anyOf: [text, { enum: ["a", "b"] }] },
    { oneOf: [text, { enum: ["a", "b"] }] },
    once,
  ],
  [
    "breaking",
    "a new list of words shares one with another",
    { oneOf: [{ enum: ["a", "b"] }, whole] },
    { oneOf: [{ enum: ["a", "b"] }, whole, { enum: ["b", "c"] }] },
    once,
  ],
  [
    "dangerous",
    "a new alternative lies between the others' numbers",
    { oneOf: [upTo(3), from(7)] },
    { oneOf: [upTo(3), from(7), { type: "integer", exclusiveMinimum: 3, exclusiveMaximum: 7 }] },
    "Whoever reads may meet what was not valid before.",
  ],
  [
    "dangerous",
    "one or more was enough, and no value is shared",
    { anyOf: [upTo(3), from(4)] },
    { oneOf: [upTo(3), from(4)] },
    some,
  ],
  [
    "dangerous",
    "one or more was enough, of objects that nobody means to be both",
    {
      anyOf: [
        { type: "object", properties: { a: text } },
        { type: "object", properties: { b: text } },
      ],
    },
    {
      oneOf: [
        { type: "object", properties: { a: text } },
        { type: "object", properties: { b: text } },
      ],
    },
    some,
  ],
  [
    "dangerous",
    "a new word is too long for the texts beside it",
    { oneOf: [{ type: "string", maxLength: 2 }, whole] },
    { oneOf: [{ type: "string", maxLength: 2 }, whole, { const: "long" }] },
    "Whoever reads may meet what was not valid before.",
  ],
];
