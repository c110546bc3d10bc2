// Makes a value short enough for one answer: the longest lists and texts are cut first, and what was cut is said in its
// place. What fits is left as it is.

/** JSON of at most so many characters. */
export function fitToPage(value: unknown, maxChars: number): string {
  const whole = JSON.stringify(value) ?? "null";
  if (whole.length <= maxChars) return whole;
  let last = whole;
  for (const [items, chars] of steps) {
    last = JSON.stringify(cut(value, items, chars));
    if (last.length <= maxChars) return last;
  }
  return JSON.stringify({ cut: "The answer is too long for one page. Ask for less.", begins: last.slice(0, 500) });
}

/** The most items of a list and the most characters of a text, ever fewer. */
const steps: readonly (readonly [items: number, chars: number])[] = [
  [100, 4_000],
  [50, 1_000],
  [30, 400],
  [20, 200],
  [10, 120],
  [5, 80],
  [2, 60],
];

function cut(value: unknown, items: number, chars: number): unknown {
  if (typeof value === "string")
    return value.length <= chars ? value : `${value.slice(0, chars)}… (${value.length - chars} characters more)`;
  if (Array.isArray(value)) {
    const kept = value.slice(0, items).map((one) => cut(one, items, chars));
    return value.length <= items ? kept : [...kept, `… ${value.length - items} more`];
  }
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, cut(one, items, chars)]));
}
