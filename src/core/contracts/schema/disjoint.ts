// Judges whether no value can match two schemas at once, as far as that can be told. oneOf accepts what matches exactly one of its
// alternatives. So if two that were apart begin to overlap, what lies in both is refused from then on.

import { type Edge, type LimitName, type Shape } from "./shape.ts";
import type { Shapes } from "./shapes.ts";
import { ValueSet } from "../json-value.ts";

/** Objects are told apart by a property, or by a property of a property; nobody means more than this. */
const maximumDepth = 3;

export function areDisjoint(shapes: Shapes, one: Shape, other: Shape, depth = 0): boolean {
  if (one.never || other.never) return true;
  if (!shapes.budget.spend() || depth > maximumDepth) return false;
  const types = commonTypes(shapes.typesOf(one), shapes.typesOf(other));
  if (types?.length === 0) return true;
  if (one.values !== null && other.values !== null) {
    const others = new ValueSet(other.values);
    if (!one.values.some((value) => others.has(value))) return true;
  }
  if (types === null) return false;
  // Two schemas are apart if they are apart for every type that both allow.
  return types.every((type) => {
    if (type === "string") return areBounded(one, other, "Length");
    if (type === "array") return areBounded(one, other, "Items");
    if (type === "object") return areBounded(one, other, "Properties") || areTold(shapes, one, other, depth);
    return (type === "number" || type === "integer") && areApart(one, other);
  });
}

/** null: any type. */
function commonTypes(one: ReadonlySet<string> | null, other: ReadonlySet<string> | null): string[] | null {
  if (one === null || other === null) return one === null && other === null ? null : [...(one ?? other ?? [])];
  const isIn = (types: ReadonlySet<string>, type: string): boolean =>
    types.has(type) || (type === "integer" && types.has("number"));
  return [
    ...new Set([...[...one].filter((type) => isIn(other, type)), ...[...other].filter((type) => isIn(one, type))]),
  ];
}

function areBounded(one: Shape, other: Shape, what: "Length" | "Items" | "Properties"): boolean {
  const [least, most] = [`min${what}` as LimitName, `max${what}` as LimitName];
  const isBelow = (a: Shape, b: Shape): boolean => (a.limits[most] ?? Infinity) < (b.limits[least] ?? 0);
  return isBelow(one, other) || isBelow(other, one);
}

function areApart(one: Shape, other: Shape): boolean {
  return isBelow(one.maximum, other.minimum) || isBelow(other.maximum, one.minimum);
}

function isBelow(most: Edge | null, least: Edge | null): boolean {
  if (most === null || least === null) return false;
  return most.at < least.at || (most.at === least.at && (most.exclusive || least.exclusive));
}

/** Told apart by a property that one of them requires: the other refuses it, or wants another value of it. */
function areTold(shapes: Shapes, one: Shape, other: Shape, depth: number): boolean {
  return isTold(shapes, one, other, depth) || isTold(shapes, other, one, depth);
}

function isTold(shapes: Shapes, one: Shape, other: Shape, depth: number): boolean {
  for (const name of one.required) {
    const [here, there] = [one.properties.get(name), other.properties.get(name)];
    if (there === undefined && other.additional === false && other.patternProperties.size === 0) return true;
    if (there !== undefined && areDisjoint(shapes, shapes.of(here), shapes.of(there), depth + 1)) return true;
  }
  return false;
}

/**
 * Tells whether some value certainly matches both. It is told only of values that are no objects or lists, and of schemas that say nothing that
 * would have to be tried: an object of one alternative is seldom meant to be one of another, however open both are.
 */
export function surelyOverlap(shapes: Shapes, one: Shape, other: Shape): boolean {
  if (!shapes.budget.spend() || !isPlain(one) || !isPlain(other)) return false;
  const [values, others] = [one.values, other.values];
  if (values !== null && others !== null) {
    const set = new ValueSet(others);
    return values.some((value) => set.has(value));
  }
  if (values !== null) return values.some((value) => isOf(shapes, value, other));
  if (others !== null) return others.some((value) => isOf(shapes, value, one));
  const types = commonTypes(shapes.typesOf(one), shapes.typesOf(other)) ?? [];
  return types.some((type) => {
    if (type === "boolean" || type === "null") return true;
    if (type === "string") return !areBounded(one, other, "Length");
    return (
      (type === "number" || type === "integer") &&
      !areApart(one, other) &&
      (type === "number" || haveInteger(one, other))
    );
  });
}

const isPlain = (shape: Shape): boolean =>
  !shape.never &&
  shape.opaque === null &&
  shape.format === null &&
  shape.multipleOf === null &&
  shape.patterns.length + shape.unions.length + shape.nots.length + shape.conditions.length === 0;

/** A text, a number, true, false or null. */
function isOf(shapes: Shapes, value: unknown, shape: Shape): boolean {
  const types = shapes.typesOf(shape);
  const isOne = (type: string): boolean => types === null || types.has(type);
  if (typeof value === "string")
    return (
      isOne("string") &&
      value.length >= (shape.limits.minLength ?? 0) &&
      value.length <= (shape.limits.maxLength ?? Infinity)
    );
  if (typeof value === "number") {
    const at: Edge = { at: value, exclusive: false };
    const isType = isOne("number") || (isOne("integer") && Number.isInteger(value));
    return isType && !isBelow(at, shape.minimum) && !isBelow(shape.maximum, at);
  }
  return (value === null && isOne("null")) || (typeof value === "boolean" && isOne("boolean"));
}

function haveInteger(one: Shape, other: Shape): boolean {
  const least = Math.max(...[one.minimum, other.minimum].map((edge) => (edge === null ? -Infinity : lowestIn(edge))));
  const most = Math.min(
    ...[one.maximum, other.maximum].map((edge) => (edge === null ? Infinity : -lowestIn({ ...edge, at: -edge.at }))),
  );
  return least <= most;
}

const lowestIn = ({ at, exclusive }: Edge): number => (exclusive ? Math.floor(at) + 1 : Math.ceil(at));
