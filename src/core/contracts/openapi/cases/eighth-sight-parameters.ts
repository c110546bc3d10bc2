// The eighth round, third part: parameters, their styles and their places.

import { json, list, object, ok, text, whole } from "./fragments.ts";
import type { OpenApiCase } from "./minimal-document.ts";

const styles = "Parameter Object: style and explode say how the value is written.";
const names = "RFC 9110 section 5.1: names of header fields are case-insensitive.";
const same = "The same in other words.";
const get = (more: object) => ({ responses: ok, ...more });
const query = (more: object) => get({ parameters: [{ name: "a", in: "query", schema: text, ...more }] });

export const eighthSightParameters: readonly OpenApiCase[] = [
  [
    "breaking",
    "a list in the query is written with commas",
    "get",
    query({ schema: list(text), style: "form", explode: true }),
    query({ schema: list(text), style: "form", explode: false }),
    styles,
  ],
  [
    "compatible",
    "the style that holds anyway is written down",
    "get",
    query({ schema: list(text) }),
    query({ schema: list(text), style: "form", explode: true }),
    same,
  ],
  [
    "compatible",
    "explode of a single word in the query changes nothing",
    "get",
    query({}),
    query({ explode: false }),
    styles,
  ],
  [
    "breaking",
    "a list in the query is written with bars",
    "get",
    query({ schema: list(text), explode: false }),
    query({ schema: list(text), style: "pipeDelimited", explode: false }),
    styles,
  ],
  [
    "compatible",
    "a header is spelt in small letters",
    "get",
    get({ parameters: [{ name: "X-Trace", in: "header", required: true, schema: text }] }),
    get({ parameters: [{ name: "x-trace", in: "header", required: true, schema: text }] }),
    names,
  ],
  [
    "breaking",
    "a required parameter of the query is spelt in small letters",
    "get",
    query({ name: "Filter", required: true }),
    query({ name: "filter", required: true }),
    "Names in a query are case-sensitive.",
  ],
  [
    "breaking",
    "what the query had to hold stands in a header",
    "get",
    query({ required: true }),
    get({ parameters: [{ name: "a", in: "header", required: true, schema: text }] }),
    styles,
  ],
  [
    "compatible",
    "a parameter of the operation is written at the path",
    "document",
    { paths: { "/a": { get: query({}) } } },
    { paths: { "/a": { parameters: [{ name: "a", in: "query", schema: text }], get: { responses: ok } } } },
    same,
  ],
  [
    "breaking",
    "a parameter at the path is required",
    "document",
    { paths: { "/a": { parameters: [{ name: "a", in: "query", schema: text }], get: { responses: ok } } } },
    {
      paths: {
        "/a": { parameters: [{ name: "a", in: "query", required: true, schema: text }], get: { responses: ok } },
      },
    },
    styles,
  ],
  [
    "compatible",
    "the variable of a path has another name",
    "document",
    {
      paths: {
        "/a/{id}": { get: { parameters: [{ name: "id", in: "path", required: true, schema: text }], responses: ok } },
      },
    },
    {
      paths: {
        "/a/{order}": {
          get: { parameters: [{ name: "order", in: "path", required: true, schema: text }], responses: ok },
        },
      },
    },
    "The same paths match.",
  ],
  [
    "breaking",
    "the variable of a path is a number",
    "document",
    {
      paths: {
        "/a/{id}": { get: { parameters: [{ name: "id", in: "path", required: true, schema: text }], responses: ok } },
      },
    },
    {
      paths: {
        "/a/{id}": { get: { parameters: [{ name: "id", in: "path", required: true, schema: whole }], responses: ok } },
      },
    },
    styles,
  ],
  [
    "breaking",
    "a filter of the query, an object, loses a property it took",
    "get",
    query({ style: "deepObject", schema: { ...object({ a: text, b: text }), additionalProperties: false } }),
    query({ style: "deepObject", schema: { ...object({ a: text }), additionalProperties: false } }),
    styles,
  ],
  [
    "dangerous",
    "another value holds where the query says nothing",
    "get",
    query({ schema: { ...whole, default: 10 } }),
    query({ schema: { ...whole, default: 50 } }),
    "Schema Object, default.",
  ],
  [
    "breaking",
    "a parameter that was JSON is a plain text",
    "get",
    get({ parameters: [{ name: "a", in: "query", content: json(object({ x: text })) }] }),
    query({}),
    styles,
  ],
];
