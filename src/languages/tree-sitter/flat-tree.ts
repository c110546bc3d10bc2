// A syntax tree copied into flat arrays by one sweep of a cursor. Walking tree-sitter's own nodes costs a call into WASM
// per question; here every later question is an array read. Only named nodes are kept, and the word `async`.

import type { Language, Tree } from "web-tree-sitter";

export interface FlatTree {
  /** Index into `kinds`. Node 1 is the module; 0 is no node. */
  readonly type: Uint16Array;
  readonly field: Uint8Array;
  readonly start: Int32Array;
  readonly end: Int32Array;
  /** First child and next sibling. */
  readonly child: Int32Array;
  readonly next: Int32Array;
  /** Names of node types and fields, by index. */
  readonly kinds: readonly string[];
  readonly fields: readonly string[];
}

export type Parsed =
  | { readonly tree: FlatTree; readonly skipped?: undefined }
  /** `line`: where the syntax error is, from 1. */
  | { readonly skipped: string; readonly line?: number; readonly tree?: undefined };

/** Deeper than this the analysis, which recurses, would be at risk; hand-written code stays below 100. */
const maxDepth = 600;
const maxNodes = 3_000_000;

export function flatten(tree: Tree, language: Language, late: () => boolean): Parsed {
  const types = language.types;
  const keep = new Uint8Array(types.length + 1);
  for (const [id, name] of types.entries()) keep[id] = language.nodeTypeIsNamed(id) || name === "async" ? 1 : 0;

  let room = 4096;
  let type = new Uint16Array(room);
  let field = new Uint8Array(room);
  let start = new Int32Array(room);
  let end = new Int32Array(room);
  let child = new Int32Array(room);
  let next = new Int32Array(room);
  let count = 1;
  // For each open level: the node itself, and the child appended last.
  const open: number[] = [];
  const last: number[] = [];

  const cursor = tree.walk();
  try {
    for (;;) {
      const id = cursor.nodeTypeId;
      let entered = false;
      if (keep[id] === 1) {
        if (count === room) {
          if (count >= maxNodes) return { skipped: "too many nodes" };
          if (late()) return { skipped: "parsing took too long" };
          room *= 2;
          type = grown(type, new Uint16Array(room));
          field = grown(field, new Uint8Array(room));
          start = grown(start, new Int32Array(room));
          end = grown(end, new Int32Array(room));
          child = grown(child, new Int32Array(room));
          next = grown(next, new Int32Array(room));
        }
        const node = count++;
        type[node] = id;
        field[node] = cursor.currentFieldId;
        start[node] = cursor.startIndex;
        end[node] = cursor.endIndex;
        const level = open.length - 1;
        if (level >= 0) {
          const before = last[level] ?? 0;
          if (before === 0) child[open[level] ?? 0] = node;
          else next[before] = node;
          last[level] = node;
        }
        if (cursor.gotoFirstChild()) {
          open.push(node);
          last.push(0);
          if (open.length > maxDepth) return { skipped: "nested too deeply" };
          entered = true;
        }
      }
      if (entered) continue;
      while (!cursor.gotoNextSibling()) {
        if (!cursor.gotoParent()) {
          return { tree: { type, field, start, end, child, next, kinds: types, fields: language.fields.map(String) } };
        }
        open.pop();
        last.pop();
      }
    }
  } finally {
    cursor.delete();
  }
}

function grown<T extends Uint16Array | Uint8Array | Int32Array>(from: T, to: T): T {
  to.set(from);
  return to;
}
