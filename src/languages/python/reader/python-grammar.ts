// The Python grammar, loaded when the first Python file is read.

import grammarPath from "tree-sitter-python/tree-sitter-python.wasm" with { type: "file" };
import { type Grammar, loadGrammar } from "../../tree-sitter/grammar.ts";

export function loadPythonGrammar(): Promise<Grammar> {
  return loadGrammar(grammarPath);
}
