// The headers of a response, or of one part of a form.

import { isRecord, written } from "../json-value.ts";
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
    const schema = (header: Header): unknown => header.node["schema"] ?? firstSchema(header.node["content"]);
    comparing.schemas.compare(schema(was), schema(is), { direction, path: told.path, name: was.name, textual: true });
  }
  for (const [key, is] of are) {
    if (were.has(key)) continue;
    const told = { path: `${place.path} header ${is.name}`, name: is.name, direction, after: written(is.name) };
    report(comparing, `${part}-header-added${is.node["required"] === true ? "-required" : ""}`, inside.turned, told);
  }
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

function firstSchema(content: unknown): unknown {
  if (!isRecord(content)) return undefined;
  const [first] = Object.values(content);
  return isRecord(first) ? first["schema"] : undefined;
}
