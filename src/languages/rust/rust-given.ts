// Tells what is known of a Rust value from its syntax alone: the type written for it, the kind of a literal, or the name it comes from.
// Types are kept without lifetimes. Where type parameters take part, nothing is known.

import { type Given, ofLiteral, ofName, ofType, unknownGiven } from "../compiled/given.ts";
import { type Known, type Locals, typeText } from "../tree-sitter/source-file.ts";
import type { Syntax } from "../tree-sitter/syntax.ts";
import { pathOf } from "./rust-syntax.ts";

export interface Surroundings {
  readonly syntax: Syntax;
  readonly locals: Locals;
  readonly generics: ReadonlySet<string>;
  readonly self: readonly string[] | undefined;
  readonly known: (node: number) => Known | undefined;
}

export function givenRust(around: Surroundings, node: number): Given {
  const { syntax, locals } = around;
  const literal = literalRust(syntax, node);
  if (literal.is !== "unknown") return literal;
  switch (syntax.kind(node)) {
    case "parenthesized_expression":
      return givenRust(around, syntax.first(node));
    case "closure_expression": {
      const list = syntax.children(syntax.at(node, "parameters"));
      // `_` is no node, so closures that leave something out are not counted.
      return /^\|[^|]*\b_\b/.test(syntax.text(node)) ? unknownGiven : ofLiteral(`closure/${list.length}`);
    }
    case "reference_expression": {
      const inner = givenRust(around, syntax.at(node, "value"));
      const reference = referenceOf(syntax, node);
      if (inner.is === "type") return ofType(reference + inner.text);
      return inner.is === "name" ? { ...inner, references: reference + inner.references } : unknownGiven;
    }
    case "identifier": {
      const name = syntax.text(node);
      const type = locals.typeOf(name);
      return locals.has(name) && type !== "" ? ofType(type) : led(around, node);
    }
    case "struct_expression": {
      return ofType(written(syntax, syntax.at(node, "name"), around.generics, around.self));
    }
    case "binary_expression":
      return /^(==|!=|<|<=|>|>=|&&|\|\|)$/.test(operatorOf(syntax, node)) ? ofLiteral("bool") : unknownGiven;
    case "macro_invocation": {
      const macro = syntax.text(syntax.at(node, "macro"));
      return ofType(macro === "format" ? "String" : macro === "vec" ? "Vec<_>" : "");
    }
    case "unit_expression":
      return ofType("()");
    case "call_expression":
      if (/\.to_string\(\)$|^String::(new\(\)|from\([^()]*\))$/.test(syntax.text(node))) return ofType("String");
      return led(around, node);
    case "field_expression":
    case "try_expression":
      return led(around, node);
    case "scoped_identifier": {
      const path = pathOf(syntax, node);
      const [first = ""] = path ?? [];
      const isPlain = path !== undefined && first !== "Self" && !around.generics.has(first) && !locals.has(first);
      return isPlain ? ofName({ path: [path.join("::")], members: [] }) : unknownGiven;
    }
    default:
      return unknownGiven;
  }
}

function led({ known, syntax, locals }: Surroundings, node: number): Given {
  const isLocal = syntax.kind(node) === "identifier" && locals.has(syntax.text(node));
  const found = known(node);
  // A variable of a written type leads to the type, and a variable of a call to the function.
  if (found === undefined || (isLocal && /^\p{Lu}/u.test(found.path.at(-1) ?? "") && found.members.length === 0))
    return unknownGiven;
  const { path, members, behind: references = "" } = found;
  return ofName({ path: [path.join("::")], members }, { references });
}

/** Returns the beginning of a reference, as types write it. */
export function referenceOf(syntax: Syntax, node: number): string {
  return /^&\s*mut\b/.test(syntax.text(node)) ? "&mut " : "&";
}

/** A type without lifetimes and with `Self` written out; "" where type parameters take part. */
export function written(
  syntax: Syntax,
  type: number,
  generics: ReadonlySet<string>,
  self: readonly string[] | undefined,
): string {
  if (type === 0) return "";
  const text = typeText(
    syntax
      .text(type)
      .replaceAll(/'\w+\s*,?\s*/g, "")
      .replaceAll("<>", ""),
  ).replaceAll("&mut", "&mut ");
  const names: readonly string[] = text.match(/[\p{L}_]\w*/gu) ?? [];
  if (names.some((name) => generics.has(name) || /^[A-Z]$/.test(name)) || /\b(impl|dyn)\b/.test(text)) return "";
  if (!names.includes("Self")) return text.replaceAll("&mut  ", "&mut ");
  return self === undefined || /\bSelf::/.test(text) ? "" : text.replaceAll(/\bSelf\b/g, self.join("::"));
}

export function operatorOf(syntax: Syntax, node: number): string {
  const [left, right] = [syntax.at(node, "left"), syntax.at(node, "right")];
  return syntax.textAfter(left, right).slice(0, -syntax.text(right).length).trim();
}

export function literalRust(syntax: Syntax, node: number): Given {
  const text = syntax.text(node);
  switch (syntax.kind(node)) {
    case "integer_literal": {
      const suffix = /(?:[iu](?:8|16|32|64|128|size)|f32|f64)$/.exec(text)?.[0];
      return suffix === undefined || text.startsWith("0x") ? ofLiteral("int") : ofType(suffix);
    }
    case "float_literal":
      return /f(32|64)$/.test(text) ? ofType(text.slice(-3)) : ofLiteral("float");
    case "string_literal":
    case "raw_string_literal":
      return text.startsWith("b") || text.startsWith("c") ? unknownGiven : ofLiteral("str");
    case "char_literal":
      return text.startsWith("b") ? ofType("u8") : ofLiteral("char");
    case "boolean_literal":
      return ofLiteral("bool");
    default:
      return unknownGiven;
  }
}
