// Reads what a condition says about a local's class: `isinstance` in an `if`, in an assertion, or in an early way out. It does so only for
// locals that are bound once, so that nothing else can have come into them since.

import { instanceStep, withSteps } from "../ref.ts";
import { exprRef } from "./refs.ts";
import { moduleOf, newScope, type Scope } from "./scope.ts";
import type { Syntax } from "../../tree-sitter/syntax.ts";

/** The scope in which the condition holds; the same one when it says nothing. */
export function narrowed(syntax: Syntax, condition: number, scope: Scope): Scope {
  const kind = syntax.kind(condition);
  if (kind === "parenthesized_expression") return narrowed(syntax, syntax.first(condition), scope);
  if (kind === "boolean_operator") {
    const left = syntax.at(condition, "left");
    if (!/^\s*and\b/.test(syntax.textAfter(left, condition))) return doubted(syntax, condition, scope);
    return narrowed(syntax, syntax.at(condition, "right"), narrowed(syntax, left, scope));
  }
  if (kind === "not_operator") return doubted(syntax, condition, scope);
  if (kind !== "call" || syntax.text(syntax.at(condition, "function")) !== "isinstance") return scope;
  const [object = 0, type = 0, more = 0] = syntax.children(syntax.at(condition, "arguments"));
  if (more !== 0 || syntax.kind(object) !== "identifier") return scope;
  const name = syntax.text(object);
  if (!boundOnce(name, scope)) return scope;
  const ref = exprRef(syntax, type, scope);
  const inside = newScope("function", scope, scope.name, { transparent: true });
  // Several classes, or one that cannot be followed: better nothing than what was known before.
  inside.locals.set(name, { opaque: ref === "", source: undefined, ref: withSteps(ref, instanceStep) });
  return inside;
}

/** Returns the scope that the statements after this one know. */
export function narrowedAfter(syntax: Syntax, statement: number, scope: Scope): Scope {
  const kind = syntax.kind(statement);
  if (kind === "assert_statement") return narrowed(syntax, syntax.first(statement), scope);
  if (kind !== "if_statement") return scope;
  const condition = syntax.at(statement, "condition");
  const only = syntax.children(statement).every((child) => !/^(elif|else)_clause$/.test(syntax.kind(child)));
  const last = syntax.children(syntax.at(statement, "consequence")).at(-1) ?? 0;
  const leaves = /^(return|raise|continue|break)_statement$/.test(syntax.kind(last));
  if (!leaves) return scope;
  if (!only || syntax.kind(condition) !== "not_operator") return doubted(syntax, condition, scope);
  return narrowed(syntax, syntax.at(condition, "argument"), scope);
}

/** Where a condition about a local's class does not hold, or not alone: nothing is known of the local. */
export function doubted(syntax: Syntax, condition: number, scope: Scope): Scope {
  const names = [...syntax.text(condition).matchAll(/\b(?:isinstance|type|callable|issubclass)\(\s*(\w+)\s*[,)]/g)]
    .map(([, name = ""]) => name)
    .filter((name) => boundOnce(name, scope));
  if (names.length === 0) return scope;
  const inside = newScope("function", scope, scope.name, { transparent: true });
  for (const name of names) inside.locals.set(name, { opaque: true, source: undefined, ref: "" });
  return inside;
}

/** Variables of the module that a condition asks about as they are: what stands under it is written for some of what they may be. */
export function askedNames(syntax: Syntax, condition: number, scope: Scope): string[] {
  const { names } = moduleOf(scope);
  const plain = syntax.text(condition).matchAll(/(?<![\w.])([^\W\d]\w*)(?!\w|\s*[.([])/g);
  return [...plain]
    .map(([, name = ""]) => name)
    .filter((name) => names.get(name)?.some(({ kind }) => kind === "value"));
}

function boundOnce(name: string, from: Scope): boolean {
  for (let scope: Scope | undefined = from; scope?.kind === "function"; scope = scope.parent) {
    const local = scope.locals.get(name);
    if (local !== undefined) return !local.opaque && scope.self !== name;
    if (scope.globals.has(name)) return false;
  }
  return false;
}
