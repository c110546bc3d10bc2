// Cases written from the specification before any rule; see the table of OpenAPI.

import { words } from "../../openapi/cases/words.ts";
import { object, text } from "./fragments.ts";
import type { JsonSchemaCase } from "./json-schema-case.ts";

export const held: readonly JsonSchemaCase[] = [
  ["breaking", "a property becomes required", object({ a: text }), object({ a: text }, ["a"]), words.required],
  ["compatible", "an optional property is added", object({ a: text }), object({ a: text, b: text }), words.required],
  ["breaking", "a property is removed", object({ a: text, b: text }), object({ a: text }), words.gone],
  ["dangerous", "a property is no longer required", object({ a: text }, ["a"]), object({ a: text }), words.required],
  ["dangerous", "an enum gets a value", { enum: ["a"] }, { enum: ["a", "b"] }, words.enum],
  ["breaking", "an enum loses a value", { enum: ["a", "b"] }, { enum: ["a"] }, words.enum],
  ["breaking", "a type changes", text, { type: "integer" }, words.type],
  [
    "compatible",
    "definitions becomes $defs",
    { $ref: "#/definitions/a", definitions: { a: text } },
    { $ref: "#/$defs/a", $defs: { a: text } },
    words.reference,
  ],
  [
    "compatible",
    "the title and the examples change",
    { type: "string", title: "A" },
    { type: "string", title: "B", examples: ["x"] },
    words.annotation,
  ],
  [
    "compatible",
    "draft 4's exclusive bound is written as draft 6's",
    { $schema: "http://json-schema.org/draft-04/schema#", type: "number", minimum: 1, exclusiveMinimum: true },
    { $schema: "http://json-schema.org/draft-06/schema#", type: "number", exclusiveMinimum: 1 },
    words.exclusiveMinimum,
  ],
  [
    "breaking",
    "names that were free are forbidden",
    object({ a: text }),
    { ...object({ a: text }), additionalProperties: false },
    words.additional,
  ],
];
