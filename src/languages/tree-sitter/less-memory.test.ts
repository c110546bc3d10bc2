import { expect, test } from "bun:test";
import { join } from "node:path";
import { askForLess } from "./less-memory.ts";

test("tree-sitter begins with two megabytes, and has more when a file needs it", () => {
  // In a process of its own: one in which somebody has parsed already has its memory.
  const script = `
    const { heapStats } = await import("bun:jsc");
    const { loadGrammar } = await import(${JSON.stringify(join(import.meta.dir, "grammar.ts"))});
    const grammar = await loadGrammar(${JSON.stringify(Bun.resolveSync("tree-sitter-python/tree-sitter-python.wasm", import.meta.dir))});
    Bun.gc(true);
    const begun = heapStats().extraMemorySize;
    const { tree } = grammar.parse("def f(a, b):\\n    return a + b * 3\\n".repeat(20_000), 60_000);
    console.log(JSON.stringify({ begun, nodes: tree.type.length, grown: heapStats().extraMemorySize }));`;
  const guards = ["--no-env-file", "--config=/dev/null"];
  const { stdout, stderr } = Bun.spawnSync([process.execPath, ...guards, "-e", script]);
  expect(stderr.toString()).toBe("");
  const { begun, nodes, grown } = JSON.parse(stdout.toString()) as { begun: number; nodes: number; grown: number };
  expect(begun).toBeLessThan(20_000_000);
  expect(nodes).toBeGreaterThan(100_000);
  expect(grown).toBeGreaterThan(begun + 10_000_000);
});

test("a program that asks for another amount is left as it is", () => {
  const program = Buffer.from("\0asm\x06memory\x02\x01\x80\x08", "latin1");
  const before = Buffer.from(program);
  expect(askForLess(program)).toBeUndefined();
  expect(program).toEqual(before);
});
