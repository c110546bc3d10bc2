// A table whose last column holds sentences: what does not fit beside the others goes on below, in that column, and is not cut.

import { folded } from "./fold.ts";
import { oneLine, table, type TableOptions, width } from "./table.ts";

/** Between two columns. */
const gap = 2;
/** In a column of fewer characters than this nobody reads a sentence. */
const readable = 12;

export function foldingTable(
  head: readonly string[],
  rows: readonly (readonly string[])[],
  options: TableOptions,
): string {
  const last = head.length - 1;
  const sizes = head.map((title, at) => Math.max(width(title), ...rows.map((row) => width(oneLine(row[at] ?? "")))));
  const room = options.columns - sizes.slice(0, last).reduce((sum, size) => sum + size + gap, 0);
  if (room < readable) return table(head, rows, options);
  const continued = rows.flatMap((row) => {
    const [first = "", ...more] = folded(oneLine(row[last] ?? ""), room, "");
    const before = row.slice(0, last);
    return [[...before, first], ...more.map((line) => [...before.map(() => ""), line])];
  });
  return table(head, continued, options);
}
