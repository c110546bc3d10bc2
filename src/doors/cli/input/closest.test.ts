import { expect, test } from "bun:test";
import { closest } from "./closest.ts";

const known = ["query", "explain", "daemon", "doctor", "config"];
const check = (word: string, expected: string | undefined): void => expect(closest(word, known)).toBe(expected);

test("a typo finds its word", () => {
  check("qurey", "query");
  check("quer", "query");
  check("demon", "daemon");
  check("conf", "config");
});

test("a word that is like none finds none", () => {
  check("harvest", undefined);
  check("", undefined);
  check("d", undefined);
});
