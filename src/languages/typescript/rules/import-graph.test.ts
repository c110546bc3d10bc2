import { describe, expect, test } from "bun:test";
import { parseTypeScript } from "../reader/parse-typescript.ts";
import type { TypeScriptSummary } from "../facts.ts";
import { affectedTests } from "../../../core/worktrees/affected-tests.ts";
import type { ImportGraph } from "../../language.ts";
import { isTest, typescriptImportGraph } from "./import-graph.ts";
import { treesOf, type Files } from "./trees.suite.ts";

async function graphOf(files: Files): Promise<ImportGraph> {
  const trees = treesOf({ base: files, ours: {}, theirs: {} });
  if (trees === undefined) throw new Error("no trees");
  return typescriptImportGraph(trees.input.base, trees.input.read, {
    parse: parseTypeScript,
    cache: new Map<string, TypeScriptSummary>(),
  });
}

const files = {
  "src/a.ts": 'export * from "./b";\n',
  "src/b.ts": 'export const b = async () => import("./c");\n',
  "src/c.js": 'module.exports = require("./d");\n',
  "src/d.js": "module.exports = 1;\n",
  "src/a.test.ts": 'import { b } from "./a";\n',
  "test/d.ts": 'import "../src/d";\n',
  "src/other.test.ts": "export {};\n",
};

describe("the import graph", () => {
  test("follows static, dynamic and CommonJS imports", async () => {
    const graph = await graphOf(files);
    expect([...(graph.imports.get("src/a.ts") ?? [])]).toEqual(["src/b.ts"]);
    expect([...(graph.imports.get("src/b.ts") ?? [])]).toEqual(["src/c.js"]);
    expect([...(graph.imports.get("src/c.js") ?? [])]).toEqual(["src/d.js"]);
  });

  test("leads from a change to the tests above it, however far, and to no others", async () => {
    const graph = await graphOf(files);
    expect(affectedTests(["src/d.js"], [graph])).toEqual(["src/a.test.ts", "test/d.ts"]);
    expect(affectedTests(["src/a.ts"], [graph])).toEqual(["src/a.test.ts"]);
    expect(affectedTests(["src/other.test.ts"], [graph])).toEqual(["src/other.test.ts"]);
    expect(affectedTests(["README.md"], [graph])).toEqual([]);
  });

  test("ends on circular imports", async () => {
    const graph = await graphOf({
      "a.ts": 'import "./b";\n',
      "b.ts": 'import "./a";\n',
      "b.test.ts": 'import "./b";\n',
    });
    expect(affectedTests(["a.ts"], [graph])).toEqual(["b.test.ts"]);
  });
});

test("what counts as a test", () => {
  for (const path of ["a.test.ts", "b-spec.jsx", "src/__tests__/a.js", "test/a.ts"])
    expect([path, isTest(path)]).toEqual([path, true]);
  for (const path of ["latest.ts", "src/attest/a.ts", "tests/readme.md", "test/a.d.ts"])
    expect([path, isTest(path)]).toEqual([path, false]);
});
