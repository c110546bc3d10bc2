// Loads tree-sitter once for all grammars, each grammar when it is first asked for, from files that travel inside the compiled
// program too, and parses with a deadline. The tree is copied out of WASM memory at once (flat-tree.ts), so nobody has to
// free anything.

import { Language, type Node, Parser, type Tree } from "web-tree-sitter";
import runtimePath from "web-tree-sitter/web-tree-sitter.wasm" with { type: "file" };
import { type Parsed, flatten } from "./flat-tree.ts";
import { askForLess } from "./less-memory.ts";

export interface Grammar {
  parse(source: string, deadlineMs: number): Parsed;
  /** Statements that have nothing to do with each other: `broken` are the ranges of the text that were not understood. */
  parseEach(source: string, deadlineMs: number): ParsedEach;
}

export type ParsedEach = Parsed & { readonly broken: readonly (readonly [start: number, end: number])[] };

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
  starting ??= startRuntime().catch((cause: unknown) => {
    starting = undefined;
    throw cause;
  });
  return starting;
}

/** Given as a module: left to itself, tree-sitter looks for its file first, and compiles it only then. */
async function startRuntime(): Promise<void> {
  const program = await read(runtimePath);
  const bytes = askForLess(program);
  const runtime = await WebAssembly.compile(program);
  const instantiateWasm = (imports: Bun.WebAssembly.Imports, receive: Received) => {
    const made = new WebAssembly.Instance(runtime, imports);
    receive(made, runtime);
    return made.exports;
  };
  await Parser.init({ instantiateWasm, ...(bytes === undefined ? {} : { INITIAL_MEMORY: bytes }) });
}

type Received = (made: WebAssembly.Instance, from: WebAssembly.Module) => void;

/** In other threads, while this one goes on. */
async function compile(path: string): Promise<WebAssembly.Module> {
  return WebAssembly.compile(await read(path));
}

async function read(path: string): Promise<Buffer<ArrayBuffer>> {
  return Buffer.from(await Bun.file(path).arrayBuffer());
}

/** Returns the line at which the parser first stopped understanding. */
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
  const [compiled] = await Promise.all([compile(path), start()]);
  const language = Language.loadSync(compiled);
  const parser = new Parser();
  parser.setLanguage(language);
  function parsed<Answer>(
    source: string,
    deadlineMs: number,
    read: (tree: Tree, late: () => boolean) => Answer,
  ): Answer | { readonly skipped: string } {
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
      return read(tree, late);
    } finally {
      tree.delete();
    }
  }
  return {
    parse: (source, deadlineMs) =>
      parsed(source, deadlineMs, (tree, late): Parsed =>
        tree.rootNode.hasError
          ? { skipped: "syntax error", line: errorLine(tree.rootNode) }
          : flatten(tree, language, late),
      ),
    parseEach(source, deadlineMs) {
      const read = parsed(source, deadlineMs, (tree, late): ParsedEach => {
        const broken = tree.rootNode.hasError ? tree.rootNode.children.filter((one) => one?.hasError === true) : [];
        return {
          ...flatten(tree, language, late),
          broken: broken.flatMap((one) => (one === null ? [] : [[one.startIndex, one.endIndex] as const])),
        };
      });
      return "broken" in read ? read : { ...read, broken: [] };
    },
  };
}
