// Reads shell commands with the grammar of bash. It is stricter than a shell: control characters, odd white space and everything
// the grammar is not sure of make a command unreadable, because what is misread here would be approved unseen.

import grammarPath from "tree-sitter-bash/tree-sitter-bash.wasm" with { type: "file" };
import type { ParseShell } from "../../protocol/shell-script.ts";
import type { FlatTree } from "../tree-sitter/flat-tree.ts";
import { loadGrammar } from "../tree-sitter/grammar.ts";
import { Syntax } from "../tree-sitter/syntax.ts";
import { readScript } from "./read-script.ts";

/** Nobody writes longer ones; what takes longer to parse is made to. */
const maxLength = 20_000;
const deadlineMs = 500;

/** Shells and the grammar disagree about these, or a reader cannot see them. Newlines and tabs are white space to both. */
const oddCharacters = /[^\P{C}\n\t]|[\p{Z}--[ ]]|[\u00AD\u115F\u1160\u3164\uFFA0]/v;

export async function loadShellParser(): Promise<ParseShell> {
  const grammar = await loadGrammar(grammarPath);
  return (source) => {
    if (source.length > maxLength) return { unreadable: "it is too long to be judged" };
    if (!source.isWellFormed() || oddCharacters.test(source)) {
      return { unreadable: "it has control characters, or white space that is not a plain blank" };
    }
    const parsed = grammar.parse(source, deadlineMs);
    if (parsed.tree === undefined) return { unreadable: `it cannot be read as a shell command: ${parsed.skipped}` };
    if (hidesText(parsed.tree, source))
      return { unreadable: "it has a comment or a backslash that may be read in two ways" };
    return readScript(new Syntax(parsed.tree, source));
  };
}

/**
 * A `#` begins a comment only after white space or an operator. A backslash outside of quotes is white space to the grammar in
 * places where it makes a word to a shell, so only three are let through: `\;`, `'\''`, and one that lets a line go on after a
 * blank. In double quotes and plain here-documents a backslash at a line's end joins what the grammar sees apart: `$\⏎(`.
 */
function hidesText(tree: FlatTree, source: string): boolean {
  const spans: { kind: string; start: number; end: number }[] = [];
  for (let node = 1; node < tree.type.length && (node === 1 || tree.end[node] !== 0); node++) {
    const kind = tree.kinds[tree.type[node] ?? 0] ?? "";
    const [start, end] = [tree.start[node] ?? 0, tree.end[node] ?? 0];
    if (surroundings.has(kind)) spans.push({ kind, start, end });
    const before = source[start - 1];
    if (kind === "comment" && before !== undefined && !/[\s;&|(]/.test(before)) return true;
  }
  const literalDocument = /<<-?\s*['"]/.test(source);
  for (let at = source.indexOf("\\"); at !== -1; at = source.indexOf("\\", at + 1)) {
    // Nodes come with their parents first, so the last one around it is the innermost.
    const around = spans.findLast(({ start, end }) => start < at && at < end)?.kind;
    const next = source[at + 1];
    if (around === "raw_string" || (around === "heredoc_body" && literalDocument)) continue;
    if (around === "string" || around === "ansi_c_string" || around === "heredoc_body") {
      if (next === "\n") return true;
      at++; // what it escapes may be a backslash
      continue;
    }
    const goesOn = next === "\n" && /[ \t]/.test(source[at - 1] ?? "");
    const isQuote = source.slice(at - 1, at + 3) === "'\\''";
    if (next !== ";" && !goesOn && !isQuote) return true;
  }
  return false;
}

/** What decides how a backslash is read. */
const surroundings = new Set([
  "string",
  "raw_string",
  "ansi_c_string",
  "heredoc_body",
  "command_substitution",
  "process_substitution",
  "expansion",
  "arithmetic_expansion",
]);
