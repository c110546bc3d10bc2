// Spreads firings that were all written for the same minute. The delay follows from the label alone, so it is the same every
// time, on every machine, and nobody has to store it.

export function jitterOf(label: string, spanMs: number): number {
  if (spanMs <= 0) return 0;
  let hash = 0x811c9dc5; // FNV-1a
  for (const character of label) {
    hash ^= character.codePointAt(0) ?? 0;
    hash = Math.imul(hash, 0x01000193) >>> 0;
  }
  // Its low digits differ little for labels that differ little.
  hash ^= hash >>> 15;
  hash = Math.imul(hash, 0x2c1b3c6d) >>> 0;
  hash ^= hash >>> 12;
  return (hash >>> 0) % spanMs;
}
