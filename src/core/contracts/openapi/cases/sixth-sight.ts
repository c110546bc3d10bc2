// A sixth round: alternatives once more, where the fifth had not looked. Written before it was run; decision 0065 has what it showed.

import { answer, json, list, object, ok, ref, text, whole } from "./fragments.ts";
import type { OpenApiCase } from "./minimal-document.ts";

const oneOf = "JSON Schema Core 10.2.1.3: oneOf is valid if exactly one subschema is.";
const anyOf = "JSON Schema Core 10.2.1.2: anyOf is valid if at least one subschema is.";
const nullable = "Schema Object of 3.0: nullable allows null; in 3.1 the type says so.";
const card = (more: object = {}) => object({ number: text, ...more }, ["number"]);
const bank = (more: object = {}) => object({ iban: text, ...more }, ["iban"]);
const pay = (one: unknown, other: unknown, keyword = "oneOf") => ({ [keyword]: [one, other] });
const asked = (schema: unknown, schemas: object) => ({
  paths: { "/pay": { post: { requestBody: { content: json(schema) }, responses: ok } } },
  components: { schemas },
});
const told = (schema: unknown, schemas: object) => ({
  paths: { "/pay": { get: { responses: answer(schema) } } },
  components: { schemas },
});
const ways = { oneOf: [ref("Card"), ref("Bank")] };
const hook = (schema: unknown) => ({
  paths: {},
  webhooks: { paid: { post: { requestBody: { content: json(schema) }, responses: ok } } },
});

export const sixthSight: readonly OpenApiCase[] = [
  [
    "breaking",
    "an optional property of one nameless alternative of a request is required",
    "request",
    pay(card({ cvc: text }), bank()),
    pay({ ...card({ cvc: text }), required: ["number", "cvc"] }, bank()),
    oneOf,
  ],
  [
    "compatible",
    "an optional property comes to one nameless alternative of a request",
    "request",
    pay(card(), bank()),
    pay(card({ cvc: text }), bank()),
    oneOf,
  ],
  [
    "compatible",
    "an optional property comes to one nameless alternative of an answer",
    "response",
    pay(card(), bank()),
    pay(card({ cvc: text }), bank()),
    oneOf,
  ],
  [
    "breaking",
    "an optional property goes from one nameless alternative of an answer",
    "response",
    pay(card({ cvc: text }), bank()),
    pay(card(), bank()),
    oneOf,
  ],
  [
    "dangerous",
    "an enum in one alternative of an answer grows",
    "document",
    told(ways, { Card: card({ kind: { enum: ["a"] } }), Bank: bank() }),
    told(ways, { Card: card({ kind: { enum: ["a", "b"] } }), Bank: bank() }),
    oneOf,
  ],
  [
    "breaking",
    "an enum in one alternative of a request shrinks",
    "document",
    asked(ways, { Card: card({ kind: { enum: ["a", "b"] } }), Bank: bank() }),
    asked(ways, { Card: card({ kind: { enum: ["a"] } }), Bank: bank() }),
    oneOf,
  ],
  [
    "compatible",
    "an enum in one alternative of a request grows",
    "document",
    asked(ways, { Card: card({ kind: { enum: ["a"] } }), Bank: bank() }),
    asked(ways, { Card: card({ kind: { enum: ["a", "b"] } }), Bank: bank() }),
    oneOf,
  ],
  [
    "breaking",
    "null is no longer an alternative in a request",
    "request",
    { oneOf: [card(), bank(), { type: "null" }] },
    { oneOf: [card(), bank()] },
    nullable,
  ],
  [
    "breaking",
    "null becomes an alternative in an answer",
    "response",
    { oneOf: [card(), bank()] },
    { oneOf: [card(), bank(), { type: "null" }] },
    nullable,
  ],
  [
    "compatible",
    "null becomes an alternative in a request",
    "request",
    { oneOf: [card(), bank()] },
    { oneOf: [card(), bank(), { type: "null" }] },
    nullable,
  ],
  [
    "compatible",
    "schemas of alternatives are written in place",
    "document",
    told(ways, { Card: card(), Bank: bank() }),
    told({ oneOf: [card(), bank()] }, {}),
    oneOf,
  ],
  [
    "breaking",
    "schemas of alternatives are written in place, and one changes",
    "document",
    told(ways, { Card: card({ cvc: text }), Bank: bank() }),
    told({ oneOf: [card({ cvc: whole }), bank()] }, {}),
    oneOf,
  ],
  [
    "compatible",
    "an alternative gets another name and nothing tells by it",
    "document",
    asked(ways, { Card: card(), Bank: bank() }),
    asked({ oneOf: [ref("Plastic"), ref("Bank")] }, { Plastic: card(), Bank: bank() }),
    oneOf,
  ],
  [
    "breaking",
    "an alternative gets another name and requires more in a request",
    "document",
    asked(ways, { Card: card({ cvc: text }), Bank: bank() }),
    asked(
      { oneOf: [ref("Plastic"), ref("Bank")] },
      { Plastic: { ...card({ cvc: text }), required: ["number", "cvc"] }, Bank: bank() },
    ),
    oneOf,
  ],
  [
    "breaking",
    "an alternative of a webhook's body changes a type",
    "document",
    hook(pay(card({ cvc: text }), bank())),
    hook(pay(card({ cvc: whole }), bank())),
    oneOf,
  ],
  [
    "breaking",
    "an alternative of the values of a map changes a type",
    "response",
    { type: "object", additionalProperties: pay(card({ cvc: text }), bank()) },
    { type: "object", additionalProperties: pay(card({ cvc: whole }), bank()) },
    oneOf,
  ],
  [
    "breaking",
    "an alternative of a query parameter goes",
    "query",
    { oneOf: [whole, { type: "boolean" }] },
    { oneOf: [whole] },
    oneOf,
  ],
  [
    "compatible",
    "a list of types is written as oneOf",
    "response",
    { type: ["string", "integer"] },
    { oneOf: [text, whole] },
    oneOf,
  ],
  [
    "breaking",
    "a list of types is written as oneOf with one more in an answer",
    "response",
    { type: ["string", "integer"] },
    { oneOf: [text, whole, { type: "boolean" }] },
    oneOf,
  ],
  [
    "compatible",
    "anyOf loses an alternative that another holds, in a request",
    "request",
    pay({ ...text, maxLength: 3 }, text, "anyOf"),
    { anyOf: [text] },
    anyOf,
  ],
  [
    "breaking",
    "anyOf loses an alternative that no other holds, in a request",
    "request",
    pay(whole, text, "anyOf"),
    { anyOf: [text] },
    anyOf,
  ],
  [
    "breaking",
    "items that are one of two lists change",
    "response",
    pay(list(text), list(whole)),
    pay(list(text), list({ type: "boolean" })),
    oneOf,
  ],
  [
    "compatible",
    "a title comes to an alternative",
    "response",
    pay(card(), bank()),
    pay({ ...card(), title: "Card" }, bank()),
    oneOf,
  ],
  [
    "compatible",
    "an alternative is deprecated",
    "document",
    told(ways, { Card: card(), Bank: bank() }),
    told(ways, { Card: card(), Bank: { ...bank(), deprecated: true } }),
    oneOf,
  ],
];
