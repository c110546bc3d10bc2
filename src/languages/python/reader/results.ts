// Finds what a function gives, by its annotation or by its `return`s, and what a module's `__getattr__` answers for.

import { instanceRef, itself, parseRef, plainRef, type PythonRef } from "../ref.ts";
import { annotationRef, exprRef } from "./refs.ts";
import { moduleOf, type Scope } from "./scope.ts";
import type { Syntax } from "../../tree-sitter/syntax.ts";

const plainTypes = new Set(
  "None int float str bytes bool list dict set tuple frozenset List Dict Set Tuple".split(" "),
);
/** Built-in functions whose result nobody awaits. */
const plainCalls = new Set(
  "len str int float bool bytes list dict set tuple sorted sum min max abs round repr format range isinstance".split(
    " ",
  ),
);

/** Returns what the return annotation says. `Self`, and a type variable that `self` has too, mean the object it was called on. */
export function promisedRef(syntax: Syntax, node: number, returns: number, scope: Scope): string {
  const written = unquoted(syntax.text(returns));
  if (/^([\w.]+\.)?Self$/.test(written)) return itself;
  const first = syntax.children(syntax.at(node, "parameters"))[0] ?? 0;
  const of = syntax.kind(first) === "typed_parameter" ? unquoted(syntax.text(syntax.at(first, "type"))) : "";
  if (scope.kind === "class" && of !== "" && of === written) return itself;
  return written === "None" ? plainRef("None") : annotationRef(syntax, returns, scope);
}

/** Without an annotation: what all its `return`s give, where they agree. */
export function returnedRef(syntax: Syntax, body: number, scope: Scope): string {
  const found = returnsOf(syntax, body);
  if (found === undefined) return "";
  if (found.length === 0) return isLeftOpen(syntax, body) ? "" : plainRef("None");
  const refs = new Set(found.map((value) => exprRef(syntax, value, scope)));
  if (refs.size > 1 && [...refs].every(isTuple)) return plainRef("tuple");
  const [only = ""] = refs;
  if (refs.size !== 1) return "";
  const { owner } = scope;
  if (owner !== undefined && (only === instanceRef(owner.path) || isOwnCall(only, owner.path))) return itself;
  return only;
}

const isTuple = (ref: PythonRef): boolean => /^btuple(:\d+)?$/.test(ref);

/** A body that others fill: nothing but a docstring, `pass`, `...` or a `raise`; or one that ends in a `raise`. */
function isLeftOpen(syntax: Syntax, body: number): boolean {
  const statements = syntax
    .children(body)
    .filter((node) => !/^("|'|\.\.\.|[rR]?["'])/.test(syntax.text(node)) && syntax.kind(node) !== "pass_statement");
  return statements.length === 0 || syntax.kind(statements.at(-1) ?? 0) === "raise_statement";
}

function isOwnCall(ref: PythonRef, path: string): boolean {
  const { root, steps } = parseRef(ref);
  return root.kind === "class" && root.path === path && steps.length === 1 && steps[0]?.kind === "call";
}

/** The values of its own `return`s, but for None; undefined for a generator. */
function returnsOf(syntax: Syntax, node: number): number[] | undefined {
  const found: number[] = [];
  let yields = false;
  const look = (at: number): void => {
    for (let child = syntax.first(at); child !== 0; child = syntax.next(child)) {
      const kind = syntax.kind(child);
      if (kind === "function_definition" || kind === "class_definition" || kind === "lambda") continue;
      if (kind === "yield") yields = true;
      if (kind === "return_statement") {
        const value = syntax.children(child)[0] ?? 0;
        if (value !== 0 && syntax.kind(value) !== "none") found.push(value);
      }
      look(child);
    }
  };
  look(node);
  return yields ? undefined : found;
}

/** Nothing it returns could be awaited: it returns nothing, or only what is evidently a plain value. */
export function handsOnNothing(syntax: Syntax, body: number): boolean {
  const plain = (node: number): boolean => {
    const kind = syntax.kind(node);
    if (kind === "call") {
      const callee = syntax.at(node, "function");
      return syntax.kind(callee) === "identifier" && plainCalls.has(syntax.text(callee));
    }
    return /^(integer|float|string|concatenated_string|true|false|none|list|dictionary|set|tuple|comparison_operator|not_operator|.*_comprehension)$/.test(
      kind,
    );
  };
  return returnsOf(syntax, body)?.every(plain) ?? false;
}

export function isPlainType(syntax: Syntax, returns: number): boolean {
  return plainTypes.has(/^\w+/.exec(unquoted(syntax.text(returns)))?.[0] ?? "") && !syntax.text(returns).includes("|");
}

/** Names that `__getattr__` compares its argument with before it gives up; undefined when it may answer for others. */
export function answeredNames(syntax: Syntax, node: number, outer: Scope): string[] | undefined {
  const parameters = syntax.children(syntax.at(node, "parameters"));
  const asked =
    syntax
      .text(parameters[outer.kind === "class" ? 1 : 0] ?? 0)
      .split(":")[0]
      ?.trim() ?? "";
  const statements = syntax.children(syntax.at(node, "body"));
  const last = statements.pop() ?? 0;
  if (asked === "" || syntax.kind(last) !== "raise_statement") return undefined;
  const names: string[] = [];
  const tables = new Map<string, string>();
  for (const statement of statements) {
    const kind = syntax.kind(statement);
    const table = kind === "expression_statement" ? syntax.first(statement) : 0;
    if (syntax.kind(table) === "assignment") {
      tables.set(syntax.text(syntax.at(table, "left")), syntax.text(syntax.at(table, "right")));
      continue;
    }
    if (
      kind.startsWith("import") ||
      (kind === "expression_statement" && syntax.kind(syntax.first(statement)) === "string")
    )
      continue;
    const condition = kind === "if_statement" ? syntax.text(syntax.at(statement, "condition")) : "";
    const written = new RegExp(`^${asked}\\s*(==|in)\\s*([^]*)$`).exec(condition)?.[2] ?? "";
    const [kept, ...others] = moduleOf(outer).names.get(written) ?? [];
    const compared =
      tables.get(written) ??
      (kept?.source === undefined || others.length > 0 ? written : syntax.text(kept.source.node));
    if (!/^(["'][^"']*["']|[[({][^]*[\])}])$/.test(compared)) return undefined;
    for (const word of compared.matchAll(/["']([^"']*)["']/g)) names.push(word[1] ?? "");
    if (syntax.children(statement).some((child) => /^(elif|else)_clause$/.test(syntax.kind(child)))) return undefined;
  }
  return names;
}

const unquoted = (text: string): string => text.trim().replace(/^["']|["']$/g, "");
