// The eighth round, fourth part: credentials, callbacks and webhooks, bodies and answers.

import { answer, json, object, ok, text, whole } from "./fragments.ts";
import type { OpenApiCase } from "./minimal-document.ts";

const secured = "Security Requirement Object: all of one object, any one of the list.";
const other = "Callback and Webhook Objects: the provider calls, and the client answers.";
const cycle = "Reference Object: a schema may refer to itself.";
const media = "Media Type Object, Encoding Object.";
const whoMay = (security: unknown) => ({
  security,
  components: {
    securitySchemes: {
      key: { type: "apiKey", in: "header", name: "X-Key" },
      login: { type: "http", scheme: "basic" },
      oauth: {
        type: "oauth2",
        flows: { clientCredentials: { tokenUrl: "https://a.test/token", scopes: { read: "r", write: "w" } } },
      },
    },
  },
});
const called = (body: unknown, responses: unknown = ok) => ({
  requestBody: { content: json({ type: "string" }) },
  responses: ok,
  callbacks: { done: { "{$request.body#/url}": { post: { requestBody: { content: json(body) }, responses } } } },
});
const hook = (body: unknown) => ({
  webhooks: { placed: { post: { requestBody: { content: json(body) }, responses: ok } } },
});
const parts = (encoding: object) => ({
  requestBody: { content: { "multipart/form-data": { schema: object({ picture: text }), encoding } } },
  responses: ok,
});

export const eighthSightCalls: readonly OpenApiCase[] = [
  [
    "breaking",
    "either of two credentials was enough, and both are needed",
    "document",
    whoMay([{ key: [] }, { login: [] }]),
    whoMay([{ key: [], login: [] }]),
    secured,
  ],
  [
    "compatible",
    "both of two credentials were needed, and one is enough",
    "document",
    whoMay([{ key: [], login: [] }]),
    whoMay([{ key: [] }]),
    secured,
  ],
  ["compatible", "one need not say who one is", "document", whoMay([{ key: [] }]), whoMay([{ key: [] }, {}]), secured],
  ["breaking", "one must say who one is", "document", whoMay([{ key: [] }, {}]), whoMay([{ key: [] }]), secured],
  [
    "breaking",
    "a scope is needed beside another",
    "document",
    whoMay([{ oauth: ["read"] }]),
    whoMay([{ oauth: ["read", "write"] }]),
    secured,
  ],
  [
    "compatible",
    "a scope is no longer needed beside another",
    "document",
    whoMay([{ oauth: ["read", "write"] }]),
    whoMay([{ oauth: ["read"] }]),
    secured,
  ],
  [
    "breaking",
    "what a callback tells has a property less",
    "post",
    called(object({ a: text, b: text }, ["a"])),
    called(object({ a: text }, ["a"])),
    other,
  ],
  [
    "compatible",
    "what a callback tells has a property more",
    "post",
    called(object({ a: text })),
    called(object({ a: text, b: text })),
    other,
  ],
  [
    "breaking",
    "a callback expects more in the answer",
    "post",
    called(text, answer(object({ seen: text }))),
    called(text, answer(object({ seen: text }, ["seen"]))),
    other,
  ],
  [
    "compatible",
    "a callback expects less in the answer",
    "post",
    called(text, answer(object({ seen: text }, ["seen"]))),
    called(text, answer(object({ seen: text }))),
    other,
  ],
  [
    "breaking",
    "what a webhook tells changes its type",
    "document",
    hook(object({ a: text })),
    hook(object({ a: whole })),
    other,
  ],
  [
    "breaking",
    "what a webhook tells is no longer always there",
    "document",
    hook(object({ a: text }, ["a"])),
    hook(object({ a: text })),
    other,
  ],
  [
    "compatible",
    "what a webhook tells is always there",
    "document",
    hook(object({ a: text })),
    hook(object({ a: text }, ["a"])),
    other,
  ],
  [
    "breaking",
    "a body of a request is another kind of JSON",
    "post",
    { requestBody: { content: { "application/json": { schema: text } } }, responses: ok },
    { requestBody: { content: { "application/vnd.shop+json": { schema: text } } }, responses: ok },
    media,
  ],
  [
    "compatible",
    "a body of a request may be a form too",
    "post",
    { requestBody: { content: { "application/json": { schema: text } } }, responses: ok },
    {
      requestBody: {
        content: {
          "application/json": { schema: text },
          "application/x-www-form-urlencoded": { schema: object({ a: text }) },
        },
      },
      responses: ok,
    },
    media,
  ],
  [
    "breaking",
    "a picture may no longer be a JPEG",
    "post",
    parts({ picture: { contentType: "image/png, image/jpeg" } }),
    parts({ picture: { contentType: "image/png" } }),
    media,
  ],
  [
    "compatible",
    "a picture may be a JPEG too",
    "post",
    parts({ picture: { contentType: "image/png" } }),
    parts({ picture: { contentType: "image/png, image/jpeg" } }),
    media,
  ],
  [
    "breaking",
    "a body that several operations share asks for more",
    "document",
    {
      paths: { "/a": { post: { requestBody: { $ref: "#/components/requestBodies/B" }, responses: ok } } },
      components: { requestBodies: { B: { content: json(object({ a: text })) } } },
    },
    {
      paths: { "/a": { post: { requestBody: { $ref: "#/components/requestBodies/B" }, responses: ok } } },
      components: { requestBodies: { B: { content: json(object({ a: text }, ["a"])) } } },
    },
    cycle,
  ],
  [
    "breaking",
    "an answer that several operations share has a header less",
    "document",
    {
      paths: { "/a": { get: { responses: { "200": { $ref: "#/components/responses/R" } } } } },
      components: { responses: { R: { description: "ok", headers: { Left: { required: true, schema: whole } } } } },
    },
    {
      paths: { "/a": { get: { responses: { "200": { $ref: "#/components/responses/R" } } } } },
      components: { responses: { R: { description: "ok" } } },
    },
    cycle,
  ],
  [
    "breaking",
    "an order is made and answered with 202",
    "post",
    { responses: { "201": { description: "made" } } },
    { responses: { "202": { description: "later" } } },
    "Responses Object",
  ],
  [
    "compatible",
    "an order may be answered with 202 as well",
    "post",
    { responses: { "201": { description: "made" } } },
    { responses: { "201": { description: "made" }, "202": { description: "later" } } },
    "Responses Object",
  ],
  [
    "compatible",
    "a header of an answer is a number",
    "get",
    { responses: { "200": { description: "ok", headers: { Left: { schema: text } } } } },
    { responses: { "200": { description: "ok", headers: { Left: { schema: whole } } } } },
    "A header is text, and every number is one.",
  ],
];
