// Says in one line why a query is slow and which index would help, from the database's own plan. SQLite's plan is read by
// its words (SCAN, TEMP B-TREE, AUTOMATIC INDEX); Postgres's by its node names.

import type { PlanAnswer, TableInfo } from "../../protocol/query.ts";
import { type Token, tokensOf } from "../../store/sql-tokens.ts";

export interface PlanFacts {
  readonly sql: string;
  readonly plan: readonly string[];
  readonly tables: readonly TableInfo[];
  /** Rows of the tables that the plan reads whole. */
  readonly rowsOf: (table: string) => number;
}

/** Reading fewer rows than this whole is faster than any index is worth. */
const smallTable = 1_000;

export function explainPlan(facts: PlanFacts): PlanAnswer {
  const { plan } = facts;
  const aliases = aliasesOf(tokensOf(facts.sql), facts.tables);
  const scans = scannedTables(plan)
    .map((name) => aliases.get(name) ?? name)
    .map((table) => ({ table, rows: facts.rowsOf(table) }))
    .sort((a, b) => b.rows - a.rows);
  const [largest] = scans;
  const automatic = plan
    .map((line) => /AUTOMATIC (?:COVERING |PARTIAL )*INDEX \(([^)]*)\)/.exec(line)?.[1])
    .find(Boolean);
  if (largest !== undefined && largest.rows >= smallTable) {
    const columns = filterColumns(facts, largest.table, aliases);
    const index = columns.length === 0 ? undefined : `create index on ${largest.table} (${columns.join(", ")})`;
    const cause = `It reads all ${largest.rows.toLocaleString("en")} rows of ${largest.table}`;
    return {
      verdict:
        index === undefined ? `${cause}, and nothing in the query narrows them.` : `${cause} to find those it needs.`,
      index,
      plan,
    };
  }
  if (automatic !== undefined) {
    const columns = automatic.replaceAll(/=\?|[<>]\?/g, "").replaceAll(/ and /gi, ", ");
    return {
      verdict: "It builds a temporary index for a join each time it runs.",
      index: `create index on the joined table (${columns})`,
      plan,
    };
  }
  if (plan.some((line) => /TEMP B-TREE|^\s*(?:->\s*)?Sort\b/.test(line))) {
    return { verdict: "It sorts its rows by itself; only a large result makes that slow.", index: undefined, plan };
  }
  return { verdict: "It is not slow: it reads few rows or uses an index.", index: undefined, plan };
}

function scannedTables(plan: readonly string[]): string[] {
  return plan.flatMap((line) => {
    const found = /\bSCAN (?:TABLE )?("?)(\w+)\1(?! USING)|Seq Scan on ("?)(\w+)\3/.exec(line);
    const name = found?.[2] ?? found?.[4];
    return name === undefined || /\bUSING (?:COVERING )?INDEX\b/.test(line) ? [] : [name];
  });
}

/** `from tasks t` and `join tasks as t`: which table an alias stands for. */
function aliasesOf(tokens: readonly Token[], tables: readonly TableInfo[]): Map<string, string> {
  const known = new Set(tables.map((table) => table.name));
  const aliases = new Map<string, string>();
  for (const [index, token] of tokens.entries()) {
    if (!known.has(token.value)) continue;
    const next = tokens[index + 1]?.value === "as" ? tokens[index + 2] : tokens[index + 1];
    if (next !== undefined && (next.kind === "word" || next.kind === "name")) aliases.set(next.value, token.value);
  }
  return aliases;
}

/** Columns of the table that the query compares: those compared for equality first, then the first range. */
function filterColumns(facts: PlanFacts, table: string, aliases: ReadonlyMap<string, string>): string[] {
  const columns = new Set(facts.tables.find((candidate) => candidate.name === table)?.columns);
  const tokens = tokensOf(facts.sql);
  const equal = new Set<string>();
  const ranged = new Set<string>();
  let inFilter = false;
  for (const [index, token] of tokens.entries()) {
    if (token.kind === "word" && ["where", "on", "and", "or"].includes(token.value)) inFilter = true;
    if (token.kind === "word" && ["group", "order", "limit", "select", "from"].includes(token.value)) inFilter = false;
    if (!inFilter || !columns.has(token.value)) continue;
    const qualified = tokens[index - 1]?.value === ".";
    const qualifier = qualified ? (tokens[index - 2]?.value ?? "") : table;
    if ((aliases.get(qualifier) ?? qualifier) !== table) continue;
    const operator = tokens[index + 1]?.value ?? "";
    if (["=", "==", "in", "is"].includes(operator)) equal.add(token.value);
    else if (["<", ">", "<=", ">=", "between"].includes(operator)) ranged.add(token.value);
  }
  const [range] = [...ranged].filter((column) => !equal.has(column));
  return range === undefined ? [...equal] : [...equal, range];
}
