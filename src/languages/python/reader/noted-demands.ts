// Notes what code asks of a value besides its attributes: to be looped over, taken apart, added to. Each is a use that goes one step further
// than the chain it begins with.

import { throughLocal } from "../facts.ts";
import { itemStep, sumStep, unpackStep, withSteps } from "../ref.ts";
import type { Syntax } from "../../tree-sitter/syntax.ts";
import type { FileRecord } from "./file-record.ts";
import { exprRef } from "./refs.ts";
import type { Scope } from "./scope.ts";

/** A use, with whether it is one of a local. */
export function emitChain(syntax: Syntax, record: FileRecord, node: number, ref: string, scope: Scope): void {
  let root = node;
  for (let kind = syntax.kind(root); /^(attribute|call|await|subscript|parenthesized_expression)$/.test(kind);) {
    root = syntax.first(root);
    kind = syntax.kind(root);
  }
  const bits = syntax.kind(root) === "identifier" && isLocal(syntax.text(root), scope) ? throughLocal : 0;
  record.expecting(bits, () => record.emit(ref, node, scope));
}

/** A loop asks for items, and several names for as many parts of each. */
export function noteLoop(syntax: Syntax, record: FileRecord, left: number, right: number, scope: Scope): void {
  const count = partsOf(syntax, left);
  const steps = [itemStep, ...(count === undefined ? [] : [unpackStep(count)])];
  emitChain(syntax, record, right, withSteps(exprRef(syntax, right, scope), ...steps), scope);
}

/** `one, two = thing` */
export function noteParts(syntax: Syntax, record: FileRecord, left: number, right: number, scope: Scope): void {
  const count = partsOf(syntax, left);
  if (count !== undefined)
    emitChain(syntax, record, right, withSteps(exprRef(syntax, right, scope), unpackStep(count)), scope);
}

/** `thing + "text"`, `1 - thing`: what stands beside something written out has to be of its kind. */
export function noteSum(syntax: Syntax, record: FileRecord, node: number, scope: Scope): void {
  const [left, right] = [syntax.at(node, "left"), syntax.at(node, "right")];
  const sign = /^\s*(\+|-|\/\/?)/.exec(syntax.textAfter(left, right))?.[1];
  if (sign === undefined) return;
  for (const [one, other] of [
    [left, right],
    [right, left],
  ] as const) {
    const kind = syntax.kind(other);
    const isText = kind === "string" && sign === "+" && !/^[a-zA-Z]*[bB]/.test(syntax.text(other));
    if (!isText && kind !== "integer" && kind !== "float") continue;
    const step = sumStep(isText ? "text" : "number");
    emitChain(syntax, record, one, withSteps(exprRef(syntax, one, scope), step), scope);
  }
}

/** Returns the number of names that take a value apart. Undefined for one name, and where a star takes the rest. */
function partsOf(syntax: Syntax, left: number): number | undefined {
  if (!/^(pattern_list|tuple_pattern|list_pattern)$/.test(syntax.kind(left))) return undefined;
  const parts = syntax.children(left);
  return parts.some((part) => syntax.kind(part) === "list_splat_pattern") ? undefined : parts.length;
}

function isLocal(name: string, from: Scope): boolean {
  for (let scope: Scope | undefined = from; scope?.kind === "function"; scope = scope.parent)
    if (scope.locals.has(name)) return true;
  return false;
}
