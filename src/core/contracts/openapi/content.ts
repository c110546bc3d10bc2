// The media types of a body, and for each its schema and how the parts of a form are encoded.

import type { ContractDirection } from "../format.ts";
import { field, fieldsOf, textOf } from "../json-value.ts";
import type { Shapes } from "../schema/shapes.ts";
import { type InOperation, type OpenApiComparing, report } from "./comparing.ts";
import { compareHeaders } from "./headers.ts";
import { covers, isXml, mostSpecific } from "./media-types.ts";

export interface ContentPair {
  readonly part: "request" | "response";
  readonly path: string;
  readonly direction: ContractDirection;
  readonly before: Readonly<Record<string, unknown>>;
  readonly after: Readonly<Record<string, unknown>>;
}

export function compareContent(comparing: OpenApiComparing, inside: InOperation, pair: ContentPair): void {
  const { part, path, direction } = pair;
  const [were, are] = [Object.keys(pair.before), Object.keys(pair.after)];
  const several = were.length > 1 || are.length > 1;
  for (const type of were) {
    const found =
      mostSpecific(type, are) ?? (direction === "response" ? are.find((one) => covers(type, one)) : undefined);
    if (found === undefined) {
      report(comparing, `${part}-media-type-removed`, inside.turned, {
        path,
        before: type,
        direction,
        names: inside.names,
      });
    } else {
      const where = several || !/json/i.test(type) ? `${path} (${type})` : path;
      compareMediaType(comparing, inside, { ...pair, path: where }, type, found);
    }
  }
  for (const type of are) {
    if (were.some((one) => covers(one, type) || covers(type, one))) continue;
    report(comparing, `${part}-media-type-added`, inside.turned, { path, after: type, direction });
  }
}

function compareMediaType(
  comparing: OpenApiComparing,
  inside: InOperation,
  pair: ContentPair,
  was: string,
  is: string,
): void {
  const before = comparing.before.shapes.follow(field(pair.before, was));
  const after = comparing.after.shapes.follow(field(pair.after, is));
  const { path, direction } = pair;
  const xml = isXml(was);
  comparing.schemas.compare(field(before, "schema"), field(after, "schema"), { direction, path, xml });
  // OpenAPI 3.2: what a stream consists of.
  comparing.schemas.compare(field(before, "itemSchema"), field(after, "itemSchema"), {
    direction,
    path: `${path}[]`,
    xml,
  });
  if (/^(multipart\/|application\/x-www-form-urlencoded)/i.test(was))
    compareEncodings(comparing, inside, pair, before, after);
}

function compareEncodings(
  comparing: OpenApiComparing,
  inside: InOperation,
  pair: ContentPair,
  before: unknown,
  after: unknown,
): void {
  const [were, are] = [fieldsOf(before, "encoding"), fieldsOf(after, "encoding")];
  const wasSchema = comparing.before.shapes.of(field(before, "schema"));
  const isSchema = comparing.after.shapes.of(field(after, "schema"));
  for (const name of new Set([...Object.keys(were), ...Object.keys(are)])) {
    const [wasProperty, isProperty] = [wasSchema.properties.get(name), isSchema.properties.get(name)];
    // A part that is new or gone is told as a property.
    if (wasProperty === undefined || isProperty === undefined) continue;
    const told = { path: `${pair.path}.${name}`, name, names: [name], direction: pair.direction };
    const [was, is] = [field(were, name), field(are, name)];
    const wasTypes = partTypes(comparing.before.shapes, was, wasProperty);
    const isTypes = partTypes(comparing.after.shapes, is, isProperty);
    for (const type of wasTypes.filter((one) => !isTypes.some((other) => covers(other, one)))) {
      report(comparing, `${pair.part}-encoding-type-removed`, inside.turned, { ...told, before: type });
    }
    for (const type of isTypes.filter((one) => !wasTypes.some((other) => covers(other, one)))) {
      report(comparing, `${pair.part}-encoding-type-added`, inside.turned, { ...told, after: type });
    }
    const [wasStyle, isStyle] = [partStyle(was), partStyle(is)];
    if (wasStyle !== isStyle) {
      report(comparing, `${pair.part}-encoding-style-changed`, inside.turned, {
        ...told,
        before: wasStyle,
        after: isStyle,
      });
    }
    compareHeaders(comparing, inside, { ...pair, path: told.path }, fieldsOf(was, "headers"), fieldsOf(is, "headers"));
  }
}

/** Without a word, objects are sent as JSON, binary text as bytes, and everything else as text. */
function partTypes(shapes: Shapes, encoding: unknown, property: unknown): string[] {
  const said = textOf(encoding, "contentType");
  if (said !== undefined) return said.split(",").map((type) => type.trim());
  const shape = shapes.of(property);
  const item = shape.types?.has("array") === true ? shapes.of(shape.items) : shape;
  if (item.types?.has("object") === true) return ["application/json"];
  return [item.format === "binary" || item.contentEncoding !== null ? "application/octet-stream" : "text/plain"];
}

function partStyle(encoding: unknown): string {
  const style = textOf(encoding, "style") ?? "form";
  const explode = field(encoding, "explode");
  const exploded = typeof explode === "boolean" ? explode : style === "form";
  return exploded ? `${style}, exploded` : style;
}
