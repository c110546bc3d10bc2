// Reads shell commands with the grammar of bash. It is stricter than a shell: control characters, odd white space and everything
// the grammar is not sure of make a command unreadable, because what is misread here would be approved unseen.

import grammarPath from "tree-sitter-bash/tree-sitter-bash.wasm" with { type: "file" };
import type { ParseShell } from "../../protocol/shell-script.ts";
import type { FlatTree } from "../parse/tree-sitter/flat-tree.ts";
import { loadGrammar } from "../parse/tree-sitter/grammar.ts";
import { Syntax } from "../parse/tree-sitter/syntax.ts";
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
      return { unreadable: "a comment or a line's end in it may be read in two ways" };
    return readScript(new Syntax(parsed.tree, source));
  };
}

/** A `#` begins a comment only after white space or an operator, and a backslash joins lines wherever it stands. */
function hidesText(tree: FlatTree, source: string): boolean {
  if (/\S\\\n/.test(source)) return true;
  const comment = new Set([...tree.kinds.keys()].filter((id) => tree.kinds[id] === "comment"));
  for (let node = 1; node < tree.type.length && (node === 1 || tree.end[node] !== 0); node++) {
    if (!comment.has(tree.type[node] ?? 0)) continue;
    const before = source[(tree.start[node] ?? 0) - 1];
    if (before !== undefined && !/[\s;&|(]/.test(before)) return true;
  }
  return false;
}
