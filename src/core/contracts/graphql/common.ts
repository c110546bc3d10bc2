// Most of a large schema is the same on both sides. What is the same needs no comparison, so types that both versions
// define alike are left standing as bare names: of 5 MB with one changed field, only that field's type is compared.

import { Kind } from "graphql";
import type { DefinitionNode, DocumentNode } from "graphql";

import { nameOf } from "./merge.ts";

export function withoutCommon(before: DocumentNode, after: DocumentNode): [DocumentNode, DocumentNode] {
  const old = new Map(before.definitions.map((node) => [nameOf(node), node]));
  const common = new Set<string>();
  for (const node of after.definitions) {
    const name = nameOf(node);
    const same = name === undefined ? undefined : old.get(name);
    if (name !== undefined && same !== undefined && isSame(same, node)) common.add(name);
  }
  return [withBareNames(before, common), withBareNames(after, common)];
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
  for (const key of new Set([...Object.keys(was), ...Object.keys(is)])) {
    if (key !== "loc" && !isSame(was[key], is[key])) return false;
  }
  return true;
}
