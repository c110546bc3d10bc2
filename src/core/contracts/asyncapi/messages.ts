// The messages of an operation: which is which, and what each carries.

import type { ContractDirection } from "../format.ts";
import { field, isRecord, sameValue, textOf } from "../json-value.ts";
import { compareBindings } from "./bindings.ts";
import { type AsyncApiComparing, report } from "./comparing.ts";
import type { Message, Model } from "./model.ts";

export interface MessagesPlace {
  readonly path: string;
  readonly direction: ContractDirection | null;
}

export function compareMessages(
  comparing: AsyncApiComparing,
  place: MessagesPlace,
  before: readonly Message[],
  after: readonly Message[],
): void {
  const pairs = paired(before, after);
  const taken = new Set(pairs.values());
  for (const was of before) {
    const is = pairs.get(was);
    if (is !== undefined) compareMessage(comparing, place, was, is);
    else report(comparing, "message-removed", { ...place, name: called(was), before: called(was), names: was.ids });
  }
  for (const is of after) {
    if (!taken.has(is))
      report(comparing, "message-added", { ...place, name: called(is), after: called(is), names: is.ids });
  }
}

/** By any of the names they have, the nameless by their place; the only message on both sides is the same whatever it is called. */
function paired(before: readonly Message[], after: readonly Message[]): Map<Message, Message> {
  const pairs = new Map<Message, Message>();
  const [was, is] = [before[0], after[0]];
  if (before.length === 1 && after.length === 1 && was !== undefined && is !== undefined) return pairs.set(was, is);
  const free = new Set(after);
  const nameless = after.filter(({ ids }) => ids.length === 0);
  for (const one of before) {
    const found =
      one.ids.length === 0 ? nameless.shift() : [...free].find((other) => one.ids.some((id) => other.ids.includes(id)));
    if (found === undefined) continue;
    pairs.set(one, found);
    free.delete(found);
  }
  return pairs;
}

function called({ ids, name }: Message): string {
  return name ?? ids[0] ?? "message";
}

function compareMessage(comparing: AsyncApiComparing, place: MessagesPlace, was: Message, is: Message): void {
  const name = called(was);
  const path = `${place.path} message ${name}`;
  const told = { ...place, path, name, names: was.ids };
  if (was.name !== undefined && is.name !== undefined && was.name !== is.name) {
    report(comparing, "message-name-changed", { ...told, before: was.name, after: is.name });
  }
  compareContentTypes(comparing, told, was, is);
  compareCorrelation(comparing, told, was, is);
  comparePayloads(comparing, told, was, is);
  const [headers, others] = [
    schemaIn(comparing.before, field(was.node, "headers")),
    schemaIn(comparing.after, field(is.node, "headers")),
  ];
  comparing.schemas.compare(headers.schema, others.schema, { direction: place.direction, path: `${path} headers` });
  compareBindings(comparing, path, place.direction, field(was.node, "bindings"), field(is.node, "bindings"));
}

type ToldMessage = MessagesPlace & { readonly name: string; readonly names: readonly string[] };

function compareContentTypes(comparing: AsyncApiComparing, told: ToldMessage, was: Message, is: Message): void {
  const before = textOf(was.node, "contentType") ?? comparing.before.defaultContentType;
  const after = textOf(is.node, "contentType") ?? comparing.after.defaultContentType;
  if (normal(before) === normal(after)) return;
  const known = before !== undefined && after !== undefined;
  const change = { ...told, before: before ?? "nothing", after: after ?? "nothing" };
  report(comparing, known ? "message-content-type-changed" : "message-content-type-said", change);
}

function normal(type: string | undefined): string | undefined {
  return type
    ?.toLowerCase()
    .replaceAll(/\s+/g, "")
    .replace(/;charset="?utf-?8"?/, "");
}

function compareCorrelation(comparing: AsyncApiComparing, told: ToldMessage, was: Message, is: Message): void {
  const before = textOf(comparing.before.shapes.follow(field(was.node, "correlationId")), "location");
  const after = textOf(comparing.after.shapes.follow(field(is.node, "correlationId")), "location");
  if (before === after) return;
  const change = before === undefined ? "added" : after === undefined ? "removed" : "changed";
  report(comparing, `message-correlation-id-${change}`, { ...told, before: before ?? null, after: after ?? null });
}

function comparePayloads(comparing: AsyncApiComparing, told: ToldMessage, was: Message, is: Message): void {
  const before = schemaIn(comparing.before, field(was.node, "payload"), textOf(was.node, "schemaFormat"));
  const after = schemaIn(comparing.after, field(is.node, "payload"), textOf(is.node, "schemaFormat"));
  if (before.format !== after.format) {
    return report(comparing, "message-schema-format-changed", { ...told, before: before.format, after: after.format });
  }
  const xml = /[/+]xml\b/i.test(textOf(is.node, "contentType") ?? comparing.after.defaultContentType ?? "");
  if (before.format === usual) {
    return comparing.schemas.compare(before.schema, after.schema, {
      direction: told.direction,
      path: `${told.path} payload`,
      xml,
    });
  }
  if (sameValue(before.schema, after.schema)) return;
  report(comparing, "message-payload-not-judged", { ...told, after: after.format });
}

const usual = "JSON Schema";

/** A schema, or in version 3 an object with a schema and its format. Versions of the usual formats are not told apart. */
function schemaIn(model: Model, node: unknown, said?: string): { readonly format: string; readonly schema: unknown } {
  const found = model.shapes.follow(node);
  const inside = isRecord(found) && Object.hasOwn(found, "schema") && typeof found["schemaFormat"] === "string";
  const format = (inside ? textOf(found, "schemaFormat") : said) ?? usual;
  const schema = inside ? field(found, "schema") : node;
  const family = (format.split(";", 1)[0] ?? "").toLowerCase();
  return { format: /aai\.asyncapi|schema\+(json|yaml)|oai\.openapi/.test(family) ? usual : format, schema };
}
