// Says what is wrong with an input, in plain words: "limit must be at least 1" where the library says "Too small: expected number to be
// >=1". An operation's own wording is left as it is.

import type { z } from "zod";
import { counted } from "./counted.ts";
import { spanWords } from "./span-words.ts";

type Issue = z.core.$ZodIssue;

/** One sentence without its end, beginning with the field's name. */
export function inputComplaint(issue: Issue): string {
  const where = issue.path.length === 0 ? "the input" : issue.path.map(String).join(".");
  const words = wordsFor(issue);
  return words === undefined ? `${where}: ${issue.message}` : `${where} ${words}`;
}

function wordsFor(issue: Issue): string | undefined {
  if (!isLibrarys(issue.message)) return undefined;
  switch (issue.code) {
    case "invalid_type":
      return issue.message.endsWith("received undefined") ? "is missing" : `must be ${typeWords(issue.expected)}`;
    case "too_small":
      return bound(issue, Number(issue.minimum), "at least");
    case "too_big":
      return bound(issue, Number(issue.maximum), "at most");
    case "invalid_value":
      return `must be ${oneOf(issue.values)}`;
    case "unrecognized_keys":
      return `may not have ${issue.keys.map((key) => JSON.stringify(key)).join(", ")}`;
    case "invalid_format":
      return issue.pattern === undefined ? undefined : `must match ${issue.pattern}`;
    case "invalid_union":
      return unionWords(issue);
    default:
      return undefined;
  }
}

/** Tells whether the library worded it. Messages that operations word themselves begin otherwise. */
const isLibrarys = (message: string): boolean => /^(Invalid |Too small|Too big|Unrecognized key)/.test(message);

const types: Readonly<Record<string, string>> = {
  string: "a text",
  number: "a number",
  int: "a whole number",
  bigint: "a whole number",
  boolean: "true or false",
  array: "a list",
  object: "an object",
  record: "an object",
  null: "null",
};

const typeWords = (expected: string): string => types[expected] ?? expected;

function bound({ origin, path }: Issue & { origin: string }, limit: number, word: "at least" | "at most"): string {
  const unit = { string: "character", array: "item" }[origin];
  // Few people read milliseconds.
  const isTime = limit >= 1_000 && String(path.at(-1)).endsWith("_ms");
  if (unit === undefined) return `must be ${word} ${limit}${isTime ? ` (${spanWords(limit)})` : ""}`;
  if (word === "at least" && limit === 1) return "must not be empty";
  return `must have ${word} ${counted(limit, unit)}`;
}

function oneOf(values: readonly unknown[]): string {
  const words = values.map(String);
  return words.length === 1 ? (words[0] ?? "") : `one of ${words.join(", ")}`;
}

function unionWords({ errors, ...issue }: Extract<Issue, { code: "invalid_union" }>): string | undefined {
  const options = (issue as { readonly options?: readonly unknown[] }).options;
  if (options !== undefined) return `must be ${oneOf(options)}`;
  const firsts = errors.map(([first]) => first);
  if (firsts.some((first) => first?.code !== "invalid_type" || first.path.length > 0)) return "has none of its forms";
  if (firsts.every((first) => first?.message.endsWith("received undefined") === true)) return "is missing";
  return `must be ${firsts.map((first) => typeWords(first?.code === "invalid_type" ? first.expected : "")).join(" or ")}`;
}
