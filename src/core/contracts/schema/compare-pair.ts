// Two shapes, one look: what each part of a schema may hold, and what is said about the whole (defaults, exclusions, conditions,
// discriminators).

import { field, sameValue, written } from "../json-value.ts";
import { compareArrays } from "./compare-arrays.ts";
import { compareConditions } from "./compare-conditions.ts";
import { compareObjects } from "./compare-objects.ts";
import { compareUnions } from "./compare-unions.ts";
import { compareEnums, compareScalars, compareTypes } from "./compare-values.ts";
import { type Comparing, inAlternative, isEquivalent, type Where } from "./comparing.ts";
import { type Discriminator, hasType, type Shape } from "./shape.ts";
import type { Shapes } from "./shapes.ts";

export function comparePair(comparing: Comparing, before: Shape, after: Shape, where: Where): void {
  const { report } = comparing;
  if (before.opaque !== null || after.opaque !== null) {
    if (before.opaque !== after.opaque) {
      report("reference-not-judged", where, before.opaque ?? "a schema", after.opaque ?? "a schema");
    }
    return;
  }
  if (before.never || after.never) {
    if (before.never !== after.never) report(after.never ? "value-forbidden" : "value-allowed", where, null, null);
    return;
  }
  compareAnnotations(comparing, before, after, where);
  if (before.unions.length > 0 || after.unions.length > 0) {
    compareDiscriminators(comparing, before, after, where);
    compareUnions(comparing, before, after, where);
    return;
  }
  compareDiscriminators(comparing, before, after, where);
  if (!compareTypes(comparing, before, after, where)) return;
  compareEnums(comparing, before, after, where);
  // Where every value is listed, the other keywords say nothing new.
  if (before.values === null || after.values === null) compareScalars(comparing, before, after, where);
  const types = comparing.after.typesOf(after);
  if (hasType(types, "array")) compareArrays(comparing, before, after, where);
  if (hasType(types, "object")) compareObjects(comparing, before, after, where);
  compareConditions(comparing, before, after, where);
  compareHeirs(comparing, before, after, where);
}

/** Compares what builds on a schema that is told apart by a discriminator. What the schema itself says has been compared. */
function compareHeirs(comparing: Comparing, before: Shape, after: Shape, where: Where): void {
  const [were, are] = [comparing.before.heirsOf(before), comparing.after.heirsOf(after)];
  for (const [name, was] of were) {
    const is = are.get(name);
    if (is === undefined || isEquivalent(comparing, comparing.before.of(was.own), comparing.after.of(is.own))) continue;
    comparing.descend(was.whole, is.whole, inAlternative(where, name));
  }
}

function compareAnnotations({ report, xml }: Comparing, before: Shape, after: Shape, where: Where): void {
  const [was, is] = [before.defaultValue, after.defaultValue];
  if (was === null && is !== null) report("default-added", where, null, written(is.value, 40));
  else if (was !== null && is === null) report("default-removed", where, written(was.value, 40), null);
  else if (was !== null && is !== null && !sameValue(was.value, is.value)) {
    report("default-changed", where, written(was.value, 40), written(is.value, 40));
  }
  if (!before.deprecated && after.deprecated) report("property-deprecated", where, null, "deprecated");
  if (xml && !sameXml(before.xml, after.xml))
    report("xml-changed", where, written(before.xml ?? "plain"), written(after.xml ?? "plain"));
}

function sameXml(before: unknown, after: unknown): boolean {
  const kept = ["name", "namespace", "attribute", "wrapped", "nodeType"];
  return kept.every((name) => (field(before, name) || null) === (field(after, name) || null));
}

function compareDiscriminators(comparing: Comparing, before: Shape, after: Shape, where: Where): void {
  const { report, flow } = comparing;
  const [was, is] = [before.discriminator, after.discriminator];
  if (was === null && is === null) return;
  if (was === null) return report("discriminator-added", where, null, is?.property ?? null);
  if (is === null) return report("discriminator-removed", where, was.property, null);
  if (was.property !== is.property) return report("discriminator-changed", where, was.property, is.property);
  const [were, are] = [tagsOf(comparing.before, before, was), tagsOf(comparing.after, after, is)];
  const gone = [...were.keys()].filter((value) => !are.has(value));
  const added = [...are.keys()].filter((value) => !were.has(value));
  for (const [value, schema] of was.mapping) {
    const now = is.mapping.get(value);
    if (now === undefined || now === schema || isRenamed(comparing, [before, schema], [after, now])) continue;
    report("discriminator-value-changed", where, `${value} for ${schema}`, `${value} for ${now}`);
  }
  if (flow === "out" && gone.length > 0 && added.length > 0) {
    return report("discriminator-value-changed", where, gone.join(", "), added.join(", "));
  }
  for (const value of gone) report("discriminator-value-removed", where, value, null);
  for (const value of added) report("discriminator-value-added", where, null, value);
}

/** Tells whether two schemas of different names allow the same. Then only the name is another, which no data holds. */
function isRenamed(comparing: Comparing, before: readonly [Shape, string], after: readonly [Shape, string]): boolean {
  const [was, is] = [branchNamed(comparing.before, ...before), branchNamed(comparing.after, ...after)];
  return was !== undefined && is !== undefined && isEquivalent(comparing, was, is);
}

function branchNamed(shapes: Shapes, { unions }: Shape, name: string): Shape | undefined {
  for (const { branches } of unions)
    for (const branch of branches) {
      const shape = shapes.of(branch);
      if (shape.name === name) return shape;
    }
  return undefined;
}

/** The values that tell apart: those of the mapping, and the names of the schemas that no mapping names. */
function tagsOf(shapes: Shapes, shape: Shape, { property, mapping }: Discriminator): ReadonlyMap<string, string> {
  const tags = new Map(mapping);
  const mapped = new Set(mapping.values());
  for (const branch of shape.unions.flatMap((union) => union.branches)) {
    const { name, properties } = shapes.of(branch);
    // A schema that says the value itself needs no name.
    if (name !== null && !mapped.has(name) && shapes.of(properties.get(property)).values === null) tags.set(name, name);
  }
  for (const name of shapes.heirsOf(shape).keys()) if (!mapped.has(name)) tags.set(name, name);
  return tags;
}
