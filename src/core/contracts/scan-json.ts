// Tells what JSON.parse does not: equal keys in one object (it keeps the last without a word), nesting that is too deep to walk, and the
// line of it. Counting is enough to know that nothing is wrong: an object with a key twice has fewer keys than its text. Only where
// the counts differ is the text read with every key in mind.

export interface JsonFault {
  readonly line: number;
  readonly message: string;
}

/** Finds what is wrong with a text that JSON.parse has read. Undefined if nothing is. */
export function faultIn(text: string, value: unknown, maximumDepth: number): JsonFault | undefined {
  const keys = typeof value === "object" && value !== null ? keysOf(value, maximumDepth) : 0;
  return keys === keysIn(text) ? undefined : search(text, maximumDepth);
}

/**
 * Counts the keys of a value, all objects together; not a number if it is too deep. The value came out of JSON.parse, so it is a tree of
 * own fields.
 */
function keysOf(value: object, levels: number): number {
  if (levels <= 0) return Number.NaN;
  let count = 0;
  if (Array.isArray(value)) {
    for (const item of value as unknown[])
      if (typeof item === "object" && item !== null) count += keysOf(item, levels - 1);
    return count;
  }
  // Of all ways to go through an object this one makes nothing that has to be thrown away again.
  // oxlint-disable-next-line guard-for-in -- nothing is inherited
  for (const key in value) {
    const item = (value as Readonly<Record<string, unknown>>)[key];
    count += typeof item === "object" && item !== null ? 1 + keysOf(item, levels - 1) : 1;
  }
  return count;
}

const quote = 34;
const backslash = 92;
const openBrace = 123;
const closeBrace = 125;
const openBracket = 91;
const closeBracket = 93;
const colon = 58;

/**
 * Counts the texts that are followed by a colon, or more: a text that itself holds a quote and a colon counts too, and then the careful
 * search decides. It never counts fewer, or a key that is there twice could hide behind another.
 */
function keysIn(text: string): number {
  if (/"[ \t\r\n]+:/.test(text)) return Number.NaN;
  let count = 0;
  for (let at = text.indexOf('":'); at !== -1; at = text.indexOf('":', at + 2)) count += 1;
  return count;
}

function search(text: string, maximumDepth: number): JsonFault | undefined {
  /** The keys of every object that is open, undefined for an array. */
  const open: (Set<string> | undefined)[] = [];
  let at = 0;
  while (at < text.length) {
    const code = text.charCodeAt(at);
    if (code === quote) {
      const end = endOfString(text, at);
      const next = afterSpace(text, end + 1);
      const keys = open.at(-1);
      if (keys !== undefined && text.charCodeAt(next) === colon) {
        const key = keyOf(text, at, end);
        if (keys.has(key)) return { line: lineAt(text, at), message: `has the key ${shown(key)} twice in one object` };
        keys.add(key);
      }
      at = next;
      continue;
    }
    if (code === openBrace || code === openBracket) {
      open.push(code === openBrace ? new Set() : undefined);
      if (open.length > maximumDepth) {
        return {
          line: lineAt(text, at),
          message: `is nested more than ${maximumDepth} levels deep, which no specification is`,
        };
      }
    } else if (code === closeBrace || code === closeBracket) open.pop();
    at += 1;
  }
  return undefined;
}

/** The text is JSON, so every string ends. */
function endOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end !== -1; end = text.indexOf('"', end + 1)) {
    let slashes = 0;
    while (text.charCodeAt(end - 1 - slashes) === backslash) slashes += 1;
    if (slashes % 2 === 0) return end;
  }
  return text.length;
}

function afterSpace(text: string, start: number): number {
  let at = start;
  for (;;) {
    const code = text.charCodeAt(at);
    if (code !== 32 && code !== 10 && code !== 13 && code !== 9) return at;
    at += 1;
  }
}

/** Two spellings of one key (`a` and `\u0061`) are the same key. */
function keyOf(text: string, start: number, end: number): string {
  const key = text.slice(start + 1, end);
  return key.includes("\\") ? (JSON.parse(text.slice(start, end + 1)) as string) : key;
}

function shown(key: string): string {
  return JSON.stringify(key.length > 80 ? `${key.slice(0, 79)}…` : key);
}

function lineAt(text: string, position: number): number {
  let line = 1;
  for (let at = text.indexOf("\n"); at !== -1 && at < position; at = text.indexOf("\n", at + 1)) line += 1;
  return line;
}
