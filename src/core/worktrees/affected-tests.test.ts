import { expect, test } from "bun:test";
import { affectedTests, type ImportGraph } from "./affected-tests.ts";

const graph = (edges: Readonly<Record<string, readonly string[]>>): ImportGraph => ({
  imports: new Map(Object.entries(edges).map(([from, to]) => [from, new Set(to)])),
  tests: new Set(Object.keys(edges).filter((path) => path.includes("test"))),
});

test("a test that reaches the changed file by imports, however far, is affected; one that does not is not", () => {
  const imports = graph({ "a.test.ts": ["a.ts"], "a.ts": ["b.ts"], "b.ts": ["c.ts"], "other.test.ts": ["other.ts"] });
  expect(affectedTests(["c.ts"], [imports])).toEqual(["a.test.ts"]);
});

test("a changed test is affected itself, and a circle of imports ends", () => {
  expect(affectedTests(["x.test.tsx"], [graph({ "x.test.tsx": [] })])).toEqual(["x.test.tsx"]);
  expect(affectedTests(["a.py"], [graph({ "a.py": ["b.py"], "b.py": ["a.py"], "test_b.py": ["b.py"] })])).toEqual([
    "test_b.py",
  ]);
});

test("the way may lead through the files of another language", () => {
  const one = graph({ "main.test.ts": ["data.py"] });
  expect(affectedTests(["base.py"], [one, graph({ "data.py": ["base.py"] })])).toEqual(["main.test.ts"]);
});
