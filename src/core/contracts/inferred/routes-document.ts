// The routes of an application as an OpenAPI document, so that one comparer judges both what is specified and what is inferred.

import type { CodeInterfaces, CodeParameter, CodeSchema } from "../../../ports/code-interfaces.ts";
import { type JoinedRoute, type JoinedRoutes, joinRoutes } from "./join-routes.ts";

const everyMethod = ["get", "post", "put", "patch", "delete"];

export interface InferredDocument {
  readonly document: Readonly<Record<string, unknown>>;
  /** `GET /orders/{id}`, sorted. */
  readonly operations: readonly string[];
}

export function routesDocument(files: ReadonlyMap<string, CodeInterfaces>): InferredDocument {
  const joined = joinRoutes(files);
  const paths: Record<string, Record<string, unknown>> = {};
  for (const route of joined.routes) {
    const path = route.path === "" ? "/" : route.path;
    const item = (paths[path] ??= {});
    for (const method of route.method === "ALL" ? everyMethod : [route.method.toLowerCase()]) {
      // The route that is declared first answers.
      item[method] ??= operationOf(route, joined);
    }
  }
  const operations = Object.entries(paths).flatMap(([path, item]) =>
    Object.keys(item).map((method) => `${method.toUpperCase()} ${path}`),
  );
  return {
    document: {
      openapi: "3.1.0",
      info: { title: "inferred from code", version: "0" },
      paths,
      components: { schemas: joined.schemas },
    },
    operations: operations.sort(),
  };
}

function operationOf(route: JoinedRoute, joined: JoinedRoutes): Record<string, unknown> {
  const responses = Object.entries(route.responses).map(([code, schema]) => [
    /^\dxx$/i.test(code) ? code.toUpperCase() : code,
    { description: "", content: { "application/json": { schema } } },
  ]);
  return {
    parameters: parametersOf(route, joined),
    ...(route.body === null
      ? {}
      : { requestBody: { required: true, content: { "application/json": { schema: route.body } } } }),
    responses: responses.length === 0 ? { "200": { description: "" } } : Object.fromEntries(responses),
  };
}

/** A schema's word about a parameter counts before what a handler shows of it. */
function parametersOf({ parameters, parameterSchemas, path }: JoinedRoute, joined: JoinedRoutes): CodeParameter[] {
  const found = new Map<string, CodeParameter>();
  const inPath = new Set([...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name));
  for (const one of parameters) {
    // The prefix of a router may hold it, which its function does not show.
    const place = one.in === "query" && inPath.has(one.name) ? "path" : one.in;
    found.set(`${place} ${one.name}`, place === one.in ? one : { ...one, in: place, required: true });
  }
  for (const { in: place, schema } of parameterSchemas) {
    const { properties, required } = objectIn(schema, joined, 0);
    for (const [name, one] of Object.entries(properties)) {
      if (place === "path" && !inPath.has(name)) continue;
      found.set(`${place} ${name}`, { name, in: place, required: place === "path" || required.has(name), schema: one });
    }
  }
  for (const name of inPath) {
    const key = `path ${name}`;
    if (name !== undefined && !found.has(key))
      found.set(key, { name, in: "path", required: true, schema: { type: "string" } });
  }
  return [...found.values()].filter((one) => one.in !== "path" || inPath.has(one.name));
}

function objectIn(
  schema: CodeSchema,
  joined: JoinedRoutes,
  depth: number,
): { readonly properties: Readonly<Record<string, CodeSchema>>; readonly required: ReadonlySet<string> } {
  const reference = schema["$ref"];
  const target =
    typeof reference === "string" ? joined.schemas[reference.slice(reference.lastIndexOf("/") + 1)] : schema;
  if (target === undefined || depth > 10) return { properties: {}, required: new Set() };
  const parts = Array.isArray(target["allOf"]) ? (target["allOf"] as CodeSchema[]) : [];
  const below = parts.map((part) => objectIn(part, joined, depth + 1));
  const own = (target["properties"] ?? {}) as Record<string, CodeSchema>;
  const required = Array.isArray(target["required"]) ? (target["required"] as string[]) : [];
  return {
    properties: Object.assign({}, ...below.map(({ properties }) => properties), own),
    required: new Set([...below.flatMap((one) => [...one.required]), ...required]),
  };
}
