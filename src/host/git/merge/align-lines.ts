// Finds a line of one text in another that differs a little: the shortest edit script (Myers), with the common beginning and end taken off
// first. Past a bound on the number of differences the answer is an estimate.

const maxDifferences = 400;

/** From a line number of `from` (0 to its length) to the matching one of `to`. */
export function alignLines(from: readonly string[], to: readonly string[]): (line: number) => number {
  let start = 0;
  while (start < from.length && start < to.length && from[start] === to[start]) start++;
  let fromEnd = from.length;
  let toEnd = to.length;
  while (fromEnd > start && toEnd > start && from[fromEnd - 1] === to[toEnd - 1]) {
    fromEnd--;
    toEnd--;
  }
  const middle = matchMiddle(from.slice(start, fromEnd), to.slice(start, toEnd));
  return (line) => {
    if (line < start) return line;
    if (line >= fromEnd) return toEnd + (line - fromEnd);
    return start + middle(line - start);
  };
}

function matchMiddle(from: readonly string[], to: readonly string[]): (line: number) => number {
  const trace = shortestEdit(from, to);
  if (trace === undefined) return (line) => Math.min(line, to.length);
  const matched = new Int32Array(from.length + 1).fill(-1);
  matched[from.length] = to.length;
  let x = from.length;
  let y = to.length;
  for (let distance = trace.length - 1; distance >= 0; distance--) {
    const reach = trace[distance] ?? new Int32Array();
    const offset = (reach.length - 1) >> 1;
    const diagonal = x - y;
    const down =
      diagonal === -distance ||
      (diagonal !== distance && (reach[offset + diagonal - 1] ?? 0) < (reach[offset + diagonal + 1] ?? 0));
    const previous = down ? diagonal + 1 : diagonal - 1;
    const beforeX = distance === 0 ? 0 : (reach[offset + previous] ?? 0);
    const beforeY = distance === 0 ? 0 : beforeX - previous;
    while (x > beforeX && y > beforeY) matched[--x] = --y;
    x = beforeX;
    y = beforeY;
  }
  // A line with no match of its own stands where the next one that has a match does, less what lies between.
  let next = to.length;
  for (let line = from.length; line >= 0; line--) {
    if ((matched[line] ?? -1) === -1) matched[line] = next;
    else next = matched[line] ?? next;
  }
  return (line) => matched[line] ?? to.length;
}

/** The furthest reach per diagonal before each step; undefined past the bound. */
function shortestEdit(from: readonly string[], to: readonly string[]): Int32Array[] | undefined {
  const bound = Math.min(from.length + to.length, maxDifferences);
  const offset = bound + 1;
  const reach = new Int32Array(2 * offset + 1);
  const trace: Int32Array[] = [];
  for (let distance = 0; distance <= bound; distance++) {
    trace.push(reach.slice());
    for (let diagonal = -distance; diagonal <= distance; diagonal += 2) {
      const left = reach[offset + diagonal - 1] ?? 0;
      const right = reach[offset + diagonal + 1] ?? 0;
      let x = diagonal === -distance || (diagonal !== distance && left < right) ? right : left + 1;
      while (x < from.length && x - diagonal < to.length && from[x] === to[x - diagonal]) x++;
      reach[offset + diagonal] = x;
      if (x >= from.length && x - diagonal >= to.length) return trace;
    }
  }
  return undefined;
}
