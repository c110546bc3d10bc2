// Compares what a single value may be: its type, whether it may be null, its enum, format, pattern and bounds.

import { listed } from "../../../protocol/listed.ts";
import { ValueSet, written } from "../json-value.ts";
import type { Comparing, Where } from "./comparing.ts";
import { formatChange } from "./formats.ts";
import { boundRule } from "./schema-rules.ts";
import { type Edge, hasType, limitNames, type Shape } from "./shape.ts";

/** False where the two have no type in common, so that nothing else need be compared. */
export function compareTypes(comparing: Comparing, before: Shape, after: Shape, where: Where): boolean {
  const [was, is] = [comparing.before.typesOf(before), comparing.after.typesOf(after)];
  if (after.nullByWord && !before.nullByWord && was?.has("null") === true)
    comparing.report("became-not-nullable", where, shownTypes(was), "the word nullable alone, which says nothing here");
  if (was === is || isSameType(was, is)) return true;
  if (was === null || is === null) {
    comparing.report(was === null ? "type-narrowed" : "type-widened", where, shownTypes(was), shownTypes(is));
    return true;
  }
  compareNull(comparing, was, is, where);
  const [wasValue, isValue] = [withoutNull(was), withoutNull(is)];
  const lost = wasValue.filter((type) => !accepts(is, type, comparing.textual));
  const gained = isValue.filter((type) => !accepts(was, type, comparing.textual));
  if (lost.length > 0 && gained.length > 0) {
    comparing.report("type-changed", where, shownTypes(was), shownTypes(is));
    return lost.length < wasValue.length;
  }
  // Where only one side has null, the other has said so already.
  if (lost.length > 0) comparing.report("type-narrowed", where, shownTypes(was), shownTypes(is));
  if (gained.length > 0) comparing.report("type-widened", where, shownTypes(was), shownTypes(is));
  return true;
}

/** Tells whether both have the same single type. That is so nearly always. */
function isSameType(was: ReadonlySet<string> | null, is: ReadonlySet<string> | null): boolean {
  if (was === null || is === null || was.size !== 1 || is.size !== 1) return false;
  for (const type of was) return is.has(type);
  return false;
}

function compareNull(comparing: Comparing, was: ReadonlySet<string>, is: ReadonlySet<string>, where: Where): void {
  if (was.has("null") === is.has("null")) return;
  comparing.report(is.has("null") ? "became-nullable" : "became-not-nullable", where, shownTypes(was), shownTypes(is));
}

function withoutNull(types: ReadonlySet<string>): string[] {
  return [...types].filter((type) => type !== "null");
}

function accepts(types: ReadonlySet<string>, type: string, textual: boolean): boolean {
  if (hasType(types, type)) return true;
  return textual && types.has("string") && (type === "integer" || type === "number" || type === "boolean");
}

function shownTypes(types: ReadonlySet<string> | null): string {
  return types === null ? "any type" : [...types].sort().join(" or ") || "no type";
}

export function compareEnums(comparing: Comparing, before: Shape, after: Shape, where: Where): void {
  compareKnownValues(comparing, before, after, where);
  const [was, is] = [before.values, after.values];
  if (was === null && is === null) return;
  if (was === null) return comparing.report("enum-added", where, null, list(is));
  if (is === null) return comparing.report("enum-removed", where, list(was), null);
  // The type says whether null is among them.
  const lost = missing(was, is).filter((value) => value !== null);
  const gained = missing(is, was).filter((value) => value !== null);
  if (lost.length > 0 && gained.length > 0 && lost.length === was.filter((value) => value !== null).length) {
    return comparing.report("enum-replaced", where, list(was), list(is));
  }
  for (const value of lost) comparing.report("enum-value-removed", where, written(value, 40), null);
  for (const value of gained) comparing.report("enum-value-added", where, null, written(value, 40));
}

function compareKnownValues(comparing: Comparing, before: Shape, after: Shape, where: Where): void {
  if (before.knownValues === null || after.knownValues === null) return;
  for (const value of missing(before.knownValues, after.knownValues)) {
    comparing.report("known-value-removed", where, written(value, 40), null);
  }
  for (const value of missing(after.knownValues, before.knownValues)) {
    comparing.report("known-value-added", where, null, written(value, 40));
  }
}

function missing(some: readonly unknown[], others: readonly unknown[]): unknown[] {
  const known = new ValueSet(others);
  return some.filter((value) => !known.has(value));
}

function list(values: readonly unknown[] | null): string {
  const shown = (values ?? []).slice(0, maximumShown).map((value) => written(value, 40));
  return written(shown.join(", "));
}

/** More do not fit into a sentence. */
const maximumShown = 100;

export function compareScalars(comparing: Comparing, before: Shape, after: Shape, where: Where): void {
  const { report } = comparing;
  const types = comparing.after.typesOf(after);
  const format = formatChange(before.format, after.format);
  if (format !== null) report(format, where, before.format, after.format);
  if (hasType(types, "string")) comparePatterns(comparing, before, after, where);
  for (const name of before.limits === after.limits ? [] : limitNames) {
    if (!hasType(types, limitTypes[name.slice(3)] ?? "")) continue;
    const [was, is] = [before.limits[name] ?? null, after.limits[name] ?? null];
    compareBound(comparing, name, where, was, is, was !== null && is !== null && name.startsWith("min") === is > was);
  }
  if (types === null || types.has("number") || types.has("integer")) compareNumbers(comparing, before, after, where);
  if (before.contentEncoding !== after.contentEncoding) {
    report(
      "content-encoding-changed",
      where,
      before.contentEncoding ?? "plain text",
      after.contentEncoding ?? "plain text",
    );
  }
  if (before.contentMediaType !== after.contentMediaType) {
    report(
      "content-media-type-changed",
      where,
      before.contentMediaType ?? "any text",
      after.contentMediaType ?? "any text",
    );
  } else if (before.contentSchema !== undefined || after.contentSchema !== undefined) {
    comparing.descend(before.contentSchema, after.contentSchema, { ...where, path: `${where.path} content` });
  }
}

const limitTypes: Readonly<Record<string, string>> = {
  Length: "string",
  Items: "array",
  Contains: "array",
  Properties: "object",
};

function comparePatterns({ report }: Comparing, before: Shape, after: Shape, where: Where): void {
  const [were, are] = [new Set(before.patterns), new Set(after.patterns)];
  const gone = listed(before.patterns.filter((pattern) => !are.has(pattern)));
  const added = listed(after.patterns.filter((pattern) => !were.has(pattern)));
  if (gone !== "" && added !== "") report("pattern-changed", where, gone, added);
  else if (added !== "") report("pattern-added", where, null, added);
  else if (gone !== "") report("pattern-removed", where, gone, null);
}

function compareNumbers(comparing: Comparing, before: Shape, after: Shape, where: Where): void {
  for (const name of ["minimum", "maximum"] as const) {
    const [was, is] = [edgeOf(before, name), edgeOf(after, name)];
    if (was !== null && is !== null && was.at === is.at) {
      if (was.exclusive !== is.exclusive)
        compareBound(comparing, name, where, shownEdge(was), shownEdge(is), is.exclusive);
      continue;
    }
    const tightened = was !== null && is !== null && (name === "minimum" ? is.at > was.at : is.at < was.at);
    compareBound(comparing, name, where, shownEdge(was), shownEdge(is), tightened);
  }
  const [was, is] = [before.multipleOf, after.multipleOf];
  if (was === is) return;
  // Multiples of a multiple are fine; multiples of anything else are lost.
  const loosened = was !== null && is !== null && isMultiple(was, is);
  compareBound(comparing, "multipleOf", where, was, is, !loosened);
  const neither = was !== null && is !== null && !loosened && !isMultiple(is, was);
  if (neither) compareBound(comparing, "multipleOf", where, was, is, false);
}

function isMultiple(number: number, step: number): boolean {
  const times = number / step;
  return Math.abs(times - Math.round(times)) < 1e-9;
}

/** Among whole numbers "more than 0" is "at least 1", and so is "at least 0.5". */
function edgeOf(shape: Shape, name: "minimum" | "maximum"): Edge | null {
  const edge = shape[name];
  const whole = shape.types !== null && !shape.types.has("number");
  if (edge === null || !whole) return edge;
  const next = edge.exclusive ? 1 : 0;
  const at =
    name === "minimum"
      ? Math.max(Math.floor(edge.at) + next, Math.ceil(edge.at))
      : Math.min(Math.ceil(edge.at) - next, Math.floor(edge.at));
  return { at, exclusive: false };
}

function shownEdge(edge: Edge | null): string | null {
  return edge === null ? null : `${edge.at}${edge.exclusive ? " (exclusive)" : ""}`;
}

function compareBound(
  comparing: Comparing,
  keyword: string,
  where: Where,
  was: number | string | null,
  is: number | string | null,
  tightened: boolean,
): void {
  if (was === is) return;
  const [before, after] = [was === null ? null : String(was), is === null ? null : String(is)];
  const change = was === null ? "added" : is === null ? "removed" : tightened ? "tightened" : "loosened";
  comparing.report(boundRule(keyword, change), where, before, after);
}
