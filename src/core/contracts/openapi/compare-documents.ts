// Two OpenAPI documents: their paths, webhooks, servers and security. Callbacks are path items again, in which the provider calls.

import { field, fieldsOf, isRecord, textOf } from "../json-value.ts";
import type { Shapes } from "../schema/shapes.ts";
import { type InOperation, type OpenApiComparing, report } from "./comparing.ts";
import { compareOperation, type OperationVersion, sunsetOf, whyUnstable } from "./operations.ts";
import { compareSchemes, compareSecurity, schemesIn } from "./security.ts";
import { compareServers } from "./servers.ts";

const methods = new Map(
  ["get", "put", "post", "delete", "options", "head", "patch", "trace", "query"].map((key) => [key, key.toUpperCase()]),
);
/** Callbacks may hold operations with callbacks; nobody means more than this. */
const maximumCallbackDepth = 4;

export function compareDocuments(comparing: OpenApiComparing): void {
  const { before, after } = comparing;
  compareServers(comparing, "servers", before.root["servers"], after.root["servers"]);
  const same = samePathsIn(comparing);
  const [were, are] = [
    operationsIn(before.shapes, before.root["paths"], { without: same }),
    operationsIn(after.shapes, after.root["paths"], { without: same }),
  ];
  compareDocumentSecurity(comparing, were, are);
  compareOperations(comparing, were, are, { turned: false, depth: 0, prefix: "" });
  compareNamed(
    comparing,
    "webhook",
    before.root["webhooks"],
    after.root["webhooks"],
    { label: "webhooks", turned: true, names: [] },
    0,
  );
}

/** By method and the address with its parameters' names left out, because those are nobody's business. */
type Operations = ReadonlyMap<string, OperationVersion & { readonly method: string }>;

/**
 * Paths that say the same in both versions, of which nothing need be understood. None, where the credentials that a document asks for
 * changed: then every operation counts.
 */
function samePathsIn({ before, after, same }: OpenApiComparing): ReadonlySet<string> {
  const found = new Set<string>();
  const schemes = [before, after].map(({ root, shapes }) =>
    shapes.fields(shapes.follow(root["components"]), "securitySchemes"),
  );
  if (!before.shapes.hasSameDialect(after.shapes) || !same(before.root["security"], after.root["security"]))
    return found;
  if (!same(schemes[0], schemes[1])) return found;
  const [were, are] = [before, after].map(({ root, shapes }) => fieldsOf(shapes.follow(root["paths"])));
  if (were === undefined || are === undefined) return found;
  for (const template of Object.keys(were))
    if (Object.hasOwn(are, template) && same(were[template], are[template])) found.add(template);
  return found;
}

function operationsIn(
  shapes: Shapes,
  paths: unknown,
  { without = new Set(), isCallback = false }: { without?: ReadonlySet<string>; isCallback?: boolean } = {},
): Operations {
  const found = new Map<string, OperationVersion & { method: string }>();
  for (const [template, reference] of Object.entries(fieldsOf(shapes.follow(paths)))) {
    if (without.has(template)) continue;
    const pathItem = pathItemOf(shapes, reference);
    for (const [method, operation] of operationsOf(shapes, pathItem)) {
      const key = `${method} ${isCallback ? template : withoutNames(template)}`;
      found.set(key, { template, pathItem, operation, method });
    }
  }
  return found;
}

const withoutNames = (template: string): string =>
  template.includes("{") ? template.replaceAll(/\{[^{}]*\}/g, "{}") : template;

/** Fields may stand beside the reference of a path item. */
function pathItemOf(shapes: Shapes, reference: unknown): unknown {
  const followed = shapes.follow(reference);
  if (followed === reference || !isRecord(followed) || !isRecord(reference)) return followed;
  const { $ref: _, ...beside } = reference;
  return Object.keys(beside).length === 0 ? followed : { ...followed, ...beside };
}

function operationsOf(shapes: Shapes, pathItem: unknown): [string, Readonly<Record<string, unknown>>][] {
  const found: [string, Readonly<Record<string, unknown>>][] = [];
  const add = (method: string, written: unknown): void => {
    const operation = shapes.follow(written);
    if (isRecord(operation)) found.push([method, operation]);
  };
  if (!isRecord(pathItem)) return found;
  for (const key of Object.keys(pathItem)) {
    const method = methods.get(key);
    if (method !== undefined) add(method, pathItem[key]);
  }
  for (const [method, operation] of Object.entries(shapes.fields(pathItem, "additionalOperations")))
    add(method, operation);
  return found;
}

interface Around {
  readonly turned: boolean;
  readonly depth: number;
  readonly prefix: string;
}

function compareOperations(comparing: OpenApiComparing, were: Operations, are: Operations, around: Around): void {
  for (const [key, was] of were) {
    const inside = insideOf(was, around);
    const is = are.get(key);
    if (is !== undefined && isSame(comparing, was, is)) continue;
    asAnnounced(comparing, whyUnstable(was.operation), () => {
      if (is === undefined) return reportGone(comparing, inside, was);
      compareOperation(comparing, inside, was, is);
      const [callbacks, others] = [field(was.operation, "callbacks"), field(is.operation, "callbacks")];
      compareNamed(comparing, "callback", callbacks, others, inside, around.depth);
    });
  }
  for (const [key, is] of are) {
    if (were.has(key)) continue;
    const { label, turned, names } = insideOf(is, around);
    report(comparing, "operation-added", turned, { path: label, name: label, after: label, names });
  }
}

function asAnnounced({ schemas, changes }: OpenApiComparing, because: string | undefined, compare: () => void): void {
  if (because === undefined) return compare();
  const outer = schemas.kind;
  schemas.kind = "announced";
  changes.asAnnounced(because, compare);
  schemas.kind = outer;
}

/** An operation is said by itself and by the parameters and servers of its path. */
function isSame({ same, before, after }: OpenApiComparing, was: OperationVersion, is: OperationVersion): boolean {
  const shared = ["parameters", "servers"];
  return (
    was.template === is.template &&
    before.shapes.hasSameDialect(after.shapes) &&
    same(was.operation, is.operation) &&
    shared.every((name) => same(field(was.pathItem, name), field(is.pathItem, name)))
  );
}

function insideOf(
  { template, method, operation }: OperationVersion & { method: string },
  { turned, prefix }: Around,
): InOperation {
  const id = textOf(operation, "operationId");
  return { label: `${prefix}${method} ${template}`, turned, names: id === undefined ? [template] : [template, id] };
}

function reportGone(
  comparing: OpenApiComparing,
  { label, turned, names }: InOperation,
  { operation }: OperationVersion,
): void {
  const sunset = operation["deprecated"] === true ? sunsetOf(operation) : undefined;
  const passed =
    sunset !== undefined && comparing.today !== undefined && Date.parse(sunset) <= Date.parse(comparing.today);
  const told = { path: label, name: label, before: passed ? sunset : label, names };
  report(comparing, passed ? "operation-removed-after-sunset" : "operation-removed", turned, told);
}

/** Callbacks of an operation, or the webhooks of a document: names to path items, or to expressions and path items. */
function compareNamed(
  comparing: OpenApiComparing,
  kind: "callback" | "webhook",
  before: unknown,
  after: unknown,
  inside: InOperation,
  depth: number,
): void {
  const were = fieldsOf(comparing.before.shapes.follow(before));
  const are = fieldsOf(comparing.after.shapes.follow(after));
  for (const name of new Set([...Object.keys(were), ...Object.keys(are)])) {
    const told = {
      path: kind === "webhook" ? `webhook ${name}` : `${inside.label} callback ${name}`,
      name,
      names: [name],
    };
    const was = comparing.before.shapes.follow(field(were, name));
    const is = comparing.after.shapes.follow(field(are, name));
    // When a called-back client calls back, it is the provider's turn again.
    const turned = kind === "webhook" || !inside.turned;
    if (!isRecord(was)) report(comparing, `${kind}-added`, turned, { ...told, after: name });
    else if (!isRecord(is)) report(comparing, `${kind}-removed`, turned, { ...told, before: name });
    else if (depth < maximumCallbackDepth) {
      const items = (value: unknown): unknown => (kind === "webhook" ? { [name]: value } : value);
      // The braces of a callback hold what is called, not a name that anybody may choose.
      const isCallback = kind === "callback";
      const around = { turned, depth: depth + 1, prefix: `${told.path} ` };
      const [wasAll, isAll] = [
        operationsIn(comparing.before.shapes, items(was), { isCallback }),
        operationsIn(comparing.after.shapes, items(is), { isCallback }),
      ];
      compareOperations(comparing, wasAll, isAll, around);
    }
  }
}

function compareDocumentSecurity(comparing: OpenApiComparing, were: Operations, are: Operations): void {
  const { before, after } = comparing;
  const inherits = [...were].some(
    ([key, { operation }]) =>
      field(operation, "security") === undefined &&
      field(are.get(key)?.operation, "security") === undefined &&
      are.has(key),
  );
  if (inherits) compareSecurity(comparing, "security", before.root["security"], after.root["security"]);
  const used = new Set(schemesIn(before.root["security"]));
  for (const { operation } of were.values()) for (const name of schemesIn(field(operation, "security"))) used.add(name);
  compareSchemes(comparing, used);
}
