// Finds what a route takes and answers: from validators and schemas beside the handler, and from what the handler itself reads from the
// request and puts into the answer. Typed bodies come from schemas. If an answer is written as an object, the names of its fields are known.

import { type CodeParameter, type CodeSchema, own, type ParameterPlace } from "../../../ports/code-interfaces.ts";
import {
  fields,
  isFunction,
  type Loose,
  literal,
  member,
  nameOf,
  nodeAt,
  nodesAt,
  textOf,
  walk,
} from "./loose-tree.ts";
import { schemaIn } from "./read-schemas.ts";

export interface Handled {
  readonly parameters: readonly CodeParameter[];
  readonly parameterSchemas: readonly { readonly in: ParameterPlace; readonly schema: CodeSchema }[];
  readonly body: CodeSchema | null;
  readonly responses: Readonly<Record<string, CodeSchema>>;
}

const nothing: Handled = { parameters: [], parameterSchemas: [], body: null, responses: {} };
const places: Readonly<Record<string, ParameterPlace>> = {
  query: "query",
  querystring: "query",
  param: "path",
  params: "path",
  header: "header",
  headers: "header",
  cookie: "cookie",
};

/** `zValidator("json", Order)`, `{ schema: { body, querystring } }`, `validate({ body: Order })`, `validateBody(Order)`. */
export function routeSchemas(handlers: readonly Loose[]): Handled {
  return joinHandled(handlers.map(ofArgument), "");
}

function ofArgument(node: Loose): Handled {
  if (node.type === "ObjectExpression") return ofOptions(fields(node));
  if (node.type !== "CallExpression") return nothing;
  const callee = nodeAt(node, "callee");
  const name = nameOf(callee) ?? member(callee)?.name ?? "";
  const [first, second] = nodesAt(node, "arguments");
  const target = textOf(first);
  if (/valid/i.test(name) && target !== undefined && second !== undefined) {
    const schema = schemaIn(second);
    if (schema === undefined) return nothing;
    const place = own(places, target);
    return place === undefined
      ? { ...nothing, body: schema }
      : { ...nothing, parameterSchemas: [{ in: place, schema }] };
  }
  if (name === "createRoute") return ofOptions(fields(first));
  if (!/valid/i.test(name)) return nothing;
  const named = fields(first);
  if (["body", "query", "params", "headers"].some((key) => named.has(key))) return ofSchemas(named);
  const schema = schemaIn(first);
  const place = /query/i.test(name) ? "query" : /param/i.test(name) ? "path" : undefined;
  if (schema === undefined) return nothing;
  return place === undefined ? { ...nothing, body: schema } : { ...nothing, parameterSchemas: [{ in: place, schema }] };
}

/** Fastify's `{ schema: { … } }`, and zod-openapi's `{ request: { … } }`. */
function ofOptions(options: ReadonlyMap<string, Loose>): Handled {
  const schemas = fields(options.get("schema") ?? options.get("request"));
  return schemas.size === 0 ? nothing : ofSchemas(schemas);
}

function ofSchemas(schemas: ReadonlyMap<string, Loose>): Handled {
  const parameterSchemas: { in: ParameterPlace; schema: CodeSchema }[] = [];
  for (const [name, node] of schemas) {
    const place = own(places, name);
    const schema = place === undefined ? undefined : schemaIn(node);
    if (place !== undefined && schema !== undefined) parameterSchemas.push({ in: place, schema });
  }
  const body = schemas.get("body");
  return { ...nothing, parameterSchemas, body: schemaIn(jsonContent(body) ?? body) ?? null };
}

/** `{ content: { "application/json": { schema } } }`. */
function jsonContent(node: Loose | undefined): Loose | undefined {
  return fields(fields(fields(node).get("content")).get("application/json")).get("schema");
}

/** Typed answers: Fastify's `schema.response`, zod-openapi's `responses`. */
export function responseSchemas(handlers: readonly Loose[]): Handled {
  const responses: Record<string, CodeSchema> = {};
  for (const handler of handlers) {
    const options = fields(handler.type === "CallExpression" ? nodesAt(handler, "arguments")[0] : handler);
    const declared = fields(fields(options.get("schema")).get("response") ?? options.get("responses"));
    for (const [code, node] of declared) {
      const schema = schemaIn(jsonContent(node) ?? node);
      if (schema !== undefined && /^[1-5](\d\d|xx)$|^default$/i.test(code)) responses[code] = schema;
    }
  }
  return { ...nothing, responses };
}

/** Returns what a handler reads from its request, and what it answers. */
export function handledBy(handler: Loose): Handled {
  const parameters = new Map<string, CodeParameter>();
  const answers = new Map<string, Map<string, Loose | undefined>>();
  let body: CodeSchema | null = null;
  const take = (place: ParameterPlace, name: string | undefined): void => {
    if (name !== undefined && place !== "path")
      parameters.set(`${place} ${name}`, { name, in: place, required: false, schema: {} });
  };
  walk(handler, (node) => {
    if (node.type === "MemberExpression") {
      const read = member(node);
      const from = member(read?.object);
      if (from?.name === "query" && isRequest(from.object)) take("query", read?.name);
      if (from?.name === "headers" && isRequest(from.object)) take("header", read?.name);
    }
    if (node.type === "VariableDeclarator") {
      const from = member(nodeAt(node, "init"));
      if (from?.name === "query" && isRequest(from.object)) {
        for (const one of nodesAt(nodeAt(node, "id"), "properties")) take("query", nameOf(nodeAt(one, "key")));
      }
    }
    if (node.type !== "CallExpression") return;
    const called = member(nodeAt(node, "callee"));
    const [first, second] = nodesAt(node, "arguments");
    if (called === undefined) return;
    const inner = member(called.object);
    if (called.name === "query" && inner?.name === "req") take("query", textOf(first));
    if (called.name === "header" && inner?.name === "req") take("header", textOf(first));
    if (/^(safe)?[pP]arse(Async)?$/.test(called.name) && isBody(first)) body = schemaIn(called.object) ?? body;
    if (called.name === "json" || called.name === "send") answer(answers, called.object, first, second);
  });
  for (const returned of returnedObjects(handler)) merge(answers, "200", returned);
  return {
    parameters: [...parameters.values()],
    parameterSchemas: [],
    body,
    responses: Object.fromEntries([...answers].map(([code, names]) => [code, objectWith(names)])),
  };
}

const isRequest = (node: Loose): boolean => /^(req|request)$/.test(nameOf(node) ?? "");

/** `req.body`, `await c.req.json()`, `await request.json()`. */
function isBody(node: Loose | undefined): boolean {
  const read = member(node);
  if (read?.name === "body") return isRequest(read.object);
  return node?.type === "CallExpression" && member(nodeAt(node, "callee"))?.name === "json";
}

/** `c.json({…}, 201)`, `res.status(201).json({…})`, `reply.code(201).send({…})`. */
function answer(
  answers: Map<string, Map<string, Loose | undefined>>,
  object: Loose,
  first: Loose | undefined,
  second: Loose | undefined,
): void {
  if (first?.type !== "ObjectExpression") return;
  const chained = object.type === "CallExpression" ? member(nodeAt(object, "callee")) : undefined;
  const isStatus = chained?.name === "status" || chained?.name === "code";
  const root = nameOf(isStatus ? chained?.object : object) ?? "";
  if (!/^(c|ctx|context|res|response|reply|rep)$/.test(root)) return;
  const code = isStatus ? literal(nodesAt(object, "arguments")[0]) : literal(second);
  merge(answers, typeof code === "number" ? String(code) : "200", first);
}

/** Fastify answers with what a handler returns. */
function returnedObjects(handler: Loose): Loose[] {
  const parameters = nodesAt(handler, "params").map(nameOf);
  if (!/^(request|req|_request|_req|_)$/.test(parameters[0] ?? "_") || parameters.includes("res")) return [];
  const found: Loose[] = [];
  const body = nodeAt(handler, "body");
  if (body?.type === "ObjectExpression") found.push(body);
  else if (body !== undefined) {
    walk(body, (node) => {
      if (isFunction(node)) return false;
      const returned = node.type === "ReturnStatement" ? nodeAt(node, "argument") : undefined;
      if (returned?.type === "ObjectExpression") found.push(returned);
      return true;
    });
  }
  return found;
}

function merge(answers: Map<string, Map<string, Loose | undefined>>, code: string, object: Loose): void {
  const known = answers.get(code) ?? new Map<string, Loose | undefined>();
  for (const [name, value] of fields(object)) known.set(name, value);
  answers.set(code, known);
}

/** Only what a literal shows is said of a value. */
function objectWith(names: ReadonlyMap<string, Loose | undefined>): CodeSchema {
  const properties = Object.fromEntries(
    [...names].map(([name, node]) => {
      const value = node?.type === "Literal" ? literal(node) : textOf(node);
      const type = { string: "string", number: "number", boolean: "boolean" }[typeof value as string];
      return [name, type === undefined ? {} : { type }];
    }),
  );
  return { type: "object", properties };
}

/** All that was found of one route. What a schema says counts before what a handler shows. */
export function joinHandled(all: readonly Handled[], path: string): Handled {
  const inPath = [...path.matchAll(/\{(\w+)\}/g)].flatMap(([, name]): CodeParameter[] =>
    name === undefined ? [] : [{ name, in: "path", required: true, schema: { type: "string" } }],
  );
  const responses: Record<string, CodeSchema> = {};
  for (const { responses: found } of all)
    for (const [code, schema] of Object.entries(found)) responses[code] ??= schema;
  return {
    parameters: [...inPath, ...all.flatMap(({ parameters }) => parameters)],
    parameterSchemas: all.flatMap(({ parameterSchemas }) => parameterSchemas),
    body: all.find(({ body }) => body !== null)?.body ?? null,
    responses,
  };
}
