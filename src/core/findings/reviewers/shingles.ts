// Measures how alike two texts are: the share of five-token pieces they have in common (Jaccard). Layout and blank lines do not count.

export interface Shingled {
  /** Lines with something on them. */
  readonly lines: number;
  readonly hashes: ReadonlySet<number>;
  /** The smallest hashes: two texts that are alike have most of them in common. */
  readonly sketch: ReadonlySet<number>;
}

const tokensPerShingle = 5;
const sketchSize = 64;

export function shingle(text: string): Shingled {
  const tokens = text.match(/[A-Za-z_$][\w$]*|\d+|[^\s\w]/g) ?? [];
  const hashes = new Set<number>();
  for (let at = 0; at + tokensPerShingle <= tokens.length; at++) {
    hashes.add(hash(tokens.slice(at, at + tokensPerShingle).join(" ")));
  }
  const smallest = [...hashes].sort((a, b) => a - b).slice(0, sketchSize);
  return { lines: text.split("\n").filter((line) => line.trim() !== "").length, hashes, sketch: new Set(smallest) };
}

/** Between 0 and 1; 0 for pairs that are certainly below `floor`, without working it out. */
export function similarity(left: Shingled, right: Shingled, floor: number): number {
  const [small, large] = left.hashes.size <= right.hashes.size ? [left, right] : [right, left];
  if (small.hashes.size === 0 || small.hashes.size / large.hashes.size < floor) return 0;
  // The sketch is a sample; it may err by some points, and by half it does not.
  if (shared(small.sketch, large.hashes) / small.sketch.size < floor / 2) return 0;
  const both = shared(small.hashes, large.hashes);
  return both / (small.hashes.size + large.hashes.size - both);
}

function shared(small: ReadonlySet<number>, large: ReadonlySet<number>): number {
  let count = 0;
  for (const item of small) if (large.has(item)) count += 1;
  return count;
}

/** FNV-1a, 32 bits. */
function hash(text: string): number {
  let value = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) value = Math.imul(value ^ text.charCodeAt(at), 0x01000193);
  return value >>> 0;
}
