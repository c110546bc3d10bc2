import { afterEach, beforeEach, expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { treesOf } from "../rules/trees.suite.ts";
import { FactsMemory } from "../../facts-memory.ts";
import { withKeptAnswers } from "./kept-answers.ts";
import type { CompilerAnswer, CompilerRequest } from "./typescript-compiler.ts";
import { uncheckedFiles } from "./unchecked-files.ts";

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "constel-kept-"));
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

const tree = (letter: string): CompilerRequest["merged"] => ({ id: letter.repeat(40), blobs: new Map() });
const request: CompilerRequest = {
  ours: tree("a"),
  theirs: tree("b"),
  merged: { id: `${"a".repeat(40)}+${"c".repeat(40)}`, blobs: new Map() },
  paths: ["x.ts"],
  between: [],
  betweenMs: 1,
  read: async () => undefined,
  deadlineMs: 1,
};
const whole: CompilerAnswer = { findings: [], complete: true };

/** Returns how often the compiler itself was asked for these requests, one after the other. */
async function askedFor(
  requests: readonly CompilerRequest[],
  answer: CompilerAnswer = whole,
  between = (): void => {},
) {
  const kept = new FactsMemory(1_000_000).of<CompilerAnswer>("typescript-compiler");
  let asked = 0;
  for (const one of requests) {
    // A compiler of its own each time, as the next command has.
    const compiler = { compare: async () => ((asked += 1), answer) };
    const wish = { version: "6.0.3", installedIn: () => [join(directory, "node_modules")] };
    expect(await withKeptAnswers(compiler, kept, wish).compare(one)).toEqual(answer);
    between();
  }
  return asked;
}

test("the same trees and the same packages are compiled once", async () => {
  mkdirSync(join(directory, "node_modules", "@scope", "one"), { recursive: true });
  expect(await askedFor([request, request, request])).toBe(1);
});

test("another tree, another file to ask about or another package is another question", async () => {
  const others = [
    { ...request, merged: tree("d") },
    { ...request, ours: tree("d") },
    { ...request, paths: ["y.ts"] },
    { ...request, between: ["z.ts"] },
    { ...request, packagesFrom: "/elsewhere" },
  ];
  expect(await askedFor([request, ...others, request])).toBe(6);
  let packages = 0;
  const install = (): void =>
    void mkdirSync(join(directory, "node_modules", "@scope", `p${packages++}`), { recursive: true });
  expect(await askedFor([request, request, request], whole, install)).toBe(3);
});

test("an answer that is not whole, or of a tree that its content does not name, is not kept", async () => {
  const parts: CompilerAnswer[] = [
    { ...whole, complete: false },
    { ...whole, note: "stopped" },
    { ...whole, unasked: ["z.ts"] },
    { ...whole, missingPackages: ["react"] },
  ];
  for (const part of parts) expect(await askedFor([request, request], part)).toBe(2);
  expect(await askedFor([1, 2].map(() => ({ ...request, merged: { id: "merged", blobs: new Map() } })))).toBe(2);
});

test("changed files that tell the compiler to look away are named, and those that nobody changed are not", async () => {
  const trees = treesOf({
    base: { "old.ts": "// @ts-nocheck\nexport const a = 1;\n", "lib.ts": "export const b = 1;\n" },
    ours: { "lib.ts": "export const b = 2;\n", "fresh.ts": "/* @ts-nocheck */\nexport const c = 1;\n" },
    theirs: { "say.ts": 'export const say = "// @ts-nocheck";\n', "x.md": "// @ts-nocheck\n" },
  });
  if (trees === undefined) throw new Error("the sides conflict in the text");
  expect(await uncheckedFiles(trees.input)).toEqual(["fresh.ts asks not to be checked (@ts-nocheck)"]);
});
