// Compares what an object may hold: properties, which of them must be there, what else may be, and what depends on what.

import { written } from "../json-value.ts";
import { below, type Comparing, type Where } from "./comparing.ts";
import type { Shape } from "./shape.ts";

/** A property that does not travel this way (read-only in a request, write-only in a response) counts as absent. */
interface Property {
  readonly node: unknown;
  readonly shape: Shape;
  readonly hidden: boolean;
}

export function compareObjects(comparing: Comparing, before: Shape, after: Shape, where: Where): void {
  compareAdditional(comparing, before, after, where);
  for (const [name, node] of before.properties) {
    const was = propertyOf(comparing, comparing.before, node);
    const found = after.properties.get(name);
    const is = found === undefined ? undefined : propertyOf(comparing, comparing.after, found);
    compareProperty(comparing, { before, after, was, is, name }, where);
  }
  for (const [name, node] of after.properties) {
    if (before.properties.has(name)) continue;
    const is = propertyOf(comparing, comparing.after, node);
    compareProperty(comparing, { before, after, was: undefined, is, name }, where);
  }
  compareUndescribed(comparing, before, after, where);
  comparePatternProperties(comparing, before, after, where);
  comparePropertyNames(comparing, before, after, where);
  if (before.dependentRequired !== after.dependentRequired) compareNeeds(comparing, before, after, where);
  if (before.dependentSchemas !== after.dependentSchemas) compareDependentSchemas(comparing, before, after, where);
}

interface PropertyPair {
  readonly before: Shape;
  readonly after: Shape;
  readonly was: Property | undefined;
  readonly is: Property | undefined;
  readonly name: string;
}

function propertyOf({ flow }: Comparing, shapes: Comparing["before"], node: unknown): Property {
  const shape = shapes.of(node);
  return { node, shape, hidden: (flow === "in" && shape.readOnly) || (flow === "out" && shape.writeOnly) };
}

function compareProperty(comparing: Comparing, pair: PropertyPair, where: Where): void {
  const { was, is, before, after, name } = pair;
  const here = below(where, name);
  const [wasThere, isThere] = [was !== undefined && !was.hidden, is !== undefined && !is.hidden];
  if (!wasThere && !isThere) return;
  if (!isThere) return reportLost(comparing, pair, here);
  if (!wasThere) return reportNew(comparing, pair, here);
  comparing.descend(was?.node, is?.node, here);
  const [wasRequired, isRequired] = [before.required.has(name), after.required.has(name)];
  if (wasRequired && !isRequired) comparing.report("property-became-optional", here, "required", "optional");
  if (!wasRequired && isRequired) reportRequired(comparing, is, here, "property-became-required");
}

function reportLost(comparing: Comparing, { was, is, after, name }: PropertyPair, here: Where): void {
  if (was?.shape.never === true) return;
  const shown = was === undefined ? null : described(comparing.before, was.shape);
  if (is !== undefined) {
    const rule = comparing.flow === "in" ? "property-became-read-only" : "property-became-write-only";
    return comparing.report(rule, here, shown, null);
  }
  const other = elsewhere(after, name);
  const refused =
    other === false ||
    (was !== undefined && other !== undefined && !comparing.fits(was.shape, comparing.after.of(other)));
  comparing.report(refused ? "property-refused" : "property-removed", here, shown, null);
}

function reportNew(comparing: Comparing, { was, is, before, after, name }: PropertyPair, here: Where): void {
  if (is === undefined) return;
  const shown = described(comparing.after, is.shape);
  // A property that nobody may send was no property before either, unless the object was closed.
  if (is.shape.never) {
    if (elsewhere(before, name) !== false) comparing.report("property-refused", here, "anything", null);
    return;
  }
  // A name that was required without being described had to be there already; one that was hidden had not.
  if (after.required.has(name) && (was !== undefined || !before.required.has(name))) {
    return reportRequired(comparing, is, here, "property-added-required");
  }
  comparing.report("property-added", here, null, shown);
}

function reportRequired(
  comparing: Comparing,
  is: Property | undefined,
  here: Where,
  rule: "property-became-required" | "property-added-required",
): void {
  const fallback = is?.shape.defaultValue ?? null;
  if (fallback === null)
    return comparing.report(rule, here, rule.endsWith("became-required") ? "optional" : null, "required");
  comparing.report(`${rule}-with-default`, here, null, written(fallback.value, 40));
}

/** The schema under which an undescribed name falls: undefined allows it, false forbids it. */
function elsewhere(shape: Shape, name: string): unknown {
  for (const [pattern, node] of shape.patternProperties) if (plainlyMatches(pattern, name)) return node;
  return shape.additional;
}

/** Only expressions that are plain beginnings or ends are tried: a hostile one could run for ever. */
function plainlyMatches(pattern: string, name: string): boolean {
  const plain = /^(\^?)([A-Za-z0-9_-]*)(\$?)$/.exec(pattern);
  if (plain === null) return false;
  const [, start = "", text = "", end = ""] = plain;
  if (start !== "" && end !== "") return name === text;
  if (start !== "") return name.startsWith(text);
  return end === "" ? name.includes(text) : name.endsWith(text);
}

function described(shapes: Comparing["before"], shape: Shape): string {
  const types = shapes.typesOf(shape);
  return shape.name ?? (types === null ? "any type" : [...types].join(" or "));
}

/** Names that are required without being described. */
function compareUndescribed(comparing: Comparing, before: Shape, after: Shape, where: Where): void {
  for (const name of after.required) {
    if (before.required.has(name) || after.properties.has(name)) continue;
    comparing.report("property-became-required", below(where, name), "optional", "required");
  }
  for (const name of before.required) {
    if (after.required.has(name) || before.properties.has(name)) continue;
    // A name that is described only now, and optional, was promised before.
    comparing.report("property-became-optional", below(where, name), "required", "optional");
  }
}

function compareAdditional(comparing: Comparing, before: Shape, after: Shape, where: Where): void {
  const [was, is] = [before.additional, after.additional];
  if (was === false && is === false) return;
  if (is === false) {
    const values = comparing.before.of(was);
    const isMap = was !== undefined && was !== true && before.properties.size === 0;
    if (isMap) return comparing.report("map-values-removed", where, described(comparing.before, values), null);
    return comparing.report("additional-properties-forbidden", where, "allowed", "forbidden");
  }
  if (was === false) return comparing.report("additional-properties-allowed", where, "forbidden", "allowed");
  if (was !== undefined || is !== undefined) comparing.descend(was, is, { path: `${where.path}.*`, name: where.name });
}

function comparePatternProperties(comparing: Comparing, before: Shape, after: Shape, where: Where): void {
  for (const [pattern, was] of before.patternProperties) {
    const here = { path: `${where.path}./${pattern}/`, name: pattern };
    const is = after.patternProperties.get(pattern);
    if (is !== undefined) comparing.descend(was, is, here);
    else
      comparing.report(
        after.additional === false ? "pattern-property-refused" : "pattern-property-removed",
        here,
        pattern,
        null,
      );
  }
  for (const [pattern, is] of after.patternProperties) {
    if (before.patternProperties.has(pattern)) continue;
    const here = { path: `${where.path}./${pattern}/`, name: pattern };
    // Before, these names fell under additionalProperties.
    const loosened =
      before.additional === false ||
      (comparing.after.of(is).never === false &&
        comparing.fits(comparing.before.of(before.additional), comparing.after.of(is)));
    comparing.report(loosened ? "pattern-property-allowed" : "pattern-property-added", here, null, pattern);
  }
}

function comparePropertyNames(comparing: Comparing, before: Shape, after: Shape, where: Where): void {
  const [was, is] = [before.propertyNames, after.propertyNames];
  if (was === undefined && is === undefined) return;
  if (was === undefined) return comparing.report("property-names-restricted", where, null, written(is, 60));
  if (is === undefined) return comparing.report("property-names-freed", where, written(was, 60), null);
  comparing.descend(was, is, { path: `${where.path} property names`, name: where.name });
}

function compareNeeds(comparing: Comparing, before: Shape, after: Shape, where: Where): void {
  const names = new Set([...before.dependentRequired.keys(), ...after.dependentRequired.keys()]);
  for (const name of names) {
    const [was, is] = [before.dependentRequired.get(name), after.dependentRequired.get(name)];
    const here = below(where, name);
    const gone = [...(was ?? [])].filter((one) => is?.has(one) !== true).join(", ");
    const added = [...(is ?? [])].filter((one) => was?.has(one) !== true).join(", ");
    if (added !== "") comparing.report("dependent-required-added", here, null, added);
    if (gone !== "") comparing.report("dependent-required-removed", here, gone, null);
  }
}

function compareDependentSchemas(comparing: Comparing, before: Shape, after: Shape, where: Where): void {
  for (const name of new Set([...before.dependentSchemas.keys(), ...after.dependentSchemas.keys()])) {
    const [was, is] = [before.dependentSchemas.get(name), after.dependentSchemas.get(name)];
    const here = { path: `${where.path} with ${name}`, name };
    if (was === undefined) comparing.report("dependent-schema-added", here, null, written(is, 60));
    else if (is === undefined) comparing.report("dependent-schema-removed", here, written(was, 60), null);
    else comparing.descend(was, is, here);
  }
}
