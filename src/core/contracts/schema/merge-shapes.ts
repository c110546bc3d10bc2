// Two shapes that both must hold, as one: what allOf means. Schemas inside them that both must hold are joined by whoever asks, because
// the same two must always become the same one (shapes.ts).

import { ValueSet } from "../json-value.ts";
import { simplified } from "./read-keywords.ts";
import { type Edge, hasType, type LimitName, limitNames, type Shape } from "./shape.ts";

/** Two schemas that both must hold, as a schema again. */
export type Join = (one: unknown, other: unknown) => unknown;

export function mergeShapes(one: Shape, other: Shape, both: Join): Shape {
  return {
    name: one.name ?? other.name,
    opaque: one.opaque ?? other.opaque,
    never: one.never || other.never,
    types: bothTypes(one.types, other.types),
    nullByWord: one.nullByWord || other.nullByWord,
    values: bothValues(one.values, other.values),
    knownValues: bothValues(one.knownValues, other.knownValues),
    format: one.format ?? other.format,
    patterns: bothLists(one.patterns, other.patterns).toSorted(),
    limits: bothLimits(one.limits, other.limits),
    minimum: tighter(one.minimum, other.minimum, (a, b) => a > b),
    maximum: tighter(one.maximum, other.maximum, (a, b) => a < b),
    multipleOf: one.multipleOf === null ? other.multipleOf : bothSteps(one.multipleOf, other.multipleOf),
    unique: one.unique || other.unique,
    items: both(one.items, other.items),
    prefix: bothTuples(one, other, both),
    contains: both(one.contains, other.contains),
    properties: bothMaps(one.properties, other.properties, both),
    required: other.required.size === 0 ? one.required : new Set([...one.required, ...other.required]),
    patternProperties: bothMaps(one.patternProperties, other.patternProperties, both),
    additional: both(one.additional, other.additional),
    propertyNames: both(one.propertyNames, other.propertyNames),
    dependentRequired: bothMaps(one.dependentRequired, other.dependentRequired, (a, b) => new Set([...a, ...b])),
    dependentSchemas: bothMaps(one.dependentSchemas, other.dependentSchemas, both),
    unions: bothLists(one.unions, other.unions),
    nots: bothLists(one.nots, other.nots),
    conditions: bothLists(one.conditions, other.conditions),
    discriminator: one.discriminator ?? other.discriminator,
    defaultValue: one.defaultValue ?? other.defaultValue,
    deprecated: one.deprecated || other.deprecated,
    readOnly: one.readOnly || other.readOnly,
    writeOnly: one.writeOnly || other.writeOnly,
    contentEncoding: one.contentEncoding ?? other.contentEncoding,
    contentMediaType: one.contentMediaType ?? other.contentMediaType,
    contentSchema: both(one.contentSchema, other.contentSchema),
    xml: one.xml ?? other.xml,
    title: one.title ?? other.title,
    inside: Math.max(one.inside, other.inside),
  };
}

/**
 * An item that stands in both lists stands in the result once: an allOf that names a schema twice would otherwise double it at every
 * level.
 */
function bothLists<T>(one: readonly T[], other: readonly T[]): readonly T[] {
  if (one.length === 0 || one === other) return other;
  return other.length === 0 ? one : [...new Set([...one, ...other])];
}

function bothTypes(one: ReadonlySet<string> | null, other: ReadonlySet<string> | null): ReadonlySet<string> | null {
  if (one === null) return other;
  if (other === null) return one;
  return simplified([
    ...[...one].filter((type) => hasType(other, type)),
    ...[...other].filter((type) => hasType(one, type)),
  ]);
}

function bothValues(one: readonly unknown[] | null, other: readonly unknown[] | null): readonly unknown[] | null {
  if (one === null || one === other) return other;
  if (other === null) return one;
  const allowed = new ValueSet(other);
  return one.filter((value) => allowed.has(value));
}

function bothLimits(one: Shape["limits"], other: Shape["limits"]): Shape["limits"] {
  const limits: Partial<Record<LimitName, number>> = { ...one };
  for (const name of limitNames) {
    const [here, there] = [one[name], other[name]];
    if (there === undefined) continue;
    limits[name] = here === undefined ? there : name.startsWith("min") ? Math.max(here, there) : Math.min(here, there);
  }
  return limits;
}

function tighter(one: Edge | null, other: Edge | null, isTighter: (a: number, b: number) => boolean): Edge | null {
  if (one === null) return other;
  if (other === null) return one;
  if (one.at === other.at) return one.exclusive ? one : other;
  return isTighter(one.at, other.at) ? one : other;
}

/** Of two steps the coarser, if it is a multiple of the finer; otherwise the first stands for both. */
function bothSteps(one: number, other: number | null): number {
  return other !== null && other % one === 0 ? other : one;
}

function bothTuples(one: Shape, other: Shape, both: Join): readonly unknown[] {
  const length = Math.max(one.prefix.length, other.prefix.length);
  if (one.prefix.length === 0 && other.prefix.length === 0) return [];
  return Array.from({ length }, (_, at) => both(one.prefix[at] ?? one.items, other.prefix[at] ?? other.items) ?? true);
}

function bothMaps<V>(
  one: ReadonlyMap<string, V>,
  other: ReadonlyMap<string, V>,
  join: (a: V, b: V) => V,
): ReadonlyMap<string, V> {
  if (one.size === 0) return other;
  if (other.size === 0) return one;
  const joined = new Map(one);
  for (const [name, value] of other) {
    const here = joined.get(name);
    joined.set(name, here === undefined ? value : join(here, value));
  }
  return joined;
}
