// The keywords that stand in one schema object, without what it refers to and without allOf: see shapes.ts for those. Each keyword
// is read by one line of the table, so a schema costs what it says.

import { field, fieldsOf, isRecord, listOf, numberOf, textOf } from "../json-value.ts";
import {
  anyShape,
  type Discriminator,
  type Edge,
  type LimitName,
  limitNames,
  type Shape,
  type Union,
} from "./shape.ts";

type Node = Record<string, unknown>;
type ReadKeyword = (shape: Shape, value: unknown, node: Node) => void;

export function readKeywords(node: Node): Shape {
  const shape = anyShape();
  for (const key of Object.keys(node)) keywords.get(key)?.(shape, node[key], node);
  if (shape.items === false) shape.limits = closed(shape);
  if (shape.values !== null && isEveryBoolean(shape.values)) [shape.types, shape.values] = [new Set(["boolean"]), null];
  if (shape.types === null && shape.values !== null) shape.types = simplified(shape.values.map(typeOfValue));
  return shape;
}

/** Where nothing may follow the places of a tuple, there are no more items than places. */
function closed({ limits, prefix }: Shape): Shape["limits"] {
  return { ...limits, maxItems: Math.min(limits.maxItems ?? prefix.length, prefix.length) };
}

/** true and false are all there is. */
function isEveryBoolean(values: readonly unknown[]): boolean {
  return values.length === 2 && values.includes(true) && values.includes(false);
}

/** Expressions that every text matches. */
const trivialPatterns = new Set(["", ".*", "^.*$", "^", "$", "(.*)", "^(.*)$"]);
/** Formats that only tell a form how to show a value. */
const shownFormats = new Set(["password", "textarea", "hidden", "color", "markdown", "multiline"]);
/** The value of each limit that is not written. */
const unwritten: Partial<Record<LimitName, number>> = { minLength: 0, minItems: 0, minProperties: 0, minContains: 1 };

const keywords: ReadonlyMap<string, ReadKeyword> = new Map<string, ReadKeyword>([
  ["type", (shape, value, node) => (shape.types = typesIn(value, numberOf(node, "multipleOf")))],
  [
    "enum",
    (shape, value, node) =>
      (shape.values = Array.isArray(value) && !Object.hasOwn(node, "const") ? value : shape.values),
  ],
  ["const", (shape, value) => (shape.values = [value])],
  ["x-extensible-enum", (shape, value) => (shape.knownValues = Array.isArray(value) ? value : null)],
  ["format", (shape, value) => (shape.format = typeof value === "string" && !shownFormats.has(value) ? value : null)],
  [
    "pattern",
    (shape, value) => (shape.patterns = typeof value === "string" && !trivialPatterns.has(value) ? [value] : []),
  ],
  ...limitNames.map((name): [string, ReadKeyword] => [
    name,
    (shape, value, node) => readLimit(shape, name, value, node),
  ]),
  ...["minimum", "exclusiveMinimum"].map((name): [string, ReadKeyword] => [name, readMinimum]),
  ...["maximum", "exclusiveMaximum"].map((name): [string, ReadKeyword] => [name, readMaximum]),
  ["multipleOf", (shape, _, node) => (shape.multipleOf = stepIn(node))],
  ["contentEncoding", (shape, value) => (shape.contentEncoding = typeof value === "string" ? value : null)],
  ["contentMediaType", (shape, value) => (shape.contentMediaType = typeof value === "string" ? value : null)],
  ["contentSchema", (shape, value) => (shape.contentSchema = value)],

  ["items", readItems],
  [
    "prefixItems",
    (shape, value, node) => (shape.prefix = Array.isArray(node["items"]) ? node["items"] : listOf(value)),
  ],
  ["unevaluatedItems", (shape, value) => (shape.items ??= value)],
  ["contains", (shape, value, node) => (shape.contains = isContainsSaid(node) ? value : undefined)],
  ["uniqueItems", (shape, value) => (shape.unique = value === true)],

  ["properties", (shape, value) => (shape.properties = new Map(Object.entries(fieldsOf(value))))],
  ["required", (shape, value) => (shape.required = new Set(listOf(value).filter((one) => typeof one === "string")))],
  ["patternProperties", (shape, value) => (shape.patternProperties = new Map(Object.entries(fieldsOf(value))))],
  ["additionalProperties", (shape, value) => (shape.additional = value)],
  ["unevaluatedProperties", (shape, value, node) => (shape.additional = field(node, "additionalProperties") ?? value)],
  ["propertyNames", (shape, value) => (shape.propertyNames = value)],
  ...["dependentRequired", "dependentSchemas", "dependencies"].map((name): [string, ReadKeyword] => [
    name,
    readDependent,
  ]),

  ...["oneOf", "anyOf"].map((name): [string, ReadKeyword] => [name, readUnions]),
  // Not to be what nothing is: everything is allowed.
  ["not", (shape, value) => (shape.nots = value === false ? [] : [value])],
  ["if", readCondition],
  ["discriminator", (shape, value) => (shape.discriminator = discriminatorIn(value))],

  ["default", (shape, value) => (shape.defaultValue = { value })],
  ["deprecated", (shape, value) => (shape.deprecated = value === true)],
  ["readOnly", (shape, value) => (shape.readOnly = value === true)],
  ["writeOnly", (shape, value) => (shape.writeOnly = value === true)],
  ["xml", (shape, value) => (shape.xml = isRecord(value) ? value : null)],
  ["title", (shape, value) => (shape.title = typeof value === "string" ? value : null)],
]);

/** A number that must be a multiple of a whole one is an integer. */
function typesIn(type: unknown, step: number | undefined): ReadonlySet<string> | null {
  const whole = (one: string): string => (one === "number" && Number.isInteger(step) ? "integer" : one);
  if (typeof type === "string") return new Set([whole(type)]);
  if (!Array.isArray(type)) return null;
  return simplified(type.filter((one) => typeof one === "string").map(whole));
}

/** Every integer is a multiple of one. */
function stepIn(node: Node): number | null {
  const step = numberOf(node, "multipleOf") ?? null;
  return step === 1 && (node["type"] === "integer" || node["type"] === "number") ? null : step;
}

export function simplified(types: Iterable<string>): ReadonlySet<string> {
  const set = new Set(types);
  if (set.has("number")) set.delete("integer");
  return set;
}

export function typeOfValue(value: unknown): string {
  if (value === null || value === undefined) return "null";
  if (Array.isArray(value)) return "array";
  if (typeof value === "number") return Number.isInteger(value) ? "integer" : "number";
  return typeof value;
}

function readLimit(shape: Shape, name: LimitName, value: unknown, node: Node): void {
  if (name.endsWith("Contains") && !isContainsSaid(node)) return;
  if (typeof value === "number" && value !== unwritten[name]) shape.limits = { ...shape.limits, [name]: value };
}

/** Without it minContains and maxContains say nothing, and none at least with no limit is no demand. */
function isContainsSaid(node: Node): boolean {
  if (!Object.hasOwn(node, "contains")) return false;
  return numberOf(node, "minContains") !== 0 || numberOf(node, "maxContains") !== undefined;
}

/** A condition from which nothing follows is none. */
function readCondition(shape: Shape, test: unknown, node: Node): void {
  const [yes, no] = [field(node, "then"), field(node, "else")];
  if (!isAnything(yes) || !isAnything(no)) shape.conditions = [{ test, yes, no }];
}

const isAnything = (schema: unknown): boolean =>
  schema === undefined || schema === true || (isRecord(schema) && Object.keys(schema).length === 0);

function readMinimum(shape: Shape, _: unknown, node: Node): void {
  shape.minimum = edge(node, "minimum", "exclusiveMinimum", (a, b) => a > b);
}

function readMaximum(shape: Shape, _: unknown, node: Node): void {
  shape.maximum = edge(node, "maximum", "exclusiveMaximum", (a, b) => a < b);
}

/** Draft 4 and OpenAPI 3.0 say with a boolean whether the bound is exclusive, everybody else with a number of its own. */
function edge(
  node: Node,
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

/** Until 2019-09 a list of items was a tuple, and the rest had a keyword of its own. */
function readItems(shape: Shape, value: unknown, node: Node): void {
  if (Array.isArray(value)) {
    shape.prefix = value;
    shape.items = field(node, "additionalItems");
  } else shape.items = value;
}

function readDependent(shape: Shape, value: unknown): void {
  const needed = new Map(shape.dependentRequired);
  const schemas = new Map(shape.dependentSchemas);
  for (const [name, wanted] of Object.entries(fieldsOf(value))) {
    if (Array.isArray(wanted)) needed.set(name, new Set(wanted.filter((one) => typeof one === "string")));
    else if (isRecord(wanted) || typeof wanted === "boolean") schemas.set(name, wanted);
  }
  shape.dependentRequired = needed;
  shape.dependentSchemas = schemas;
}

function readUnions(shape: Shape, _: unknown, node: Node): void {
  const unions: Union[] = [];
  for (const keyword of ["oneOf", "anyOf"] as const) {
    const branches = listOf(node, keyword);
    if (branches.length > 0) unions.push({ keyword, branches });
  }
  shape.unions = unions;
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
