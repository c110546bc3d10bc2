// Modules, names and keys that are named by a text: `import_module("pkg.mod")`, `patch("pkg.mod.name")`, `getattr(thing, "name")`. Where the
// function fails without them, the text is a use like any other; any other text that spells a dotted name is one that may not be meant.

import { namedByText } from "../facts.ts";
import { attributeStep, keyIndexStep, moduleRef, type PythonRef, withSteps } from "../ref.ts";
import type { Syntax } from "../../tree-sitter/syntax.ts";
import type { FileRecord } from "./file-record.ts";
import { textOf } from "./imported-by-call.ts";
import { exprRef } from "./refs.ts";
import type { Scope } from "./scope.ts";

const dottedName = /^[A-Za-z_]\w*(\.[A-Za-z_]\w*)+$/;
/** Functions that fail without what a dotted text names. */
const finding =
  /(^|\.)(patch|patch\.dict|patch\.multiple|import_string|resolve_name|locate|import_from_string|load_object)$/;
/** Functions that fail without the attribute of what they are given. */
const asking = /(^|\.)(patch\.object|spy|setattr|delattr)$/;
/** Functions whose texts are names of their own. */
export const naming = /(^|\.)(getLogger|get_logger|TypeVar|NewType|namedtuple|warn)$/;

export function noteNamedByText(syntax: Syntax, record: FileRecord, call: number, scope: Scope): void {
  const callee = syntax.text(syntax.at(call, "function"));
  const args = syntax.children(syntax.at(call, "arguments"));
  const [first = 0, second = 0] = args;
  const isOptional = args.some((arg) => /^(create\s*=\s*True|raising\s*=\s*False)$/.test(syntax.text(arg)));
  if (isOptional) return;
  const text = textOf(syntax, first);
  const name = textOf(syntax, second);
  const isAsking = callee === "getattr" ? args.length === 2 : asking.test(callee) && callee.includes(".");
  if (text !== undefined && (finding.test(callee) || (isAsking && callee !== "getattr")))
    record.emit(dottedRef(text), first, scope);
  else if (isAsking && name !== undefined && /^[A-Za-z_]\w*$/.test(name))
    record.emit(withSteps(exprRef(syntax, first, scope), attributeStep(name)), second, scope);
  else if (/\.(get|pop)$/.test(callee) && text !== undefined) {
    const mapping = exprRef(syntax, syntax.at(syntax.at(call, "function"), "object"), scope);
    record.expecting(namedByText, () => record.emit(withSteps(mapping, keyIndexStep(text)), first, scope));
  }
}

/** A text that may name something: in settings, registries, messages. */
export function noteText(syntax: Syntax, record: FileRecord, node: number, scope: Scope): void {
  const text = textOf(syntax, node)?.replace(":", ".");
  if (text === undefined || text.length > 200 || !dottedName.test(text)) return;
  record.expecting(namedByText, () => record.emit(dottedRef(text), node, scope));
}

function dottedRef(text: string): PythonRef {
  const [root = "", ...names] = text.split(".");
  return dottedName.test(text) ? withSteps(moduleRef(0, root), ...names.map(attributeStep)) : "";
}
