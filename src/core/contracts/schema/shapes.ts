// The shapes of one version of a specification, each made once. Here references are followed, allOf is put together, and "one of
// this or null" becomes "this, and it may be null". The alternatives of oneOf and anyOf stay side by side (alternatives.ts).

import { field, fieldsOf, isRecord, listOf } from "../json-value.ts";
import type { LoadedContract } from "../load-contract.ts";
import { referenceOf } from "../references.ts";
import type { Budget } from "../budget.ts";
import { Alternatives } from "./alternatives.ts";
import { type Families, familiesIn, type Family } from "./families.ts";
import { Joined } from "./joined.ts";
import { mergeShapes } from "./merge-shapes.ts";
import { lastPart, readKeywords, simplified } from "./read-keywords.ts";
import { anyShape, hasType, type Shape, type Union } from "./shape.ts";

export interface Dialect {
  /** Until draft 7 and in OpenAPI 3.0 whatever stands beside `$ref` is ignored. */
  readonly besideReferences: boolean;
  /**
   * True if a schema that describes properties means an object, and one that describes items an array, though by the letter anything else
   * is right too.
   */
  readonly impliedTypes: boolean;
  /**
   * True where `nullable` is a keyword: OpenAPI 3.0. Elsewhere it says nothing by the letter, though many who write it mean it: it counts there, but null that
   * was allowed by the type and is now by this word alone is no longer allowed.
   */
  readonly nullableCounts: boolean;
}

/** The depth at which an allOf may lie inside others before it is left out. */
const maximumNesting = 100;
const nobody: Family["heirs"] = new Map();

export class Shapes {
  /** The number of times something was left out, because it lay too deep or no steps were left. Then silence about it proves nothing. */
  leftOut = 0;
  private readonly any = anyShape();
  private readonly none: Shape = { ...anyShape(), never: true };
  private readonly made = new WeakMap<object, Shape>();
  private readonly making = new Set<object>();
  private readonly types = new WeakMap<Shape, ReadonlySet<string> | null>();
  private readonly filtered = new WeakMap<Union, Union>();
  private readonly joined = new Joined();
  readonly alternatives = new Alternatives(this);
  private readonly contract: LoadedContract;
  private readonly dialect: Dialect;
  readonly budget: Budget;
  private families: Families | undefined;

  constructor(contract: LoadedContract, dialect: Dialect, budget: Budget) {
    this.contract = contract;
    this.dialect = dialect;
    this.budget = budget;
  }

  hasSameDialect(other: Shapes): boolean {
    const { besideReferences, impliedTypes, nullableCounts } = this.dialect;
    return (
      besideReferences === other.dialect.besideReferences &&
      impliedTypes === other.dialect.impliedTypes &&
      nullableCounts === other.dialect.nullableCounts
    );
  }

  of(node: unknown): Shape {
    if (node === false) return this.none;
    if (!isRecord(node)) return this.any;
    const known = this.made.get(node);
    if (known !== undefined) return known;
    if (this.isOnlyReference(node)) return this.behind(node);
    // An allOf that contains itself adds nothing to itself.
    if (this.making.has(node)) return this.any;
    if (this.making.size > maximumNesting || !this.budget.spend()) {
      this.leftOut += 1;
      return this.any;
    }
    this.making.add(node);
    const shape = this.make(node);
    this.making.delete(node);
    this.made.set(node, shape);
    return shape;
  }

  /** Returns the shape at the end of a chain of references, however long. If the chain leads back to itself, that is anything. */
  private behind(node: Record<string, unknown>): Shape {
    const passed = new Set<object>();
    let name: string | null = null;
    let found: unknown = node;
    while (isRecord(found) && !passed.has(found) && this.isOnlyReference(found)) {
      passed.add(found);
      name = lastPart(referenceOf(found) ?? "");
      found = this.contract.target(found);
    }
    const shape = isRecord(found) && passed.has(found) ? this.any : this.of(found);
    if (shape !== this.any && shape !== this.none) shape.name ??= name;
    // Also where the end is still being made and counts as anything: a schema made of itself would be made for ever.
    for (const one of passed) this.made.set(one, shape);
    return shape;
  }

  private isOnlyReference(node: Record<string, unknown>): boolean {
    if (referenceOf(node) === undefined) return false;
    return !this.dialect.besideReferences || Object.keys(node).every((key) => key.startsWith("$"));
  }

  /** Returns the end of a chain of references, for objects that are no schemas. */
  follow(node: unknown): unknown {
    let found = node;
    let passed: Set<object> | undefined;
    for (let hops = 0; isRecord(found) && referenceOf(found) !== undefined; hops += 1) {
      // Nearly every chain is shorter than this, and a short one needs no list of where it has been.
      if (hops > 8) {
        passed ??= new Set();
        if (passed.has(found)) return found;
        passed.add(found);
      }
      found = this.contract.target(found);
    }
    return found;
  }

  /** The fields of a part, wherever references lead: specifications in many files refer from nearly everywhere. */
  fields(node: unknown, name: string): Readonly<Record<string, unknown>> {
    return fieldsOf(this.follow(field(node, name)));
  }

  /** Both must hold. Costs what the two say. */
  merge(one: Shape, other: Shape): Shape {
    if (one === this.any) return other;
    if (!this.budget.spend(1 + one.properties.size + other.properties.size)) {
      this.leftOut += 1;
      return one;
    }
    return mergeShapes(one, other, this.joined.both);
  }

  /** What builds on a schema that is told apart by a discriminator and lists no alternatives. */
  heirsOf({ discriminator, name, unions }: Shape): Family["heirs"] {
    if (discriminator === null || name === null || unions.length > 0) return nobody;
    this.families ??= familiesIn(this.contract);
    return this.families.get(name)?.heirs ?? nobody;
  }

  /** null: any type. A union has the types of its branches. */
  typesOf(shape: Shape, depth = 0): ReadonlySet<string> | null {
    if (shape.types !== null || shape.unions.length === 0) return shape.types;
    const known = this.types.get(shape);
    if (known !== undefined) return known;
    if (depth > maximumNesting) {
      this.leftOut += 1;
      return null;
    }
    // Of a union that contains itself nothing is known while it is being looked at.
    this.types.set(shape, null);
    for (const union of shape.unions) {
      const types = union.branches.map((branch) => this.typesOf(this.of(branch), depth + 1));
      if (!types.every((one) => one !== null)) continue;
      const all = new Set(types.flatMap((one) => [...one]));
      this.types.set(shape, all);
      return all;
    }
    return null;
  }

  private make(node: Record<string, unknown>): Shape {
    if (typeof node["opaque"] === "string" && Object.keys(node).length === 1) {
      return { ...anyShape(), opaque: node["opaque"] };
    }
    const reference = referenceOf(node);
    if (reference === undefined) return this.complete(node, readKeywords(this.withProperties(node)));
    const target = this.of(this.contract.target(node));
    if (target !== this.any && target !== this.none) target.name ??= lastPart(reference);
    const merged = this.merge(this.complete(node, readKeywords(this.withProperties(node))), target);
    return { ...merged, name: target.name };
  }

  /** Properties may stand in a file of their own. */
  private withProperties(node: Record<string, unknown>): Record<string, unknown> {
    const properties = node["properties"];
    if (!isRecord(properties) || typeof properties["$ref"] !== "string") return node;
    const { $ref: _, ...beside } = properties;
    return { ...node, properties: { ...fieldsOf(this.follow(properties)), ...beside } };
  }

  private complete(node: Record<string, unknown>, own: Shape): Shape {
    let shape = own;
    for (const part of Object.hasOwn(node, "allOf") ? listOf(node, "allOf") : [])
      shape = this.merge(shape, { ...this.of(part), name: null });
    shape = this.withoutNullBranches(shape);
    if (this.dialect.impliedTypes && shape.types === null && shape.unions.length === 0)
      shape.types = impliedTypes(shape);
    if (field(node, "nullable") !== true && field(node, "x-nullable") !== true) return shape;
    const isByWord = !this.dialect.nullableCounts && shape.types !== null && !shape.types.has("null");
    return isByWord ? { ...allowNull(shape), nullByWord: true } : allowNull(shape);
  }

  private withoutNullBranches(shape: Shape): Shape {
    if (shape.unions.length === 0) return shape;
    let result: Shape = { ...shape, unions: [] };
    let nullable = false;
    const kept: Union[] = [];
    for (const union of shape.unions) {
      const { branches } = this.withoutNull(union);
      nullable ||= branches.length < union.branches.length;
      const [only] = branches;
      const values = this.listedValues(branches);
      if (values !== null) result = this.merge(result, values);
      // With a discriminator even the only one has a name that others tell it by.
      else if (branches.length === 1 && shape.discriminator === null) result = this.merge(result, this.of(only));
      else if (branches.length > 0) kept.push(this.withoutNull(union));
      else result = this.merge(result, { ...anyShape(), types: new Set(["null"]) });
    }
    result = kept.length === 0 ? result : { ...result, unions: [...new Set([...result.unions, ...kept])] };
    return nullable ? allowNull(result) : result;
  }

  /** The same union always becomes the same one, so that it is known again wherever an allOf brings it. */
  private withoutNull(union: Union): Union {
    const known = this.filtered.get(union);
    if (known !== undefined) return known;
    const branches = union.branches.filter((branch) => !this.isNull(branch));
    const without = branches.length === union.branches.length ? union : { ...union, branches };
    this.filtered.set(union, without);
    return without;
  }

  /** One of several constants is an enum. */
  private listedValues(branches: readonly unknown[]): Shape | null {
    if (branches.length < 2) return null;
    const shapes = branches.map((branch) => this.of(branch));
    if (!shapes.every(({ values, unions }) => values !== null && unions.length === 0)) return null;
    const types = shapes.every((shape) => shape.types !== null)
      ? simplified(shapes.flatMap((shape) => [...(shape.types ?? [])]))
      : null;
    return { ...anyShape(), types, values: shapes.flatMap((shape) => shape.values ?? []) };
  }

  private isNull(branch: unknown): boolean {
    const node = this.follow(branch);
    const type = field(node, "type");
    const values = field(node, "enum");
    return (
      type === "null" ||
      (Array.isArray(type) && type.length === 1 && type[0] === "null") ||
      (isRecord(node) && Object.hasOwn(node, "const") && node["const"] === null) ||
      (Array.isArray(values) && values.length === 1 && values[0] === null)
    );
  }
}

function impliedTypes({ properties, patternProperties, additional, items, prefix }: Shape): ReadonlySet<string> | null {
  const isObject = properties.size > 0 || patternProperties.size > 0 || additional !== undefined;
  const isArray = items !== undefined || prefix.length > 0;
  if (isObject === isArray) return null;
  return new Set([isObject ? "object" : "array"]);
}

/** The same, and null is right too. */
function allowNull(shape: Shape): Shape {
  const types = shape.types === null || hasType(shape.types, "null") ? shape.types : new Set([...shape.types, "null"]);
  const values = shape.values === null || shape.values.includes(null) ? shape.values : [...shape.values, null];
  // A union without a type of its own says nothing about null, so it gets a branch for it.
  if (shape.types !== null || shape.unions.length === 0) return { ...shape, types, values };
  const unions = shape.unions.map((union) => ({ ...union, branches: [...union.branches, { type: "null" }] }));
  return { ...shape, values, unions };
}
