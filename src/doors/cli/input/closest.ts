// The known word that a mistyped one most likely meant: within a third of its length in edits (a swap counts as one), or
// the only one it begins.

export function closest(word: string, known: readonly string[]): string | undefined {
  let best: { word: string; distance: number } | undefined;
  for (const candidate of known) {
    const distance = edits(word, candidate);
    if (best === undefined || distance < best.distance) best = { word: candidate, distance };
  }
  if (best !== undefined && best.distance <= Math.max(1, Math.floor(word.length / 3))) return best.word;
  const begun = known.filter((candidate) => word.length > 1 && candidate.startsWith(word));
  return begun.length === 1 ? begun[0] : undefined;
}

function edits(a: string, b: string): number {
  let before: number[] = [];
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1] ? 0 : 1;
      let cost = Math.min((row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1, (row[j - 1] ?? 0) + same);
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        cost = Math.min(cost, (before[j - 2] ?? 0) + 1);
      next.push(cost);
    }
    before = row;
    row = next;
  }
  return row[b.length] ?? 0;
}
