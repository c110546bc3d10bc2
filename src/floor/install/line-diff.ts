// Shows what changes between two texts, line by line, for people to read before they say yes. Pure.

/** More lines than this on both sides are shown as one block: the table would be large, and nobody reads it. */
const mostCells = 4_000_000;

/** Lines that go and come, marked with - and +; each run is headed by its place. */
export function lineDiff(before: string, after: string): string[] {
  const [old, now] = [linesOf(before), linesOf(after)];
  let head = 0;
  while (head < old.length && head < now.length && old[head] === now[head]) head++;
  let tail = 0;
  while (tail < Math.min(old.length, now.length) - head && old.at(-1 - tail) === now.at(-1 - tail)) tail++;
  const [a, b] = [old.slice(head, old.length - tail), now.slice(head, now.length - tail)];
  if (a.length * b.length > mostCells) return [...a.map((line) => `-${line}`), ...b.map((line) => `+${line}`)];
  return walk(a, b, common(a, b), head);
}

function walk(a: readonly string[], b: readonly string[], longest: readonly Uint32Array[], head: number): string[] {
  const out: string[] = [];
  let isOpen = false;
  let [i, j] = [0, 0];
  while (i < a.length || j < b.length) {
    if (i < a.length && j < b.length && a[i] === b[j]) {
      [i, j, isOpen] = [i + 1, j + 1, false];
      continue;
    }
    if (!isOpen) out.push(`@@ line ${head + j + 1} @@`);
    isOpen = true;
    const takesOld = j >= b.length || (i < a.length && (longest[i + 1]?.[j] ?? 0) >= (longest[i]?.[j + 1] ?? 0));
    out.push(takesOld ? `-${a[i++]}` : `+${b[j++]}`);
  }
  return out;
}

/** For each pair of places, how many lines the rest of both have in common. */
function common(a: readonly string[], b: readonly string[]): Uint32Array[] {
  const table = Array.from({ length: a.length + 1 }, () => new Uint32Array(b.length + 1));
  for (let i = a.length - 1; i >= 0; i--) {
    for (let j = b.length - 1; j >= 0; j--) {
      const [row, below] = [table[i], table[i + 1]];
      if (row !== undefined)
        row[j] = a[i] === b[j] ? (below?.[j + 1] ?? 0) + 1 : Math.max(below?.[j] ?? 0, row[j + 1] ?? 0);
    }
  }
  return table;
}

function linesOf(text: string): string[] {
  const lines = text.split("\n").map((line) => line.replace(/\r$/, ""));
  if (lines.at(-1) === "") lines.pop();
  return lines;
}
