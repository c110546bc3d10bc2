// The eighth round, first part: alternatives inside each other, and what they have in common.

import { answer, json, list, object, ok, ref, text, whole } from "./fragments.ts";
import type { OpenApiCase } from "./minimal-document.ts";

const nested = "JSON Schema Core 10.2.1: each of these keywords applies to the instance as a whole.";
const same = "The same in other words.";
const told = (schema: unknown, schemas: object) => ({
  paths: { "/a": { get: { responses: answer(schema) } } },
  components: { schemas },
});
const asked = (schema: unknown, schemas: object = {}) => ({
  paths: { "/a": { post: { requestBody: { required: true, content: json(schema) }, responses: ok } } },
  components: { schemas },
});
const base = (required: string[]) => ({
  Base: object({ id: text, at: text }, required),
  Cat: { allOf: [ref("Base"), object({ meow: text })] },
  Dog: { allOf: [ref("Base"), object({ bark: whole })] },
});
const pets = { oneOf: [ref("Cat"), ref("Dog")] };

export const eighthSightAlternatives: readonly OpenApiCase[] = [
  [
    "breaking",
    "what both alternatives of a request build on asks for more",
    "document",
    asked(pets, base(["id"])),
    asked(pets, base(["id", "at"])),
    nested,
  ],
  [
    "compatible",
    "what both alternatives of a request build on asks for less",
    "document",
    asked(pets, base(["id", "at"])),
    asked(pets, base(["id"])),
    nested,
  ],
  [
    "breaking",
    "what both alternatives of an answer build on promises less",
    "document",
    told(pets, base(["id", "at"])),
    told(pets, base(["id"])),
    nested,
  ],
  [
    "breaking",
    "an alternative inside an alternative of a request loses a word",
    "request",
    { oneOf: [{ anyOf: [{ enum: ["a", "b"] }, whole] }, list(text)] },
    { oneOf: [{ anyOf: [{ enum: ["a"] }, whole] }, list(text)] },
    nested,
  ],
  [
    "compatible",
    "an alternative inside an alternative of a request gets a word",
    "request",
    { oneOf: [{ anyOf: [{ enum: ["a"] }, whole] }, list(text)] },
    { oneOf: [{ anyOf: [{ enum: ["a", "b"] }, whole] }, list(text)] },
    nested,
  ],
  [
    "breaking",
    "an alternative inside an alternative of an answer is new",
    "response",
    { oneOf: [{ anyOf: [text, whole] }, list(text)] },
    { oneOf: [{ anyOf: [text, whole, { type: "boolean" }] }, list(text)] },
    nested,
  ],
  [
    "compatible",
    "an alternative inside an alternative of an answer goes",
    "response",
    { oneOf: [{ anyOf: [text, whole, { type: "boolean" }] }, list(text)] },
    { oneOf: [{ anyOf: [text, whole] }, list(text)] },
    nested,
  ],
  [
    "breaking",
    "a part of an allOf inside a list of a request gets a limit",
    "request",
    list({ allOf: [object({ a: text }), object({ b: text })] }),
    list({ allOf: [object({ a: text }), object({ b: { ...text, maxLength: 3 } })] }),
    nested,
  ],
  [
    "compatible",
    "an allOf of two parts is written as one object",
    "response",
    { allOf: [object({ a: text }, ["a"]), object({ b: whole }, ["b"])] },
    object({ a: text, b: whole }, ["a", "b"]),
    same,
  ],
  [
    "breaking",
    "two limits of one number that meet in an allOf",
    "request",
    { allOf: [{ ...whole, minimum: 0 }, { maximum: 10 }] },
    { allOf: [{ ...whole, minimum: 0 }, { maximum: 9 }] },
    nested,
  ],
  [
    "breaking",
    "a text of an answer may be null by an alternative",
    "response",
    object({ a: text }),
    object({ a: { anyOf: [text, { type: "null" }] } }),
    nested,
  ],
  [
    "compatible",
    "a text of a request may be null by an alternative",
    "request",
    object({ a: text }),
    object({ a: { anyOf: [text, { type: "null" }] } }),
    nested,
  ],
  [
    "breaking",
    "a property that tells alternatives of a request apart has another value",
    "request",
    { oneOf: [object({ kind: { const: "cat" }, a: text }, ["kind"]), object({ kind: { const: "dog" } }, ["kind"])] },
    { oneOf: [object({ kind: { const: "lion" }, a: text }, ["kind"]), object({ kind: { const: "dog" } }, ["kind"])] },
    nested,
  ],
  [
    "breaking",
    "a property deep inside one alternative of an answer goes",
    "response",
    {
      oneOf: [
        object({ kind: { const: "cat" }, home: object({ street: text, town: text }) }, ["kind"]),
        object({ kind: { const: "dog" } }, ["kind"]),
      ],
    },
    {
      oneOf: [
        object({ kind: { const: "cat" }, home: object({ town: text }) }, ["kind"]),
        object({ kind: { const: "dog" } }, ["kind"]),
      ],
    },
    nested,
  ],
  ["breaking", "some words are excluded from a request", "request", text, { ...text, not: { enum: ["root"] } }, nested],
  [
    "compatible",
    "some words are excluded from an answer",
    "response",
    text,
    { ...text, not: { enum: ["root"] } },
    nested,
  ],
];
