// Decides how many answers about the sides of a watched repository are worth keeping. Every edit makes another tree of its side, and nobody
// asks for the one before again: a memory that is bounded by bytes alone fills up with such answers, however large it is, and what is
// long-lived keeps the pages of the heap around it. So each memory is also bounded by a number that follows from the number of sides.
// Undefined if nobody edits meanwhile: then there is no such number.

/** Returns the number of worktrees that are watched at the time. Undefined for one look. */
export type Sides = () => number | undefined;

const always: Sides = () => undefined;

/** Of what there is one for each side: its own, what it is based on, and what it was a moment ago. */
export function keptForSides(sides: Sides = always): () => number | undefined {
  return () => bounded(sides(), (count) => 40 + count * 4);
}

/** Of what there is one for each pair, the default branch being a side too; twice, because an edit may be undone. */
export function keptForPairs(sides: Sides = always): () => number | undefined {
  return () => bounded(sides(), (count) => 200 + count * (count + 1));
}

/** Directories above the files that a side has changed. */
export function keptDirectories(sides: Sides = always): () => number | undefined {
  return () => bounded(sides(), (count) => 500 + count * 100);
}

/** Versions of the files that a side has changed. */
export function keptFiles(sides: Sides = always): () => number | undefined {
  return () => bounded(sides(), (count) => 500 + count * 100);
}

const bounded = (count: number | undefined, most: (count: number) => number): number | undefined =>
  count === undefined ? undefined : most(count);
