// Reads what is known of a Java value from its syntax alone: the type written for it, the kind of a literal, or the name it comes from.
// Types are kept without their arguments, as the compiler's erasure leaves them; type parameters are nothing known.

import { type Given, ofLiteral, ofName, ofType, printGiven, unknownGiven } from "../compiled/given.ts";
import { type Known, type Locals, typeText } from "../tree-sitter/source-file.ts";
import type { Syntax } from "../tree-sitter/syntax.ts";

export interface Surroundings {
  readonly syntax: Syntax;
  readonly locals: Locals;
  readonly generics: ReadonlySet<string>;
  /** Finds the type of a value, or where it comes from. */
  readonly known: (node: number) => Known | undefined;
}

export function givenJava(around: Surroundings, node: number): Given {
  const { syntax, locals } = around;
  const kind = syntax.kind(node);
  const literal = literalJava(syntax, node);
  if (literal !== "") return ofLiteral(literal);
  switch (kind) {
    case "parenthesized_expression":
      return givenJava(around, syntax.first(node));
    case "lambda_expression": {
      const parameters = syntax.at(node, "parameters");
      return ofLiteral(`lambda/${syntax.kind(parameters) === "identifier" ? 1 : syntax.children(parameters).length}`);
    }
    case "method_reference":
      return ofLiteral("ref");
    case "identifier": {
      const name = syntax.text(node);
      const type = locals.typeOf(name);
      return locals.has(name) && type !== "" ? ofType(type) : led(around, node);
    }
    case "cast_expression":
      return written(around, syntax.at(node, "type"));
    case "object_creation_expression":
      return syntax.children(node).some((child) => syntax.kind(child) === "class_body")
        ? unknownGiven
        : written(around, syntax.at(node, "type"));
    case "array_creation_expression": {
      const dimensions =
        syntax
          .text(node)
          .replace(/\{[^]*$/, "")
          .match(/\[/g)?.length ?? 1;
      const type = written(around, syntax.at(node, "type"));
      return type.is === "type" ? ofType(type.text + "[]".repeat(dimensions)) : unknownGiven;
    }
    case "array_access": {
      const array = givenJava(around, syntax.at(node, "array"));
      return array.is === "type" && array.text.endsWith("[]") ? ofType(array.text.slice(0, -2)) : unknownGiven;
    }
    case "instanceof_expression":
      return ofLiteral("boolean");
    case "unary_expression":
      return syntax.text(node).startsWith("!") ? ofLiteral("boolean") : unknownGiven;
    case "binary_expression": {
      const between = operatorOf(syntax, node);
      if (/^(==|!=|<|<=|>|>=|&&|\|\|)$/.test(between)) return ofLiteral("boolean");
      const sides = [givenJava(around, syntax.at(node, "left")), givenJava(around, syntax.at(node, "right"))];
      const isText = sides.some((one) => /^[#=]String$/.test(printGiven(one)));
      return between === "+" && isText ? ofLiteral("String") : unknownGiven;
    }
    case "method_invocation":
    case "field_access":
      return led(around, node);
    default:
      return unknownGiven;
  }
}

function led({ known }: Surroundings, node: number): Given {
  const found = known(node);
  // What a local variable leads to is a type, and its own name says no more.
  return found === undefined ? unknownGiven : ofName(found);
}

function written({ syntax, generics }: Surroundings, type: number): Given {
  return ofType(erased(syntax, type, generics));
}

/** A type without its arguments and annotations; "" for type parameters and what is inferred. */
export function erased(syntax: Syntax, type: number, generics: ReadonlySet<string>): string {
  if (type === 0 || syntax.kind(type) === "void_type") return "";
  let text = typeText(syntax.text(type).replaceAll(/@[\w.]+(\([^)]{0,1000}\))?/g, " "));
  for (let before = ""; before !== text;) [before, text] = [text, text.replaceAll(/<[^<>]*>/g, "")];
  const [first = ""] = text.split(/[.[]/);
  return first === "var" || generics.has(first) ? "" : text;
}

export function operatorOf(syntax: Syntax, node: number): string {
  const [left, right] = [syntax.at(node, "left"), syntax.at(node, "right")];
  return syntax.textAfter(left, right).slice(0, -syntax.text(right).length).trim();
}

/** `int`, `String`, `null`…; "" for what is no literal. */
export function literalJava(syntax: Syntax, node: number): string {
  const kind = syntax.kind(node);
  if (kind.endsWith("integer_literal")) return /[lL]$/.test(syntax.text(node)) ? "long" : "int";
  if (kind.endsWith("floating_point_literal")) return /[fF]$/.test(syntax.text(node)) ? "float" : "double";
  return literals[kind] ?? "";
}

const literals: Readonly<Record<string, string>> = {
  string_literal: "String",
  character_literal: "char",
  true: "boolean",
  false: "boolean",
  null_literal: "null",
};
