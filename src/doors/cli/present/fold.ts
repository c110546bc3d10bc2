// A line broken where a terminal would break it, at spaces where there are some.

import { width } from "./table.ts";

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
