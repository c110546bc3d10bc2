// A line broken where a terminal would break it, at spaces where there are some.

import { cut, width } from "./table.ts";

/** Lines after the first begin with `indent`. */
export function folded(line: string, columns: number, indent = "  "): string[] {
  const parts: string[] = [];
  let rest = line;
  while (width(rest) > columns && columns > indent.length + 4) {
    const fits = fitting(rest, columns);
    const space = rest.lastIndexOf(" ", fits);
    const at = space > fits / 3 && space > indent.length ? space : fits;
    parts.push(rest.slice(0, at));
    rest = `${indent}${rest.slice(at).trimStart()}`;
  }
  return [...parts, rest];
}

/** Folded into at most so many lines; only what is longer than that is cut, at its end. */
export function foldedWithin(most: number, line: string, columns: number, indent = "  "): string[] {
  const lines = folded(line, columns, indent);
  if (lines.length <= most) return lines;
  const [last = "", ...left] = lines.slice(most - 1);
  return [...lines.slice(0, most - 1), cut(`${last} ${left.join(" ").trimStart()}`, columns)];
}

/** As many whole blocks as the lines have room for; the first in any case. */
export function blocksWithin(blocks: readonly (readonly string[])[], most: number): readonly (readonly string[])[] {
  let room = most;
  const end = blocks.findIndex((block) => (room -= block.length) < 0);
  return end === -1 ? blocks : blocks.slice(0, Math.max(1, end));
}

/** Returns how much of the text, in string positions, fits into this many columns. */
function fitting(text: string, columns: number): number {
  let [at, used] = [0, 0];
  for (const character of text) {
    used += width(character);
    if (used > columns) break;
    at += character.length;
  }
  return at;
}
