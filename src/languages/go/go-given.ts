// Reads what is known of a Go value from its syntax alone: the type that is written for it, the kind of a literal, or the name it comes
// from. What it comes from is followed later, in whichever tree the question is asked about.

import { type Given, ofLiteral, ofName, ofType, printGiven, unknownGiven } from "../compiled/given.ts";
import { type Known, type Locals, typeText } from "../tree-sitter/source-file.ts";
import type { Syntax } from "../tree-sitter/syntax.ts";

export interface Around {
  readonly syntax: Syntax;
  readonly locals: Locals;
  /** Finds what a name, `package.Name` or a member of something known leads to. */
  readonly target: (node: number) => Known | undefined;
}

export function givenGo(around: Around, node: number): Given {
  const { syntax, locals } = around;
  const literal = literalKind(syntax, node);
  if (literal !== "") return locals.has(syntax.text(node)) ? unknownGiven : ofLiteral(literal);
  switch (syntax.kind(node)) {
    case "parenthesized_expression":
      return givenGo(around, syntax.first(node));
    case "composite_literal":
      return written(around, syntax.at(node, "type"));
    case "type_conversion_expression":
    case "type_assertion_expression":
      return written(around, syntax.at(node, "type"));
    case "unary_expression": {
      const text = syntax.text(node);
      const inner = givenGo(around, syntax.at(node, "operand"));
      if (text.startsWith("!")) return ofLiteral("bool");
      if (text.startsWith("&")) return inner.is === "type" ? ofType(`*${inner.text}`) : unknownGiven;
      const isNumber = inner.is === "literal" && (inner.kind === "int" || inner.kind === "float");
      return text.startsWith("-") && isNumber ? inner : unknownGiven;
    }
    case "binary_expression": {
      const between = operator(syntax, node);
      if (/^(==|!=|<|<=|>|>=|&&|\|\|)$/.test(between)) return ofLiteral("bool");
      const [left, right] = [givenGo(around, syntax.at(node, "left")), givenGo(around, syntax.at(node, "right"))];
      if (/^(<<|>>)$/.test(between)) return left;
      // Both sides are of one type, unless a literal takes the other's.
      if (left.is === "type") return left;
      if (right.is === "type" || left.is === "literal") return right;
      return right.is === "literal" || printGiven(left) === printGiven(right) ? left : unknownGiven;
    }
    case "identifier": {
      const name = syntax.text(node);
      if (!locals.has(name)) return ofName({ path: [name], members: [] }, { uncalled: "value" });
      const type = locals.typeOf(name);
      const known = locals.get(name);
      if (type !== "" || known === undefined) return ofType(type);
      return ofName(known, known.isItself === true ? { uncalled: "value" } : {});
    }
    case "selector_expression": {
      const known = around.target(node);
      // In `a.B.C`, B may be a type.
      const isDeep = syntax.kind(syntax.at(node, "operand")) !== "identifier";
      return known === undefined ? unknownGiven : ofName(known, { uncalled: isDeep ? "value or type" : "value" });
    }
    case "func_literal": {
      const text = functionText(syntax, node);
      const names: readonly string[] = text.match(/[\p{L}_][\w\p{L}]*/gu) ?? [];
      // A type may be declared beside it, or be a parameter of the function around.
      return names.some((name) => locals.has(name)) ? unknownGiven : ofType(text);
    }
    case "call_expression": {
      const callee = syntax.at(node, "function");
      if (syntax.kind(callee) === "identifier" && defaultsByName.has(syntax.text(callee)))
        return ofType(syntax.text(callee));
      const known = around.target(callee);
      return known === undefined ? unknownGiven : ofName(known);
    }
    default:
      return unknownGiven;
  }
}

/** A type as it is written; a function's without the names of its parameters. */
export function goTypeText(syntax: Syntax, type: number): string {
  return syntax.kind(type) === "function_type" ? functionText(syntax, type) : typeText(syntax.text(type));
}

/** Of `[]T`, `[3]T` and `map[K]T`, T; "" of any other type. */
export function elementType(text: string): string {
  const from = /^(?:map)?\[/.exec(text)?.[0].length;
  if (from === undefined) return "";
  let depth = 1;
  for (let at = from; at < text.length; at += 1) {
    if (text[at] === "[") depth += 1;
    if (text[at] === "]") depth -= 1;
    if (depth === 0) return text.slice(at + 1);
  }
  return "";
}

function functionText(syntax: Syntax, node: number): string {
  const result = syntax.at(node, "result");
  const results =
    result === 0
      ? []
      : syntax.kind(result) === "parameter_list"
        ? typesIn(syntax, result)
        : [goTypeText(syntax, result)];
  const takes = `func(${typesIn(syntax, syntax.at(node, "parameters")).join(",")})`;
  return results.length === 0 ? takes : `${takes}(${results.join(",")})`;
}

/** One for each parameter or result; the last of an open list begins with dots. */
export function typesIn(syntax: Syntax, list: number): string[] {
  return syntax.children(list).flatMap((one) => {
    const dots = syntax.kind(one) === "variadic_parameter_declaration" ? "..." : "";
    const type = dots + goTypeText(syntax, syntax.at(one, "type"));
    const names = syntax.children(one).filter((child) => syntax.is(child, "name")).length;
    return Array.from({ length: Math.max(1, names) }, () => type);
  });
}

function written({ syntax, locals }: Around, type: number): Given {
  const text = typeText(syntax.text(type));
  const [first = ""] = /[\p{L}_][\w\p{L}]*/u.exec(text) ?? [];
  return locals.has(first) ? unknownGiven : ofType(text);
}

export function operator(syntax: Syntax, node: number): string {
  const [left = 0, right = 0] = [syntax.at(node, "left"), syntax.at(node, "right")];
  return syntax.textAfter(left, right).slice(0, -syntax.text(right).length).trim();
}

/** `int`, `string`, `nil`…; "" for anything else. */
export function literalKind(syntax: Syntax, node: number): string {
  return literals[syntax.kind(node)] ?? "";
}

const literals: Readonly<Record<string, string>> = {
  int_literal: "int",
  float_literal: "float",
  rune_literal: "rune",
  interpreted_string_literal: "string",
  raw_string_literal: "string",
  true: "bool",
  false: "bool",
  nil: "nil",
};

/** The type of a variable that is given such a literal. */
export const defaultTypes: Readonly<Record<string, string>> = {
  int: "int",
  float: "float64",
  rune: "rune",
  string: "string",
  bool: "bool",
};

/** Called like functions, they answer a value of themselves. */
const defaultsByName = new Set(
  "bool byte float32 float64 int int8 int16 int32 int64 rune string uint uint8 uint16 uint32 uint64 uintptr".split(" "),
);
