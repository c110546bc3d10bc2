// Tests which of the names around an error is reported as the one that the other side changed.

import { expect, test } from "bun:test";
import { inputOf, type Scene } from "../python/rules/scenario.suite.ts";
import { errorConflicts } from "./error-conflicts.ts";

const base = { "made.py": "def trim(parts: tuple) -> tuple:\n    return parts\n", "use.py": "\n" };
const scene: Scene = {
  base,
  ours: { "made.py": 'def trim(parts: tuple) -> dict[str, int]:\n    return {"it": parts}\n' },
  theirs: { "use.py": "weigh(trim((1, 2)))\n" },
};

async function symbolOf(names: readonly string[], what: Scene = scene): Promise<string | undefined> {
  const text = "weigh(trim((1, 2)))";
  const reading = { language: "python", by: "pyright 1", read: () => ({ names, rule: "type-mismatch" as const }) };
  const [found] = await errorConflicts([{ path: "use.py", line: 1, message: "no", text }], inputOf(what), reading);
  return found?.symbol;
}

test("what the line calls is named before a built-in type that the message speaks of", async () => {
  expect(await symbolOf(["weigh", "dict", "str", "int", "tuple"])).toBe("trim");
});

test("a name of the message that the other side changed comes first", async () => {
  expect(await symbolOf(["trim", "dict"])).toBe("trim");
  expect(await symbolOf(["parts", "dict"])).toBe("parts");
});

test("a name like a built-in type is named where nothing else on the line was changed", async () => {
  const own = {
    ...scene,
    base: { ...base, "made.py": "class Box: pass\n" },
    ours: { "made.py": "class Box: a = 1\n" },
  };
  expect(await symbolOf(["Box"], own)).toBe("Box");
});
