// Which SQL may be asked: one statement that reads. The connection is read-only too; this rule exists so that the refusal
// comes before anything runs and names what was wrong.

import { Refusal } from "../../protocol/errors.ts";
import { type Token, tokensOf } from "./tokens.ts";

const readers = new Set(["select", "with", "values"]);
const writers = new Set(["insert", "update", "delete", "replace", "merge", "truncate", "create", "drop", "alter"]);

/** The reason this SQL may not be asked; undefined when it may. */
export function refusalFor(sql: string): Refusal | undefined {
  const all = tokensOf(sql);
  const end = all.findIndex((token) => token.kind === "mark" && token.value === ";" && token.depth === 0);
  const tokens = end === -1 ? all : all.slice(0, end);
  const [first] = tokens;
  if (first === undefined) return new Refusal("query.invalid", "the query is empty");
  if (end !== -1 && all.slice(end).some((token) => token.value !== ";")) {
    return refuse("a second statement", "only one statement is taken");
  }
  const verb = mainVerb(tokens);
  if (writers.has(verb)) return refuse(verb.toUpperCase(), `${verb.toUpperCase()} writes`);
  if (!readers.has(first.value))
    return refuse(first.value.toUpperCase(), `${first.value.toUpperCase()} is not a query`);
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
