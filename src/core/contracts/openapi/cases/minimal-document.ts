// Makes whole OpenAPI documents from the fragments in which the cases are written, so that a case shows only what changes.

import type { ContractCase } from "../../document-case.ts";
import type { ContractVerdict } from "../../format.ts";

type Fragment = Record<string, unknown>;

/** Where the two fragments of a case go. */
export type Place =
  /** The schema of the JSON body of POST /orders. */
  | "request"
  /** The schema of the JSON body of the answer 200 to GET /orders. */
  | "response"
  /** The schema of an optional query parameter of GET /orders. */
  | "query"
  /** Fields of the operation GET /orders, laid over the usual ones. */
  | "get"
  /** Fields of the operation POST /orders, laid over the usual ones. */
  | "post"
  /** Fields of the document, laid over the usual ones. */
  | "document";

export type OpenApiCase = readonly [
  verdict: ContractVerdict,
  name: string,
  place: Place,
  before: unknown,
  after: unknown,
  because: string,
  version?: string,
];

export function openApiCases(table: readonly OpenApiCase[]): ContractCase[] {
  return table.map(([verdict, name, place, before, after, because, version = "3.1.0"]) => ({
    name,
    verdict,
    because,
    before: documentWith(place, before, version),
    after: documentWith(place, after, version),
  }));
}

function documentWith(place: Place, fragment: unknown, version: string): unknown {
  const fields = (wanted: Place): Fragment => (place === wanted ? (fragment as Fragment) : {});
  const json = (schema: unknown): Fragment => ({ "application/json": { schema } });
  const get: Fragment = {
    operationId: "listOrders",
    parameters: place === "query" ? [{ name: "filter", in: "query", schema: fragment }] : [],
    responses: {
      "200": { description: "ok", content: json(place === "response" ? fragment : { type: "array", items: {} }) },
    },
    ...fields("get"),
  };
  const post: Fragment = {
    operationId: "createOrder",
    requestBody: { required: true, content: json(place === "request" ? fragment : { type: "object" }) },
    responses: { "201": { description: "created" } },
    ...fields("post"),
  };
  return {
    openapi: version,
    info: { title: "Shop", version: "1" },
    paths: { "/orders": { get, post } },
    ...fields("document"),
  };
}
