// The keywords that stand in one schema object, without what it refers to and without allOf: see shapes.ts for those.

import { field, fieldsOf, isRecord, listOf, numberOf, textOf, textsOf } from "../json-value.ts";
import {
  anyShape,
  type Discriminator,
  type Edge,
  type LimitName,
  limitNames,
  type Shape,
  type Union,
} from "./shape.ts";

export function readKeywords(node: Record<string, unknown>): Shape {
  const shape = anyShape();
  shape.types = typesIn(node["type"]);
  shape.values = valuesIn(node);
  if (Array.isArray(node["x-extensible-enum"])) shape.knownValues = node["x-extensible-enum"];
  readScalars(shape, node);
  readArrays(shape, node);
  readObjects(shape, node);
  readCombined(shape, node);
  readAnnotations(shape, node);
  if (shape.types === null && shape.values !== null) shape.types = simplified(shape.values.map(typeOfValue));
  return shape;
}

function typesIn(type: unknown): ReadonlySet<string> | null {
  if (typeof type === "string") return new Set([type]);
  if (!Array.isArray(type)) return null;
  return simplified(type.filter((one) => typeof one === "string"));
}

export function simplified(types: Iterable<string>): ReadonlySet<string> {
  const set = new Set(types);
  if (set.has("number")) set.delete("integer");
  return set;
}

function valuesIn(node: Record<string, unknown>): readonly unknown[] | null {
  if (Object.hasOwn(node, "const")) return [node["const"]];
  return Array.isArray(node["enum"]) ? node["enum"] : null;
}

export function typeOfValue(value: unknown): string {
  if (value === null || value === undefined) return "null";
  if (Array.isArray(value)) return "array";
  if (typeof value === "number") return Number.isInteger(value) ? "integer" : "number";
  return typeof value;
}

/** Expressions that every text matches. */
const trivialPatterns = new Set(["", ".*", "^.*$", "^", "$", "(.*)", "^(.*)$"]);
/** Formats that only tell a form how to show a value. */
const shownFormats = new Set(["password", "textarea", "hidden", "color", "markdown", "multiline"]);
/** What a limit is when it is not written. */
const unwritten: Partial<Record<LimitName, number>> = { minLength: 0, minItems: 0, minProperties: 0, minContains: 1 };

function readScalars(shape: Shape, node: Record<string, unknown>): void {
  const format = textOf(node, "format");
  if (format !== undefined && !shownFormats.has(format)) shape.format = format;
  const pattern = textOf(node, "pattern");
  if (pattern !== undefined && !trivialPatterns.has(pattern)) shape.patterns = [pattern];
  const limits: Partial<Record<LimitName, number>> = {};
  for (const name of limitNames) {
    const limit = numberOf(node, name);
    if (limit !== undefined && limit !== unwritten[name]) limits[name] = limit;
  }
  shape.limits = limits;
  shape.minimum = edge(node, "minimum", "exclusiveMinimum", (a, b) => a > b);
  shape.maximum = edge(node, "maximum", "exclusiveMaximum", (a, b) => a < b);
  shape.multipleOf = numberOf(node, "multipleOf") ?? null;
  shape.contentEncoding = textOf(node, "contentEncoding") ?? null;
  shape.contentMediaType = textOf(node, "contentMediaType") ?? null;
  shape.contentSchema = field(node, "contentSchema");
}

/** Draft 4 and OpenAPI 3.0 say with a boolean whether the bound is exclusive, everybody else with a number of its own. */
function edge(
  node: Record<string, unknown>,
  inclusive: string,
  exclusive: string,
  tighter: (a: number, b: number) => boolean,
): Edge | null {
  const at = numberOf(node, inclusive);
  const beyond = numberOf(node, exclusive);
  if (beyond !== undefined && (at === undefined || beyond === at || tighter(beyond, at))) {
    return { at: beyond, exclusive: true };
  }
  return at === undefined ? null : { at, exclusive: field(node, exclusive) === true };
}

function readArrays(shape: Shape, node: Record<string, unknown>): void {
  const items = field(node, "items");
  if (Array.isArray(items)) {
    shape.prefix = items;
    shape.items = field(node, "additionalItems");
  } else {
    shape.prefix = listOf(node, "prefixItems");
    shape.items = items ?? field(node, "unevaluatedItems");
  }
  shape.contains = numberOf(node, "minContains") === 0 ? undefined : field(node, "contains");
  shape.unique = node["uniqueItems"] === true;
}

function readObjects(shape: Shape, node: Record<string, unknown>): void {
  shape.properties = new Map(Object.entries(fieldsOf(node, "properties")));
  shape.required = new Set(textsOf(node, "required"));
  shape.patternProperties = new Map(Object.entries(fieldsOf(node, "patternProperties")));
  shape.additional = field(node, "additionalProperties") ?? field(node, "unevaluatedProperties");
  shape.propertyNames = field(node, "propertyNames");
  const needed = new Map<string, ReadonlySet<string>>();
  const schemas = new Map(Object.entries(fieldsOf(node, "dependentSchemas")));
  for (const keyword of ["dependentRequired", "dependencies"]) {
    for (const [name, wanted] of Object.entries(fieldsOf(node, keyword))) {
      if (Array.isArray(wanted)) needed.set(name, new Set(wanted.filter((one) => typeof one === "string")));
      else schemas.set(name, wanted);
    }
  }
  shape.dependentRequired = needed;
  shape.dependentSchemas = schemas;
}

function readCombined(shape: Shape, node: Record<string, unknown>): void {
  const unions: Union[] = [];
  for (const keyword of ["oneOf", "anyOf"] as const) {
    const branches = listOf(node, keyword);
    if (branches.length > 0) unions.push({ keyword, branches });
  }
  shape.unions = unions;
  if (Object.hasOwn(node, "not")) shape.nots = [node["not"]];
  if (Object.hasOwn(node, "if")) {
    shape.conditions = [{ test: node["if"], yes: field(node, "then"), no: field(node, "else") }];
  }
  shape.discriminator = discriminatorIn(field(node, "discriminator"));
}

/** Swagger 2 names only the property. */
function discriminatorIn(found: unknown): Discriminator | null {
  if (typeof found === "string") return { property: found, mapping: new Map() };
  const property = textOf(found, "propertyName");
  if (property === undefined) return null;
  const mapping = new Map<string, string>();
  for (const [value, schema] of Object.entries(fieldsOf(found, "mapping"))) {
    if (typeof schema === "string") mapping.set(value, lastPart(schema));
  }
  return { property, mapping };
}

/** `#/components/schemas/Cat`, `cat.yaml` and `schemas/Cat.yaml#/Cat` are called Cat or cat. */
export function lastPart(reference: string): string {
  const part = reference.split(/[/#]/).filter(Boolean).at(-1) ?? reference;
  return part.replace(/\.(json|ya?ml)$/, "");
}

function readAnnotations(shape: Shape, node: Record<string, unknown>): void {
  if (Object.hasOwn(node, "default")) shape.defaultValue = { value: node["default"] };
  shape.deprecated = node["deprecated"] === true;
  shape.readOnly = node["readOnly"] === true;
  shape.writeOnly = node["writeOnly"] === true;
  shape.xml = isRecord(node["xml"]) ? node["xml"] : null;
  shape.title = textOf(node, "title") ?? null;
}
