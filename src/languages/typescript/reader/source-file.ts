// One file being read: its text, where its lines begin, and what has been seen in it so far.

import type { FreeName, Use } from "../facts.ts";

export class SourceFile {
  readonly uses: Use[] = [];
  readonly free = new Map<string, number>();
  readonly duplicates: FreeName[] = [];
  readonly javascript: boolean;
  readonly text: string;
  private readonly starts: number[] = [0];
  /** Lines the author told the compiler to pass over. */
  private readonly silenced: ReadonlySet<number>;

  constructor(text: string, javascript: boolean) {
    this.text = text;
    this.javascript = javascript;
    for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) this.starts.push(at + 1);
    this.silenced = this.findSilenced();
  }

  /** From 1. */
  lineAt(offset: number): number {
    let low = 0;
    let high = this.starts.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((this.starts[middle] ?? 0) <= offset) low = middle;
      else high = middle - 1;
    }
    return low + 1;
  }

  /** Tells whether no line ends between two offsets. If they are close, this is cheaper than asking for both lines. */
  sameLine(from: number, to: number): boolean {
    const end = this.text.indexOf("\n", from);
    return end === -1 || end >= to;
  }

  addUse(use: Use): void {
    if (!this.silenced.has(use.line)) this.uses.push(use);
  }

  addFree(name: string, offset: number): void {
    if (!this.free.has(name)) this.free.set(name, this.lineAt(offset));
  }

  private findSilenced(): Set<number> {
    const lines = new Set<number>();
    for (let at = this.text.indexOf("@ts-"); at !== -1; at = this.text.indexOf("@ts-", at + 1)) {
      if (/^@ts-(ignore|expect-error)\b/.test(this.text.slice(at, at + 20))) lines.add(this.lineAt(at) + 1);
    }
    return lines;
  }
}
