// A second round of cases from the words of the specification, written after the rules and run once before anything was mended on
// them: what they showed at first sight is in decision 0045. Those that are whole Swagger 2 documents say so.

import type { ContractCase } from "../../document-case.ts";
import { json, object, ok, ref, text } from "./fragments.ts";
import type { OpenApiCase } from "./minimal-document.ts";
import { answerSecondSight } from "./second-sight-answers.ts";
import { requestSecondSight } from "./second-sight-requests.ts";
import { words } from "./words.ts";

export const secondSight: readonly OpenApiCase[] = [...requestSecondSight, ...answerSecondSight];

const swagger = (operation: unknown, more: object = {}) => ({
  swagger: "2.0",
  info: { title: "Shop", version: "1" },
  paths: { "/a": { post: operation } },
  ...more,
});
const inBody = (schema: unknown, required = true) => ({ name: "body", in: "body", required, schema });

/** Whole Swagger 2 documents. */
export const swaggerSecondSight: readonly ContractCase[] = [
  {
    name: "Swagger 2: a body's property becomes required",
    verdict: "breaking",
    before: swagger({ parameters: [inBody(object({ a: text }))], responses: ok }),
    after: swagger({ parameters: [inBody(object({ a: text }, ["a"]))], responses: ok }),
    because: words.required,
  },
  {
    name: "Swagger 2: a response's property is gone",
    verdict: "breaking",
    before: swagger({ responses: { "200": { description: "ok", schema: object({ a: text, b: text }) } } }),
    after: swagger({ responses: { "200": { description: "ok", schema: object({ a: text }) } } }),
    because: words.gone,
  },
  {
    name: "Swagger 2: a form field is added and required",
    verdict: "breaking",
    before: swagger({
      consumes: ["multipart/form-data"],
      parameters: [{ name: "a", in: "formData", type: "string" }],
      responses: ok,
    }),
    after: swagger({
      consumes: ["multipart/form-data"],
      parameters: [
        { name: "a", in: "formData", type: "string" },
        { name: "f", in: "formData", type: "file", required: true },
      ],
      responses: ok,
    }),
    because: words.required,
  },
  {
    name: "Swagger 2: a list is written with pipes instead of commas",
    verdict: "breaking",
    before: swagger({
      parameters: [{ name: "a", in: "query", type: "array", items: text, collectionFormat: "csv" }],
      responses: ok,
    }),
    after: swagger({
      parameters: [{ name: "a", in: "query", type: "array", items: text, collectionFormat: "pipes" }],
      responses: ok,
    }),
    because: "Swagger 2.0, collectionFormat: csv is comma separated, pipes is pipe separated; the default is csv.",
  },
  {
    name: "Swagger 2: the default collection format is written out",
    verdict: "compatible",
    before: swagger({ parameters: [{ name: "a", in: "query", type: "array", items: text }], responses: ok }),
    after: swagger({
      parameters: [{ name: "a", in: "query", type: "array", items: text, collectionFormat: "csv" }],
      responses: ok,
    }),
    because: "Swagger 2.0, collectionFormat: the default value is csv.",
  },
  {
    name: "Swagger 2: basePath changes",
    verdict: "breaking",
    before: swagger({ responses: ok }, { host: "x.test", basePath: "/v1" }),
    after: swagger({ responses: ok }, { host: "x.test", basePath: "/v2" }),
    because: "Swagger 2.0, basePath: the base path on which the API is served, relative to the host.",
  },
  {
    name: "Swagger 2: produces loses a type",
    verdict: "breaking",
    before: swagger({
      produces: ["application/json", "application/xml"],
      responses: { "200": { description: "ok", schema: text } },
    }),
    after: swagger({ produces: ["application/json"], responses: { "200": { description: "ok", schema: text } } }),
    because: words.responseContent,
  },
  {
    name: "Swagger 2 is rewritten as OpenAPI 3",
    verdict: "compatible",
    before: swagger(
      { parameters: [inBody({ $ref: "#/definitions/A" })], responses: ok },
      { consumes: ["application/json"], definitions: { A: object({ a: text }, ["a"]) } },
    ),
    after: {
      openapi: "3.0.3",
      info: { title: "Shop", version: "1" },
      paths: { "/a": { post: { requestBody: { required: true, content: json(ref("A")) }, responses: ok } } },
      components: { schemas: { A: object({ a: text }, ["a"]) } },
    },
    because: "OpenAPI 3.0: consumes and a body parameter became requestBody; definitions became components/schemas.",
  },
  {
    name: "Swagger 2: an API key moves from the query to a header",
    verdict: "breaking",
    before: swagger(
      { responses: ok },
      { security: [{ k: [] }], securityDefinitions: { k: { type: "apiKey", in: "query", name: "k" } } },
    ),
    after: swagger(
      { responses: ok },
      { security: [{ k: [] }], securityDefinitions: { k: { type: "apiKey", in: "header", name: "k" } } },
    ),
    because: words.scheme,
  },
  {
    name: "Swagger 2: a header parameter loses an allowed value",
    verdict: "breaking",
    before: swagger({ parameters: [{ name: "X", in: "header", type: "string", enum: ["a", "b"] }], responses: ok }),
    after: swagger({ parameters: [{ name: "X", in: "header", type: "string", enum: ["a"] }], responses: ok }),
    because: words.enum,
  },
];
