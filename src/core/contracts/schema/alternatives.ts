// The ways to be right that a schema lists. Several lists in one schema (oneOf beside anyOf, or an allOf of both) are never multiplied:
// each is a choice of its own, and all must be met.

import { typeOfValue } from "./read-keywords.ts";
import { anyShape, hasType, type Shape, type Union } from "./shape.ts";

/** The shapes of one version, as shapes.ts makes them. */
interface ShapeSource {
  readonly of: (node: unknown) => Shape;
  readonly merge: (one: Shape, other: Shape) => Shape;
}

/** One way to be right. */
export interface Alternative {
  /** With what is said beside the list, which holds for all of them. */
  readonly shape: Shape;
  /** The part that the list itself says. */
  readonly own: Shape;
  /** By what both versions may call it, the surest first: the values of a discriminator, the name of its schema, a constant, a title. */
  readonly keys: readonly string[];
  /** The name that a person would use for it. */
  readonly name: string | null;
}

/**
 * Alternatives that have alternatives know what is said around them this far out. Each way to them makes another schema of them, and with
 * every list that lies in another those ways would double.
 */
export const maximumInside = 2;

export class Alternatives {
  private readonly listed = new WeakMap<Shape, readonly Alternative[]>();
  private readonly bases = new WeakMap<Shape, Shape>();
  private readonly choices = new WeakMap<Shape, Map<Union, Shape>>();
  private readonly shapes: ShapeSource;

  constructor(shapes: ShapeSource) {
    this.shapes = shapes;
  }

  /** Of a schema with one list at most; without any it is the only way itself. */
  of(shape: Shape): readonly Alternative[] {
    const known = this.listed.get(shape);
    if (known !== undefined) return known;
    const list = this.list(shape);
    this.listed.set(shape, list);
    return list;
  }

  /** Returns what is said beside the lists. */
  baseOf(shape: Shape): Shape {
    if (shape.unions.length === 0) return shape;
    const known = this.bases.get(shape);
    if (known !== undefined) return known;
    const base: Shape = { ...shape, unions: [], discriminator: null, name: null, title: null };
    this.bases.set(shape, base);
    return base;
  }

  /** The same with one of its lists. */
  withOnly(shape: Shape, union: Union): Shape {
    if (shape.unions.length === 1) return shape;
    let row = this.choices.get(shape);
    if (row === undefined) this.choices.set(shape, (row = new Map()));
    const known = row.get(union);
    if (known !== undefined) return known;
    const only: Shape = { ...shape, unions: [union] };
    row.set(union, only);
    return only;
  }

  private list(shape: Shape): readonly Alternative[] {
    const [union] = shape.unions;
    if (union === undefined) {
      const name = shape.name ?? shape.title;
      return split({ shape, own: shape, keys: name === null ? [] : [`name ${name}`], name });
    }
    const base = this.baseOf(shape);
    const isAlone = isBare(base) || base.inside >= maximumInside;
    const every = union.branches.flatMap((branch) => {
      const own = this.shapes.of(branch);
      const merged = isAlone ? own : { ...this.shapes.merge(base, own), inside: base.inside + 1 };
      return split({ shape: merged, own, ...this.keysOf(own, shape) });
    });
    // An alternative that nothing can match is none: `type: object` beside a oneOf in which one branch is a text.
    const possible = every.filter((one) => one.shape.types?.size !== 0);
    return possible.length === 0 ? every : possible;
  }

  private keysOf(own: Shape, { discriminator }: Shape): { keys: readonly string[]; name: string | null } {
    const { name, title } = own;
    const tags = [...(discriminator?.mapping ?? [])].filter(([, schema]) => schema === name).map(([value]) => value);
    const constants = this.constantsOf(own, discriminator?.property);
    const keys = [
      ...tags.map((value) => `tag ${value}`),
      ...constants.map(([property, value]) => `${property === discriminator?.property ? "tag" : property} ${value}`),
      ...(name === null ? [] : [`name ${name}`]),
      ...(title === null ? [] : [`title ${title}`]),
    ];
    const [constant] = constants;
    return { keys, name: name ?? (constant === undefined ? title : constant.join(" ")) };
  }

  /** Properties that can have one value only, as `kind` of a cat is "cat". */
  private constantsOf(own: Shape, tag: string | undefined): [string, string][] {
    const found: [string, string][] = [];
    for (const [property, node] of own.properties) {
      const values = tag === undefined || tag === property ? this.shapes.of(node).values : null;
      const [value] = values ?? [];
      if (values?.length === 1 && typeof value === "string") found.push([property, value]);
    }
    return found;
  }
}

/** A schema with several types is several alternatives, so that it can be compared with oneOf and anyOf. */
function split(one: Alternative): Alternative[] {
  const types = [...(one.shape.types ?? [])];
  if (types.length < 2) return [one];
  const several = types.filter((type) => type !== "null").length > 1;
  return types.map((type) => ({
    shape: ofType(one.shape, type),
    own: ofType(one.own, type),
    keys: type === "null" ? ["null"] : several ? one.keys.map((key) => `${key} ${type}`) : one.keys,
    name: type === "null" ? "null" : several && one.name !== null ? `${one.name} ${type}` : one.name,
  }));
}

function ofType(shape: Shape, type: string): Shape {
  const types = new Set([type]);
  // Of null there is one.
  if (type === "null") return { ...shape, types, values: null };
  return { ...shape, types, values: shape.values?.filter((value) => hasType(types, typeOfValue(value))) ?? null };
}

const nothing = anyShape();

/** Tells whether a shape says nothing at all about values. */
function isBare(shape: Shape): boolean {
  return constraints.every((name) => isUnsaid(shape, name));
}

/** The things that a schema may say about a value; the rest only describes it. */
const constraints = (Object.keys(nothing) as (keyof Shape)[]).filter(
  (name) => !["name", "title", "discriminator", "defaultValue", "deprecated", "unions", "inside"].includes(name),
);

function isUnsaid(shape: Shape, name: keyof Shape): boolean {
  const said = shape[name];
  if (said instanceof Map || said instanceof Set) return said.size === 0;
  return Array.isArray(said) ? said.length === 0 : said === nothing[name];
}

/** Tells whether both say something about the same, so that one cannot be understood without the other. */
export function overlap(base: Shape, own: Shape): boolean {
  return constraints.some((name) => {
    if (isUnsaid(base, name) || name === "types") return false;
    if (name === "properties" || name === "required") return namesOf(base).some((one) => hasName(own, one));
    if (name === "additional") return own.properties.size > 0 || own.additional !== undefined;
    return !isUnsaid(own, name);
  });
}

function namesOf({ properties, required }: Shape): string[] {
  return [...properties.keys(), ...required];
}

const hasName = ({ properties, required }: Shape, name: string): boolean => properties.has(name) || required.has(name);
