// One operation in two versions: its id, its end, what goes in and what comes out, and what the provider calls back.

import { field, isRecord, textOf } from "../json-value.ts";
import { directionOf, type InOperation, type OpenApiComparing, report } from "./comparing.ts";
import { compareContent } from "./content.ts";
import { compareParameters, parametersOf } from "./parameters.ts";
import { compareResponses } from "./responses.ts";
import { compareSecurity } from "./security.ts";
import { compareServers } from "./servers.ts";

export interface OperationVersion {
  readonly template: string;
  readonly pathItem: unknown;
  readonly operation: Readonly<Record<string, unknown>>;
}

export function compareOperation(
  comparing: OpenApiComparing,
  inside: InOperation,
  was: OperationVersion,
  is: OperationVersion,
): void {
  compareIdentity(comparing, inside, was.operation, is.operation);
  compareEnd(comparing, inside, was.operation, is.operation);
  compareStability(comparing, inside, was.operation, is.operation);
  compareParameters(
    comparing,
    inside,
    parametersOf(comparing.before.shapes, was.template, was.pathItem, was.operation),
    parametersOf(comparing.after.shapes, is.template, is.pathItem, is.operation),
  );
  compareBodies(comparing, inside, field(was.operation, "requestBody"), field(is.operation, "requestBody"));
  compareResponses(comparing, inside, field(was.operation, "responses"), field(is.operation, "responses"));
  if (!inside.turned) {
    compareOwnSecurity(comparing, inside, was.operation, is.operation);
    compareOwnServers(comparing, inside, was, is);
  }
}

const levels: readonly string[] = ["draft", "alpha", "beta", "stable"];

/**
 * Says how stable an operation claims to be, by the extension that tools for OpenAPI share. Undefined if it does not say so, or not in a
 * known way.
 */
function stabilityOf(operation: Readonly<Record<string, unknown>>): string | undefined {
  const level = textOf(operation, "x-stability-level");
  return level !== undefined && levels.includes(level) ? level : undefined;
}

/** Returns the reason why nobody may rely on an operation. Undefined if one may. */
export function whyUnstable(operation: Readonly<Record<string, unknown>>): string | undefined {
  const level = stabilityOf(operation);
  return level === "draft" || level === "alpha" ? `It was announced as ${level}, which may change freely.` : undefined;
}

function compareIdentity(
  comparing: OpenApiComparing,
  { label, turned, names }: InOperation,
  before: Readonly<Record<string, unknown>>,
  after: Readonly<Record<string, unknown>>,
): void {
  const [was, is] = [textOf(before, "operationId"), textOf(after, "operationId")];
  if (was === is) return;
  const told = { path: label, name: label, before: was ?? null, after: is ?? null, names };
  report(
    comparing,
    was === undefined ? "operation-id-added" : is === undefined ? "operation-id-removed" : "operation-id-changed",
    turned,
    told,
  );
}

/** Deprecation, and the day after which it is gone: RFC 8594's word, as an extension. */
function compareEnd(
  comparing: OpenApiComparing,
  { label, turned, names }: InOperation,
  before: Readonly<Record<string, unknown>>,
  after: Readonly<Record<string, unknown>>,
): void {
  const told = { path: label, name: label, names };
  if (before["deprecated"] !== true && after["deprecated"] === true)
    report(comparing, "operation-deprecated", turned, told);
  if (after["deprecated"] !== true) return;
  const [was, is] = [sunsetOf(before), sunsetOf(after)];
  if (was === is) return;
  const dates = { ...told, before: was ?? null, after: is ?? null };
  if (is === undefined) return report(comparing, "sunset-removed", turned, dates);
  if (Number.isNaN(Date.parse(is))) return report(comparing, "sunset-unreadable", turned, dates);
  if (was === undefined || Number.isNaN(Date.parse(was))) return report(comparing, "sunset-added", turned, dates);
  report(comparing, Date.parse(is) < Date.parse(was) ? "sunset-moved-earlier" : "sunset-moved-later", turned, dates);
}

export function sunsetOf(operation: Readonly<Record<string, unknown>>): string | undefined {
  const date = operation["x-sunset"] ?? operation["x-sunset-date"] ?? operation["sunset"];
  return typeof date === "string" ? date : undefined;
}

function compareStability(
  comparing: OpenApiComparing,
  { label, turned, names }: InOperation,
  before: Readonly<Record<string, unknown>>,
  after: Readonly<Record<string, unknown>>,
): void {
  const [was, is] = [stabilityOf(before), stabilityOf(after)];
  if (was === is || was === undefined || is === undefined) return;
  const rule = levels.indexOf(is) < levels.indexOf(was) ? "stability-decreased" : "stability-increased";
  report(comparing, rule, turned, { path: label, name: label, before: was, after: is, names });
}

function compareBodies(comparing: OpenApiComparing, inside: InOperation, before: unknown, after: unknown): void {
  const was = comparing.before.shapes.follow(before);
  const is = comparing.after.shapes.follow(after);
  const direction = directionOf("request", inside.turned);
  const told = { path: `${inside.label} request body`, direction, names: inside.names };
  const required = (body: unknown): boolean => field(body, "required") === true;
  if (!isRecord(was) && !isRecord(is)) return;
  if (!isRecord(was))
    return report(comparing, required(is) ? "request-body-added-required" : "request-body-added", inside.turned, told);
  if (!isRecord(is)) return report(comparing, "request-body-removed", inside.turned, told);
  if (!required(was) && required(is)) report(comparing, "request-body-became-required", inside.turned, told);
  if (required(was) && !required(is)) report(comparing, "request-body-became-optional", inside.turned, told);
  const [content, others] = [
    comparing.before.shapes.fields(was, "content"),
    comparing.after.shapes.fields(is, "content"),
  ];
  compareContent(comparing, inside, { part: "request", path: told.path, direction, before: content, after: others });
}

/** An operation that says nothing is under the document's security, which is compared once for all. */
function compareOwnSecurity(
  comparing: OpenApiComparing,
  { label }: InOperation,
  before: Readonly<Record<string, unknown>>,
  after: Readonly<Record<string, unknown>>,
): void {
  const [was, is] = [field(before, "security"), field(after, "security")];
  if (was === undefined && is === undefined) return;
  compareSecurity(comparing, label, was ?? comparing.before.root["security"], is ?? comparing.after.root["security"]);
}

function compareOwnServers(
  comparing: OpenApiComparing,
  { label }: InOperation,
  was: OperationVersion,
  is: OperationVersion,
): void {
  const own = ({ operation, pathItem }: OperationVersion): unknown =>
    field(operation, "servers") ?? field(pathItem, "servers");
  const [before, after] = [own(was), own(is)];
  if (before === undefined && after === undefined) return;
  compareServers(
    comparing,
    label,
    before ?? comparing.before.root["servers"],
    after ?? comparing.after.root["servers"],
  );
}
