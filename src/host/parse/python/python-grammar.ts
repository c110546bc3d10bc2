// Loads tree-sitter and its Python grammar once, from files that travel inside the compiled program too, and parses with
// a deadline. The tree is copied out of WASM memory at once (flat-tree.ts), so nobody has to free anything.

import grammarPath from "tree-sitter-python/tree-sitter-python.wasm" with { type: "file" };
import { Language, Parser } from "web-tree-sitter";
import runtimePath from "web-tree-sitter/web-tree-sitter.wasm" with { type: "file" };
import { type Parsed, flatten } from "./flat-tree.ts";

export interface PythonGrammar {
  parse(source: string, deadlineMs: number): Parsed;
  /** The parser alone, for measuring what the rest costs. */
  parseOnly(source: string): void;
}

let loading: Promise<PythonGrammar> | undefined;

/** One grammar per process; a failed load is tried again by the next caller. */
export function loadPythonGrammar(): Promise<PythonGrammar> {
  loading ??= load().catch((cause: unknown) => {
    loading = undefined;
    throw cause;
  });
  return loading;
}

async function load(): Promise<PythonGrammar> {
  await Parser.init({ locateFile: () => runtimePath });
  const language = await Language.load(new Uint8Array(await Bun.file(grammarPath).arrayBuffer()));
  const parser = new Parser();
  parser.setLanguage(language);
  return {
    parse(source, deadlineMs) {
      // Late by the wall and by the processor: on a starved machine, or beside busy threads, only one of them runs on.
      const wallAt = performance.now();
      const processorAt = process.cpuUsage().user;
      const late = (): boolean =>
        performance.now() - wallAt > deadlineMs && process.cpuUsage().user - processorAt > deadlineMs * 1_000;
      const tree = parser.parse(source, null, { progressCallback: late });
      if (tree === null) {
        parser.reset();
        return { skipped: "parsing took too long" };
      }
      try {
        if (tree.rootNode.hasError) return { skipped: "syntax error" };
        return flatten(tree, language, late);
      } finally {
        tree.delete();
      }
    },
    parseOnly(source) {
      parser.parse(source)?.delete();
    },
  };
}
