// Failures that code around a use expects, as bits: optional imports, attributes asked for first, tests of errors.

import { expectsMissingAttribute, expectsMissingImport, expectsMissingName, expectsTypeError } from "../facts.ts";
import type { Syntax } from "../../tree-sitter/syntax.ts";

export const everything = expectsMissingImport | expectsMissingAttribute | expectsMissingName | expectsTypeError;

const caught: ReadonlyMap<string, number> = new Map([
  ["ImportError", expectsMissingImport],
  ["ModuleNotFoundError", expectsMissingImport],
  ["AttributeError", expectsMissingAttribute],
  ["NameError", expectsMissingName],
  ["TypeError", expectsTypeError],
  // Catching everything is how optional imports are often written; around other code it is only a safety net.
  ["Exception", expectsMissingImport],
  ["BaseException", expectsMissingImport],
]);

export function expectedByTry(syntax: Syntax, node: number): number {
  let bits = 0;
  for (const child of syntax.children(node)) {
    if (syntax.kind(child) !== "except_clause") continue;
    const value = syntax.at(child, "value");
    if (value === 0) bits |= expectsMissingImport;
    else for (const word of syntax.text(value).matchAll(/\w+/g)) bits |= caught.get(word[0]) ?? 0;
  }
  return bits;
}

export function expectedByCondition(syntax: Syntax, ifStatement: number): number {
  return syntax.text(syntax.at(ifStatement, "condition")).includes("hasattr(") ? everything : 0;
}

export function expectedByContext(syntax: Syntax, withStatement: number): number {
  const guard = syntax.text(syntax.first(withStatement));
  return /\b(raises|suppress|assertRaises\w*)\(/.test(guard) ? everything : 0;
}
