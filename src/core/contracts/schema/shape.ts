// Holds what a schema says, whatever the draft and however it is written: references followed, allOf put together, nullable and type arrays
// made one, exclusive bounds as numbers, draft 4's tuples as prefixItems. Comparing looks only at shapes.

export interface Union {
  readonly keyword: "oneOf" | "anyOf";
  readonly branches: readonly unknown[];
}

export interface Edge {
  readonly at: number;
  readonly exclusive: boolean;
}

export interface Discriminator {
  readonly property: string;
  /** Value of the property to the name of a schema. */
  readonly mapping: ReadonlyMap<string, string>;
}

export const limitNames = [
  "minLength",
  "maxLength",
  "minItems",
  "maxItems",
  "minProperties",
  "maxProperties",
  "minContains",
  "maxContains",
] as const;
export type LimitName = (typeof limitNames)[number];

/** Schemas inside a shape are kept as they were read, so that a shape of a schema that contains itself has an end. */
export interface Shape {
  /** The last part of the reference it was reached by; null for a schema written in place. */
  name: string | null;
  /** A reference that was not followed: nothing is known of what stands behind it. */
  opaque: string | null;
  /** The schema `false`: no value is right. */
  never: boolean;
  /** null: any type. A number may be an integer, so "integer" does not stand beside "number". */
  types: ReadonlySet<string> | null;
  /** Null is allowed by the word `nullable` alone, in a version that does not know the word. */
  nullByWord: boolean;
  /** enum and const. */
  values: readonly unknown[] | null;
  /** x-extensible-enum: known values of a list that is allowed to grow. */
  knownValues: readonly unknown[] | null;
  format: string | null;
  patterns: readonly string[];
  limits: Readonly<Partial<Record<LimitName, number>>>;
  minimum: Edge | null;
  maximum: Edge | null;
  multipleOf: number | null;
  unique: boolean;
  items: unknown;
  prefix: readonly unknown[];
  contains: unknown;
  properties: ReadonlyMap<string, unknown>;
  required: ReadonlySet<string>;
  patternProperties: ReadonlyMap<string, unknown>;
  /** additionalProperties or, without it, unevaluatedProperties; undefined: anything. */
  additional: unknown;
  propertyNames: unknown;
  dependentRequired: ReadonlyMap<string, ReadonlySet<string>>;
  dependentSchemas: ReadonlyMap<string, unknown>;
  unions: readonly Union[];
  nots: readonly unknown[];
  /** if, then and else. */
  conditions: readonly { readonly test: unknown; readonly yes: unknown; readonly no: unknown }[];
  discriminator: Discriminator | null;
  /** null: no default. */
  defaultValue: { readonly value: unknown } | null;
  deprecated: boolean;
  readOnly: boolean;
  writeOnly: boolean;
  contentEncoding: string | null;
  contentMediaType: string | null;
  contentSchema: unknown;
  /** The way a property is written in XML; null if nothing is said. */
  xml: unknown;
  title: string | null;
  /** In how many lists of alternatives it stands whose surroundings were merged into it. */
  inside: number;
}

const noNames: ReadonlySet<string> = new Set();
const nothing: readonly never[] = [];
const noLimits: Shape["limits"] = {};
const noSchemas: ReadonlyMap<string, unknown> = new Map();
const noNeeds: ReadonlyMap<string, ReadonlySet<string>> = new Map();

/**
 * Returns a shape that says nothing. An absent part is the same empty value in every shape, so that it costs nothing and is known at a
 * glance.
 */
export function anyShape(): Shape {
  return {
    name: null,
    opaque: null,
    never: false,
    types: null,
    nullByWord: false,
    values: null,
    knownValues: null,
    format: null,
    patterns: nothing,
    limits: noLimits,
    minimum: null,
    maximum: null,
    multipleOf: null,
    unique: false,
    items: undefined,
    prefix: nothing,
    contains: undefined,
    properties: noSchemas,
    required: noNames,
    patternProperties: noSchemas,
    additional: undefined,
    propertyNames: undefined,
    dependentRequired: noNeeds,
    dependentSchemas: noSchemas,
    unions: nothing,
    nots: nothing,
    conditions: nothing,
    discriminator: null,
    defaultValue: null,
    deprecated: false,
    readOnly: false,
    writeOnly: false,
    contentEncoding: null,
    contentMediaType: null,
    contentSchema: undefined,
    xml: null,
    title: null,
    inside: 0,
  };
}

/** Tells whether a type is among some: an integer is a number. */
export function hasType(types: ReadonlySet<string> | null, type: string): boolean {
  return types === null || types.has(type) || (type === "integer" && types.has("number"));
}
