import { afterAll, expect, test } from "bun:test";
import { appendFileSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Kept } from "./read-once.ts";

const directory = mkdtempSync(join(tmpdir(), "constel-kept-"));
afterAll(() => rmSync(directory, { recursive: true, force: true }));

test("a file is read once until it changes, appears, or the question is another", () => {
  const path = join(directory, "f");
  const kept = new Kept<number>();
  let reads = 0;
  const look = (question = "a"): number => kept.of(path, question, () => ++reads);
  expect([look(), look()]).toEqual([1, 1]);
  writeFileSync(path, "one\n");
  expect([look(), look()]).toEqual([2, 2]);
  appendFileSync(path, "two\n");
  expect([look(), look()]).toEqual([3, 3]);
  expect([look("b"), look("b")]).toEqual([4, 4]);
});

test("old files are let go", () => {
  const kept = new Kept<number>();
  let reads = 0;
  for (let file = 0; file < 600; file++) kept.of(join(directory, `absent-${file}`), "", () => ++reads);
  expect(kept.of(join(directory, "absent-599"), "", () => ++reads)).toBe(600);
  expect(kept.of(join(directory, "absent-0"), "", () => ++reads)).toBe(601);
});
