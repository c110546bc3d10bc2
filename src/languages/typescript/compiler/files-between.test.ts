import { expect, test } from "bun:test";
import type { TreeView } from "../../../ports/semantic.ts";
import { filesBetween } from "./files-between.ts";

const treeOf = (paths: readonly string[]): TreeView => ({
  id: "base",
  blobs: new Map(paths.map((path) => [path, `blob of ${path}`])),
});

function between(imports: Readonly<Record<string, readonly string[]>>, ours: string[], theirs: string[]) {
  const graph = {
    imports: new Map(Object.entries(imports).map(([path, targets]) => [path, new Set(targets)])),
    tests: new Set<string>(),
  };
  const seen = { ours: new Set(ours), theirs: new Set(theirs) };
  return filesBetween(
    treeOf(Object.keys(imports)),
    seen,
    async () => undefined,
    async () => graph,
  );
}

test("files that reach the work of both are found, the nearest first", async () => {
  const imports = {
    "a.ts": [],
    "b.ts": [],
    "far.ts": ["near.ts"],
    "near.ts": ["a.ts", "b.ts"],
    "only-a.ts": ["a.ts"],
    "neither.ts": [],
  };
  expect(await between(imports, ["a.ts"], ["b.ts"])).toEqual({ paths: ["near.ts", "far.ts"], left: 0 });
});

test("a file that one side adds is imported by nobody who stayed", async () => {
  const imports = { "a.ts": [], "near.ts": ["a.ts"] };
  expect(await between(imports, ["a.ts"], ["new.ts"])).toEqual({ paths: [], left: 0 });
});

test("loops of imports come to an end", async () => {
  const imports = { "a.ts": ["b.ts"], "b.ts": ["a.ts"], "c.ts": ["a.ts"] };
  expect((await between(imports, ["a.ts"], ["b.ts"])).paths).toEqual(["a.ts", "b.ts", "c.ts"]);
});

test("what is too much to ask about is counted", async () => {
  const many = Object.fromEntries(Array.from({ length: 500 }, (_, at) => [`use${at}.ts`, ["a.ts", "b.ts"]]));
  const found = await between({ "a.ts": [], "b.ts": [], ...many }, ["a.ts"], ["b.ts"]);
  expect([found.paths.length, found.left]).toEqual([400, 100]);
});
