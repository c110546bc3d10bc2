// The labels of a Java switch: what they say about the value that is switched on.

import type { SourceUse } from "../compiled/facts.ts";
import type { Syntax } from "../tree-sitter/syntax.ts";

/** Returns the type that a switch is over, by labels that are written out. */
export function labelledBy(syntax: Syntax, node: number): string {
  const kinds = new Set<string>();
  for (const label of labelsIn(syntax, node)) for (const value of syntax.children(label)) kinds.add(syntax.kind(value));
  const [only = "", ...others] = kinds;
  if (only === "string_literal" && others.length === 0) return "String";
  const isNumber = kinds.size > 0 && [...kinds].every((kind) => /^(character|decimal_integer)_literal$/.test(kind));
  return isNumber ? "~int" : "";
}

/** The constants it names, and whether it has to name every one; undefined when it names other things. */
export function choiceOf(
  syntax: Syntax,
  node: number,
  isExpression: boolean,
): Pick<SourceUse, "parts" | "whole"> | undefined {
  const labels: string[] = [];
  let isWhole = isExpression;
  for (const label of labelsIn(syntax, node)) {
    const names = syntax.children(label);
    if (names.length === 0 || /\bdefault$/.test(syntax.text(label))) isWhole = false;
    if (names.some((one) => syntax.kind(one) !== "identifier")) return undefined;
    labels.push(...names.map((one) => syntax.text(one)));
  }
  return labels.length === 0 ? undefined : { parts: labels, ...(isWhole ? { whole: 1 as const } : {}) };
}

function labelsIn(syntax: Syntax, node: number): number[] {
  return syntax
    .children(syntax.at(node, "body"))
    .flatMap((group) => syntax.children(group).filter((one) => syntax.kind(one) === "switch_label"));
}
