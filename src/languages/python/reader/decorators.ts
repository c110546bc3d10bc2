// Turns a decorator into a ref. For decorators that make accessors of a property, it says only that they do.

import { accessor, callStep, firstSteps, parseRef } from "../ref.ts";
import { exprRef } from "./refs.ts";
import type { Scope } from "./scope.ts";
import type { Syntax } from "../../tree-sitter/syntax.ts";

export function decoratorRef(syntax: Syntax, expression: number, scope: Scope): string {
  if (/\.(setter|getter|deleter)$/.test(syntax.text(expression))) return accessor;
  return withOptions(syntax, expression, exprRef(syntax, expression, scope));
}

/** Of a dataclass's options only those that change its parameters stay, and one whose value is not written out says so. */
function withOptions(syntax: Syntax, decorator: number, ref: string): string {
  const { steps } = parseRef(ref);
  const call = steps.at(-1);
  if (call?.kind !== "call" || call.positional > 0 || !call.keywords.some((one) => one === "kw_only" || one === "init"))
    return ref;
  const value = (name: string): string | undefined =>
    new RegExp(`\\b${name}\\s*=\\s*(\\w+)`).exec(syntax.text(decorator))?.[1];
  const options = [
    ...(value("init") === undefined || value("init") === "True" ? [] : ["init"]),
    ...(value("kw_only") === undefined || value("kw_only") === "False"
      ? []
      : [value("kw_only") === "True" ? "kw_only" : "init"]),
  ];
  return firstSteps(ref, steps.length - 1) + callStep({ ...call, keywords: options, star: false, doubleStar: false });
}
