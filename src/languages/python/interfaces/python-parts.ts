// Small questions to Python's syntax: what a call is given, what a literal says, what a name stands for.

import { codeText } from "../../../ports/code-interfaces.ts";
import type { Syntax } from "../../tree-sitter/syntax.ts";

export interface PythonCall {
  /** `app.get` as `["app", "get"]`. */
  readonly callee: readonly string[];
  readonly positional: readonly number[];
  readonly named: ReadonlyMap<string, number>;
}

export function callAt(syntax: Syntax, node: number): PythonCall | undefined {
  if (syntax.kind(node) !== "call") return undefined;
  const [callee, list] = syntax.children(node);
  if (callee === undefined || list === undefined || syntax.kind(list) !== "argument_list") return undefined;
  const positional: number[] = [];
  const named = new Map<string, number>();
  for (const argument of syntax.children(list)) {
    if (syntax.kind(argument) !== "keyword_argument") {
      positional.push(argument);
      continue;
    }
    const [name, value] = syntax.children(argument);
    if (name !== undefined && value !== undefined) named.set(syntax.text(name), value);
  }
  return { callee: dotted(syntax, callee), positional, named };
}

/** `a.b.c` by its parts; what is called on the way is passed through: `a().b` is `a`, `b`. */
export function dotted(syntax: Syntax, node: number): string[] {
  const kind = syntax.kind(node);
  if (kind === "identifier") return [syntax.text(node)];
  if (kind === "call" || kind === "await") return dotted(syntax, syntax.children(node)[0] ?? 0);
  if (kind === "dotted_name") return syntax.children(node).map((one) => syntax.text(one));
  if (kind !== "attribute") return [];
  const [object, name] = syntax.children(node);
  return object === undefined || name === undefined ? [] : [...dotted(syntax, object), syntax.text(name)];
}

/** The value of a string without anything put in. */
export function stringAt(syntax: Syntax, node: number | undefined): string | undefined {
  if (node === undefined || syntax.kind(node) !== "string") return undefined;
  const parts = syntax.children(node);
  if (parts.some((part) => syntax.kind(part) === "interpolation")) return undefined;
  return parts
    .filter((part) => syntax.kind(part) === "string_content")
    .map((part) => syntax.text(part))
    .join("");
}

/** A path: a string, also with constants put in, a sum of strings, or the name of a constant. */
export function pathAt(syntax: Syntax, node: number | undefined, depth = 0): string | undefined {
  if (node === undefined || node === 0 || depth > 10) return undefined;
  const kind = syntax.kind(node);
  if (kind === "identifier" || kind === "attribute") {
    const name = dotted(syntax, node);
    return name.length === 0 ? undefined : codeText(name.join("."));
  }
  const all = (parts: readonly number[]): string | undefined => {
    const texts = parts.map((part) => pathAt(syntax, part, depth + 1));
    return texts.some((text) => text === undefined) ? undefined : texts.join("");
  };
  if (kind === "interpolation") return pathAt(syntax, syntax.children(node)[0], depth + 1);
  if (kind === "string_content") return syntax.text(node);
  if (kind === "string_start" || kind === "string_end") return "";
  return kind === "string" || kind === "binary_operator" ? all(syntax.children(node)) : undefined;
}

/** undefined where it is no literal; null is None. */
export function literalAt(syntax: Syntax, node: number | undefined): unknown {
  if (node === undefined) return undefined;
  switch (syntax.kind(node)) {
    case "string":
      return stringAt(syntax, node);
    case "integer":
    case "float":
      return Number(syntax.text(node).replaceAll("_", ""));
    case "true":
      return true;
    case "false":
      return false;
    case "none":
      return null;
    default:
      return undefined;
  }
}

/** Every node below, the node itself first. */
export function walkPython(syntax: Syntax, node: number, enter: (node: number) => boolean | void): void {
  if (enter(node) === false) return;
  for (const child of syntax.children(node)) walkPython(syntax, child, enter);
}

/** The strings of a list or tuple. */
export function stringsIn(syntax: Syntax, node: number | undefined): string[] {
  if (node === undefined) return [];
  return syntax.children(node).flatMap((one) => stringAt(syntax, one) ?? []);
}
