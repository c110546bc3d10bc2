// Finds the name of a class in refs, and what it is built on.

import { classRef, importedRef, type PythonRef } from "../ref.ts";
import type { Syntax } from "../../tree-sitter/syntax.ts";
import { exprRef } from "./refs.ts";
import { type Draft, moduleOf, type Scope } from "./scope.ts";

/**
 * Returns the path by which refs name a class: its place. A class inside a function goes among the module's names under a key no name can
 * have.
 */
export function classPath(name: string, outer: Scope, draft: Draft): string | undefined {
  if (outer.kind === "module") return name;
  if (outer.kind === "class") return outer.owner === undefined ? undefined : `${outer.owner.path}.${name}`;
  const path = `${outer.name.replaceAll(".", "/")}/${name}`;
  const { names } = moduleOf(outer);
  const local = outer.locals.get(name);
  if (names.has(path) || local === undefined) return undefined;
  draft.conditional = true;
  names.set(path, [draft]);
  local.ref = classRef(path);
  return path;
}

export function basesOf(syntax: Syntax, arguments_: number, scope: Scope, draft: Draft): PythonRef[] {
  const refs: PythonRef[] = [];
  for (const base of syntax.children(arguments_)) {
    if (syntax.kind(base) === "keyword_argument") {
      if (/^metaclass\s*=\s*(abc\.)?ABCMeta$/.test(syntax.text(base))) refs.push(importedRef(0, "abc", "ABC"));
      else draft.unreadable = "keywords";
      continue;
    }
    refs.push(exprRef(syntax, syntax.kind(base) === "subscript" ? syntax.at(base, "value") : base, scope));
  }
  return refs;
}
