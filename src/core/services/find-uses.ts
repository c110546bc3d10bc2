// The lines of a consumer's own files that hold a name of a contract: a plain search for whole words, so what it finds is a hint
// where to look, and that it finds nothing proves nothing.

export interface UseLine {
  readonly path: string;
  /** From 1. */
  readonly line: number;
  readonly text: string;
  readonly name: string;
}

const longestShown = 200;

/** At most `most` lines of one file. */
export function usesIn(path: string, text: string, names: readonly string[], most: number): UseLine[] {
  const searched = names.filter(isTelling);
  const there = searched.filter((name) => text.includes(name));
  if (there.length === 0) return [];
  const patterns = there.map((name) => ({ name, pattern: wholeWord(name) }));
  const found: UseLine[] = [];
  for (const [index, line] of text.split("\n").entries()) {
    if (found.length >= most) break;
    const hit = patterns.find(({ pattern }) => pattern.test(line));
    if (hit !== undefined) found.push({ path, line: index + 1, text: line.slice(0, longestShown), name: hit.name });
  }
  return found;
}

/** One letter is in every line. */
const isTelling = (name: string): boolean => name.length > 1;

function wholeWord(name: string): RegExp {
  return new RegExp(String.raw`(?<![\p{L}\p{N}_])${RegExp.escape(name)}(?![\p{L}\p{N}_])`, "u");
}
