// What is known of a Java value from its syntax alone: the type written for it, the kind of a literal, or the name it comes from. Types
// are kept without their arguments, as the compiler's erasure leaves them; type parameters are nothing known.

import type { Given } from "../compiled/facts.ts";
import { type Known, ledTo, type Locals, typeText } from "../tree-sitter/source-file.ts";
import type { Syntax } from "../tree-sitter/syntax.ts";

export interface Surroundings {
  readonly syntax: Syntax;
  readonly locals: Locals;
  readonly generics: ReadonlySet<string>;
  /** What a value is of, or where it comes from. */
  readonly known: (node: number) => Known | undefined;
}

export function givenJava(around: Surroundings, node: number): Given {
  const { syntax, locals } = around;
  const kind = syntax.kind(node);
  const literal = literalJava(syntax, node);
  if (literal !== "") return `#${literal}`;
  switch (kind) {
    case "parenthesized_expression":
      return givenJava(around, syntax.first(node));
    case "lambda_expression": {
      const parameters = syntax.at(node, "parameters");
      return `#lambda/${syntax.kind(parameters) === "identifier" ? 1 : syntax.children(parameters).length}`;
    }
    case "method_reference":
      return "#ref";
    case "identifier": {
      const name = syntax.text(node);
      const type = locals.typeOf(name);
      return locals.has(name) && type !== "" ? `=${type}` : led(around, node);
    }
    case "cast_expression":
      return written(around, syntax.at(node, "type"));
    case "object_creation_expression":
      return syntax.children(node).some((child) => syntax.kind(child) === "class_body")
        ? ""
        : written(around, syntax.at(node, "type"));
    case "array_creation_expression": {
      const dimensions =
        syntax
          .text(node)
          .replace(/\{[^]*$/, "")
          .match(/\[/g)?.length ?? 1;
      const type = written(around, syntax.at(node, "type"));
      return type === "" ? "" : type + "[]".repeat(dimensions);
    }
    case "array_access": {
      const array = givenJava(around, syntax.at(node, "array"));
      return array.startsWith("=") && array.endsWith("[]") ? array.slice(0, -2) : "";
    }
    case "instanceof_expression":
      return "#boolean";
    case "unary_expression":
      return syntax.text(node).startsWith("!") ? "#boolean" : "";
    case "binary_expression": {
      const between = operatorOf(syntax, node);
      if (/^(==|!=|<|<=|>|>=|&&|\|\|)$/.test(between)) return "#boolean";
      const sides = [givenJava(around, syntax.at(node, "left")), givenJava(around, syntax.at(node, "right"))];
      return between === "+" && sides.some((one) => one === "#String" || one === "=String") ? "#String" : "";
    }
    case "method_invocation":
    case "field_access":
      return led(around, node);
    default:
      return "";
  }
}

function led({ known }: Surroundings, node: number): Given {
  const found = known(node);
  // What a local variable leads to is a type, and its own name says no more.
  return found === undefined ? "" : ledTo(found);
}

function written({ syntax, generics }: Surroundings, type: number): Given {
  const text = erased(syntax, type, generics);
  return text === "" ? "" : `=${text}`;
}

/** A type without its arguments and annotations; "" for type parameters and what is inferred. */
export function erased(syntax: Syntax, type: number, generics: ReadonlySet<string>): string {
  if (type === 0 || syntax.kind(type) === "void_type") return "";
  let text = typeText(syntax.text(type).replaceAll(/@[\w.]+(\([^)]*\))?/g, " "));
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
