// Tells whether a text nests deeper than any program written by people. The native parser and the reading of its tree recurse; past some
// 10,000 levels they end the whole process, so such a text is turned away before they see it. Strings and comments are not told apart from
// code: the bounds are far above what they could add up to.

const maxBrackets = 1000;
const maxOperators = 4000;
/** Nothing shorter can reach the bounds. */
const shortest = 2000;

// The kind of each character below 128, in a table, because every character of every file is looked at.
const opening = 1;
const closing = 2;
const ending = 3;
const operator = 4;
const letter = 5;
const newline = 10;
const space = 32;
const kinds = table([
  [opening, "([{"],
  [closing, ")]}"],
  [ending, ";,"],
  [operator, "+-*/%&|?:=!<>^~."],
  [letter, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_$"],
]);

export function nestsTooDeeply(text: string): boolean {
  if (text.length < shortest) return false;
  // One count of operators and words for each open bracket: each may be one more level of the tree.
  const counts: number[] = [0];
  let last = 0;
  let inWord = false;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    const kind = kinds[code] ?? 0;
    const top = counts.length - 1;
    if (kind === opening) {
      counts.push(0);
      if (counts.length > maxBrackets) return true;
    } else if (kind === closing) {
      // A call of a call of a call is a chain too.
      if (top > 0) counts.pop();
      if (grown(counts)) return true;
    } else if (kind === ending) counts[top] = 0;
    else if (code === newline) {
      if (kinds[last] !== operator && kinds[nextAfter(text, at)] !== operator) counts[top] = 0;
    } else if (kind === operator || (kind === letter && !inWord)) {
      if (grown(counts)) return true;
    }
    inWord = kind === letter;
    if (code > space) last = code;
  }
  return false;
}

/** Counts one more at the innermost bracket; true when that is too many. */
function grown(counts: number[]): boolean {
  const top = counts.length - 1;
  const count = (counts[top] ?? 0) + 1;
  counts[top] = count;
  return count > maxOperators;
}

/** The next visible character, which tells whether the statement goes on. */
function nextAfter(text: string, from: number): number {
  for (let at = from + 1; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code > space) return code;
  }
  return 0;
}

function table(groups: readonly (readonly [kind: number, characters: string])[]): Uint8Array {
  const found = new Uint8Array(128);
  for (const [kind, characters] of groups) for (const one of characters) found[one.charCodeAt(0)] = kind;
  return found;
}
