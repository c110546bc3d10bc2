// A library that one side changes, a use that the other adds in another file, and what the merge says of it.

import { describe, expect, test } from "bun:test";
import { run } from "./scenario.suite.ts";

/** `before` and `after` are the library on base and ours, `use` is what theirs adds in another file. */
async function check(before: string, after: string, use: string, expected: readonly string[]): Promise<void> {
  const { conflicts } = await run({
    base: { "lib.py": before },
    ours: { "lib.py": after },
    theirs: { "app.py": `import lib\nfrom lib import *\n${use}\n` },
  });
  expect(conflicts.map(({ rule, symbol }) => `${rule} ${symbol}`).sort()).toEqual([...expected].sort());
}

export type Case = readonly [name: string, before: string, after: string, use: string, ...expected: string[]];

export function cases(title: string, list: readonly Case[]): void {
  describe(title, () => {
    for (const [name, before, after, use, ...expected] of list) test(name, () => check(before, after, use, expected));
  });
}
