// Failures that code around a use expects, as bits: optional imports, attributes asked for first, tests of errors.

import {
  expectsMissingAttribute,
  expectsMissingImport,
  expectsMissingKey,
  expectsMissingName,
  expectsTypeError,
} from "../facts.ts";
import type { Syntax } from "../../tree-sitter/syntax.ts";

export const everything =
  expectsMissingImport | expectsMissingAttribute | expectsMissingName | expectsTypeError | expectsMissingKey;

const caught: ReadonlyMap<string, number> = new Map([
  ["ImportError", expectsMissingImport],
  ["ModuleNotFoundError", expectsMissingImport],
  ["AttributeError", expectsMissingAttribute],
  ["NameError", expectsMissingName],
  ["TypeError", expectsTypeError],
  ["KeyError", expectsMissingKey],
  ["LookupError", expectsMissingKey],
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
  const condition = syntax.text(syntax.at(ifStatement, "condition"));
  const asksForKey = /["']\s+(not\s+)?in\s/.test(condition) ? expectsMissingKey : 0;
  return condition.includes("hasattr(") ? everything : asksForKey;
}

/**
 * Says what the body of `with raises(…):` may fail with. A named error catches itself and what is built on it, never what it is built on.
 */
export function expectedByContext(syntax: Syntax, withStatement: number): number {
  const guard = syntax.text(syntax.first(withStatement));
  if (!/\b(raises|suppress|assertRaises\w*)\(/.test(guard)) return 0;
  let bits = 0;
  for (const [, given = ""] of guard.matchAll(/\b(?:raises|suppress|assertRaises\w*)\(([^]*)/g)) {
    const named = given.replaceAll(/\b\w+\s*=[^,()]*|(?<![rbfu])[rbfu]*("[^"\n]*"|'[^'\n]*')|\bas \w+/g, " ");
    for (const [name] of named.matchAll(/[\w.]+/g)) bits |= expectedOf(name);
  }
  return bits;
}

/** A class by its name; what is no evident class may stand for any. */
function expectedOf(name: string): number {
  const last = name.slice(name.lastIndexOf(".") + 1);
  if (last === "Exception" || last === "BaseException" || !/^_?[A-Z][A-Z\d_]*[a-z]\w*$/.test(last)) return everything;
  return caught.get(last) ?? 0;
}
