// Reads what a Java class promises by what it extends and implements: methods that it has to bring, methods that it says it overrides, and
// the constructor of its superclass that it calls without a word.

import type { SourceUse } from "../compiled/facts.ts";
import type { Syntax } from "../tree-sitter/syntax.ts";
import { annotations, arity, modifiers } from "./java-syntax.ts";

type Supers = readonly (readonly string[])[];

interface Promised extends Pick<SourceUse, "path"> {
  readonly at: number;
  /** The method that it is about; "" for the class. */
  readonly within: string;
  readonly kind: "implements" | "overrides" | "new";
  readonly supers?: Supers;
  readonly parts?: readonly string[];
  readonly args?: number;
}

export function promisesOf(syntax: Syntax, node: number, body: number, supers: Supers): Promised[] {
  const methods = bodyOf(syntax, body).filter((one) => syntax.kind(one) === "method_declaration");
  const named = (one: number): string =>
    `${syntax.text(syntax.at(one, "name"))}/${arity(syntax, syntax.at(one, "parameters"))[0]}`;
  const kind = syntax.kind(node);
  const isConcrete = kind !== "interface_declaration" && !modifiers(syntax, node).words.includes("abstract");
  // Constants of an enum may each bring what the enum itself does not.
  const isSplit = kind === "enum_declaration" && syntax.children(body).some((one) => syntax.at(one, "body") !== 0);
  const components =
    kind === "record_declaration"
      ? syntax.children(syntax.at(node, "parameters")).map((one) => `${syntax.text(syntax.at(one, "name"))}/0`)
      : [];
  const found: Promised[] = [];
  const parts = [...methods.map(named), ...components];
  if (isConcrete && !isSplit) found.push({ at: node, within: "", kind: "implements", path: [], supers, parts });
  for (const method of methods) {
    if (!annotations(syntax, method).includes("Override")) continue;
    const name = named(method);
    const at = syntax.at(method, "name");
    found.push({ at, within: name, kind: "overrides", path: [], supers, parts: [name] });
  }
  if (kind === "class_declaration" && syntax.at(node, "superclass") !== 0)
    found.push(...implicitSuper(syntax, node, body, supers[0] ?? []));
  return found;
}

/** A constructor that does not say otherwise calls the superclass's without arguments. */
function implicitSuper(syntax: Syntax, node: number, body: number, superclass: readonly string[]): Promised[] {
  const constructors = bodyOf(syntax, body).filter((one) => syntax.kind(one) === "constructor_declaration");
  const isSaid = (one: number): boolean =>
    syntax.kind(syntax.first(syntax.at(one, "body"))) === "explicit_constructor_invocation";
  const areAll = constructors.every(isSaid) && constructors.length > 0;
  if (areAll || superclass.length === 0) return [];
  return [{ at: node, within: "", kind: "new", path: superclass, args: 0, parts: ["super"] }];
}

/** Returns what is in a type's body, including the members of an enum. */
export function bodyOf(syntax: Syntax, body: number): number[] {
  return syntax
    .children(body)
    .flatMap((child) => (syntax.kind(child) === "enum_body_declarations" ? syntax.children(child) : [child]));
}
