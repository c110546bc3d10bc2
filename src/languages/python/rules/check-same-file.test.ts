// Checks what two sides can do to each other inside one file that merges cleanly: names that dangle, and definitions that override.

import { describe, expect, test } from "bun:test";
import { run, type Scene } from "./scenario.suite.ts";

const space = "\n\nA = 1\nB = 2\nC = 3\nD = 4\n\n";

/** One file on base and on both sides; findings as `rule symbol line`. */
async function check(base: string, ours: string, theirs: string, expected: readonly string[]): Promise<void> {
  const { conflicts } = await run({ base: { "mod.py": base }, ours: { "mod.py": ours }, theirs: { "mod.py": theirs } });
  const found = conflicts.map(({ rule, symbol, use }) => `${rule} ${symbol} ${use.line}`);
  expect(found.sort()).toEqual([...expected].sort());
}

const helper = `def _helper():\n    return 1\n${space}def work():\n    return 2\n`;

describe("a name dangles in the merge", () => {
  test("when a removes a private function and b uses it elsewhere in the file", () =>
    check(
      helper,
      helper.replace("def _helper():\n    return 1\n", ""),
      `${helper}\n\ndef more():\n    return _helper()\n`,
      ["removed _helper 13"],
    ));
  test("when a renames a private class", () =>
    check(
      `class _Box:\n    pass\n${space}X = 1\n`,
      `class _Crate:\n    pass\n${space}X = 1\n`,
      `class _Box:\n    pass\n${space}X = 1\nY = _Box()\n`,
      ["renamed _Box 11"],
    ));
  test("when a removes an import that seemed unused", () =>
    check(
      `import os\nimport sys\n${space}X = 1\n`,
      `import sys\n${space}X = 1\n`,
      `import os\nimport sys\n${space}X = os.sep\n`,
      ["removed os 9"],
    ));
  test("when a renames a local variable and b adds a line that reads it", () =>
    check(
      "def f(items):\n    total = 0\n    for item in items:\n        total += item\n    one = 1\n    two = 2\n    three = 3\n    return one\n",
      "def f(items):\n    amount = 0\n    for item in items:\n        amount += item\n    one = 1\n    two = 2\n    three = 3\n    return one\n",
      "def f(items):\n    total = 0\n    for item in items:\n        total += item\n    one = 1\n    two = 2\n    three = 3\n    print(total)\n    return one\n",
      ["removed total 8"],
    ));
  test("when a renames a parameter and b adds a line that reads it", () =>
    check(
      `def f(item):\n    a = 1\n    b = 2\n    c = 3\n    return a\n`,
      `def f(thing):\n    a = 1\n    b = 2\n    c = 3\n    return a\n`,
      `def f(item):\n    a = 1\n    b = 2\n    c = 3\n    print(item)\n    return a\n`,
      ["removed item 5"],
    ));
  test("but not when it dangled on b's side already", () =>
    check(
      helper,
      helper.replace("def _helper():\n    return 1\n", ""),
      `${helper.replace("return 2", "return 3")}\n\ndef more():\n    return _other()\n`,
      [],
    ));
  test("but not when a leaves another binding of it", () =>
    check(
      helper,
      helper.replace("def _helper():\n    return 1\n", "_helper = len\n"),
      `${helper}\n\ndef more():\n    return _helper()\n`,
      [],
    ));
  test("but not when b reads a global of the same name that stays", () =>
    check(
      `x = 1\n${space}def f():\n    y = 2\n    return y\n`,
      `x = 1\n${space}def f():\n    z = 2\n    return z\n`,
      `x = 1\nq = x\n${space}def f():\n    y = 2\n    return y\n`,
      [],
    ));
  test("but not in a file that writes to its own globals", () =>
    check(
      helper,
      `globals()["_helper"] = len${helper.replace("def _helper():\n    return 1\n", "\n")}`,
      `${helper}\n\ndef more():\n    return _helper()\n`,
      [],
    ));
});

describe("both sides add a definition of one name", () => {
  const text = `def first():\n    return 1\n${space}def last():\n    return 2\n`;
  const top = (body: string): string => `def twin():\n    return ${body}\n\n\n${text}`;
  const end = (body: string): string => `${text}\n\ndef twin():\n    return ${body}\n`;
  test("in different places", () => check(text, top("1"), end("2"), ["duplicate-definition twin 14"]));
  test("but not when both are the same", () => check(text, top("1"), end("1"), []));
  test("but not when one is conditional", () =>
    check(text, `import os\nif os.sep:\n    def twin():\n        return 1\n\n${text}`, end("2"), []));
  test("as methods of one class", () => {
    const body = `class C:\n    def first(self):\n        return 1\n\n    a = 1\n    b = 2\n    c = 3\n\n    def last(self):\n        return 2\n`;
    return check(
      body,
      body.replace("class C:\n", "class C:\n    def twin(self):\n        return 1\n\n"),
      `${body}\n    def twin(self):\n        return 2\n`,
      ["duplicate-definition C.twin 12"],
    );
  });
  test("is said once, with both places", async () => {
    const scene: Scene = { base: { "mod.py": text }, ours: { "mod.py": top("1") }, theirs: { "mod.py": end("2") } };
    const { conflicts } = await run(scene);
    expect(conflicts).toHaveLength(1);
    expect(conflicts[0]).toMatchObject({
      definitionBefore: { line: 1, text: "def twin():" },
      use: { line: 14 },
      definitionAfter: { line: 18 },
    });
  });
});
