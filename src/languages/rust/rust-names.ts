// Tells what names stand for inside one Rust item: the names that parameters, `let` and patterns bind, type parameters and `Self`. By
// following them, it tells what is known of a value. What the item uses is left to rust-uses.ts.

import { type Given, typeOfGiven, unknownGiven } from "../compiled/given.ts";
import type { Known, Locals } from "../tree-sitter/source-file.ts";
import type { Syntax } from "../tree-sitter/syntax.ts";
import { givenRust, referenceOf, written } from "./rust-given.ts";
import { pathOf, typePath, useLeaves } from "./rust-syntax.ts";

/** The place in an item where a name stands. */
export interface Within {
  readonly scope: string;
  readonly locals: Locals;
  readonly generics: ReadonlySet<string>;
  /** The path that `Self` stands for here. */
  readonly self: readonly string[] | undefined;
}

export class RustNames {
  private readonly syntax: Syntax;

  constructor(syntax: Syntax) {
    this.syntax = syntax;
  }

  /** Everything that is bound below a node. */
  bind(node: number, around: Within): void {
    const { syntax } = this;
    const { locals } = around;
    const kind = syntax.kind(node);
    if (kind === "token_tree") return;
    if (kind === "let_declaration" || kind === "parameter") {
      const [pattern, type, value] = [syntax.at(node, "pattern"), syntax.at(node, "type"), syntax.at(node, "value")];
      const known = type !== 0 ? this.typed(type, around) : value === 0 ? undefined : this.known(value, around);
      const evident = type !== 0 || value === 0 ? unknownGiven : this.given(value, around);
      const text = typeOfGiven(evident) || written(syntax, type, around.generics, around.self);
      this.bindPattern(pattern, around, known, text);
    } else if (kind === "closure_parameters") {
      for (const one of syntax.children(node))
        if (syntax.kind(one) !== "parameter") this.bindPattern(one, around, undefined);
    } else if (kind === "for_expression" || kind === "let_condition" || kind === "match_arm") {
      this.bindPattern(syntax.at(node, "pattern"), around, undefined);
    } else if (kind === "use_declaration") {
      for (const { name } of useLeaves(syntax, syntax.at(node, "argument"))) locals.bind(name);
    } else if (kind.endsWith("_item") && syntax.at(node, "name") !== 0) {
      // What is declared in a body hides what stands outside; the function itself comes here too, and may call itself.
      if (
        around.scope !== syntax.text(syntax.at(node, "name")) &&
        !around.scope.endsWith(`::${syntax.text(syntax.at(node, "name"))}`)
      )
        locals.bind(syntax.text(syntax.at(node, "name")));
    }
    for (const child of syntax.children(node)) this.bind(child, around);
  }

  private bindPattern(node: number, around: Within, known: Known | undefined, type = ""): void {
    const { syntax } = this;
    switch (syntax.kind(node)) {
      case "identifier": {
        const name = syntax.text(node);
        // A name in capitals is a constant or a variant.
        if (/^[\p{Ll}_]/u.test(name)) around.locals.bind(name, known, type);
        return;
      }
      case "shorthand_field_identifier":
        around.locals.bind(syntax.text(node));
        return;
      case "scoped_identifier":
      case "scoped_type_identifier":
        return;
      case "mut_pattern":
        for (const child of syntax.children(node)) this.bindPattern(child, around, known, type);
        return;
      case "ref_pattern":
        for (const child of syntax.children(node)) this.bindPattern(child, around, known);
        return;
      default:
        for (const child of syntax.children(node))
          if (!syntax.is(child, "type") && !syntax.is(child, "condition")) this.bindPattern(child, around, undefined);
    }
  }

  /** With `Self` replaced; undefined when the path begins with something local. */
  meant(path: readonly string[] | undefined, around: Within): readonly string[] | undefined {
    const [first = "", ...rest] = path ?? [];
    if (path === undefined || first === "self") return path !== undefined && path.length > 1 ? path : undefined;
    if (first === "Self") return around.self === undefined ? undefined : [...around.self, ...rest];
    return around.generics.has(first) || around.locals.has(first) ? undefined : path;
  }

  /** The name that a value comes from, and the members reached from there; undefined when that cannot be read off. */
  known(node: number, around: Within): Known | undefined {
    const { syntax } = this;
    switch (syntax.kind(node)) {
      case "identifier":
        return around.locals.get(syntax.text(node));
      case "self":
        return around.self === undefined ? undefined : { path: around.self, members: [] };
      case "reference_expression": {
        const known = this.known(syntax.at(node, "value"), around);
        return known === undefined ? undefined : { ...known, behind: referenceOf(syntax, node) + (known.behind ?? "") };
      }
      case "parenthesized_expression":
        return this.known(syntax.first(node), around);
      case "try_expression": {
        const known = this.known(syntax.first(node), around);
        return known === undefined ? undefined : { path: known.path, members: [...known.members, "?"] };
      }
      case "struct_expression":
        return this.typed(syntax.at(node, "name"), around);
      case "field_expression": {
        const known = this.known(syntax.at(node, "value"), around);
        const field = syntax.at(node, "field");
        return known === undefined || syntax.kind(field) !== "field_identifier"
          ? undefined
          : { path: known.path, members: [...known.members, syntax.text(field)] };
      }
      case "call_expression": {
        const callee = this.callee(node);
        if (syntax.kind(callee) === "field_expression") return this.known(callee, around);
        const path = this.meant(pathOf(syntax, callee), around);
        return path === undefined ? undefined : { path, members: [] };
      }
      default:
        return undefined;
    }
  }

  /** Returns what a value is, in the form that a summary keeps. */
  given(node: number, around: Within): Given {
    const { syntax } = this;
    const { locals, generics, self } = around;
    return givenRust({ syntax, locals, generics, self, known: (one) => this.known(one, around) }, node);
  }

  /** Returns the function that a call calls, without type arguments. */
  callee(call: number): number {
    const callee = this.syntax.at(call, "function");
    return this.syntax.kind(callee) === "generic_function" ? this.syntax.at(callee, "function") : callee;
  }

  private typed(type: number, around: Within): Known | undefined {
    const path = this.meant(typePath(this.syntax, type), around);
    return path === undefined ? undefined : { path, members: [] };
  }
}

/** Names of the type parameters of an item. */
export function typeNamesOf(syntax: Syntax, node: number): Set<string> {
  const list = node === 0 ? 0 : syntax.at(node, "type_parameters");
  const names = list === 0 ? [] : syntax.children(list);
  return new Set(names.map((one) => syntax.text(syntax.at(one, "name") === 0 ? one : syntax.at(one, "name"))));
}
