// The lines of both sides beside what stood there before, over trees of plain texts.

import { expect, test } from "bun:test";
import type { EvidenceHunk } from "../../protocol/findings.ts";
import { sideChanges } from "./scene.ts";
import { withTrueEvidence } from "./true-evidence.ts";

type Files = Readonly<Record<string, string>>;
type Lines = readonly (readonly [at: string, ...lines: readonly string[]])[];

const stage = (blob: string) => ({ mode: "100644", blob });

/** What both sides are shown with, `path:line<before` first; `renames`: the new name of a file by its old one, on ours. */
async function check(
  trees: { readonly base: Files; readonly ours: Files; readonly theirs: Files; readonly renames?: Files },
  shown: { readonly ours?: readonly EvidenceHunk[]; readonly theirs?: readonly EvidenceHunk[] },
  expected: { readonly ours: Lines; readonly theirs: Lines },
): Promise<void> {
  const changed = (side: Files, renames: Files = {}) =>
    sideChanges(
      Object.keys({ ...side, ...trees.base })
        .filter((path) => side[path] !== trees.base[path] && renames[path] === undefined)
        .map((path) => {
          const from = Object.keys(renames).find((old) => renames[old] === path);
          return { path, change: "modified" as const, from, before: stage("x"), after: stage("y") };
        }),
    );
  const of = (which: string): Files => (which === "merged" ? {} : trees[which as "base" | "ours" | "theirs"]);
  const scene = {
    ours: changed(trees.ours, trees.renames),
    theirs: changed(trees.theirs),
    tree: async (which: string) => ({
      id: which,
      blobs: new Map(Object.keys(of(which)).map((path) => [path, `${which} ${path}`])),
    }),
    read: async (blob: string) => {
      const [which = "", path = ""] = blob.split(" ");
      return of(which)[path];
    },
  };
  const evidence = [
    {
      rule: "removed",
      path: "a",
      symbol: null,
      ours: shown.ours ?? [],
      theirs: shown.theirs ?? [],
      message: "it is so",
    },
  ];
  const said = {
    kind: "semantic",
    severity: "high",
    subject: "a",
    title: "",
    action: "",
    symbols: [],
    evidence,
  } as const;
  const [found] = await withTrueEvidence([said], scene);
  const changes = found?.evidence[0]?.changes;
  const lines = (which: "ours" | "theirs"): Lines =>
    (changes?.[which] ?? []).map(({ path, line, before_line: before, text }) => [
      `${path}:${line}<${before}`,
      ...text.split("\n"),
    ]);
  expect({ ours: lines("ours"), theirs: lines("theirs") }).toEqual(expected);
}

const library = "// prices\n\nexport const price = 1;\nexport const tax = 2;\n\n// end\n";

test("a line that became another stands below what it was, with the lines around; a new file is all new", async () => {
  await check(
    {
      base: { "lib.ts": library },
      ours: { "lib.ts": library.replace("price = 1", "total = 1") },
      theirs: { "lib.ts": library, "use.ts": "import { price } from './lib.ts';\nprice;\n" },
    },
    {
      ours: [{ path: "lib.ts", line: 3, text: "export const total = 1;" }],
      theirs: [{ path: "use.ts", line: 2, text: "price;" }],
    },
    {
      ours: [
        [
          "lib.ts:1<1",
          " // prices",
          " ",
          "-export const price = 1;",
          "+export const total = 1;",
          " export const tax = 2;",
          " ",
        ],
      ],
      theirs: [["use.ts:1<1", "+import { price } from './lib.ts';", "+price;"]],
    },
  );
});

test("whoever took a line away is shown by it, though nothing of it is left; lines that nobody touched there are not", async () => {
  const uses = { path: "use.ts", line: 1, text: "price;" };
  await check(
    {
      base: { "lib.ts": library, "use.ts": "tax;\n" },
      ours: { "lib.ts": library.replace("export const price = 1;\n", ""), "use.ts": "tax;\n" },
      theirs: { "lib.ts": library, "use.ts": "price;\n" },
    },
    { theirs: [uses, { path: "lib.ts", line: 3, text: "export const price = 1;" }] },
    {
      ours: [["lib.ts:1<1", " // prices", " ", "-export const price = 1;", " export const tax = 2;", " "]],
      theirs: [
        ["lib.ts:1<1", " // prices", " ", " export const price = 1;", " export const tax = 2;", " "],
        ["use.ts:1<1", "-tax;", "+price;"],
      ],
    },
  );
});

test("a whole file that is gone, and one under another name", async () => {
  await check(
    { base: { "lib.ts": "a\nb\n" }, ours: {}, theirs: { "lib.ts": "a\nc\n" } },
    { theirs: [{ path: "lib.ts", line: 1, text: "a" }] },
    { ours: [["lib.ts:1<1", "-a", "-b"]], theirs: [["lib.ts:1<1", " a", "-b", "+c"]] },
  );
  await check(
    {
      base: { "lib.ts": "a\nb\nc\n" },
      ours: { "new.ts": "a\nB\nc\n" },
      theirs: { "lib.ts": "a\nb\nc\nd\n" },
      renames: { "lib.ts": "new.ts" },
    },
    { ours: [{ path: "new.ts", line: 2, text: "B" }], theirs: [{ path: "lib.ts", line: 4, text: "d" }] },
    {
      ours: [["new.ts:1<1", " a", "-b", "+B", " c"]],
      theirs: [["lib.ts:2<2", " b", " c", "+d"]],
    },
  );
});

test("pieces that touch are one; a file that changed beyond reading is left as it is", async () => {
  const long = Array.from({ length: 30 }, (_, at) => `line ${at + 1}`);
  const edited = long.with(4, "five").with(7, "eight").with(24, "twenty-five");
  const file = (lines: readonly string[]) => ({ "a.ts": `${lines.join("\n")}\n` });
  const hunk = (line: number) => ({ path: "a.ts", line, text: edited[line - 1] ?? "" });
  await check(
    { base: file(long), ours: file(edited), theirs: file(long) },
    { ours: [hunk(25), hunk(8), hunk(5)] },
    {
      ours: [
        [
          "a.ts:3<3",
          " line 3",
          " line 4",
          "-line 5",
          "+five",
          " line 6",
          " line 7",
          "-line 8",
          "+eight",
          " line 9",
          " line 10",
        ],
        ["a.ts:23<23", " line 23", " line 24", "-line 25", "+twenty-five", " line 26", " line 27"],
      ],
      theirs: [],
    },
  );
  const many = Array.from({ length: 500 }, (_, at) => `old ${at}`);
  const other = many.map((_, at) => `new ${at}`);
  await check(
    { base: file(many), ours: file(other), theirs: file(many) },
    { ours: [{ path: "a.ts", line: 1, text: "new 0" }] },
    { ours: [], theirs: [] },
  );
});
