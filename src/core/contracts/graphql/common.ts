// Most of a large schema is the same on both sides. What is the same needs no comparison, so types that both versions
// define alike are left standing as bare names: of 5 MB with one changed field, only that field's type is compared. So are types for
// which no steps are left.

import { Kind } from "graphql";
import type { DefinitionNode, DocumentNode } from "graphql";

import type { Budget } from "../budget.ts";
import { nameOf } from "./merge.ts";

/** Each field, argument and value takes this many: a comparison holds several objects for each of them. */
const stepsForEach = 4;

export interface Remaining {
  readonly documents: readonly [DocumentNode, DocumentNode];
  /** The types that were too many to be compared. */
  readonly leftOut: readonly string[];
}

export function withoutCommon(before: DocumentNode, after: DocumentNode, budget: Budget): Remaining {
  const [old, young] = [byName(before), byName(after)];
  const bare = new Set<string>();
  const leftOut: string[] = [];
  for (const name of new Set([...old.keys(), ...young.keys()])) {
    const [was, is] = [old.get(name), young.get(name)];
    if (was !== undefined && is !== undefined && isSame(was, is)) bare.add(name);
    else if (!budget.spend(stepsForEach * (membersIn(was) + membersIn(is)))) {
      bare.add(name);
      leftOut.push(name);
    }
  }
  return { documents: [withBareNames(before, bare), withBareNames(after, bare)], leftOut };
}

function byName({ definitions }: DocumentNode): Map<string, DefinitionNode> {
  const found = new Map<string, DefinitionNode>();
  for (const node of definitions) {
    const name = nameOf(node);
    if (name !== undefined) found.set(name, node);
  }
  return found;
}

/** The definition itself counts too. */
function membersIn(node: DefinitionNode | undefined): number {
  if (node === undefined) return 0;
  const {
    fields = [],
    values = [],
    types = [],
  } = node as unknown as Readonly<Record<string, readonly { readonly arguments?: readonly unknown[] }[] | undefined>>;
  const inFields = fields.reduce((count, field) => count + 1 + (field.arguments?.length ?? 0), 0);
  return 1 + inFields + values.length + types.length;
}

function withBareNames(document: DocumentNode, common: ReadonlySet<string>): DocumentNode {
  const definitions = document.definitions.map((node): DefinitionNode => {
    const value = nameOf(node);
    if (value === undefined || !common.has(value)) return node;
    return { kind: Kind.SCALAR_TYPE_DEFINITION, name: { kind: Kind.NAME, value } };
  });
  return { ...document, definitions };
}

function isSame(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (Array.isArray(a) && Array.isArray(b)) return a.length === b.length && a.every((one, at) => isSame(one, b[at]));
  if (typeof a !== "object" || typeof b !== "object" || a === null || b === null) return false;
  const [was, is] = [a as Record<string, unknown>, b as Record<string, unknown>];
  const isAlike = (key: string): boolean => key === "loc" || isSame(was[key], is[key]);
  return Object.keys(was).every(isAlike) && Object.keys(is).every((key) => key in was || isAlike(key));
}
