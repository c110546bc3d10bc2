// The tables of cases, and what all changes have in common.

import { describe, expect, test } from "bun:test";
import { asyncApi } from "./asyncapi/asyncapi.ts";
import { asyncApiTable } from "./asyncapi/cases/all.ts";
import { type ContractCase, sourceOf } from "./document-case.ts";
import { type ContractComparison, type ContractFormat, verdictOf } from "./format.ts";
import { jsonSchemaTable } from "./json-schema/cases/all.ts";
import { jsonSchema } from "./json-schema/json-schema.ts";
import { listRules } from "./list-rules.ts";
import { openApiTable } from "./openapi/cases/all.ts";
import { openApi } from "./openapi/openapi.ts";

const tables: readonly (readonly [ContractFormat, readonly ContractCase[], number])[] = [
  [openApi, [...openApiTable.cases, ...openApiTable.held], 200],
  [asyncApi, [...asyncApiTable.cases, ...asyncApiTable.held], 60],
  [jsonSchema, [...jsonSchemaTable.cases, ...jsonSchemaTable.held], 40],
];

function compare(format: ContractFormat, before: unknown, after: unknown): Promise<ContractComparison> {
  return format.compare(sourceOf(before, "contract.json"), sourceOf(after, "contract.json"));
}

for (const [format, cases, least] of tables) {
  describe(format.name, () => {
    test("the table is large enough, and half of it does not break", () => {
      expect(cases.length).toBeGreaterThanOrEqual(least);
      const harmless = cases.filter(({ verdict }) => verdict !== "breaking").length;
      expect(harmless / cases.length).toBeGreaterThan(0.45);
      expect(new Set(cases.map(({ name }) => name)).size).toBe(cases.length);
    });

    for (const { name, verdict, before, after } of cases) {
      test(`${verdict}: ${name}`, async () => {
        const compared = await compare(format, before, after);
        if (compared.kind === "unreadable") throw new Error(JSON.stringify(compared.problems));
        expect([verdictOf(compared.changes), compared.changes]).toEqual([verdict, compared.changes]);
      });
    }

    test("every case compared with itself is silent", async () => {
      for (const { before, after } of cases) {
        for (const document of [before, after]) {
          expect(await compare(format, document, document)).toMatchObject({ kind: "compared", changes: [] });
        }
      }
    });

    test("every change that a case brings is declared, with its verdict, and told in a sentence", async () => {
      const declared = new Map(listRules(format.name).map(({ rule, verdict }) => [rule, verdict]));
      for (const { before, after } of cases) {
        const compared = await compare(format, before, after);
        for (const { rule, verdict, text, path } of compared.kind === "compared" ? compared.changes : []) {
          // Anything that may change freely does not break anybody.
          const isAnnounced = text.includes("It was announced as") && declared.get(rule) === "breaking";
          expect([rule, isAnnounced ? "dangerous" : declared.get(rule)]).toEqual([rule, verdict]);
          expect(text).toMatch(/^[^a-z{].*\.$/);
          expect(text).not.toMatch(/\{(name|before|after)\}/);
          expect(path).not.toBe("");
        }
      }
    });
  });
}

test("Swagger 2.0 is compared with itself, and with the same in OpenAPI 3", async () => {
  const swagger = (body: unknown, response: unknown) => ({
    swagger: "2.0",
    info: { title: "x", version: "1" },
    host: "x.test",
    basePath: "/v1",
    schemes: ["https"],
    paths: {
      "/orders/{id}": {
        post: {
          consumes: ["application/json"],
          parameters: [
            { name: "id", in: "path", required: true, type: "integer", format: "int64" },
            { name: "tags", in: "query", type: "array", items: { type: "string" }, collectionFormat: "multi" },
            { name: "body", in: "body", required: true, schema: body },
          ],
          responses: { "200": { description: "ok", schema: response, headers: { Left: { type: "integer" } } } },
        },
      },
    },
    definitions: { Order: { type: "object", properties: { total: { type: "integer" } } } },
    securityDefinitions: { login: { type: "basic" } },
    security: [{ login: [] }],
  });
  const order = { $ref: "#/definitions/Order" };
  const component = { $ref: "#/components/schemas/Order" };
  const same = {
    openapi: "3.0.3",
    info: { title: "x", version: "1" },
    servers: [{ url: "https://x.test/v1" }],
    paths: {
      "/orders/{id}": {
        post: {
          parameters: [
            { name: "id", in: "path", required: true, schema: { type: "integer", format: "int64" } },
            { name: "tags", in: "query", schema: { type: "array", items: { type: "string" } } },
          ],
          requestBody: { required: true, content: { "application/json": { schema: component } } },
          responses: {
            "200": {
              description: "ok",
              content: { "application/json": { schema: component } },
              headers: { Left: { schema: { type: "integer" } } },
            },
          },
        },
      },
    },
    components: {
      schemas: { Order: { type: "object", properties: { total: { type: "integer" } } } },
      securitySchemes: { login: { type: "http", scheme: "basic" } },
    },
    security: [{ login: [] }],
  };
  expect(await compare(openApi, swagger(order, order), same)).toEqual({
    kind: "compared",
    changes: [],
    notes: [],
    complete: true,
  });
  const narrower = await compare(
    openApi,
    swagger(order, order),
    swagger({ ...order, type: "string" }, { type: "string" }),
  );
  expect(narrower).toMatchObject({
    changes: [{ rule: "response-type-changed", path: "POST /orders/{id} response 200 body" }],
  });
});

test("an operation whose announced end has passed may go", async () => {
  const document = (paths: object) => ({ openapi: "3.1.0", info: { title: "x", version: "1" }, paths });
  const operation = { deprecated: true, "x-sunset": "2026-01-31", responses: {} };
  const [before, after] = [
    sourceOf(document({ "/a": { get: operation } }), "a.json"),
    sourceOf(document({}), "a.json"),
  ];
  const verdictOn = async (today?: string): Promise<string> => {
    const compared = await openApi.compare(before, after, undefined, today);
    return compared.kind === "compared" ? verdictOf(compared.changes) : compared.kind;
  };
  expect(await verdictOn("2026-02-01")).toBe("dangerous");
  expect(await verdictOn("2026-01-30")).toBe("breaking");
  expect(await verdictOn()).toBe("breaking");
});

test("a change names its place, its direction and the words a consumer's code would hold", async () => {
  const document = (schema: unknown) => ({
    openapi: "3.0.3",
    info: { title: "x", version: "1" },
    paths: {
      "/orders": {
        get: {
          operationId: "listOrders",
          responses: { "200": { description: "ok", content: { "application/json": { schema } } } },
        },
      },
    },
  });
  const list = (name: string) => ({
    type: "array",
    items: { type: "object", properties: { [name]: { type: "integer" } } },
  });
  expect(await compare(openApi, document(list("total")), document(list("amount")))).toEqual({
    kind: "compared",
    notes: [],
    complete: true,
    changes: [
      {
        rule: "response-property-removed",
        verdict: "breaking",
        path: "GET /orders response 200 body[].total",
        direction: "response",
        before: "integer",
        after: null,
        text: "The property total is gone; readers may not find or understand what they were promised.",
        names: ["total"],
      },
      {
        rule: "response-property-added",
        verdict: "compatible",
        path: "GET /orders response 200 body[].amount",
        direction: "response",
        before: null,
        after: "integer",
        text: "The property amount is new; readers need not change.",
        names: ["amount"],
      },
    ],
  });
});

test("files are recognised by how they begin", () => {
  const recognised = (path: string, text: string): string[] =>
    [openApi, asyncApi, jsonSchema].filter((format) => format.recognises(path, text)).map(({ name }) => name);
  expect(recognised("openapi.yaml", "# comment\nopenapi: 3.0.3\n")).toEqual(["openapi"]);
  expect(recognised("api.json", '{"info":{},"openapi":"3.1.0"}')).toEqual(["openapi"]);
  expect(recognised("swagger.json", '{\n  "swagger": "2.0"\n}')).toEqual(["openapi"]);
  expect(recognised("events.yml", "asyncapi: '2.6.0'\n")).toEqual(["asyncapi"]);
  expect(recognised("order.schema.json", "{}")).toEqual(["json-schema"]);
  expect(recognised("a.json", '{"$schema": "https://json-schema.org/draft/2020-12/schema"}')).toEqual(["json-schema"]);
  expect(recognised("package.json", '{"name": "openapi"}')).toEqual([]);
  expect(recognised("notes.md", "openapi: 3.0.0")).toEqual([]);
});

/** One operation whose answer is the schema `first`, and whatever else. */
const answering = (first: string, schemas: object, more: object = {}): object => ({
  openapi: "3.1.0",
  info: { title: "Shop", version: "1" },
  paths: {
    ...more,
    "/last": {
      get: {
        responses: {
          "200": {
            description: "ok",
            content: { "application/json": { schema: { $ref: `#/components/schemas/${first}` } } },
          },
        },
      },
    },
  },
  components: { schemas },
});

test("a chain of references may be as long as it likes", async () => {
  const chain = (type: string): object => {
    const schemas: Record<string, unknown> = { S3000: { type } };
    for (let at = 0; at < 3_000; at += 1) schemas[`S${at}`] = { $ref: `#/components/schemas/S${at + 1}` };
    return answering("S0", schemas);
  };
  expect(await compare(openApi, chain("string"), chain("integer"))).toMatchObject({
    changes: [{ verdict: "breaking" }],
  });
});

test("an allOf that lies too deep is left out, and that is said", async () => {
  const tower = (type: string): object => {
    const schemas: Record<string, unknown> = { S300: { type } };
    for (let at = 0; at < 300; at += 1) schemas[`S${at}`] = { allOf: [{ $ref: `#/components/schemas/S${at + 1}` }] };
    return answering("S0", schemas);
  };
  expect(await compare(openApi, tower("string"), tower("integer"))).toMatchObject({ complete: false });
});

test("alternatives that have alternatives, thirty times over, are compared to their end", async () => {
  const tower = (type: string): object => {
    const schemas: Record<string, unknown> = { O30: { type: "object", properties: { z: { type } } } };
    for (let at = 0; at < 30; at += 1) {
      const branch = (name: string): object => ({
        allOf: [{ $ref: `#/components/schemas/O${at + 1}` }, { properties: { [`${name}${at}`]: { type: "string" } } }],
      });
      schemas[`O${at}`] = { oneOf: [branch("p"), branch("q")] };
    }
    return answering("O0", schemas);
  };
  expect(await compare(openApi, tower("string"), tower("integer"))).toMatchObject({
    complete: true,
    changes: [{ rule: "response-type-changed", before: "string", after: "integer" }],
  });
});

test("many operations that may change freely do not hide one that may not", async () => {
  const shop = (type: string): object => {
    const draft = {
      get: {
        "x-stability-level": "draft",
        responses: {
          "200": { description: "ok", content: { "application/json": { schema: { $ref: "#/components/schemas/S" } } } },
        },
      },
    };
    const many = Object.fromEntries(Array.from({ length: 30 }, (_, at) => [`/draft${at}`, draft]));
    return answering("S", { S: { type: "object", properties: { a: { type } } } }, many);
  };
  const compared = await compare(openApi, shop("string"), shop("integer"));
  const verdicts = compared.kind === "compared" ? compared.changes.map(({ verdict }) => verdict) : [];
  expect(verdicts.filter((verdict) => verdict === "breaking")).toHaveLength(1);
  expect(verdicts.filter((verdict) => verdict === "dangerous").length).toBeGreaterThan(10);
});
