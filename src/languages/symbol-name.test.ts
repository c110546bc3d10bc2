import { expect, test } from "bun:test";
import { errorConflicts } from "./toolchain/error-conflicts.ts";
import { isSymbolName } from "./symbol-name.ts";
import { inputOf } from "./python/rules/scenario.suite.ts";

test("a literal, or a word of the language, is no name of a symbol", () => {
  for (const literal of [
    "1",
    "-1",
    ".5",
    "0x1f",
    '"a"',
    "'a'",
    "`a`",
    "true",
    "None",
    "nil",
    "undefined",
    "string",
    "Literal",
  ])
    expect([literal, isSymbolName(literal)]).toEqual([literal, false]);
  for (const name of ["total", "_x", "$el", "Store.open", "./lib", "#count", "@scope/name", "content-type"])
    expect([name, isSymbolName(name)]).toEqual([name, true]);
});

test("an error that names only literals and types of the language is told by its file", async () => {
  const scene = { base: { "a.py": "x = 1\n" }, ours: { "a.py": "x = 2\n" }, theirs: { "b.py": "import a\nf(1)\n" } };
  const error = { path: "b.py", line: 2, message: "…", text: "f(1)", column: 1 };
  for (const names of [["1"], ["None"], ["int", "str"], ["True", "1"]]) {
    const read = () => ({ names, rule: "type-mismatch" as const });
    const [found] = await errorConflicts([error], inputOf(scene), { language: "python", by: "pyright", read });
    expect([names, found?.symbol]).toEqual([names, "b.py"]);
  }
});
