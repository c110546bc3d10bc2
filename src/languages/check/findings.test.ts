import { expect, test } from "bun:test";
import type { SemanticConflict, UnsureUse } from "../../ports/semantic.ts";
import { Findings } from "./findings.ts";

const doubt = (path: string, line: number, symbol: string): UnsureUse =>
  ({ side: "theirs", path, line, symbol, definition: "shop.py", because: "it cannot be read" }) as UnsureUse;

function left(doubts: readonly UnsureUse[], told: readonly [path: string, line: number, symbol: string][]): string[] {
  const findings = new Findings(undefined);
  for (const one of doubts) findings.doubt(one);
  const conflicts = told.map(
    ([path, line, symbol]) => ({ symbol, use: { path, line } }) as unknown as SemanticConflict,
  );
  return (findings.outcome(conflicts).unsure ?? []).map(({ path, line, symbol }) => `${path}:${line} ${symbol}`);
}

test("a doubt is told once for each symbol in each file", () => {
  const doubts = [
    doubt("a", 1, "price"),
    doubt("a", 9, "shop.price"),
    doubt("b", 1, "price"),
    doubt("a", 2, "reprice"),
  ];
  expect(left(doubts, [])).toEqual(["a:1 price", "b:1 price", "a:2 reprice"]);
});

test("a conflict about the same line, or the same symbol in the same file, leaves no doubt to tell", () => {
  const doubts = [doubt("bill", 3, "price"), doubt("other", 3, "price"), doubt("bill", 5, "total")];
  expect(left(doubts, [["bill", 1, "price"]])).toEqual(["other:3 price", "bill:5 total"]);
  expect(left(doubts, [["bill", 1, "shop.price"]])).toEqual(["other:3 price", "bill:5 total"]);
  expect(left(doubts, [["bill", 5, "sum"]])).toEqual(["bill:3 price", "other:3 price"]);
});
