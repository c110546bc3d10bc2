// Whether a text nests deeper than any program written by people. The native parser and the reading of its tree recurse;
// past some 10,000 levels they end the whole process, so such a text is turned away before they see it. Strings and
// comments are not told apart from code: the bounds are far above what they could add up to.

const maxBrackets = 1000;
const maxOperators = 4000;
/** Nothing shorter can reach the bounds. */
const shortest = 2000;

const opening = codes("([{");
const closing = codes(")]}");
const ending = codes(";,");
const operators = codes("+-*/%&|?:=!<>^~.");

export function nestsTooDeeply(text: string): boolean {
  if (text.length < shortest) return false;
  // One count of operators and words for each open bracket: each may be one more level of the tree.
  const counts: number[] = [0];
  let last = 0;
  let inWord = false;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    const top = counts.length - 1;
    if (opening.has(code)) {
      counts.push(0);
      if (counts.length > maxBrackets) return true;
    } else if (closing.has(code)) {
      // A call of a call of a call is a chain too.
      if (top > 0) counts.pop();
      if (grown(counts)) return true;
    } else if (ending.has(code)) counts[top] = 0;
    else if (code === newline) {
      if (!operators.has(last) && !operators.has(nextAfter(text, at))) counts[top] = 0;
    } else if (operators.has(code) || (isLetter(code) && !inWord)) {
      if (grown(counts)) return true;
    }
    inWord = isLetter(code);
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

const newline = 10;
const space = 32;

/** The next visible character, which tells whether the statement goes on. */
function nextAfter(text: string, from: number): number {
  for (let at = from + 1; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code > space) return code;
  }
  return 0;
}

function isLetter(code: number): boolean {
  return (
    (code >= 97 && code <= 122) ||
    (code >= 65 && code <= 90) ||
    (code >= 48 && code <= 57) ||
    code === 95 ||
    code === 36
  );
}

function codes(characters: string): ReadonlySet<number> {
  return new Set([...characters].map((one) => one.charCodeAt(0)));
}
