// Takes the very texts out again that were added to a file, wherever they stand by now: everything that somebody else wrote around them since
// stays as it is, and so does what only looks like ours. Pure.

/** Undefined when they do not stand there as they were added: then what the file says decides. */
export function cutAdded(text: string, before: string, added: readonly string[]): string | undefined {
  let left = text;
  const counts = new Map<string, number>();
  for (const piece of added) counts.set(piece, (counts.get(piece) ?? 0) + 1);
  // The longest first: a short one may be a part of it.
  for (const [piece, count] of [...counts].sort(([a], [b]) => b.length - a.length)) {
    const own = placesOf(before, piece).length;
    const places = placesOf(left, piece);
    // If somebody wrote the same text themselves, ours is known only when it is a single one, at the end.
    if (places.length !== own + count || (own > 0 && added.length > 1)) return undefined;
    for (const at of places.slice(own).toReversed()) left = cutAt(left, at, piece, before);
  }
  return left;
}

/** Cuts a piece out, and keeps the text after it off the last line before it. */
function cutAt(text: string, at: number, piece: string, before: string): string {
  const rest = text.slice(at + piece.length);
  const lineEnd = /^\r?\n/.exec(piece)?.[0] ?? "";
  const isBare = before !== "" && !before.endsWith("\n") && piece.endsWith("\n") && rest !== "";
  return text.slice(0, at) + (isBare ? lineEnd : "") + rest;
}

function placesOf(text: string, piece: string): number[] {
  const places: number[] = [];
  if (piece === "") return places;
  for (let at = text.indexOf(piece); at >= 0; at = text.indexOf(piece, at + piece.length)) places.push(at);
  return places;
}
