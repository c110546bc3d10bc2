// The second half of the second round: see second-sight.ts.

import type { OpenApiCase } from "./minimal-document.ts";
import { words } from "./words.ts";

const text = { type: "string" };
const whole = { type: "integer" };
const ok = { "200": { description: "ok" } };
const json = (schema: unknown) => ({ "application/json": { schema } });
const answer = (schema: unknown) => ({ "200": { description: "ok", content: json(schema) } });
const object = (properties: unknown, required: string[] = []) => ({ type: "object", properties, required });
const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });
const at = (path: string, operation: unknown, more: object = {}) => ({
  paths: { [path]: { get: { responses: ok, ...(operation as object) }, ...more } },
});
const withSchemas = (schemas: unknown, schema: unknown) => ({
  paths: { "/a": { get: { responses: answer(schema) } } },
  components: { schemas },
});

export const answerSecondSight: readonly OpenApiCase[] = [
  [
    "breaking",
    "the only success becomes another code",
    "get",
    { responses: ok },
    { responses: { "202": { description: "later" } } },
    words.responses,
  ],
  [
    "compatible",
    "an error is described",
    "get",
    { responses: ok },
    { responses: { ...ok, "404": { description: "none" } } },
    words.responses,
  ],
  [
    "compatible",
    "a code that the default covered is written out with the same body",
    "get",
    { responses: { ...ok, default: { description: "bad", content: json(object({ e: text })) } } },
    {
      responses: {
        ...ok,
        "404": { description: "bad", content: json(object({ e: text })) },
        default: { description: "bad", content: json(object({ e: text })) },
      },
    },
    words.responseDefault,
  ],
  [
    "breaking",
    "an error's body loses a property",
    "get",
    { responses: { ...ok, "400": { description: "bad", content: json(object({ code: text, hint: text })) } } },
    { responses: { ...ok, "400": { description: "bad", content: json(object({ code: text })) } } },
    words.gone,
  ],
  [
    "breaking",
    "a header that is always sent becomes optional",
    "get",
    { responses: { "200": { description: "ok", headers: { ETag: { required: true, schema: text } } } } },
    { responses: { "200": { description: "ok", headers: { ETag: { schema: text } } } } },
    words.header,
  ],
  [
    "compatible",
    "a header that was text holds a number, which is text too",
    "get",
    { responses: { "200": { description: "ok", headers: { Age: { schema: text } } } } },
    { responses: { "200": { description: "ok", headers: { Age: { schema: whole } } } } },
    words.header,
  ],
  [
    "compatible",
    "a header is written in other case",
    "get",
    { responses: { "200": { description: "ok", headers: { ETag: { required: true, schema: text } } } } },
    { responses: { "200": { description: "ok", headers: { etag: { required: true, schema: text } } } } },
    words.headerCase,
  ],
  [
    "breaking",
    "an operation needs a credential that it did not",
    "document",
    { ...at("/a", {}), components: { securitySchemes: { k: { type: "http", scheme: "bearer" } } } },
    {
      ...at("/a", { security: [{ k: [] }] }),
      components: { securitySchemes: { k: { type: "http", scheme: "bearer" } } },
    },
    words.security,
  ],
  [
    "compatible",
    "security moves from the document to the only operation",
    "document",
    {
      ...at("/a", {}),
      security: [{ k: [] }],
      components: { securitySchemes: { k: { type: "http", scheme: "bearer" } } },
    },
    {
      ...at("/a", { security: [{ k: [] }] }),
      components: { securitySchemes: { k: { type: "http", scheme: "bearer" } } },
    },
    words.securityDefault,
  ],
  [
    "compatible",
    "a security scheme gets another name",
    "document",
    {
      ...at("/a", {}),
      security: [{ k: [] }],
      components: { securitySchemes: { k: { type: "http", scheme: "bearer" } } },
    },
    {
      ...at("/a", {}),
      security: [{ bearer: [] }],
      components: { securitySchemes: { bearer: { type: "http", scheme: "bearer" } } },
    },
    words.scheme,
  ],
  [
    "breaking",
    "basic authentication becomes bearer",
    "document",
    {
      ...at("/a", {}),
      security: [{ k: [] }],
      components: { securitySchemes: { k: { type: "http", scheme: "basic" } } },
    },
    {
      ...at("/a", {}),
      security: [{ k: [] }],
      components: { securitySchemes: { k: { type: "http", scheme: "bearer" } } },
    },
    words.scheme,
  ],
  [
    "breaking",
    "a server's path changes",
    "document",
    { ...at("/a", {}), servers: [{ url: "https://x.test/v1" }] },
    { ...at("/a", {}), servers: [{ url: "https://x.test/v2" }] },
    words.servers,
  ],
  [
    "compatible",
    "a server is added, once more",
    "document",
    { ...at("/a", {}), servers: [{ url: "https://x.test" }] },
    { ...at("/a", {}), servers: [{ url: "https://x.test" }, { url: "https://y.test" }] },
    words.servers,
  ],
  [
    "breaking",
    "a property that a webhook sent is gone",
    "document",
    {
      ...at("/a", {}),
      webhooks: { made: { post: { requestBody: { content: json(object({ a: text, b: text })) }, responses: ok } } },
    },
    {
      ...at("/a", {}),
      webhooks: { made: { post: { requestBody: { content: json(object({ a: text })) }, responses: ok } } },
    },
    words.webhooks,
  ],
  [
    "compatible",
    "a webhook sends one property more",
    "document",
    {
      ...at("/a", {}),
      webhooks: { made: { post: { requestBody: { content: json(object({ a: text })) }, responses: ok } } },
    },
    {
      ...at("/a", {}),
      webhooks: { made: { post: { requestBody: { content: json(object({ a: text, b: text })) }, responses: ok } } },
    },
    words.webhooks,
  ],
  [
    "breaking",
    "a callback's body must be answered with more",
    "document",
    at("/a", { callbacks: { done: { "{$request.query.url}": { post: { responses: answer(object({ a: text })) } } } } }),
    at("/a", {
      callbacks: {
        done: { "{$request.query.url}": { post: { responses: answer(object({ a: text, b: text }, ["b"])) } } },
      },
    }),
    words.callbacks,
  ],
  [
    "breaking",
    "a response's string gets longer than was promised",
    "response",
    object({ a: { ...text, maxLength: 5 } }),
    object({ a: { ...text, maxLength: 9 } }),
    words.maxLength,
  ],
  [
    "breaking",
    "a response's list may now be empty",
    "response",
    { type: "array", items: text, minItems: 1 },
    { type: "array", items: text },
    words.minItems,
  ],
  [
    "breaking",
    "a 3.0 request's bound becomes exclusive",
    "request",
    object({ a: { type: "number", minimum: 1 } }),
    object({ a: { type: "number", minimum: 1, exclusiveMinimum: true } }),
    words.exclusiveMinimum,
    "3.0.3",
  ],
  [
    "compatible",
    "a 3.0 exclusive bound is written as 3.1 has it",
    "document",
    withSchemas({ A: { type: "number", minimum: 1, exclusiveMinimum: true } }, ref("A")),
    withSchemas({ A: { type: "number", minimum: 1, exclusiveMinimum: true } }, ref("A")),
    words.exclusiveMinimum,
    "3.0.3",
  ],
  [
    "compatible",
    "a constant is written as an enum of one, once more",
    "response",
    object({ a: { const: "x" } }),
    object({ a: { enum: ["x"] } }),
    words.const,
  ],
  [
    "breaking",
    "a request's date must have a time now",
    "request",
    object({ a: { ...text, format: "date" } }),
    object({ a: { ...text, format: "date-time" } }),
    words.format,
  ],
  [
    "breaking",
    "a response's free map becomes a map of numbers",
    "response",
    { type: "object", additionalProperties: text },
    { type: "object", additionalProperties: whole },
    words.additional,
  ],
  [
    "compatible",
    "a recursive schema is written through another name",
    "document",
    withSchemas({ N: object({ next: ref("N") }) }, ref("N")),
    withSchemas({ N: object({ next: ref("M") }), M: object({ next: ref("N") }) }, ref("N")),
    words.reference,
  ],
  [
    "breaking",
    "a property deep in a recursive schema is gone",
    "document",
    withSchemas({ N: object({ next: ref("N"), v: object({ w: text }) }) }, ref("N")),
    withSchemas({ N: object({ next: ref("N"), v: object({}) }) }, ref("N")),
    words.gone,
  ],
  [
    "compatible",
    "a path parameter is renamed in path and definition",
    "document",
    at("/a/{id}/b", { parameters: [{ name: "id", in: "path", required: true, schema: text }] }),
    at("/a/{key}/b", { parameters: [{ name: "key", in: "path", required: true, schema: text }] }),
    words.template,
  ],
  [
    "dangerous",
    "a parameter's default changes",
    "query",
    { type: "integer", default: 10 },
    { type: "integer", default: 20 },
    words.default,
  ],
  [
    "breaking",
    "a parameter may have fewer values",
    "query",
    { type: "string", enum: ["a", "b"] },
    { type: "string", enum: ["a"] },
    words.enum,
  ],
  [
    "breaking",
    "a parameter's text must match an expression",
    "query",
    text,
    { type: "string", pattern: "^a" },
    words.pattern,
  ],
  [
    "compatible",
    "a parameter's text need no longer match an expression",
    "query",
    { type: "string", pattern: "^a" },
    text,
    words.pattern,
  ],
  [
    "compatible",
    "examples and descriptions change everywhere",
    "get",
    { summary: "a", tags: ["x"], responses: answer({ ...text, example: "a" }) },
    {
      summary: "b",
      tags: ["y"],
      externalDocs: { url: "https://x.test" },
      responses: answer({ ...text, example: "b", description: "d" }),
    },
    words.documentation,
  ],
  ["compatible", "an operation is marked deprecated", "get", {}, { deprecated: true }, words.deprecated],
  [
    "breaking",
    "a part of a multipart form is now required",
    "post",
    { requestBody: { content: { "multipart/form-data": { schema: object({ f: { ...text, format: "binary" } }) } } } },
    {
      requestBody: {
        content: { "multipart/form-data": { schema: object({ f: { ...text, format: "binary" } }, ["f"]) } },
      },
    },
    words.required,
  ],
  [
    "breaking",
    "a file must be a picture now",
    "post",
    {
      requestBody: {
        content: {
          "multipart/form-data": {
            schema: object({ f: text }),
            encoding: { f: { contentType: "image/png, text/plain" } },
          },
        },
      },
    },
    {
      requestBody: {
        content: {
          "multipart/form-data": { schema: object({ f: text }), encoding: { f: { contentType: "image/png" } } },
        },
      },
    },
    words.encoding,
  ],
];
