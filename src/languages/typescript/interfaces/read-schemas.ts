// Schemas that code writes with zod or TypeBox, or as a JSON Schema literal, made into JSON Schema. What is not understood is a schema
// that allows everything: it then says less, and nothing wrong.

import { type CodeSchema, own } from "../../../ports/code-interfaces.ts";
import { fields, type Loose, literal, member, nameOf, nodeAt, nodesAt, textOf } from "./loose-tree.ts";

/** Property names that need not be there are marked with this, and it never leaves here. */
const optional = "x-optional";

const zodTypes: Readonly<Record<string, CodeSchema>> = {
  string: { type: "string" },
  number: { type: "number" },
  int: { type: "integer" },
  bigint: { type: "integer" },
  boolean: { type: "boolean" },
  date: { type: "string", format: "date-time" },
  null: { type: "null" },
  email: { type: "string", format: "email" },
  uuid: { type: "string", format: "uuid" },
  url: { type: "string", format: "uri" },
};

const typeBoxTypes: Readonly<Record<string, CodeSchema>> = {
  String: { type: "string" },
  Number: { type: "number" },
  Integer: { type: "integer" },
  Boolean: { type: "boolean" },
  Null: { type: "null" },
  Date: { type: "string", format: "date-time" },
};

/** undefined where an expression is no schema at all. */
export function schemaIn(node: Loose | undefined): CodeSchema | undefined {
  const found = read(node, 0);
  return found === undefined ? undefined : plain(found);
}

function read(node: Loose | undefined, depth: number): CodeSchema | undefined {
  if (node === undefined || depth > 40) return undefined;
  const name = nameOf(node);
  if (name !== undefined) return { $code: name };
  if (node.type === "ObjectExpression") return jsonSchema(node, depth);
  if (node.type !== "CallExpression") return undefined;
  const called = member(nodeAt(node, "callee"));
  if (called === undefined) return undefined;
  const given = nodesAt(node, "arguments");
  const library = libraryOf(called.object);
  if (library === "zod") return zod(called.name, given, depth);
  if (library === "typebox") return typeBox(called.name, given, depth);
  const base = read(called.object, depth + 1);
  return base === undefined ? undefined : refined(base, called.name, given, depth);
}

function libraryOf(object: Loose): "zod" | "typebox" | undefined {
  const name = nameOf(object) ?? nameOf(member(object)?.object);
  if (name === "z" || name === "zod") return "zod";
  return name === "Type" || name === "t" || name === "TypeBox" ? "typebox" : undefined;
}

function zod(name: string, given: readonly Loose[], depth: number): CodeSchema {
  const [first, second] = given;
  const of = (node: Loose | undefined): CodeSchema => read(node, depth + 1) ?? {};
  switch (name) {
    case "object":
    case "strictObject":
    case "looseObject":
      return { ...objectOf(fields(first), depth), ...(name === "strictObject" ? { additionalProperties: false } : {}) };
    case "array":
    case "set":
      return { type: "array", items: of(first) };
    case "enum":
      return { enum: listOf(first) };
    case "nativeEnum":
      return {};
    case "literal":
      return first?.type === "ArrayExpression" ? { enum: listOf(first) } : { enum: [literal(first) ?? null] };
    case "union":
      return { anyOf: nodesAt(first, "elements").map(of) };
    case "discriminatedUnion":
      return { oneOf: nodesAt(second, "elements").map(of) };
    case "intersection":
      return { allOf: [of(first), of(second)] };
    case "record":
      return { type: "object", additionalProperties: of(second ?? first) };
    case "tuple":
      return { type: "array", prefixItems: nodesAt(first, "elements").map(of) };
    case "optional":
      return { ...of(first), [optional]: true };
    case "nullable":
      return { anyOf: [of(first), { type: "null" }] };
    default:
      return own(zodTypes, name) ?? {};
  }
}

function typeBox(name: string, given: readonly Loose[], depth: number): CodeSchema {
  const [first, second] = given;
  const of = (node: Loose | undefined): CodeSchema => read(node, depth + 1) ?? {};
  switch (name) {
    case "Object":
      return { ...objectOf(fields(first), depth), ...options(second) };
    case "Array":
      return { type: "array", items: of(first), ...options(second) };
    case "Optional":
      return { ...of(first), [optional]: true };
    case "Literal":
      return { enum: [literal(first) ?? null] };
    case "Union":
      return { anyOf: nodesAt(first, "elements").map(of) };
    case "Intersect":
    case "Composite":
      return { allOf: nodesAt(first, "elements").map(of) };
    case "Record":
      return { type: "object", additionalProperties: of(second) };
    case "Tuple":
      return { type: "array", prefixItems: nodesAt(first, "elements").map(of) };
    case "Partial":
      return partial(of(first));
    default:
      return { ...own(typeBoxTypes, name), ...options(first) };
  }
}

/** Returns what a call on a schema makes of it: `.min(3)`, `.optional()`. */
function refined(base: CodeSchema, name: string, given: readonly Loose[], depth: number): CodeSchema {
  const [first] = given;
  const value = literal(first);
  const isText = base["type"] === "string";
  const isList = base["type"] === "array";
  const bound = (text: string, list: string, number: string): CodeSchema =>
    typeof value === "number" ? { ...base, [isText ? text : isList ? list : number]: value } : base;
  switch (name) {
    case "optional":
    case "nullish":
      return { ...(name === "nullish" ? { anyOf: [base, { type: "null" }] } : base), [optional]: true };
    case "default":
    case "catch":
      return { ...base, ...(value === undefined ? {} : { default: value }), [optional]: true };
    case "nullable":
      return { anyOf: [base, { type: "null" }] };
    case "min":
      return bound("minLength", "minItems", "minimum");
    case "max":
      return bound("maxLength", "maxItems", "maximum");
    case "gt":
      return typeof value === "number" ? { ...base, exclusiveMinimum: value } : base;
    case "positive":
      return { ...base, exclusiveMinimum: 0 };
    case "nonnegative":
      return { ...base, minimum: 0 };
    case "int":
      return { ...base, type: "integer" };
    case "email":
    case "uuid":
    case "datetime":
      return { ...base, format: name === "datetime" ? "date-time" : name };
    case "url":
      return { ...base, format: "uri" };
    case "array":
      return { type: "array", items: base };
    case "strict":
      return { ...base, additionalProperties: false };
    case "extend":
      return { allOf: [base, objectOf(fields(first), depth)] };
    case "merge":
    case "and":
      return { allOf: [base, read(first, depth + 1) ?? {}] };
    case "or":
      return { anyOf: [base, read(first, depth + 1) ?? {}] };
    case "partial":
      return given.length === 0 ? partial(base) : base;
    case "pick":
    case "omit":
      return chosen(base, new Set(fields(first).keys()), name === "pick");
    case "parse":
    case "safeParse":
    case "parseAsync":
    case "safeParseAsync":
      return base;
    default:
      return base;
  }
}

function objectOf(properties: ReadonlyMap<string, Loose>, depth: number): CodeSchema {
  const read_ = [...properties].map(([name, node]) => [name, read(node, depth + 1) ?? {}] as const);
  return {
    type: "object",
    properties: Object.fromEntries(read_),
    required: read_.filter(([, schema]) => schema[optional] !== true).map(([name]) => name),
  };
}

function jsonSchema(node: Loose, depth: number): CodeSchema {
  const found = new Map<string, unknown>();
  for (const [name, value] of fields(node)) {
    if (name === "properties" || name === "patternProperties") {
      const inner = [...fields(value)].map(([key, one]) => [key, read(one, depth + 1) ?? {}]);
      found.set(name, Object.fromEntries(inner));
    } else if (value.type === "ArrayExpression") {
      const items = nodesAt(value, "elements");
      found.set(
        name,
        items.map((item) => literal(item) ?? read(item, depth + 1) ?? {}),
      );
    } else {
      const written = literal(value);
      found.set(name, written === undefined ? (read(value, depth + 1) ?? {}) : written);
    }
  }
  return Object.fromEntries(found);
}

function options(node: Loose | undefined): CodeSchema {
  const found = new Map<string, unknown>();
  for (const [name, value] of fields(node)) {
    const written = literal(value);
    if (written !== undefined && name !== "$id") found.set(name, written);
  }
  return Object.fromEntries(found);
}

function listOf(node: Loose | undefined): unknown[] {
  return nodesAt(node, "elements").flatMap((one) => {
    const value = textOf(one) ?? literal(one);
    return value === undefined ? [] : [value];
  });
}

function partial(schema: CodeSchema): CodeSchema {
  const { required: _required, ...rest } = schema;
  return rest;
}

function chosen(schema: CodeSchema, names: ReadonlySet<string>, isPick: boolean): CodeSchema {
  const properties = schema["properties"];
  if (typeof properties !== "object" || properties === null) return schema;
  const keeps = (name: string): boolean => names.has(name) === isPick;
  const required: readonly unknown[] = Array.isArray(schema["required"]) ? schema["required"] : [];
  return {
    ...schema,
    properties: Object.fromEntries(Object.entries(properties).filter(([name]) => keeps(name))),
    required: required.filter((name) => typeof name === "string" && keeps(name)),
  };
}

/** Without the marks that are ours. */
function plain(schema: CodeSchema): CodeSchema {
  return JSON.parse(
    JSON.stringify(schema, (key, value: unknown) => (key === optional ? undefined : value)),
  ) as CodeSchema;
}
