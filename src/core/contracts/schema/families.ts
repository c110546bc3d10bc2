// Schemas that are told apart by a discriminator and list no alternatives: whatever builds on one of them by allOf is an alternative all the
// same, and so is whatever its mapping names. Nothing refers to those, so a walk from reference to reference never meets them.

import { field, fieldsOf, isRecord, listOf } from "../json-value.ts";
import type { LoadedContract } from "../load-contract.ts";
import { referenceOf } from "../references.ts";
import { lastPart } from "./read-keywords.ts";

type Node = Record<string, unknown>;

export interface Family {
  readonly parent: Node;
  /** By name, with the schema itself and the part that is its own, without what it builds on. */
  readonly heirs: ReadonlyMap<string, { readonly whole: Node; readonly own: Node }>;
}

export type Families = ReadonlyMap<string, Family>;

const none: Families = new Map();

/** By the name of the parent. */
export function familiesIn({ root, target }: Pick<LoadedContract, "root" | "target">): Families {
  const schemas = { ...fieldsOf(root, "definitions"), ...fieldsOf(root["components"], "schemas") };
  const parents = Object.entries(schemas).filter((one): one is [string, Node] => isParent(one[1]));
  if (parents.length === 0) return none;
  const children = new Map<object, [string, Node][]>();
  for (const [name, node] of Object.entries(schemas)) {
    if (!isRecord(node)) continue;
    for (const part of listOf(node, "allOf")) {
      const base = isRecord(part) && referenceOf(part) !== undefined ? target(part) : undefined;
      if (!isRecord(base)) continue;
      const known = children.get(base);
      if (known === undefined) children.set(base, [[name, node]]);
      else known.push([name, node]);
    }
  }
  return new Map(parents.map(([name, parent]) => [name, { parent, heirs: heirsOf(parent, children, schemas) }]));
}

function isParent(node: unknown): boolean {
  return (
    isRecord(node) &&
    Object.hasOwn(node, "discriminator") &&
    !Object.hasOwn(node, "oneOf") &&
    !Object.hasOwn(node, "anyOf")
  );
}

function heirsOf(parent: Node, children: ReadonlyMap<object, [string, Node][]>, schemas: Node): Family["heirs"] {
  const heirs = new Map<string, { whole: Node; own: Node }>();
  const add = (name: string, whole: unknown): void => {
    if (!isRecord(whole) || whole === parent || heirs.has(name)) return;
    const parts = listOf(whole, "allOf").filter((part) => !isRecord(part) || referenceOf(part) === undefined);
    heirs.set(name, { whole, own: { ...whole, allOf: parts } });
  };
  const open: object[] = [parent];
  for (let next = open.pop(); next !== undefined; next = open.pop())
    for (const [name, node] of children.get(next) ?? []) {
      if (heirs.has(name) || node === parent) continue;
      add(name, node);
      open.push(node);
    }
  for (const value of Object.values(fieldsOf(field(parent, "discriminator"), "mapping")))
    if (typeof value === "string") add(lastPart(value), schemas[lastPart(value)]);
  return heirs;
}

/** The parents in both versions of which an heir came, went, or says something else: they are not the same though their own words are. */
export function changedFamilies(
  before: LoadedContract,
  after: LoadedContract,
  same: (before: unknown, after: unknown) => boolean,
): (readonly [object, object])[] {
  const [were, are] = [familiesIn(before), familiesIn(after)];
  const changed: (readonly [object, object])[] = [];
  for (const [name, was] of were) {
    const is = are.get(name);
    if (is === undefined) continue;
    const isSame =
      was.heirs.size === is.heirs.size &&
      [...was.heirs].every(([heir, { whole }]) => same(whole, is.heirs.get(heir)?.whole));
    if (!isSame) changed.push([was.parent, is.parent]);
  }
  return changed;
}
