// A ninth round: places where a verdict could hide behind "it has changed": what is excluded, conditions, ranges of media types, schemas that are
// reached by their discriminator alone, and limits that say the same. Written before it was run; decision 0120 has what it showed at first sight.

// oxlint-disable unicorn/no-thenable -- a keyword of JSON Schema

import { answer, json, list, object, ok, ref, text, whole } from "./fragments.ts";
import type { OpenApiCase } from "./minimal-document.ts";

const excluded = "JSON Schema Core 10.2.1.4: not is valid if its subschema is not.";
const when = "JSON Schema Core 10.2.2: then holds where if does.";
const media = "OpenAPI, Media Type Object: a range of media types, RFC 9110 section 12.5.1.";
const inherits =
  "OpenAPI Discriminator Object: any schema that builds on the parent by allOf is an alternative, even if nothing lists it.";
const same = "The same in other words.";
const server = "OpenAPI Server Object: at the operation it stands in place of the others.";
const scheme = "OpenAPI Security Scheme Object";
const callback = "Callback Object: the key says where the provider calls.";
const parameter = "Parameter Object";

const asks = (schema: unknown, schemas: object) => ({
  paths: { "/a": { post: { requestBody: { required: true, content: json(schema) }, responses: ok } } },
  components: { schemas },
});
const tells = (schema: unknown, schemas: object) => ({
  paths: { "/a": { get: { responses: answer(schema) } } },
  components: { schemas },
});
const family = (cat: object, required: string[] = []) => ({
  Pet: { ...object({ kind: text }, ["kind"]), discriminator: { propertyName: "kind" } },
  Cat: { allOf: [ref("Pet"), object(cat, required)] },
});
const kittens = (more: object, required: string[]) => ({
  ...family({}),
  Kitten: { allOf: [ref("Cat"), object({ name: text, ...more }, required)] },
});
const mapped = (required: string[]) => ({
  Pet: {
    ...object({ kind: text }, ["kind"]),
    discriminator: { propertyName: "kind", mapping: { cat: "#/components/schemas/Cat" } },
  },
  Cat: object({ kind: text, name: text }, ["kind", ...required]),
});
const body = (...types: string[]) => ({
  requestBody: { content: Object.fromEntries(types.map((type) => [type, { schema: { type: "string" } }])) },
  responses: ok,
});
const answers = (...types: string[]) => ({
  responses: {
    "200": {
      description: "ok",
      content: Object.fromEntries(types.map((type) => [type, { schema: { type: "string" } }])),
    },
  },
});
const card = (kinds: string[], required: string[] = ["number"]) => ({
  ...object({ kind: text, number: text }),
  if: { properties: { kind: { enum: kinds } }, required: ["kind"] },
  then: { required },
});
const calls = (expression: string) => ({
  callbacks: { done: { [expression]: { post: { responses: ok } } } },
  responses: ok,
});
const key = (where: string, name: string) => ({
  security: [{ key: [] }],
  components: { securitySchemes: { key: { type: "apiKey", in: where, name } } },
});
const query = (more: object) => ({ parameters: [{ name: "a", in: "query", schema: text, ...more }], responses: ok });

export const ninthSight: readonly OpenApiCase[] = [
  [
    "breaking",
    "a cat of a request needs a name, though only pets are mentioned",
    "document",
    asks(ref("Pet"), family({ name: text })),
    asks(ref("Pet"), family({ name: text }, ["name"])),
    inherits,
  ],
  [
    "breaking",
    "a cat of an answer loses its name, though only pets are mentioned",
    "document",
    tells(ref("Pet"), family({ name: text })),
    tells(ref("Pet"), family({})),
    inherits,
  ],
  [
    "compatible",
    "a cat of an answer gets a name, though only pets are mentioned",
    "document",
    tells(ref("Pet"), family({})),
    tells(ref("Pet"), family({ name: text })),
    inherits,
  ],
  [
    "breaking",
    "a kitten of a request, which builds on a cat, needs a name",
    "document",
    asks(ref("Pet"), kittens({}, [])),
    asks(ref("Pet"), kittens({}, ["name"])),
    inherits,
  ],
  [
    "breaking",
    "what a mapping names, and nothing else, needs a name in a request",
    "document",
    asks(ref("Pet"), mapped([])),
    asks(ref("Pet"), mapped(["name"])),
    inherits,
  ],
  [
    "breaking",
    "a cat inside a list of an answer loses its name",
    "document",
    tells(object({ pets: list(ref("Pet")) }), family({ name: text })),
    tells(object({ pets: list(ref("Pet")) }), family({})),
    inherits,
  ],
  [
    "dangerous",
    "a dog comes into the family of an answer",
    "document",
    tells(ref("Pet"), family({})),
    tells(ref("Pet"), { ...family({}), Dog: { allOf: [ref("Pet")] } }),
    inherits,
  ],
  [
    "breaking",
    "a dog goes out of the family of a request",
    "document",
    asks(ref("Pet"), { ...family({}), Dog: { allOf: [ref("Pet")] } }),
    asks(ref("Pet"), family({})),
    inherits,
  ],
  [
    "compatible",
    "a cat says by itself what it said before",
    "document",
    tells(ref("Pet"), family({ name: text })),
    tells(ref("Pet"), { ...family({}), Cat: { allOf: [ref("Pet")], ...object({ name: text }) } }),
    same,
  ],
  [
    "breaking",
    "more words are excluded from a request",
    "request",
    { ...text, not: { enum: ["root"] } },
    { ...text, not: { enum: ["root", "admin"] } },
    excluded,
  ],
  [
    "compatible",
    "fewer words are excluded from a request",
    "request",
    { ...text, not: { enum: ["root", "admin"] } },
    { ...text, not: { enum: ["root"] } },
    excluded,
  ],
  [
    "breaking",
    "fewer words are excluded from an answer",
    "response",
    { ...text, not: { enum: ["root", "admin"] } },
    { ...text, not: { enum: ["root"] } },
    excluded,
  ],
  [
    "breaking",
    "a constant that is excluded becomes a list that has it",
    "request",
    { ...text, not: { const: "root" } },
    { ...text, not: { enum: ["root", "admin"] } },
    excluded,
  ],
  [
    "breaking",
    "whole numbers are excluded beside texts",
    "request",
    { not: { type: "string" } },
    { not: { type: ["string", "integer"] } },
    excluded,
  ],
  [
    "breaking",
    "an object of a request may hold neither of two properties, where it could hold one",
    "request",
    { ...object({ a: text, b: text }), not: { required: ["a", "b"] } },
    { ...object({ a: text, b: text }), not: { anyOf: [{ required: ["a"] }, { required: ["b"] }] } },
    excluded,
  ],
  [
    "breaking",
    "a condition of a request holds for one word more",
    "request",
    card(["card"]),
    card(["card", "bank"]),
    when,
  ],
  [
    "compatible",
    "a condition of a request holds for one word less",
    "request",
    card(["card", "bank"]),
    card(["card"]),
    when,
  ],
  [
    "breaking",
    "a condition of an answer holds for one word less",
    "response",
    card(["card", "bank"]),
    card(["card"]),
    when,
  ],
  [
    "breaking",
    "a condition of a request asks for more",
    "request",
    card(["card"], []),
    card(["card"], ["number"]),
    when,
  ],
  ["breaking", "any picture may be sent, and then only one kind", "post", body("image/*"), body("image/png"), media],
  ["compatible", "one kind of picture may be sent, and then any", "post", body("image/png"), body("image/*"), media],
  [
    "compatible",
    "any picture may come, and then only one kind",
    "get",
    answers("image/*"),
    answers("image/png"),
    media,
  ],
  ["breaking", "anything may be sent, and then only JSON", "post", body("*/*"), body("application/json"), media],
  [
    "compatible",
    "the same kind of content in capital letters",
    "post",
    body("application/json"),
    body("Application/JSON"),
    "RFC 9110 section 8.3.1: type and subtype are case-insensitive.",
  ],
  [
    "compatible",
    "more than nothing and at least one of a whole number",
    "request",
    { ...whole, exclusiveMinimum: 0 },
    { ...whole, minimum: 1 },
    same,
  ],
  [
    "compatible",
    "a half is no limit of a whole number",
    "request",
    { ...whole, minimum: 0.5 },
    { ...whole, minimum: 1 },
    same,
  ],
  [
    "compatible",
    "words as constants of alternatives, and as a list",
    "request",
    { oneOf: [{ const: "a" }, { const: "b" }] },
    { enum: ["a", "b"] },
    same,
  ],
  [
    "compatible",
    "two types in a list, and as alternatives",
    "response",
    { type: ["string", "integer"] },
    { anyOf: [text, whole] },
    same,
  ],
  [
    "breaking",
    "two types of a request as alternatives, one of which goes",
    "request",
    { type: ["string", "integer"] },
    { anyOf: [text] },
    same,
  ],
  [
    "breaking",
    "an operation is at another server",
    "get",
    { servers: [{ url: "https://a.test" }], responses: ok },
    { servers: [{ url: "https://b.test" }], responses: ok },
    server,
  ],
  [
    "breaking",
    "a key is sent in the query, not in a header",
    "document",
    key("header", "X-Key"),
    key("query", "X-Key"),
    scheme,
  ],
  ["breaking", "a key has another name", "document", key("header", "X-Key"), key("header", "X-Token"), scheme],
  [
    "compatible",
    "a header of a key is spelt in small letters",
    "document",
    key("header", "X-Key"),
    key("header", "x-key"),
    "RFC 9110 section 5.1: names of header fields are case-insensitive.",
  ],
  [
    "breaking",
    "the provider calls at another place",
    "post",
    calls("{$request.body#/url}"),
    calls("{$request.body#/callback}"),
    callback,
  ],
  [
    "breaking",
    "a parameter may not be empty any more",
    "get",
    query({ allowEmptyValue: true }),
    query({ allowEmptyValue: false }),
    parameter,
  ],
  [
    "breaking",
    "an object in a header is written as pairs",
    "get",
    { parameters: [{ name: "X-A", in: "header", schema: object({ a: text }) }], responses: ok },
    { parameters: [{ name: "X-A", in: "header", explode: true, schema: object({ a: text }) }], responses: ok },
    parameter,
  ],
  [
    "breaking",
    "what any other answer holds changes its type",
    "get",
    { responses: { ...ok, default: { description: "x", content: json(object({ code: text })) } } },
    { responses: { ...ok, default: { description: "x", content: json(object({ code: whole })) } } },
    "Responses Object",
  ],
  [
    "breaking",
    "a text of a request is written in base 64",
    "request",
    object({ a: text }),
    object({ a: { ...text, contentEncoding: "base64" } }),
    "JSON Schema Validation 8.3",
  ],
  [
    "breaking",
    "null of a request is allowed by a word that 3.1 does not know",
    "request",
    { type: ["string", "null"] },
    { type: "string", nullable: true },
    "OpenAPI 3.1: nullable is removed; null is a type.",
  ],
  [
    "compatible",
    "null of an answer is allowed by a word that 3.1 does not know",
    "response",
    { type: ["string", "null"] },
    { type: "string", nullable: true },
    "OpenAPI 3.1: nullable is removed; null is a type.",
  ],
  [
    "breaking",
    "a list of lists of a request gets a limit inside",
    "request",
    list(list(text)),
    list({ ...list(text), maxItems: 2 }),
    "JSON Schema Validation 6.4",
  ],
  [
    "breaking",
    "a closed alternative of a request loses a property",
    "request",
    { oneOf: [{ ...object({ a: text, b: text }), additionalProperties: false }, whole] },
    { oneOf: [{ ...object({ a: text }), additionalProperties: false }, whole] },
    "additionalProperties: false refuses what is not described.",
  ],
];
