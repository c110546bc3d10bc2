// A module that a call imports by the text it is given.

import { moduleRef, type PythonRef } from "../ref.ts";
import type { Syntax } from "../../tree-sitter/syntax.ts";

/** `import_module("pkg.mod")`, also from here: `import_module(".mod", __package__)`. */
export function importedByCall(syntax: Syntax, call: number): PythonRef | undefined {
  if (!/^((importlib\.)?import_module|__import__)$/.test(syntax.text(syntax.at(call, "function")))) return undefined;
  const [first = 0, second = 0] = syntax.children(syntax.at(call, "arguments"));
  const text = textOf(syntax, first) ?? "";
  const module = text.replace(/^\.+/, "");
  const level = text.length - module.length;
  // `__import__("a.b")` gives a.
  if (syntax.text(syntax.at(call, "function")) === "__import__" && module.includes(".")) return undefined;
  if (!/^[A-Za-z_]\w*(\.[A-Za-z_]\w*)*$/.test(module)) return undefined;
  if (level > 0 && !/^(package\s*=\s*)?__(package|name)__$/.test(syntax.text(second))) return undefined;
  return moduleRef(level, module);
}

/** A text that is written out plainly. */
export function textOf(syntax: Syntax, node: number): string | undefined {
  return syntax.kind(node) === "string" ? /^["']([^"'\\{}]+)["']$/.exec(syntax.text(node))?.[1] : undefined;
}
