// Calls that say more than that something is called: those that change namespaces in ways that cannot be read, additions to `__all__`, and
// `partial`, which calls what it is given.

import { callStep, withSteps } from "../ref.ts";
import type { Syntax } from "../../tree-sitter/syntax.ts";
import type { FileRecord } from "./file-record.ts";
import { callShape } from "./call-shape.ts";
import { noteSetattr } from "./given-attributes.ts";
import { noteNamedByText } from "./named-by-text.ts";
import { exprRef } from "./refs.ts";
import { noteKey } from "./own-names.ts";
import type { Scope } from "./scope.ts";

export function noteCall(syntax: Syntax, record: FileRecord, call: number, scope: Scope): void {
  noteNamespaces(syntax, record, call, scope);
  noteSetattr(syntax, record, call, scope);
  noteNamedByText(syntax, record, call, scope);
  notePartial(syntax, record, call, scope);
}

/** `partial(f, …)` calls f with these arguments and more that are not known yet. */
function notePartial(syntax: Syntax, record: FileRecord, call: number, scope: Scope): void {
  if (!/^(functools\.)?partial$/.test(syntax.text(syntax.at(call, "function")))) return;
  const args = syntax.at(call, "arguments");
  const called = exprRef(syntax, syntax.children(args)[0] ?? 0, scope);
  const { positional, keywords } = callShape(syntax, args, scope);
  const step = callStep({ positional: Math.max(0, positional - 1), keywords, star: true, doubleStar: true });
  record.emit(withSteps(called, step), call, scope);
}

/** Calls that change namespaces in ways that cannot be read, and additions to `__all__`. */
function noteNamespaces(syntax: Syntax, record: FileRecord, call: number, scope: Scope): void {
  const callee = syntax.at(call, "function");
  const args = syntax.at(call, "arguments");
  if (syntax.kind(callee) === "identifier") {
    const name = syntax.text(callee);
    // With a namespace of its own, `exec` leaves the module's alone.
    const inPlace = name === "exec" && syntax.children(args).length < 2;
    if (inPlace) record.dynamic = true;
    // Whoever only reads it was passed over before; here it is handed on, and anything may be done with it.
    if (name === "globals" || (name === "locals" && scope.kind !== "function")) record.computed.push(name);
    if (name !== "setattr") return;
    if (syntax.text(syntax.first(args)).includes("sys.modules"))
      noteKey(syntax, record, syntax.children(args)[1] ?? 0, syntax.text(call));
    return;
  }
  if (scope.kind !== "module" || syntax.text(syntax.at(callee, "object")) !== "__all__") return;
  const method = syntax.text(syntax.at(callee, "attribute"));
  if (method === "append") record.exports(args, scope, true);
  else if (method === "extend") record.exports(syntax.first(args), scope, true);
  else record.all = null;
}
