// No pattern of ours tries very many ways: a text of which twice as much takes more than twice the steps would hold whoever reads it. What a repository, an
// agent, a forge or a peer writes is as long and as odd as they like.

import { Glob } from "bun";
import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parseSync } from "oxc-parser";
import { projectTop } from "./kit/home.ts";
import { slowTextFor } from "./kit/slow-patterns.ts";

const source = join(projectTop, "src");

/** The patterns that may be slow, and why. */
const mayBeSlow: Readonly<Record<string, string>> = {
  "host/process/budget/loop-child.ts /\\s+$/": "slow on purpose: a question that never ends, for tests of who ends it",
};

interface Pattern {
  readonly source: string;
  readonly flags: string;
}

function patternsIn(path: string): Pattern[] {
  const found: Pattern[] = [];
  const walk = (node: unknown): void => {
    if (typeof node !== "object" || node === null) return;
    if (Array.isArray(node)) return node.forEach(walk);
    const { type, regex } = node as { type?: unknown; regex?: { pattern: string; flags: string } };
    if (type === "Literal" && regex !== undefined) found.push({ source: regex.pattern, flags: regex.flags });
    else Object.values(node).forEach(walk);
  };
  walk(parseSync(path, readFileSync(join(source, path), "utf8")).program);
  return found;
}

const isOurs = (path: string): boolean => !/\.(test|suite)\.ts$|\/(cases|fixtures)\//.test(path);

test("no pattern takes more than twice as long for twice as much", () => {
  const slow: string[] = [];
  let count = 0;
  for (const path of [...new Glob("**/*.ts").scanSync(source)].filter(isOurs).sort())
    for (const pattern of patternsIn(path)) {
      count += 1;
      const text = slowTextFor(pattern.source, pattern.flags);
      const name = `${path} /${pattern.source}/${pattern.flags}`;
      if (text !== undefined && mayBeSlow[name] === undefined) slow.push(`${name} on ${JSON.stringify(text)}`);
    }
  expect(slow).toEqual([]);
  expect(count).toBeGreaterThan(1_000);
}, 300_000);

test.each([
  [/\s+$/, "blanks before something else"],
  [/\/+$/, "slashes"],
  [/^(a+)+$/, "a choice in each step"],
  [/^(?:require\s+)?(\S+\.\S+\/\S+|\S+\.\S+)\s+v(\S+)$/, "dots in a line of go.mod"],
  [/^\s*(\[\[?)\s*([^\]]+?)\s*\]\]?\s*(?:#.*)?\r?$/, "blanks in the head of a table"],
  [/^\s*([A-Za-z0-9][\w.-]*)\s*(?:\[[^\]]*\])?\s*\(?([<>=!~][^;@)]*)\)?\s*$/, "blanks in a requirement"],
  [/"(?:[^"\\]|\\.)*"/g, "quotes that are escaped"],
  [/<(?:(\w+)(?:\([^)]*\))?:)?(\w+)>/g, "brackets that never close"],
  [/\/\*[\s\S]*?\*\//g, "comments that never end"],
  [/(\w+) redeclared/, "a long name"],
] as const)("%p is found to be slow: %s", ({ source: pattern, flags }) => {
  expect(slowTextFor(pattern, flags)).toBeDefined();
});

test.each([
  /(?<!\s)\s+$/,
  /^\s*(\[\[?)([^\]]+)\]\]?\s*(?:#.*)?$/,
  /\b(\w+) redeclared/,
  /"(?:[^"\\]|\\[^])*(?:"|$)/g,
  /^[\w.-]+@[\w.-]+$/,
  /\s+/y,
  /@[\w.]+(\([^)]{0,1000}\))?/g,
])("%p is not", ({ source: pattern, flags }) => {
  expect(slowTextFor(pattern, flags)).toBeUndefined();
});
