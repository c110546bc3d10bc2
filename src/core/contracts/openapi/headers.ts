// The headers of a response, or of one part of a form.

import { field, isRecord, written } from "../json-value.ts";
import type { ContractDirection } from "../format.ts";
import type { Shapes } from "../schema/shapes.ts";
import { type InOperation, type OpenApiComparing, report } from "./comparing.ts";

export interface HeadersPlace {
  readonly part: "request" | "response";
  readonly path: string;
  readonly direction: ContractDirection;
}

interface Header {
  readonly name: string;
  readonly node: Readonly<Record<string, unknown>>;
}

type Named = Readonly<Record<string, unknown>>;

export function compareHeaders(
  comparing: OpenApiComparing,
  inside: InOperation,
  place: HeadersPlace,
  before: Named,
  after: Named,
): void {
  const { part, direction } = place;
  const [were, are] = [headersOf(comparing.before.shapes, before), headersOf(comparing.after.shapes, after)];
  for (const [key, was] of were) {
    const is = are.get(key);
    const told = { path: `${place.path} header ${was.name}`, name: was.name, names: [was.name], direction };
    const required = was.node["required"] === true;
    if (is === undefined) {
      report(comparing, `${part}-header-removed${required ? "-required" : ""}`, inside.turned, {
        ...told,
        before: was.name,
      });
      continue;
    }
    if (required && is.node["required"] !== true)
      report(comparing, `${part}-header-became-optional`, inside.turned, told);
    if (!required && is.node["required"] === true)
      report(comparing, `${part}-header-became-required`, inside.turned, told);
    compareWriting(comparing, inside, { ...place, path: told.path }, was, is);
  }
  for (const [key, is] of are) {
    if (were.has(key)) continue;
    const told = { path: `${place.path} header ${is.name}`, name: is.name, direction, after: written(is.name) };
    report(comparing, `${part}-header-added${is.node["required"] === true ? "-required" : ""}`, inside.turned, told);
  }
}

/** A header has a schema, written in the style "simple", or a media type. */
function compareWriting(
  comparing: OpenApiComparing,
  inside: InOperation,
  { part, path, direction }: HeadersPlace,
  was: Header,
  is: Header,
): void {
  const [before, after] = [writingOf(comparing.before.shapes, was), writingOf(comparing.after.shapes, is)];
  if (before !== after) {
    const told = { path, name: was.name, names: [was.name], direction, before, after };
    return report(comparing, `${part}-header-style-changed`, inside.turned, told);
  }
  const textual = !isRecord(was.node["content"]);
  comparing.schemas.compare(schemaOf(was), schemaOf(is), { direction, path, name: was.name, textual });
}

/** Returns the schema of a header. A header with a media type has only one. */
function schemaOf({ node }: Header): unknown {
  const content = node["content"];
  return isRecord(content) ? field(Object.values(content)[0], "schema") : node["schema"];
}

/** Says how a header is written. Exploding makes a difference for objects alone: `R=100,G=200` instead of `R,100,G,200`. */
function writingOf(shapes: Shapes, { node }: Header): string {
  const content = node["content"];
  if (isRecord(content)) return Object.keys(content)[0]?.toLowerCase() ?? "plain text";
  const types = node["explode"] === true ? shapes.typesOf(shapes.of(node["schema"])) : null;
  return types?.has("object") === true ? "plain text with names" : "plain text";
}

function headersOf(shapes: Shapes, headers: Named): Map<string, Header> {
  const found = new Map<string, Header>();
  for (const [name, reference] of Object.entries(headers)) {
    const node = shapes.follow(reference);
    // Content-Type is said by the media type and ignored here.
    if (isRecord(node) && name.toLowerCase() !== "content-type") found.set(name.toLowerCase(), { name, node });
  }
  return found;
}
