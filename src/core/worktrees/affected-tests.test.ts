import { expect, test } from "bun:test";
import { affectedTests, isTest } from "./affected-tests.ts";

const graph = (edges: Readonly<Record<string, readonly string[]>>) =>
  new Map(Object.entries(edges).map(([from, to]) => [from, new Set(to)]));

test("a test that reaches the changed file by imports, however far, is affected; one that does not is not", () => {
  const imports = graph({
    "a.test.ts": ["a.ts"],
    "a.ts": ["b.ts"],
    "b.ts": ["c.ts"],
    "other.test.ts": ["other.ts"],
  });
  expect(affectedTests(["c.ts"], [imports])).toEqual(["a.test.ts"]);
});

test("a changed test is affected itself, and a circle of imports ends", () => {
  expect(affectedTests(["x.spec.tsx"], [graph({})])).toEqual(["x.spec.tsx"]);
  expect(affectedTests(["a.py"], [graph({ "a.py": ["b.py"], "b.py": ["a.py"], "test_b.py": ["b.py"] })])).toEqual([
    "test_b.py",
  ]);
});

test("a conftest reaches every test below it without an import", () => {
  const imports = graph({ "pkg/sub/test_x.py": [], "pkg/x.py": [], "test_top.py": [] });
  expect(affectedTests(["pkg/conftest.py"], [imports])).toEqual(["pkg/sub/test_x.py"]);
});

test("what counts as a test", () => {
  for (const path of ["a.test.ts", "b-spec.jsx", "test_a.py", "a_test.py", "src/__tests__/a.js", "test/a.ts"]) {
    expect([path, isTest(path)]).toEqual([path, true]);
  }
  for (const path of ["latest.ts", "contest.py", "testing.py", "src/attest/a.ts", "tests/readme.md"]) {
    expect([path, isTest(path)]).toEqual([path, false]);
  }
});
