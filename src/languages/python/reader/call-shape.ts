// Reads how a call gives its arguments: how many by place, which by name, and whether a star hides more. Arguments behind a star are counted
// where they are written out (`*[1, 2]`, `*range(2)`, `**{"a": 1}`), or where the star is on a name for such a tuple (`pair = 1, 2`).

import type { CallShape } from "../ref.ts";
import type { Syntax } from "../../tree-sitter/syntax.ts";
import type { Scope } from "./scope.ts";

export function callShape(syntax: Syntax, args: number, scope: Scope): CallShape {
  if (syntax.kind(args) === "generator_expression")
    return { positional: 1, keywords: [], star: false, doubleStar: false };
  let positional = 0;
  let star = false;
  let doubleStar = false;
  const keywords: string[] = [];
  for (const arg of syntax.children(args)) {
    const kind = syntax.kind(arg);
    if (kind === "keyword_argument") keywords.push(syntax.text(syntax.at(arg, "name")));
    else if (kind === "list_splat") {
      const written = writtenLength(syntax, syntax.first(arg), scope);
      if (written === undefined) star = true;
      else positional += written;
    } else if (kind === "dictionary_splat") {
      const { keys, areAll } = writtenKeys(syntax, syntax.first(arg), scope);
      keywords.push(...keys);
      if (!areAll) doubleStar = true;
    } else positional += 1;
  }
  return { positional, keywords, star, doubleStar };
}

/** Built-in functions that give as many items as they are given, when that is all they are given. */
const sameLength = new Set(["list", "tuple", "sorted", "reversed", "iter"]);

/** Returns the number of items in something that is written out. */
function writtenLength(syntax: Syntax, node: number, scope: Scope): number | undefined {
  const kind = syntax.kind(node);
  const inside = syntax.children(node);
  if (kind === "parenthesized_expression") return writtenLength(syntax, inside[0] ?? 0, scope);
  if (kind === "list" || kind === "tuple" || kind === "expression_list") {
    return total(
      inside.map((item) => (syntax.kind(item) === "list_splat" ? writtenLength(syntax, syntax.first(item), scope) : 1)),
    );
  }
  if (kind === "binary_operator") return repeated(syntax, node, scope);
  if (kind === "identifier") return namedLength(syntax, syntax.text(node), scope);
  const callee = builtinCalled(syntax, node, scope);
  const args = callee === undefined ? [] : syntax.children(syntax.at(node, "arguments"));
  if (callee === "range") return rangeLength(args.map((one) => wholeNumber(syntax, one)));
  return callee !== undefined && sameLength.has(callee) && args.length === 1
    ? writtenLength(syntax, args[0] ?? 0, scope)
    : undefined;
}

/** Of a name that is bound once, to a tuple that is written out: nobody can add to that. */
function namedLength(syntax: Syntax, name: string, from: Scope): number | undefined {
  for (let scope: Scope | undefined = from; scope !== undefined; scope = scope.parent) {
    // A function does not see the names of the class it stands in.
    if (scope.kind === "class" && scope !== from && !from.transparent) continue;
    const local = scope.locals.get(name);
    const bound = scope.names.get(name) ?? [];
    if (local === undefined && bound.length === 0) continue;
    const source = local === undefined ? bound[0]?.source : local.source;
    const isOnce = local === undefined ? bound.length === 1 : !local.opaque;
    if (!isOnce || source?.how !== "value" || source.part !== undefined) return undefined;
    return /^(tuple|expression_list)$/.test(syntax.kind(source.node))
      ? writtenLength(syntax, source.node, scope)
      : undefined;
  }
  return undefined;
}

/** `[None] * 3` */
function repeated(syntax: Syntax, node: number, scope: Scope): number | undefined {
  const [left, right] = [syntax.at(node, "left"), syntax.at(node, "right")];
  if (!/^\s*\*(?!\*)/.test(syntax.textAfter(left, right))) return undefined;
  const [length, times] = [writtenLength(syntax, left, scope), wholeNumber(syntax, right)];
  return length === undefined || times === undefined ? undefined : length * times;
}

function rangeLength(bounds: readonly (number | undefined)[]): number | undefined {
  const [first, second] = bounds;
  if (bounds.length === 1) return first;
  return bounds.length !== 2 || first === undefined || second === undefined ? undefined : Math.max(0, second - first);
}

function wholeNumber(syntax: Syntax, node: number): number | undefined {
  const text = syntax.text(node);
  return syntax.kind(node) === "integer" && /^\d{1,4}$/.test(text) ? Number(text) : undefined;
}

function total(counts: readonly (number | undefined)[]): number | undefined {
  let sum = 0;
  for (const count of counts) {
    if (count === undefined) return undefined;
    sum += count;
  }
  return sum;
}

/** The keys of `{"a": 1}` and `dict(a=1)`, as far as they are written out. */
function writtenKeys(syntax: Syntax, node: number, scope: Scope): { keys: string[]; areAll: boolean } {
  const isDictionary = syntax.kind(node) === "dictionary";
  if (!isDictionary && builtinCalled(syntax, node, scope) !== "dict") return { keys: [], areAll: false };
  const parts = syntax.children(isDictionary ? node : syntax.at(node, "arguments"));
  const keys = parts.flatMap((part) => writtenKey(syntax, part) ?? []);
  return { keys, areAll: keys.length === parts.length };
}

function writtenKey(syntax: Syntax, part: number): string | undefined {
  if (syntax.kind(part) === "keyword_argument") return syntax.text(syntax.at(part, "name"));
  return syntax.kind(part) === "pair" ? /^["'](\w+)["']$/.exec(syntax.text(syntax.at(part, "key")))?.[1] : undefined;
}

/** The built-in function that is called by its own name, where nothing here has taken that name. */
function builtinCalled(syntax: Syntax, node: number, from: Scope): string | undefined {
  const callee = syntax.kind(node) === "call" ? syntax.at(node, "function") : 0;
  if (syntax.kind(callee) !== "identifier") return undefined;
  const name = syntax.text(callee);
  for (let scope: Scope | undefined = from; scope !== undefined; scope = scope.parent)
    if (scope.names.has(name) || (scope.kind === "function" && scope.locals.has(name))) return undefined;
  return name;
}
