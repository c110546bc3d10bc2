// Whether a text is one reading statement. The connection is read-only whatever this says; the point here is a clear
// refusal, and that no second statement, PRAGMA or ATTACH ever reaches the database.

import { Refusal } from "../protocol/errors.ts";

const readers = new Set(["select", "with", "values"]);

/** The statement without its closing semicolon. */
export function oneSelect(text: string): string {
  const bare = blank(text);
  const end = bare.indexOf(";");
  if (end !== -1 && bare.slice(end).replaceAll(/[;\s]/g, "") !== "") {
    throw new Refusal("query.not-read-only", "there is more than one statement in the query");
  }
  const first = /^[\s(]*([a-z]+)/i.exec(bare)?.[1]?.toLowerCase();
  if (first === undefined) throw new Refusal("query.invalid", "the query holds no statement");
  if (!readers.has(first)) {
    throw new Refusal("query.not-read-only", `a query may not begin with ${first.toUpperCase()}`, { word: first });
  }
  return end === -1 ? text : text.slice(0, end);
}

/**
 * The text with every comment, string and quoted name turned to spaces of the same length, so that what is left is words
 * and punctuation at their places. Dollar quotes are Postgres'; in SQLite they cannot begin a string, and then a
 * semicolon inside is only refused, never passed.
 */
function blank(text: string): string {
  const quoted = /'(?:[^']|'')*'?|"(?:[^"]|"")*"?|`[^`]*`?|\[[^\]]*\]?|--[^\n]*|\/\*[\s\S]*?(?:\*\/|$)/g;
  return text.replaceAll(quoted, (found) =>
    /^[-/]/.test(found) ? " ".repeat(found.length) : "x".repeat(found.length),
  );
}
