// Loads tree-sitter once for all grammars, each grammar when it is first asked for, from files that travel inside the compiled
// program too, and parses with a deadline. The tree is copied out of WASM memory at once (flat-tree.ts), so nobody has to
// free anything.

import { Language, type Node, Parser } from "web-tree-sitter";
import runtimePath from "web-tree-sitter/web-tree-sitter.wasm" with { type: "file" };
import { type Parsed, flatten } from "./flat-tree.ts";

export interface Grammar {
  parse(source: string, deadlineMs: number): Parsed;
}

const loading = new Map<string, Promise<Grammar>>();
let starting: Promise<void> | undefined;

/** One grammar per process and file; a failed load is tried again by the next caller. */
export function loadGrammar(path: string): Promise<Grammar> {
  let grammar = loading.get(path);
  if (grammar === undefined) {
    grammar = load(path).catch((cause: unknown) => {
      loading.delete(path);
      throw cause;
    });
    loading.set(path, grammar);
  }
  return grammar;
}

/** Two runtimes side by side would not know each other's languages, so all grammars wait for the same one. */
function start(): Promise<void> {
  starting ??= Parser.init({ locateFile: () => runtimePath }).catch((cause: unknown) => {
    starting = undefined;
    throw cause;
  });
  return starting;
}

/** Where the parser first stopped understanding. */
function errorLine(root: Node): number {
  let node = root;
  for (;;) {
    const inner = node.isError
      ? undefined
      : node.children.find((child) => child?.hasError === true || child?.isMissing);
    if (inner === undefined || inner === null) return node.startPosition.row + 1;
    node = inner;
  }
}

async function load(path: string): Promise<Grammar> {
  await start();
  const language = await Language.load(new Uint8Array(await Bun.file(path).arrayBuffer()));
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
        if (tree.rootNode.hasError) return { skipped: "syntax error", line: errorLine(tree.rootNode) };
        return flatten(tree, language, late);
      } finally {
        tree.delete();
      }
    },
  };
}
