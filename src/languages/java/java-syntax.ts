// Small questions to Java's syntax that declarations and uses both ask.

import type { Syntax } from "../tree-sitter/syntax.ts";

export const typeKinds: ReadonlySet<string> = new Set([
  "class_declaration",
  "interface_declaration",
  "enum_declaration",
  "record_declaration",
  "annotation_type_declaration",
]);

/** The name of a type as written, without its arguments; undefined for arrays, primitives and the like. */
export function typePath(syntax: Syntax, node: number): readonly string[] | undefined {
  switch (syntax.kind(node)) {
    case "type_identifier":
    case "identifier":
      return [syntax.text(node)];
    case "scoped_type_identifier":
    case "scoped_identifier": {
      const parts = syntax.children(node).filter((part) => !syntax.kind(part).endsWith("annotation"));
      const paths = parts.map((part) => typePath(syntax, part));
      return paths.some((path) => path === undefined) ? undefined : paths.flatMap((path) => path ?? []);
    }
    case "generic_type":
      return typePath(syntax, syntax.first(node));
    case "annotated_type":
      return typePath(syntax, syntax.children(node).at(-1) ?? 0);
    default:
      return undefined;
  }
}

export function modifiers(
  syntax: Syntax,
  node: number,
): { readonly access: string; readonly words: readonly string[] } {
  const list = syntax.children(node).find((child) => syntax.kind(child) === "modifiers");
  if (list === undefined) return { access: "", words: [] };
  let text = syntax.text(list);
  for (const child of syntax.children(list)) text = text.replace(syntax.text(child), " ");
  const words = text.split(/\s+/).filter((word) => word !== "");
  const access = words.find((word) => word === "public" || word === "private" || word === "protected") ?? "";
  return {
    access,
    words: words.filter((word) => word === "static" || word === "abstract" || word === "default" || word === "final"),
  };
}

export function annotations(syntax: Syntax, node: number): string[] {
  const list = syntax.children(node).find((child) => syntax.kind(child) === "modifiers");
  return list === undefined ? [] : syntax.children(list).map((one) => syntax.text(syntax.at(one, "name")));
}

/** Names of the type parameters of a class or method. */
export function typeNames(syntax: Syntax, node: number): string[] {
  const list = syntax.at(node, "type_parameters");
  const parameters = list === 0 ? [] : syntax.children(list);
  return parameters.map((one) =>
    syntax.text(syntax.children(one).find((part) => syntax.kind(part) === "type_identifier") ?? 0),
  );
}

/** Superclass first, then interfaces. A type that is not a plain name is an empty path. */
export function superTypes(syntax: Syntax, node: number): (readonly string[])[] {
  const all: (readonly string[])[] = [];
  for (const child of syntax.children(node)) {
    const kind = syntax.kind(child);
    if (kind === "superclass") all.push(typePath(syntax, syntax.first(child)) ?? []);
    if (kind !== "super_interfaces" && kind !== "extends_interfaces") continue;
    for (const one of syntax.children(syntax.first(child))) all.push(typePath(syntax, one) ?? []);
  }
  return all;
}

export function arity(syntax: Syntax, parameters: number): readonly [number, number] {
  const all = syntax.children(parameters).filter((one) => syntax.kind(one) !== "receiver_parameter");
  const isOpen = all.some((one) => syntax.kind(one) === "spread_parameter");
  return isOpen ? [all.length - 1, -1] : [all.length, all.length];
}
