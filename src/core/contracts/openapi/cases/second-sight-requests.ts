// The first half of the second round: see second-sight.ts.

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
const taking = (schemas: unknown, schema: unknown) => ({
  paths: { "/a": { post: { requestBody: { content: json(schema) }, responses: ok } } },
  components: { schemas },
});
const parameter = (more: unknown) => ({ parameters: [{ name: "p", in: "query", schema: text, ...(more as object) }] });

export const requestSecondSight: readonly OpenApiCase[] = [
  [
    "breaking",
    "a header parameter becomes required",
    "get",
    { parameters: [{ name: "X-A", in: "header", schema: text }] },
    { parameters: [{ name: "X-A", in: "header", required: true, schema: text }] },
    words.parameterRequired,
  ],
  [
    "breaking",
    "a cookie parameter is added and required",
    "get",
    {},
    { parameters: [{ name: "s", in: "cookie", required: true, schema: text }] },
    words.parameterRequired,
  ],
  [
    "compatible",
    "a cookie parameter is added and optional",
    "get",
    {},
    { parameters: [{ name: "s", in: "cookie", schema: text }] },
    words.parameterRequired,
  ],
  [
    "breaking",
    "a parameter moves from the query to a header and stays required",
    "get",
    parameter({ required: true }),
    { parameters: [{ name: "p", in: "header", required: true, schema: text }] },
    words.parameterIdentity,
  ],
  [
    "breaking",
    "a parameter's array is piped instead of exploded",
    "get",
    parameter({ schema: { type: "array", items: text } }),
    parameter({ style: "pipeDelimited", explode: false, schema: { type: "array", items: text } }),
    words.style,
  ],
  [
    "compatible",
    "a parameter says the style it had anyway",
    "get",
    parameter({}),
    parameter({ style: "form", explode: true }),
    words.style,
  ],
  [
    "breaking",
    "an object in the query is deep instead of flat",
    "get",
    parameter({ schema: object({ a: text }) }),
    parameter({ style: "deepObject", explode: true, schema: object({ a: text }) }),
    words.style,
  ],
  [
    "breaking",
    "a parameter that was text is now JSON",
    "get",
    parameter({}),
    { parameters: [{ name: "p", in: "query", content: json(object({ a: text })) }] },
    words.parameterContent,
  ],
  [
    "compatible",
    "parameters are moved into components",
    "document",
    at("/a", parameter({})),
    {
      ...at("/a", { parameters: [{ $ref: "#/components/parameters/P" }] }),
      components: { parameters: { P: { name: "p", in: "query", schema: text } } },
    },
    words.reference,
  ],
  [
    "breaking",
    "a path parameter must be a number now",
    "document",
    at("/a/{id}", { parameters: [{ name: "id", in: "path", required: true, schema: text }] }),
    at("/a/{id}", { parameters: [{ name: "id", in: "path", required: true, schema: whole }] }),
    words.type,
  ],
  [
    "breaking",
    "a query parameter's items get an enum",
    "get",
    parameter({ schema: { type: "array", items: text } }),
    parameter({ schema: { type: "array", items: { type: "string", enum: ["a"] } } }),
    words.enum,
  ],
  ["breaking", "a path is renamed, once more", "document", at("/a", {}), at("/b", {}), words.paths],
  [
    "breaking",
    "an operation has another method",
    "document",
    { paths: { "/a": { put: { responses: ok } } } },
    { paths: { "/a": { patch: { responses: ok } } } },
    words.paths,
  ],
  [
    "breaking",
    "a deprecated operation is removed before its sunset",
    "document",
    {
      paths: {
        "/a": { get: { responses: ok } },
        "/b": { get: { deprecated: true, "x-sunset": "2099-01-01", responses: ok } },
      },
    },
    { paths: { "/a": { get: { responses: ok } } } },
    words.sunset,
  ],
  [
    "compatible",
    "an optional property becomes read-only in what is answered",
    "response",
    object({ a: text }),
    object({ a: { ...text, readOnly: true } }),
    words.readOnly,
  ],
  [
    "dangerous",
    "a required property of a request becomes read-only, so that what is sent is ignored",
    "request",
    object({ a: text }, ["a"]),
    object({ a: { ...text, readOnly: true } }, ["a"]),
    words.readOnly,
  ],
  [
    "breaking",
    "a required read-only property must now be sent",
    "request",
    object({ a: { ...text, readOnly: true } }, ["a"]),
    object({ a: text }, ["a"]),
    words.readOnly,
  ],
  [
    "breaking",
    "a property of a response becomes write-only",
    "response",
    object({ a: text }, ["a"]),
    object({ a: { ...text, writeOnly: true } }, ["a"]),
    words.writeOnly,
  ],
  [
    "breaking",
    "a response's integer is now any number",
    "response",
    object({ a: whole }),
    object({ a: { type: "number" } }),
    words.integer,
  ],
  [
    "compatible",
    "a request's integer may now be any number",
    "request",
    object({ a: whole }),
    object({ a: { type: "number" } }),
    words.integer,
  ],
  [
    "breaking",
    "a request's number must be whole",
    "request",
    object({ a: { type: "number" } }),
    object({ a: whole }),
    words.integer,
  ],
  [
    "breaking",
    "a 3.0 response becomes nullable",
    "response",
    object({ a: text }),
    object({ a: { ...text, nullable: true } }),
    words.nullable,
    "3.0.3",
  ],
  [
    "compatible",
    "a 3.0 request becomes nullable",
    "request",
    object({ a: text }),
    object({ a: { ...text, nullable: true } }),
    words.nullable,
    "3.0.3",
  ],
  [
    "breaking",
    "a 3.0 request is no longer nullable",
    "request",
    object({ a: { ...text, nullable: true } }),
    object({ a: text }),
    words.nullable,
    "3.0.3",
  ],
  [
    "compatible",
    "null in 3.1 is written with anyOf",
    "response",
    object({ a: { type: ["string", "null"] } }),
    object({ a: { anyOf: [text, { type: "null" }] } }),
    words.type,
  ],
  [
    "breaking",
    "a discriminated response gets a further kind",
    "document",
    withSchemas(
      { A: object({ k: text }, ["k"]), B: object({ k: text }, ["k"]) },
      { oneOf: [ref("A")], discriminator: { propertyName: "k" } },
    ),
    withSchemas(
      { A: object({ k: text }, ["k"]), B: object({ k: text, b: whole }, ["k", "b"]) },
      { oneOf: [ref("A"), ref("B")], discriminator: { propertyName: "k" } },
    ),
    words.oneOf,
  ],
  [
    "compatible",
    "a discriminated request takes a further kind",
    "document",
    taking(
      { A: object({ k: text, a: text }, ["k", "a"]) },
      { oneOf: [ref("A")], discriminator: { propertyName: "k" } },
    ),
    taking(
      { A: object({ k: text, a: text }, ["k", "a"]), B: object({ k: text, b: whole }, ["k", "b"]) },
      { oneOf: [ref("A"), ref("B")], discriminator: { propertyName: "k" } },
    ),
    words.oneOf,
  ],
  [
    "breaking",
    "a request's allOf gets a part with a required property",
    "request",
    { allOf: [object({ a: text })] },
    { allOf: [object({ a: text }), object({ b: text }, ["b"])] },
    words.allOf,
  ],
  [
    "breaking",
    "a response's allOf loses a part",
    "response",
    { allOf: [object({ a: text }), object({ b: text })] },
    { allOf: [object({ a: text })] },
    words.allOf,
  ],
  [
    "compatible",
    "a response's allOf gets a part",
    "response",
    { allOf: [object({ a: text })] },
    { allOf: [object({ a: text }), object({ b: text })] },
    words.allOf,
  ],
  [
    "breaking",
    "a request no longer takes one of anyOf",
    "request",
    { anyOf: [text, whole] },
    { anyOf: [text] },
    words.anyOf,
  ],
  [
    "breaking",
    "a response offers XML no longer",
    "get",
    { responses: { "200": { description: "ok", content: { ...json(text), "application/xml": { schema: text } } } } },
    { responses: { "200": { description: "ok", content: json(text) } } },
    words.responseContent,
  ],
  [
    "compatible",
    "a response offers XML as well",
    "get",
    { responses: answer(text) },
    { responses: { "200": { description: "ok", content: { ...json(text), "application/xml": { schema: text } } } } },
    words.responseContent,
  ],
  [
    "breaking",
    "a request in a form is no longer taken",
    "post",
    {
      requestBody: {
        content: { ...json(object({ a: text })), "application/x-www-form-urlencoded": { schema: object({ a: text }) } },
      },
    },
    { requestBody: { content: json(object({ a: text })) } },
    words.bodyContent,
  ],
];
