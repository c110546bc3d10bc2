import { describe, expect, test } from "bun:test";
import { parseTypeScript } from "../reader/parse-typescript.ts";
import type { TypeScriptSummary } from "../facts.ts";
import { affectedTests, type ImportGraph, typescriptImportGraph } from "./import-graph.ts";
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
    expect([...(graph.get("src/a.ts") ?? [])]).toEqual(["src/b.ts"]);
    expect([...(graph.get("src/b.ts") ?? [])]).toEqual(["src/c.js"]);
    expect([...(graph.get("src/c.js") ?? [])]).toEqual(["src/d.js"]);
  });

  test("leads from a change to the tests above it, however far, and to no others", async () => {
    const graph = await graphOf(files);
    expect(affectedTests(graph, ["src/d.js"])).toEqual(["src/a.test.ts", "test/d.ts"]);
    expect(affectedTests(graph, ["src/a.ts"])).toEqual(["src/a.test.ts"]);
    expect(affectedTests(graph, ["src/other.test.ts"])).toEqual(["src/other.test.ts"]);
    expect(affectedTests(graph, ["README.md"])).toEqual([]);
  });

  test("ends on circular imports", async () => {
    const graph = await graphOf({
      "a.ts": 'import "./b";\n',
      "b.ts": 'import "./a";\n',
      "b.test.ts": 'import "./b";\n',
    });
    expect(affectedTests(graph, ["a.ts"])).toEqual(["b.test.ts"]);
  });
});
