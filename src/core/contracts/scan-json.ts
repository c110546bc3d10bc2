// Reads JSON once, keeping nothing but what JSON.parse does not tell: equal keys in one object, nesting that is too deep, and the line
// where the text stops being JSON. It is a scanner, not a parser: JSON.parse decides what a value is, some ten times faster.

export type ScannedJson =
  | { readonly kind: "whole" }
  | { readonly kind: "broken" | "refused"; readonly line: number; readonly message: string };

const quote = 34;
const backslash = 92;
const openBrace = 123;
const closeBrace = 125;
const openBracket = 91;
const closeBracket = 93;
const colon = 58;
const newline = 10;

export function scanJson(text: string, maximumDepth: number): ScannedJson {
  /** The keys of every object that is open, undefined for an array. */
  const open: (Set<string> | undefined)[] = [];
  let at = 0;
  while (at < text.length) {
    const code = text.charCodeAt(at);
    if (code === quote) {
      const end = endOfString(text, at);
      if (end === -1) return found(text, at, "broken", "has a string that does not end");
      const next = afterSpace(text, end + 1);
      const keys = open.at(-1);
      if (keys !== undefined && text.charCodeAt(next) === colon) {
        const key = keyOf(text, at, end);
        if (keys.has(key)) return found(text, at, "refused", `has the key ${shown(key)} twice in one object`);
        keys.add(key);
      }
      at = next;
      continue;
    }
    if (code === openBrace || code === openBracket) {
      open.push(code === openBrace ? new Set() : undefined);
      if (open.length > maximumDepth) {
        return found(text, at, "refused", `is nested more than ${maximumDepth} levels deep, which no specification is`);
      }
    } else if (code === closeBrace || code === closeBracket) {
      const closes = open.at(-1) === undefined ? closeBracket : closeBrace;
      if (open.length === 0 || closes !== code)
        return found(text, at, "broken", "is no JSON: a bracket closes nothing");
      open.pop();
    }
    at += 1;
  }
  return open.length === 0 ? { kind: "whole" } : found(text, text.length, "broken", "is no JSON: it ends too early");
}

function endOfString(text: string, start: number): number {
  let at = start + 1;
  for (;;) {
    const end = text.indexOf('"', at);
    if (end === -1) return -1;
    let slashes = 0;
    while (text.charCodeAt(end - 1 - slashes) === backslash) slashes += 1;
    if (slashes % 2 === 0) return end;
    at = end + 1;
  }
}

function afterSpace(text: string, start: number): number {
  let at = start;
  for (;;) {
    const code = text.charCodeAt(at);
    if (code !== 32 && code !== newline && code !== 13 && code !== 9) return at;
    at += 1;
  }
}

/** Two spellings of one key (`a` and `\u0061`) are the same key. */
function keyOf(text: string, start: number, end: number): string {
  const key = text.slice(start + 1, end);
  if (!key.includes("\\")) return key;
  try {
    return JSON.parse(text.slice(start, end + 1)) as string;
  } catch {
    return key;
  }
}

function shown(key: string): string {
  return JSON.stringify(key.length > 80 ? `${key.slice(0, 79)}…` : key);
}

function found(text: string, position: number, kind: "broken" | "refused", message: string): ScannedJson {
  let line = 1;
  for (let at = text.indexOf("\n"); at !== -1 && at < position; at = text.indexOf("\n", at + 1)) line += 1;
  return { kind, line, message };
}
