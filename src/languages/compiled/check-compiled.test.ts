import { expect, test } from "bun:test";
import { goRules } from "../go/go-rules.ts";
import { parseGo } from "../go/parse-go.ts";
import type { SourceSummary } from "./facts.ts";
import { inputOf } from "../python/rules/scenario.suite.ts";
import { drive } from "../check/driver.ts";
import { compiledPair } from "./check-compiled.ts";
import { runCompiled } from "./scene.suite.ts";

const base = { "go.mod": "module m\n", "lib/a.go": "package lib\n\nfunc Old() {}\n", "app/a.go": "package app\n" };
const ours = { "lib/a.go": "package lib\n\nfunc New() {}\n" };
const use = 'package app\n\nimport "m/lib"\n\nfunc run() {\n\tlib.Old()\n}\n';
const theirs = { "app/a.go": use };

test("a conflict names the symbol, where it was and is, the use, and what to do", async () => {
  const { conflicts, complete, notes } = await runCompiled("go", { base, ours, theirs });
  expect(conflicts).toEqual([
    {
      language: "go",
      rule: "renamed",
      symbol: "Old",
      definitionSide: "ours",
      definitionBefore: { path: "lib/a.go", line: 3, text: "func Old() {}" },
      definitionAfter: { path: "lib/a.go", line: 3, text: "func New() {}" },
      use: { path: "app/a.go", line: 6, text: "\tlib.Old()" },
      message: "app/a.go:6 uses `Old`, which the other side renamed to `New`.",
      suggestion: "Use `New` instead, or keep `Old` as well.",
    },
  ]);
  expect({ complete, notes }).toEqual({ complete: true, notes: [] });
});

test("either side may be the one that takes away", async () => {
  const { conflicts } = await runCompiled("go", { base, ours: theirs, theirs: ours });
  expect(conflicts.map(({ definitionSide }) => definitionSide)).toEqual(["theirs"]);
});

test("a file with a syntax error is said to be passed over, and nothing is held against it", async () => {
  const half = { "app/a.go": `${use}\nfunc half( {\n` };
  const { conflicts, notes } = await runCompiled("go", { base, ours, theirs: half });
  expect(conflicts).toEqual([]);
  expect(notes).toEqual(["app/a.go: passed over (syntax error)"]);
  // What a package declares is unknown when one of its files cannot be read.
  const beside = { ...ours, "lib/b.go": "package lib\n\nfunc half( {\n" };
  expect((await runCompiled("go", { base, ours: beside, theirs })).conflicts).toEqual([]);
});

test("a use that the other side broke by itself is not a conflict", async () => {
  const with_use = { ...base, "app/a.go": use };
  const scene = { base: with_use, ours, theirs: { "app/a.go": `${use}\nfunc more() {\n}\n` } };
  expect((await runCompiled("go", scene)).conflicts).toEqual([]);
});

test("a use that the merge does not have any more is not a conflict", async () => {
  const merged = { ...base, ...ours, "app/a.go": "package app\n" };
  expect((await runCompiled("go", { base, ours, theirs, merged })).conflicts).toEqual([]);
});

test("files are parsed once for each text, and only where something could break", async () => {
  let parsed = 0;
  const cache = new Map<string, SourceSummary>();
  const go = { cache, parse: (source: string) => ((parsed += 1), parseGo(source)) };
  const far = Object.fromEntries(Array.from({ length: 20 }, (_, at) => [`far${at}/a.go`, `package far${at}\n`]));
  const input = inputOf({ base: { ...base, ...far }, ours, theirs });
  expect((await drive(compiledPair(goRules, go), input)).conflicts).toHaveLength(1);
  expect(parsed).toBeLessThan(6);
  const before = parsed;
  await drive(compiledPair(goRules, go), input);
  expect(parsed).toBe(before);
});

test("an aborted check says that it is not complete", async () => {
  const controller = new AbortController();
  controller.abort();
  const input = { ...inputOf({ base, ours, theirs }), signal: controller.signal };
  const outcome = await drive(compiledPair(goRules, { parse: parseGo, cache: new Map() }), input);
  expect({ conflicts: outcome.conflicts, complete: outcome.complete }).toEqual({ conflicts: [], complete: false });
});
