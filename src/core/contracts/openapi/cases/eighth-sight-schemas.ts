// The eighth round, second part: recursion, what is only read or only written, limits, and null in 3.0 and 3.1.

import { answer, json, list, object, ok, ref, text, whole } from "./fragments.ts";
import type { OpenApiCase } from "./minimal-document.ts";

const cycle = "Reference Object: a schema may refer to itself.";
const rights = "Schema Object: readOnly in a response only, writeOnly in a request only; required follows.";
const same = "The same in other words.";
const bounds = "JSON Schema Validation section 6.";
const oldBounds = "OpenAPI 3.0 follows draft 5, where exclusiveMinimum is a boolean.";
const told = (schema: unknown, schemas: object) => ({
  paths: { "/a": { get: { responses: answer(schema) } } },
  components: { schemas },
});
const asked = (schema: unknown, schemas: object = {}) => ({
  paths: { "/a": { post: { requestBody: { required: true, content: json(schema) }, responses: ok } } },
  components: { schemas },
});
const tree = (value: unknown) => ({ Node: object({ value, children: list(ref("Node")) }, ["value"]) });

export const eighthSightSchemas: readonly OpenApiCase[] = [
  [
    "breaking",
    "a value deep in a tree of an answer changes its type",
    "document",
    told(ref("Node"), tree(text)),
    told(ref("Node"), tree(whole)),
    cycle,
  ],
  [
    "compatible",
    "a tree of an answer is written out by one level",
    "document",
    told(ref("Node"), tree(text)),
    told(object({ value: text, children: list(ref("Node")) }, ["value"]), tree(text)),
    cycle,
  ],
  [
    "breaking",
    "two schemas that hold each other, one of which asks for more",
    "document",
    asked(ref("A"), { A: object({ b: ref("B") }), B: object({ a: ref("A"), x: text }) }),
    asked(ref("A"), { A: object({ b: ref("B") }), B: object({ a: ref("A"), x: text }, ["x"]) }),
    cycle,
  ],
  [
    "compatible",
    "a read-only property of a request is required",
    "request",
    object({ id: { ...text, readOnly: true } }),
    object({ id: { ...text, readOnly: true } }, ["id"]),
    rights,
  ],
  [
    "breaking",
    "a read-only property of an answer is no longer required",
    "response",
    object({ id: { ...text, readOnly: true } }, ["id"]),
    object({ id: { ...text, readOnly: true } }),
    rights,
  ],
  [
    "compatible",
    "a write-only property that an answer never had goes",
    "response",
    object({ a: text, secret: { ...text, writeOnly: true } }),
    object({ a: text }),
    rights,
  ],
  [
    "breaking",
    "a write-only property of a request is required",
    "request",
    object({ secret: { ...text, writeOnly: true } }),
    object({ secret: { ...text, writeOnly: true } }, ["secret"]),
    rights,
  ],
  [
    "breaking",
    "a number of a request holds less",
    "request",
    object({ n: { ...whole, format: "int64" } }),
    object({ n: { ...whole, format: "int32" } }),
    bounds,
  ],
  [
    "compatible",
    "a number of an answer holds less",
    "response",
    object({ n: { ...whole, format: "int64" } }),
    object({ n: { ...whole, format: "int32" } }),
    bounds,
  ],
  [
    "breaking",
    "the further properties of a request must be texts",
    "request",
    { type: "object", additionalProperties: true },
    { type: "object", additionalProperties: text },
    bounds,
  ],
  [
    "compatible",
    "the further properties of a request may be anything",
    "request",
    { type: "object", additionalProperties: text },
    { type: "object", additionalProperties: true },
    bounds,
  ],
  [
    "breaking",
    "the further properties of an answer are numbers, not texts",
    "response",
    { type: "object", additionalProperties: text },
    { type: "object", additionalProperties: whole },
    bounds,
  ],
  [
    "breaking",
    "zero itself is refused, in 3.0",
    "request",
    { ...whole, minimum: 0 },
    { ...whole, minimum: 0, exclusiveMinimum: true },
    oldBounds,
    "3.0.3",
  ],
  [
    "compatible",
    "zero itself is taken, in 3.0",
    "request",
    { ...whole, minimum: 0, exclusiveMinimum: true },
    { ...whole, minimum: 0, exclusiveMinimum: false },
    oldBounds,
    "3.0.3",
  ],
  [
    "compatible",
    "a document moves from 3.0 to 3.1 and says null in the new words",
    "document",
    { openapi: "3.0.3", ...told(object({ a: { ...text, nullable: true } }), {}) },
    told(object({ a: { type: ["string", "null"] } }), {}),
    same,
  ],
  [
    "breaking",
    "nullable stays behind when a document moves to 3.1, where it says nothing",
    "document",
    { openapi: "3.0.3", ...asked(object({ a: { ...text, nullable: true } }, ["a"])) },
    asked(object({ a: { ...text, nullable: true } }, ["a"])),
    "OpenAPI 3.1: nullable is removed; null is a type.",
  ],
  [
    "breaking",
    "a request needs two properties, whatever they are",
    "request",
    object({ a: text, b: text }),
    { ...object({ a: text, b: text }), minProperties: 2 },
    bounds,
  ],
  [
    "breaking",
    "the names of a map of a request must be in lower case",
    "request",
    { type: "object", additionalProperties: text },
    { type: "object", additionalProperties: text, propertyNames: { pattern: "^[a-z]+$" } },
    bounds,
  ],
];
