// Source text to summary: both passes, then the drafts turned into plain data. Leaves resolving anything to the core.

import { readInBudget } from "../../../ports/budget.ts";
import { type ParsePython, type PythonBinding, type PythonSummary, pythonSummaryVersion } from "../facts.ts";
import { nothing, rootName } from "../ref.ts";
import { builtinNames } from "./builtin-names.ts";
import { loadPythonGrammar } from "./python-grammar.ts";
import { sourceRef } from "./refs.ts";
import type { Draft, Scope } from "./scope.ts";
import type { Grammar } from "../../tree-sitter/grammar.ts";
import { Syntax } from "../../tree-sitter/syntax.ts";
import { FileWalk } from "./walk.ts";

/** A file of 1 MiB parses in about 0.3 s; what takes this long is hostile or the machine is starved. */
const deadlineMs = 700;
const maxLength = 1_048_576;

export const parsePython: ParsePython = async (source, path = "a Python file") => {
  const grammar = await loadPythonGrammar();
  if (source.length > maxLength) return skipped("too large");
  if (source.includes("\0")) return skipped("not text");
  const text = source.startsWith("\uFEFF") ? source.slice(1) : source;
  return readInBudget({ path, text }, () => read(grammar, text), skipped);
};

function read(grammar: Grammar, text: string): PythonSummary {
  const parsed = grammar.parse(text, deadlineMs);
  if (parsed.tree === undefined)
    return { ...skipped(parsed.skipped), ...(parsed.line === undefined ? {} : { skippedLine: parsed.line }) };
  try {
    return summarise(new Syntax(parsed.tree, text));
  } catch (cause) {
    // Locals that refer to locals can nest deeper than the syntax does; the stack is the only honest bound.
    if (cause instanceof RangeError) return skipped("nested too deeply");
    throw cause;
  }
}

function skipped(reason: string): PythonSummary {
  return { version: pythonSummaryVersion, skipped: reason, names: {}, stars: [], scopes: [], uses: [], stores: [] };
}

function summarise(syntax: Syntax): PythonSummary {
  const walk = new FileWalk(syntax);
  const top = walk.module();
  const { record } = walk;
  for (const [name, line] of record.byKey)
    top.names.set(name, [
      ...(top.names.get(name) ?? []),
      { kind: "value", line, conditional: true, refersTo: nothing },
    ]);
  const names = finished(syntax, top.names, top);
  const uses = record.uses.filter(({ ref }) => {
    const root = rootName(ref);
    return root === undefined || top.names.has(root) || !builtinNames.has(root);
  });
  return {
    version: pythonSummaryVersion,
    names,
    ...(record.all === undefined ? {} : { all: record.all }),
    ...(record.all === null ? { listed: Bun.hash.crc32(listings(syntax.source)) } : {}),
    stars: record.stars,
    ...(record.dynamic ? { dynamic: true as const } : {}),
    ...(record.computed.length === 0
      ? {}
      : { computed: Bun.hash.crc32(record.computed.join("\n")), spelled: spelledWords(syntax.source) }),
    ...(record.answers === undefined ? {} : { answers: record.answers }),
    scopes: record.scopes,
    uses,
    stores: [...record.stores],
  };
}

/** The statements about `__all__`, with the lines that go on in brackets. */
function listings(source: string): string {
  return (source.match(/^__all__\b.*(?:\n[ \t\])}].*)*/gm) ?? []).join("\n");
}

/** Names that may be written somewhere as text. */
function spelledWords(source: string): string[] {
  const words = new Set<string>();
  for (const [, text = ""] of source.matchAll(/["']([\w\s,.:-]{1,2000})["']/g))
    for (const [word] of text.matchAll(/[A-Za-z_]\w*/g)) words.add(word);
  return [...words].sort();
}

function finished(
  syntax: Syntax,
  drafts: ReadonlyMap<string, readonly Draft[]>,
  scope: Scope,
): Record<string, PythonBinding[]> {
  return Object.fromEntries(
    [...drafts].map(([name, list]) => [name, list.map((draft) => binding(syntax, draft, scope))]),
  );
}

function binding(syntax: Syntax, draft: Draft, scope: Scope): PythonBinding {
  const { source, drafts: members, ...plain } = draft;
  if (source !== undefined) {
    plain.refersTo = sourceRef(syntax, source, scope);
    if (source.how === "annotation") plain.isPromised = true;
  }
  if (members !== undefined) plain.members = finished(syntax, members, scope);
  return plain;
}
