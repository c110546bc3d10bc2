import { expect, test } from "bun:test";
import type { SemanticConflict } from "../../../ports/semantic.ts";
import { overlaid, sideChanges } from "../scene.ts";
import { openLanguages } from "../../../languages/open-languages.ts";
import { reviewSemantic } from "./semantic.ts";

const conflict = (use: string, line = 1): SemanticConflict => ({
  language: "typescript",
  rule: "removed",
  symbol: "one",
  definitionSide: "theirs",
  definitionBefore: { path: "lib.ts", line: 3, text: "export const one = 1;" },
  definitionAfter: undefined,
  use: { path: use, line, text: "one" },
  message: "one is gone",
  suggestion: "Keep one.",
});
const stage = (blob: string, mode = "100644"): { mode: string; blob: string } => ({ mode, blob });
const plain = { conflicted: new Set<string>(), excluded: () => undefined, languages: openLanguages() };

test("all uses of one symbol are one finding, and the definition stands on the side that changed it", () => {
  const [finding, ...more] = reviewSemantic({ ...plain, broken: [conflict("a.ts"), conflict("b.ts", 7)] });
  expect(more).toEqual([]);
  expect(finding?.evidence.map(({ ours, theirs }) => [ours[0]?.path, theirs[0]?.path])).toEqual([
    ["a.ts", "lib.ts"],
    ["b.ts", "lib.ts"],
  ]);
  expect(finding?.title).toContain("a.ts:1, b.ts:7");
});

test("what touches a file that git cannot merge, or stands in one that does not count, is left out", () => {
  const broken = [conflict("a.ts")];
  expect(reviewSemantic({ ...plain, broken, conflicted: new Set(["a.ts"]) })).toEqual([]);
  expect(reviewSemantic({ ...plain, broken, conflicted: new Set(["lib.ts"]) })).toEqual([]);
  expect(reviewSemantic({ ...plain, broken, excluded: () => "generated" })).toEqual([]);
});

test("one side's changes put on the other's tree: renames take the old name away, links and submodules are no files", () => {
  const changes = sideChanges([
    { path: "new.ts", change: "renamed", from: "old.ts", before: stage("1"), after: stage("1") },
    { path: "gone.ts", change: "deleted", from: undefined, before: stage("2"), after: undefined },
    { path: "link.ts", change: "type", from: undefined, before: stage("3"), after: stage("4", "120000") },
    { path: "edit.ts", change: "modified", from: undefined, before: stage("5"), after: stage("6") },
  ]);
  const under = new Map([
    ["old.ts", "1"],
    ["gone.ts", "2"],
    ["link.ts", "3"],
    ["edit.ts", "5"],
    ["mine.ts", "9"],
  ]);
  expect([...overlaid({ id: "t", blobs: under }, changes).blobs].sort()).toEqual([
    ["edit.ts", "6"],
    ["mine.ts", "9"],
    ["new.ts", "1"],
  ]);
});
