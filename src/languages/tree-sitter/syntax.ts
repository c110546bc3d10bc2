// Reading a flat tree together with its text: kinds, fields, children, lines. Nodes are numbers; 0 as an answer means none.

import type { FlatTree } from "./flat-tree.ts";

/** Stand anywhere and mean nothing. */
const passedOver = new Set(["comment", "line_comment", "block_comment", "line_continuation"]);

export class Syntax {
  readonly source: string;
  private readonly tree: FlatTree;
  private readonly fieldIds: ReadonlyMap<string, number>;
  private readonly lineStarts: Int32Array;
  private lastLine = 1;

  constructor(tree: FlatTree, source: string) {
    this.tree = tree;
    this.source = source;
    this.fieldIds = new Map(tree.fields.map((name, id) => [name, id]));
    this.lineStarts = startsOfLines(source);
  }

  kind(node: number): string {
    return this.tree.kinds[this.tree.type[node] ?? 0] ?? "ERROR";
  }

  text(node: number): string {
    return this.source.slice(this.tree.start[node], this.tree.end[node]);
  }

  /** From the end of one node to the end of another. */
  textAfter(node: number, until: number): string {
    return this.source.slice(this.tree.end[node], this.tree.end[until]);
  }

  /** Returns the text between two nodes. The first ends before the second begins. */
  textBetween(node: number, next: number): string {
    return this.source.slice(this.tree.end[node], this.tree.start[next]);
  }

  /** Returns the offset in the text at which a node begins. */
  start(node: number): number {
    return this.tree.start[node] ?? 0;
  }

  /** Returns the offset in the text at which a node ends. */
  end(node: number): number {
    return this.tree.end[node] ?? 0;
  }

  first(node: number): number {
    return this.tree.child[node] ?? 0;
  }

  next(node: number): number {
    return this.tree.next[node] ?? 0;
  }

  /** The first child under this field, or 0. */
  at(node: number, field: string): number {
    const id = this.fieldIds.get(field) ?? -1;
    for (let child = this.first(node); child !== 0; child = this.next(child)) {
      if (this.tree.field[child] === id) return child;
    }
    return 0;
  }

  is(node: number, field: string): boolean {
    return this.tree.fields[this.tree.field[node] ?? 0] === field;
  }

  children(node: number): number[] {
    const all: number[] = [];
    for (let child = this.first(node); child !== 0; child = this.next(child)) {
      const kind = this.kind(child);
      if (!passedOver.has(kind)) all.push(child);
    }
    return all;
  }

  /** All nodes of a kind, in the order of the text. */
  *each(kind: string): Generator<number> {
    const { type, kinds } = this.tree;
    const id = kinds.indexOf(kind);
    for (let node = type.indexOf(id); node !== -1; node = type.indexOf(id, node + 1)) yield node;
  }

  /** From 1. Mostly asked in ascending order, so the search starts where the last one ended. */
  line(node: number): number {
    const starts = this.lineStarts;
    const offset = this.tree.start[node] ?? 0;
    const at = this.lastLine;
    if ((starts[at - 1] ?? 0) <= offset && offset < (starts[at] ?? Number.POSITIVE_INFINITY)) return at;
    let low = 0;
    let high = starts.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((starts[middle] ?? 0) <= offset) low = middle;
      else high = middle - 1;
    }
    this.lastLine = low + 1;
    return this.lastLine;
  }
}

function startsOfLines(source: string): Int32Array {
  const starts = [0];
  for (let at = source.indexOf("\n"); at !== -1; at = source.indexOf("\n", at + 1)) starts.push(at + 1);
  return Int32Array.from(starts);
}
