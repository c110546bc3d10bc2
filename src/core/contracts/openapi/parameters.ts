// The parameters of an operation, in the address, the query, the headers and the cookies.

import { field, fieldsOf, isRecord, listOf, textOf, written } from "../json-value.ts";
import type { Shapes } from "../schema/shapes.ts";
import { directionOf, type InOperation, type OpenApiComparing, report } from "./comparing.ts";
import { compareContent } from "./content.ts";
import type { OpenApiRuleName } from "./openapi-rules.ts";

export interface Parameter {
  readonly name: string;
  readonly location: string;
  readonly required: boolean;
  readonly node: Readonly<Record<string, unknown>>;
}

/** By what identifies them: name and location; the place in the address for those of the path, which may be renamed freely. */
export type Parameters = ReadonlyMap<string, Parameter>;

/** Headers that say how the request is made; a parameter of that name is ignored. */
const reservedHeaders = new Set(["accept", "content-type", "authorization"]);

export function parametersOf(shapes: Shapes, template: string, ...owners: readonly unknown[]): Parameters {
  const found = new Map<string, Parameter>();
  const places = [...template.matchAll(/\{([^{}]*)\}/g)].map(([, name]) => name);
  for (const owner of owners) {
    for (const reference of listOf(shapes.follow(field(owner, "parameters")))) {
      const node = shapes.follow(reference);
      const [name, location] = [textOf(node, "name"), textOf(node, "in")];
      if (!isRecord(node) || name === undefined || location === undefined) continue;
      if (location === "header" && reservedHeaders.has(name.toLowerCase())) continue;
      const required = location === "path" || node["required"] === true;
      found.set(identityOf(name, location, places), { name, location, required, node });
    }
  }
  return found;
}

function identityOf(name: string, location: string, places: readonly (string | undefined)[]): string {
  if (location === "path") return `path ${places.includes(name) ? places.indexOf(name) : name}`;
  return `${location} ${location === "header" ? name.toLowerCase() : name}`;
}

export function compareParameters(
  comparing: OpenApiComparing,
  inside: InOperation,
  before: Parameters,
  after: Parameters,
): void {
  for (const [identity, was] of before) {
    const is = after.get(identity);
    if (is === undefined) tell(comparing, inside, was, "request-parameter-removed", { before: was.name });
    else compareParameter(comparing, inside, was, is);
  }
  for (const [identity, is] of after) if (!before.has(identity)) reportNew(comparing, inside, is);
}

function reportNew(comparing: OpenApiComparing, inside: InOperation, is: Parameter): void {
  if (!is.required) return tell(comparing, inside, is, "request-parameter-added", { after: is.name });
  const fallback = comparing.after.shapes.of(is.node["schema"]).defaultValue;
  if (fallback === null) return tell(comparing, inside, is, "request-parameter-added-required", { after: is.name });
  tell(comparing, inside, is, "request-parameter-added-required-with-default", { after: written(fallback.value, 40) });
}

function compareParameter(comparing: OpenApiComparing, inside: InOperation, was: Parameter, is: Parameter): void {
  if (was.required && !is.required) tell(comparing, inside, is, "request-parameter-became-optional", {});
  if (!was.required && is.required) {
    const fallback = comparing.after.shapes.of(is.node["schema"]).defaultValue;
    if (fallback === null) tell(comparing, inside, is, "request-parameter-became-required", {});
    else
      tell(comparing, inside, is, "request-parameter-became-required-with-default", {
        after: written(fallback.value, 40),
      });
  }
  if (was.node["deprecated"] !== true && is.node["deprecated"] === true) {
    tell(comparing, inside, is, "request-parameter-deprecated", {});
  }
  compareEmptyAndReserved(comparing, inside, was, is);
  compareWriting(comparing, inside, was, is);
}

function compareEmptyAndReserved(
  comparing: OpenApiComparing,
  inside: InOperation,
  was: Parameter,
  is: Parameter,
): void {
  const empty = (parameter: Parameter): boolean =>
    parameter.location === "query" && parameter.node["allowEmptyValue"] === true;
  if (empty(was) && !empty(is)) tell(comparing, inside, is, "request-parameter-empty-value-refused", {});
  if (!empty(was) && empty(is)) tell(comparing, inside, is, "request-parameter-empty-value-allowed", {});
  const reserved = (parameter: Parameter): string =>
    parameter.node["allowReserved"] === true ? "sent as they are" : "encoded";
  if (reserved(was) !== reserved(is)) {
    tell(comparing, inside, is, "request-parameter-reserved-changed", { before: reserved(was), after: reserved(is) });
  }
}

/** A parameter has a schema and a style, or a media type. */
function compareWriting(comparing: OpenApiComparing, inside: InOperation, was: Parameter, is: Parameter): void {
  const [wasContent, isContent] = [field(was.node, "content"), field(is.node, "content")];
  const path = pathOf(inside, is);
  const direction = directionOf("request", inside.turned);
  if (isRecord(wasContent) && isRecord(isContent)) {
    return compareContent(comparing, inside, {
      part: "request",
      path,
      direction,
      before: wasContent,
      after: isContent,
    });
  }
  if (isRecord(wasContent) !== isRecord(isContent)) {
    const [before, after] = [shownWriting(was), shownWriting(is)];
    return tell(comparing, inside, is, "request-parameter-content-changed", { before, after });
  }
  const single = [comparing.before.shapes, comparing.after.shapes].every((shapes, at) =>
    isSingle(shapes, at === 0 ? was : is),
  );
  const [before, after] = [styleOf(was, single), styleOf(is, single)];
  if (before !== after) tell(comparing, inside, is, "request-parameter-style-changed", { before, after });
  comparing.schemas.compare(was.node["schema"], is.node["schema"], { direction, path, name: is.name, textual: true });
}

function shownWriting({ node }: Parameter): string {
  const [type] = Object.keys(fieldsOf(node, "content"));
  return type ?? "plain text";
}

/** Tells whether a parameter is one value, which explode and the styles of the query do not concern. */
function isSingle(shapes: Shapes, { node }: Parameter): boolean {
  const types = shapes.typesOf(shapes.of(node["schema"]));
  return types !== null && !types.has("array") && !types.has("object");
}

function styleOf({ node, location }: Parameter, single: boolean): string {
  const usual = location === "query" || location === "cookie" ? "form" : "simple";
  const style = textOf(node, "style") ?? usual;
  const explode = field(node, "explode");
  const exploded = typeof explode === "boolean" ? explode : style === "form";
  if (single) return location === "path" || location === "header" ? style : usual;
  return exploded ? `${style}, exploded` : style;
}

function pathOf({ label }: InOperation, { name, location }: Parameter): string {
  return `${label} ${location} parameter ${name}`;
}

function tell(
  comparing: OpenApiComparing,
  inside: InOperation,
  parameter: Parameter,
  rule: OpenApiRuleName,
  told: { before?: string; after?: string },
): void {
  report(comparing, rule, inside.turned, {
    ...told,
    path: pathOf(inside, parameter),
    name: parameter.name,
    names: [parameter.name],
    direction: directionOf("request", inside.turned),
  });
}
