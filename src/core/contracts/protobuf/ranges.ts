// Reserved and extension ranges, and reserved names. A file may hold a hundred thousand of them and ask for each, so what
// is looked up is prepared once.

import type { Range } from "./syntax.ts";

/** Tells whether ranges, taken together, hold every number from start to end. */
export function covers(ranges: readonly Range[], start: number, end = start): boolean {
  const merged = mergedRanges(ranges);
  let [low, high] = [0, merged.length - 1];
  while (low <= high) {
    const middle = (low + high) >> 1;
    const range = merged[middle];
    if (range === undefined) return false;
    if (range.end < start) low = middle + 1;
    else if (range.start > start) high = middle - 1;
    else return range.end >= end;
  }
  return false;
}

export function nameReserved({ reservedNames }: { readonly reservedNames: readonly string[] }, name: string): boolean {
  let names = preparedNames.get(reservedNames);
  if (names === undefined) preparedNames.set(reservedNames, (names = new Set(reservedNames)));
  return names.has(name);
}

const preparedNames = new WeakMap<readonly string[], ReadonlySet<string>>();
const preparedRanges = new WeakMap<readonly Range[], readonly Range[]>();

/** In order, with neighbours joined: 3 to 4 and 5 to 6 are 3 to 6. */
function mergedRanges(ranges: readonly Range[]): readonly Range[] {
  const prepared = preparedRanges.get(ranges);
  if (prepared !== undefined) return prepared;
  const merged: { start: number; end: number }[] = [];
  for (const { start, end } of ranges.toSorted((a, b) => a.start - b.start)) {
    const last = merged.at(-1);
    if (last !== undefined && start <= last.end + 1) last.end = Math.max(last.end, end);
    else merged.push({ start, end });
  }
  preparedRanges.set(ranges, merged);
  return merged;
}
