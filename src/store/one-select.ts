// Decides which SQL a user may ask: one statement that reads. The connection is read-only whatever this says; the rule exists so that the
// refusal comes before anything runs and names what was wrong, and so that no second statement, PRAGMA or ATTACH ever reaches the database.

import { Refusal } from "../protocol/errors.ts";
import { type Token, tokensOf } from "./sql-tokens.ts";

const readers = new Set(["select", "with", "values"]);
const writers = new Set(["insert", "update", "delete", "replace", "merge", "truncate", "create", "drop", "alter"]);

/** The statement without its closing semicolon. */
export function oneSelect(sql: string): string {
  const all = tokensOf(sql);
  const end = all.findIndex((token) => token.kind === "mark" && token.value === ";" && token.depth === 0);
  const refusal = refusalFor(all, end);
  if (refusal !== undefined) throw refusal;
  return end === -1 ? sql : sql.slice(0, all[end]?.at);
}

function refusalFor(all: readonly Token[], end: number): Refusal | undefined {
  const tokens = end === -1 ? all : all.slice(0, end);
  const [first] = tokens;
  if (first === undefined) return new Refusal("query.invalid", "the query is empty");
  if (end !== -1 && all.slice(end).some((token) => token.value !== ";")) {
    return refuse("a second statement", "only one statement is taken");
  }
  const verb = mainVerb(tokens);
  if (writers.has(verb)) return refuse(verb.toUpperCase(), `${verb.toUpperCase()} writes`);
  const opened = tokens.find((token) => token.value !== "(") ?? first;
  if (!readers.has(opened.value))
    return refuse(opened.value.toUpperCase(), `${opened.value.toUpperCase()} is not a query`);
  const into = tokens.some((token) => token.kind === "word" && token.value === "into" && token.depth === first.depth);
  if (into) return refuse("INTO", "SELECT … INTO writes a table");
  return undefined;
}

/** The verb behind `WITH … AS (…)`. In Postgres a CTE itself may write, so words right after its parenthesis count too. */
function mainVerb(tokens: readonly Token[]): string {
  const [first] = tokens;
  if (first?.value !== "with") return first?.value ?? "";
  for (const [index, token] of tokens.entries()) {
    if (token.kind !== "word" || !writers.has(token.value)) continue;
    const before = tokens[index - 1];
    const opensCte = before?.kind === "mark" && before.value === "(" && tokens[index - 2]?.value === "as";
    const endsCtes = token.depth === 0 && before?.value === ")";
    if (opensCte || endsCtes) return token.value;
  }
  return "select";
}

function refuse(what: string, why: string): Refusal {
  return new Refusal("query.not-read-only", `queries only read: ${why}`, { found: what });
}
