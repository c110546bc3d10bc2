import { expect, test } from "bun:test";
import { folded } from "./fold.ts";

test("a line is broken at spaces, and within a word only where there is none", () => {
  expect(folded("one two three", 80)).toEqual(["one two three"]);
  expect(folded("one two three", 8)).toEqual(["one two", "  three"]);
  expect(folded("abcdefghijklmnop", 8)).toEqual(["abcdefgh", "  ijklmn", "  op"]);
});

test("wide characters are counted as the terminal shows them", () => {
  for (const line of folded("漢字漢字漢字漢字漢字 漢字漢字漢字", 11))
    expect(Bun.stringWidth(line)).toBeLessThanOrEqual(11);
});

test("a terminal too narrow for the indent is not folded for ever", () => {
  expect(folded("one two three", 5, "        ")).toEqual(["one two three"]);
});
