// Python's annotations and pydantic's models as JSON Schema. What is not understood is a schema that allows everything.

import { type CodeSchema, own } from "../../../ports/code-interfaces.ts";
import type { Syntax } from "../../tree-sitter/syntax.ts";
import { callAt, dotted, literalAt, stringAt } from "./python-parts.ts";

const types: Readonly<Record<string, CodeSchema>> = {
  int: { type: "integer" },
  float: { type: "number" },
  str: { type: "string" },
  bool: { type: "boolean" },
  bytes: { type: "string" },
  dict: { type: "object" },
  Dict: { type: "object" },
  list: { type: "array" },
  List: { type: "array" },
  datetime: { type: "string", format: "date-time" },
  date: { type: "string", format: "date" },
  UUID: { type: "string", format: "uuid" },
  EmailStr: { type: "string", format: "email" },
  HttpUrl: { type: "string", format: "uri" },
  PositiveInt: { type: "integer", exclusiveMinimum: 0 },
  NonNegativeInt: { type: "integer", minimum: 0 },
};
const anything = new Set(["Any", "object", "Decimal", "None", "Request", "Response"]);
const lists = new Set(["list", "List", "set", "Set", "Sequence", "Iterable", "tuple", "Tuple", "frozenset"]);
const bounds: Readonly<Record<string, string>> = {
  ge: "minimum",
  gt: "exclusiveMinimum",
  le: "maximum",
  lt: "exclusiveMaximum",
  min_length: "minLength",
  max_length: "maxLength",
  pattern: "pattern",
  regex: "pattern",
};

/** Of a node of the kind `type`, or of the expression in it. */
export function annotated(syntax: Syntax, node: number, depth = 0): CodeSchema {
  if (depth > 30) return {};
  const kind = syntax.kind(node);
  if (kind === "type") return annotated(syntax, syntax.children(node)[0] ?? 0, depth + 1);
  if (kind === "none") return { type: "null" };
  if (kind === "string") return { $code: stringAt(syntax, node) ?? "" };
  if (kind === "binary_operator" || kind === "union_type")
    return { anyOf: syntax.children(node).map((one) => annotated(syntax, one, depth + 1)) };
  if (kind === "identifier" || kind === "attribute") {
    const name = dotted(syntax, node).at(-1) ?? "";
    return own(types, name) ?? (anything.has(name) ? {} : { $code: name });
  }
  if (kind !== "generic_type" && kind !== "subscript") return {};
  const [base, ...rest] = syntax.children(node);
  const name = base === undefined ? "" : (dotted(syntax, base).at(-1) ?? "");
  const inner = rest.flatMap((one) => (syntax.kind(one) === "type_parameter" ? syntax.children(one) : [one]));
  return generic(syntax, name, inner, depth + 1);
}

function generic(syntax: Syntax, name: string, inner: readonly number[], depth: number): CodeSchema {
  const of = (at: number): CodeSchema => annotated(syntax, inner[at] ?? 0, depth);
  if (lists.has(name)) return { type: "array", items: inner.length === 0 ? {} : of(0) };
  if (name === "dict" || name === "Dict" || name === "Mapping")
    return { type: "object", additionalProperties: inner.length < 2 ? {} : of(1) };
  if (name === "Optional") return { anyOf: [of(0), { type: "null" }] };
  if (name === "Union") return { anyOf: inner.map((one) => annotated(syntax, one, depth)) };
  if (name === "Literal") return { enum: inner.map((one) => literalAt(syntax, bareType(syntax, one)) ?? null) };
  if (name === "Annotated") {
    const call = inner.slice(1).map((one) => callAt(syntax, bareType(syntax, one)));
    return call.reduce<CodeSchema>((schema, one) => ({ ...schema, ...limits(syntax, one?.named) }), of(0));
  }
  return {};
}

/** Reads what `Field(…)`, `Query(…)` and their kind say about a value. */
export function limits(syntax: Syntax, named: ReadonlyMap<string, number> | undefined): CodeSchema {
  const found: Record<string, unknown> = {};
  for (const [name, node] of named ?? []) {
    const keyword = own(bounds, name);
    const value = literalAt(syntax, node);
    if (keyword !== undefined && value !== undefined) found[keyword] = value;
  }
  return found;
}

/** The expression in a node of the kind `type`. */
export function bareType(syntax: Syntax, node: number): number {
  return syntax.kind(node) === "type" ? (syntax.children(node)[0] ?? node) : node;
}

/** A class as a schema: a model of pydantic, a dataclass, a typed dictionary, an enum; undefined where it is none. */
export function modelIn(
  syntax: Syntax,
  node: number,
): { readonly name: string; readonly schema: CodeSchema } | undefined {
  const name = syntax.text(syntax.at(node, "name"));
  const bases = syntax.children(syntax.at(node, "superclasses")).map((one) => dotted(syntax, one).at(-1) ?? "");
  const body = syntax.children(syntax.at(node, "body"));
  if (bases.includes("Enum") || bases.includes("StrEnum") || bases.includes("IntEnum"))
    return { name, schema: { enum: body.flatMap((one) => enumValue(syntax, one)) } };
  const parents = bases.filter(
    (base) => base !== "BaseModel" && base !== "TypedDict" && base !== "ABC" && base !== "object",
  );
  const properties = new Map<string, CodeSchema>();
  const required: string[] = [];
  for (const statement of body) {
    const found = fieldIn(syntax, statement);
    if (found === undefined) continue;
    properties.set(found.name, found.schema);
    if (found.required) required.push(found.name);
  }
  if (bases.length === 0 || (properties.size === 0 && parents.length === 0)) return undefined;
  const schema: CodeSchema = { type: "object", properties: Object.fromEntries(properties), required };
  return {
    name,
    schema: parents.length === 0 ? schema : { allOf: [...parents.map((base) => ({ $code: base })), schema] },
  };
}

function fieldIn(
  syntax: Syntax,
  statement: number,
): { readonly name: string; readonly schema: CodeSchema; readonly required: boolean } | undefined {
  const assignment = syntax.kind(statement) === "expression_statement" ? (syntax.children(statement)[0] ?? 0) : 0;
  if (assignment === 0 || syntax.kind(assignment) !== "assignment") return undefined;
  const type = syntax.at(assignment, "type");
  const left = syntax.at(assignment, "left");
  if (type === 0 || syntax.kind(left) !== "identifier" || /^(ClassVar|model_config)/.test(syntax.text(type)))
    return undefined;
  const right = syntax.at(assignment, "right");
  const field = right === 0 ? undefined : callAt(syntax, right);
  const isField = field?.callee.at(-1) === "Field";
  const alias = stringAt(syntax, field?.named.get("alias") ?? field?.named.get("serialization_alias"));
  const first = field?.positional[0];
  const isOpen = isField && !field.named.has("default") && !field.named.has("default_factory");
  const required = right === 0 || (isOpen && (first === undefined || syntax.kind(first) === "ellipsis"));
  return {
    name: alias ?? syntax.text(left),
    schema: { ...annotated(syntax, type), ...(isField ? limits(syntax, field.named) : {}) },
    required,
  };
}

function enumValue(syntax: Syntax, statement: number): unknown[] {
  const assignment = syntax.children(statement)[0];
  const right = assignment === undefined ? 0 : syntax.at(assignment, "right");
  const value = right === 0 ? undefined : literalAt(syntax, right);
  return value === undefined ? [] : [value];
}
