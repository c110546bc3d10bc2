// How it is said which versions of an agent program constel was run with, and that it never was with some.

export const testedWith = (versions: readonly string[]): string =>
  versions.length === 0 ? "untried: constel knows it by its documents alone" : `tested with ${versions.join(", ")}`;
