// `Point = namedtuple("Point", "x y")`: a class that is written as a call.

import { importedRef } from "../ref.ts";
import type { Draft } from "./scope.ts";
import type { Syntax } from "../../tree-sitter/syntax.ts";

/** The class such a call makes; undefined for any other expression, and where its fields are not written out. */
export function namedTupleDraft(syntax: Syntax, value: number): Draft | undefined {
  if (syntax.kind(value) !== "call") return undefined;
  if (!/^(collections\.)?namedtuple$/.test(syntax.text(syntax.at(value, "function")))) return undefined;
  const [, fields = 0, ...options] = syntax.children(syntax.at(value, "arguments"));
  const names = namesOf(syntax, fields);
  if (names === undefined) return undefined;
  let defaults = 0;
  for (const option of options) {
    const given = syntax.kind(option) === "keyword_argument" ? syntax.text(syntax.at(option, "name")) : "";
    const list = syntax.at(option, "value");
    if (given === "module") continue;
    if (given !== "defaults" || !/^(list|tuple)$/.test(syntax.kind(list))) return undefined;
    defaults = syntax.children(list).length;
  }
  const line = syntax.line(value);
  const members = names.map((name, at): [string, Draft[]] => [
    name,
    [{ kind: "value", line: line, field: at < names.length - defaults ? "required" : "defaulted", fingerprint: at }],
  ]);
  return { kind: "class", line: line, bases: [importedRef(0, "typing", "NamedTuple")], drafts: new Map(members) };
}

function namesOf(syntax: Syntax, fields: number): string[] | undefined {
  const kind = syntax.kind(fields);
  const items = kind === "string" ? [fields] : kind === "list" || kind === "tuple" ? syntax.children(fields) : [];
  if (items.length === 0 || items.some((item) => syntax.kind(item) !== "string")) return undefined;
  const words = items.map((item) => /^["']([\w\s,]*)["']$/.exec(syntax.text(item))?.[1]);
  if (words.some((word) => word === undefined)) return undefined;
  return words.flatMap((word) => (word ?? "").split(/[\s,]+/)).filter((word) => word !== "");
}
