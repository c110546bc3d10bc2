import { expect, test } from "bun:test";
import type { SemanticConflict, SemanticRule } from "../../../ports/semantic.ts";
import { overlaid, sideChanges } from "../scene.ts";
import { openLanguages } from "../../../languages/open-languages.ts";
import { reviewSemantic } from "./semantic.ts";

const conflict = (use: string, line = 1, more: Partial<SemanticConflict> = {}): SemanticConflict => ({
  language: "typescript",
  rule: "removed",
  symbol: "one",
  definitionSide: "theirs",
  definitionBefore: { path: "lib.ts", line: 3, text: "export const one = 1;" },
  definitionAfter: undefined,
  use: { path: use, line, text: "one" },
  message: "one is gone",
  suggestion: "Keep one.",
  ...more,
});
const stage = (blob: string, mode = "100644"): { mode: string; blob: string } => ({ mode, blob });

type Files = Readonly<Record<string, string>>;

const library = "// head\n\nexport const one = 1;\n";

/** A scene whose trees hold these files; ours uses what theirs takes away, unless they say otherwise. */
function scene(broken: readonly SemanticConflict[], more: { base?: Files; ours?: Files; theirs?: Files } = {}) {
  const base = { "lib.ts": library, ...more.base };
  const trees: Record<string, Files> = {
    base,
    ours: { ...base, "a.ts": "one", "b.ts": "\n\n\n\n\n\none", ...more.ours },
    theirs: { ...base, "lib.ts": "// head\n", ...more.theirs },
  };
  const changed = (side: Files) =>
    sideChanges(
      Object.keys({ ...side, ...base })
        .filter((path) => side[path] !== base[path as keyof typeof base])
        .map((path) => ({
          path,
          change: "modified" as const,
          from: undefined,
          before: stage("x"),
          after: stage("y"),
        })),
    );
  return {
    broken,
    conflicted: new Set<string>(),
    excluded: (): string | undefined => undefined,
    languages: openLanguages(),
    ours: changed(trees["ours"] ?? {}),
    theirs: changed(trees["theirs"] ?? {}),
    tree: async (which: string) => ({
      id: which,
      blobs: new Map(Object.keys(trees[which] ?? {}).map((path) => [path, `${which} ${path}`])),
    }),
    read: async (blob: string) => {
      const [which = "", path = ""] = blob.split(" ");
      return trees[which]?.[path];
    },
  };
}

test("all uses of one symbol are one finding, and what is gone is shown as the side that still has it", async () => {
  const [finding, ...more] = await reviewSemantic(scene([conflict("a.ts"), conflict("b.ts", 7)]));
  expect(more).toEqual([]);
  const shown = finding?.evidence.map(({ ours, theirs }) => [ours, theirs].map((side) => side.map((one) => one.path)));
  expect(shown).toEqual([
    [["a.ts", "lib.ts"], []],
    [["b.ts", "lib.ts"], []],
  ]);
  expect(finding?.title).toContain("removes one (lib.ts:3), which \u0001 uses in a.ts:1, b.ts:7");
});

test("lines are those of the side's own file, not of the base or the merge", async () => {
  const own = { ours: { "lib.ts": `// ours\n// more\n${library}`, "a.ts": "// moved down\n\none" } };
  const [finding] = await reviewSemantic(scene([conflict("a.ts", 1)], own));
  expect(finding?.evidence[0]?.ours.map(({ path, line }) => `${path}:${line}`)).toEqual(["a.ts:3", "lib.ts:5"]);
  expect(finding?.title).toContain("(lib.ts:5), which \u0001 uses in a.ts:3");
});

test("what is said of a symbol after its name leaves no doubt what is used", async () => {
  const said = async (rule: SemanticRule) => (await reviewSemantic(scene([conflict("a.ts", 1, { rule })])))[0]?.title;
  expect(await said("became-async")).toBe("\u0002 makes one (lib.ts:3) asynchronous; \u0001 uses one in a.ts:1");
  expect(await said("type-only")).toBe("\u0002 now exports one (lib.ts:3) only as a type; \u0001 uses one in a.ts:1");
  expect(await said("signature")).toBe("\u0002 changes the signature of one (lib.ts:3), which \u0001 uses in a.ts:1");
});

test("who has the use is not the one who broke it, whatever was said", async () => {
  const mixedUp = conflict("a.ts", 1, { definitionSide: "ours" });
  const [finding] = await reviewSemantic(scene([mixedUp]));
  expect(finding?.title).toStartWith("\u0002 removes one");
  expect(finding?.evidence[0]?.ours[0]?.path).toBe("a.ts");
});

test("a definition whose line is there under another name was renamed, and is not called removed", async () => {
  const renamed = { theirs: { "lib.ts": "// head\n\nexport const uno = 1;\n" } };
  const [finding] = await reviewSemantic(scene([conflict("a.ts", 1, { rule: "removed-member" })], renamed));
  expect(finding?.title).toBe("\u0002 renames one (lib.ts:3) to uno; \u0001 uses one in a.ts:1");
  // Whatever the line holds that means something in a pattern.
  const line = (name: string): string => `pub fn ${name}(x: &[u8]) -> Option<(u8, *const u8)> { // a-b $1 ^ \\d {2}|?`;
  const rust = conflict("a.ts", 1, { definitionBefore: { path: "lib.rs", line: 1, text: line("one") } });
  const named = { base: { "lib.rs": line("one") }, theirs: { "lib.rs": line("uno") } };
  expect((await reviewSemantic(scene([rust], named)))[0]?.title).toContain("renames one (lib.rs:1) to uno");
  const two = { theirs: { "lib.ts": "// head\n\nexport const uno = 1;\nexport const eins = 1;\n" } };
  const [unsure] = await reviewSemantic(scene([conflict("a.ts")], two));
  expect(unsure?.title).toContain("removes one (lib.ts:3), which");
});

test("a definition in a file that the other side did not change is not said to be changed by it", async () => {
  const own = { path: "a.ts", line: 1, text: "const data = one();" };
  const inferred = conflict("a.ts", 2, {
    rule: "type-mismatch",
    symbol: "data",
    definitionBefore: own,
    definitionAfter: own,
    use: { path: "a.ts", line: 2, text: "data.toFixed();" },
  });
  const mine = { ours: { "a.ts": "const data = one();\ndata.toFixed();\ndata.trim();\n" } };
  const trim = { path: "a.ts", line: 3, text: "data.trim();" };
  const again = { ...inferred, symbol: "trim", definitionBefore: trim, definitionAfter: undefined, use: trim };
  const [finding, ...more] = await reviewSemantic(scene([inferred, again], mine));
  expect(more).toEqual([]);
  expect(finding?.title).toBe("\u0001 uses data in a.ts:2, a.ts:3, which no longer fits what \u0002 changed");
  expect(finding?.evidence[0]?.theirs).toEqual([]);
});

test("one definition that breaks many uses under many names is one cause, told once", async () => {
  const broken = ["Shop.open", "Shop", "open"].map((symbol, at) => conflict(at === 0 ? "a.ts" : "b.ts", 7, { symbol }));
  const found = await reviewSemantic(scene(broken));
  expect(found.map(({ symbols, evidence }) => [symbols.length, evidence.length])).toEqual([[3, 3]]);
});

test("what only the compiler saw is marked so, and not what the syntax shows too", async () => {
  const seen = async (...by: boolean[]): Promise<boolean | undefined> =>
    (await reviewSemantic(scene(by.map((byCompiler) => conflict("a.ts", 1, { byCompiler })))))[0]?.byCompiler;
  expect([await seen(true), await seen(true, false), await seen(false)]).toEqual([true, undefined, undefined]);
});

test("what touches a file that git cannot merge, or stands in one that does not count, is left out", async () => {
  const plain = scene([conflict("a.ts")]);
  expect(await reviewSemantic({ ...plain, conflicted: new Set(["a.ts"]) })).toEqual([]);
  expect(await reviewSemantic({ ...plain, conflicted: new Set(["lib.ts"]) })).toEqual([]);
  expect(await reviewSemantic({ ...plain, excluded: () => "generated" })).toEqual([]);
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

test("what the two break only together in a file of nobody is said to be nobody's", async () => {
  const joined = "import { one } from './lib';\none();\n";
  const broken = conflict("join.ts", 2, {
    rule: "type-mismatch",
    use: { path: "join.ts", line: 2, text: "one();" },
    definitionAfter: { path: "lib.ts", line: 3, text: "export const one = 2;" },
  });
  const lib = library.replace("1", "2");
  const [finding] = await reviewSemantic(scene([broken], { base: { "join.ts": joined }, theirs: { "lib.ts": lib } }));
  expect(finding?.title).toEndWith("it breaks join.ts:2, which neither side edited");
});

test("trees that were put on each other differently have different names", () => {
  const on = (blob: string): string =>
    overlaid(
      { id: "t", blobs: new Map() },
      sideChanges([{ path: "a.ts", change: "modified", from: undefined, before: stage("x"), after: stage(blob) }]),
    ).id;
  expect(on("y")).toBe(on("y"));
  expect(on("y")).not.toBe(on("z"));
});
