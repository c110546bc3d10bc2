// A module's own names reached by key: `globals()`, `locals()` at its top, `sys.modules[__name__]`. Reading them changes nothing; writing by a
// key that is written out binds that one name; only a key that is computed, or a namespace that is handed on, leaves more in doubt.

import type { Syntax } from "../../tree-sitter/syntax.ts";
import type { FileRecord } from "./file-record.ts";
import type { Scope } from "./scope.ts";

const readingMethods = new Set(["get", "items", "keys", "values", "copy", "__getitem__", "__contains__"]);
/** Functions that only look at what they are given. */
export const readingFunctions: ReadonlySet<string> = new Set(
  `dict list set frozenset tuple sorted len iter any all max min print repr str bool id isinstance enumerate filter map reversed zip
  eval getattr hasattr dir inspect.getmembers copy.copy copy.deepcopy deepcopy json.dumps pprint pformat pprint.pformat`.split(
    /\s+/,
  ),
);

/** An expression that gives the module's own names, or the module itself. */
export function isOwnNames(syntax: Syntax, node: number, scope: Scope): boolean {
  const kind = syntax.kind(node);
  if (kind === "subscript") return syntax.text(node) === "sys.modules[__name__]";
  if (kind !== "call") return false;
  const text = syntax.text(node);
  return text === "globals()" || (scope.kind === "module" && (text === "locals()" || text === "vars()"));
}

/** Those of these nodes that do more than look at the module's names; for the arguments of a call, with what is called. */
export function withoutReads(syntax: Syntax, nodes: readonly number[], scope: Scope, callee = ""): number[] {
  if (callee !== "" && !readingFunctions.has(callee))
    return nodes.filter(
      (node) => syntax.kind(node) !== "dictionary_splat" || !isOwnNames(syntax, syntax.first(node), scope),
    );
  return nodes.filter((node) => {
    const inner = syntax.kind(node) === "dictionary_splat" ? syntax.first(node) : node;
    return !isOwnNames(syntax, inner, scope);
  });
}

/** `globals().method(…)`: what it does to the names. `call` is 0 where the method is not called. */
export function noteMethod(syntax: Syntax, record: FileRecord, attribute: number, call: number): void {
  const object = syntax.at(attribute, "object");
  const method = syntax.text(syntax.at(attribute, "attribute"));
  // An attribute of the module itself is one of its names, and reading it changes nothing.
  if (syntax.kind(object) === "subscript" || readingMethods.has(method)) return;
  const args = call === 0 ? [] : syntax.children(syntax.at(call, "arguments"));
  const keys = method === "update" ? args.map((arg) => keysOf(syntax, arg)) : [[textOf(syntax, args[0] ?? 0)]];
  if (call !== 0 && /^(update|setdefault|pop|__setitem__|__delitem__)$/.test(method)) {
    const names = keys.flat();
    if (names.every((name) => name !== undefined)) {
      for (const name of names) record.byKey.set(name, syntax.line(call));
      return;
    }
  }
  record.computed.push(syntax.text(call === 0 ? attribute : call));
}

/** `globals()[key] = …`, `setattr(sys.modules[__name__], key, …)`: one name, or any. */
export function noteKey(syntax: Syntax, record: FileRecord, key: number, whole: string): void {
  const name = textOf(syntax, key);
  if (name === undefined) record.computed.push(whole);
  else record.byKey.set(name, syntax.line(key));
}

/** `names = globals()`: reading through the alias changes nothing either. */
export function isOnlyRead(syntax: Syntax, alias: string): boolean {
  const name = alias.replaceAll(/[^\w]/g, "");
  if (name === "" || name !== alias) return false;
  const binds = new RegExp(
    `(?<![\\w.])${name}\\s*=\\s*((globals|locals)\\(\\)|vars\\([\\w.]*\\)|[\\w.]+\\.__dict__\\b)`,
    "g",
  );
  const reads = new RegExp(
    `(?<!del\\s)(?<![\\w.])${name}(\\.(get|items|keys|values|copy)\\(|\\[[^\\]=]*\\](?!\\s*=[^=]|\\s*[-+*/|&]=))|\\bin\\s+${name}\\b(?!\\s*[.[(])`,
    "g",
  );
  const rest = syntax.source.replaceAll(binds, "").replaceAll(reads, "");
  return !new RegExp(`(?<![\\w.])${name}\\b`).test(rest);
}

function keysOf(syntax: Syntax, argument: number): (string | undefined)[] {
  if (syntax.kind(argument) === "keyword_argument") return [syntax.text(syntax.at(argument, "name"))];
  if (syntax.kind(argument) !== "dictionary") return [undefined];
  return syntax
    .children(argument)
    .map((pair) => (syntax.kind(pair) === "pair" ? textOf(syntax, syntax.at(pair, "key")) : undefined));
}

function textOf(syntax: Syntax, node: number): string | undefined {
  return node === 0 ? undefined : /^["']([^"'\\{}]+)["']$/.exec(syntax.text(node))?.[1];
}
