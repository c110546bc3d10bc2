// Reads what the values of a Java method are, or where they come from: the type a variable is declared with, a field, what a call answers.
// Inside anonymous and local classes nothing is known of bare names, because they may be inherited from anywhere.

import type { Given } from "../compiled/given.ts";
import { type Known, type Locals } from "../tree-sitter/source-file.ts";
import type { Syntax } from "../tree-sitter/syntax.ts";
import { givenJava } from "./java-given.ts";
import { typePath } from "./java-syntax.ts";

export interface Around {
  readonly of: string;
  readonly scope: string;
  readonly locals: Locals;
  readonly generics: ReadonlySet<string>;
  /** Within an anonymous or local class. */
  readonly isInner: boolean;
  /** The type that the method around returns. "" where that is not known. */
  readonly result: string;
  /** The type that a lambda answers if the method around returns that lambda. "" where that is not known. */
  readonly answer: string;
  /** Exceptions that are caught around, or that the method passes on; undefined where that is not known. */
  readonly catches: readonly string[] | undefined;
}

export class JavaValues {
  private readonly syntax: Syntax;

  constructor(syntax: Syntax) {
    this.syntax = syntax;
  }

  declared(type: number, value: number, around: Around): Known | undefined {
    const path = typePath(this.syntax, type);
    if (path === undefined || path[0] === undefined || around.generics.has(path[0])) return undefined;
    if (path.length === 1 && path[0] === "var") return value === 0 ? undefined : this.known(value, around);
    return { path, members: [] };
  }

  /** Finds the type of a value, or where it comes from. */
  known(node: number, around: Around): Known | undefined {
    const { syntax } = this;
    switch (syntax.kind(node)) {
      case "identifier": {
        const name = syntax.text(node);
        if (around.locals.has(name)) return around.locals.get(name);
        return around.isInner ? undefined : { path: [name], members: [] };
      }
      case "this":
      case "super":
        return around.isInner ? undefined : { path: [syntax.text(node)], members: [] };
      case "parenthesized_expression":
        return this.known(syntax.first(node), around);
      case "object_creation_expression":
        return syntax.children(node).some((child) => syntax.kind(child) === "class_body")
          ? undefined
          : this.declared(syntax.at(node, "type"), 0, around);
      case "cast_expression":
        return this.declared(syntax.at(node, "type"), 0, around);
      case "field_access":
        return this.step(syntax.at(node, "object"), syntax.text(syntax.at(node, "field")), around);
      case "method_invocation": {
        const called = `${syntax.text(syntax.at(node, "name"))}()`;
        const object = syntax.at(node, "object");
        if (object !== 0) return this.step(object, called, around);
        return around.isInner ? undefined : { path: [called], members: [] };
      }
      default:
        return undefined;
    }
  }

  step(object: number, name: string, around: Around): Known | undefined {
    const dotted = this.dotted(object, around);
    if (dotted !== undefined) return { path: [...dotted, name], members: [] };
    const known = this.known(object, around);
    return known === undefined ? undefined : { path: known.path, members: [...known.members, name] };
  }

  /** `a.b.C` from something that is not local. */
  dotted(node: number, around: Around): readonly string[] | undefined {
    const { syntax } = this;
    if (syntax.kind(node) === "identifier") {
      const name = syntax.text(node);
      const isType = /^\p{Lu}/u.test(name);
      return around.locals.has(name) || (around.isInner && !isType) ? undefined : [name];
    }
    if (syntax.kind(node) !== "field_access") return undefined;
    const before = this.dotted(syntax.at(node, "object"), around);
    const field = syntax.at(node, "field");
    return before === undefined || syntax.kind(field) !== "identifier" ? undefined : [...before, syntax.text(field)];
  }

  given(node: number, around: Around): Given {
    const { syntax } = this;
    const known = (one: number): Known | undefined => {
      // A variable's type is a type, and no value of it.
      if (syntax.kind(one) === "identifier" && around.locals.has(syntax.text(one))) return undefined;
      return this.known(one, around);
    };
    return givenJava({ syntax, locals: around.locals, generics: around.generics, known }, node);
  }
}
