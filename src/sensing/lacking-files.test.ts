// Files that a tree names and the clone does not have, as in one that was made with `--filter=blob:none`.

import { afterAll, beforeAll, expect, test } from "bun:test";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { Scratch } from "../host/git/scratch.suite.ts";
import type { RepositoryObserver } from "../ports/git.ts";
import type { PairVerdict } from "../protocol/findings.ts";
import { noteLacking } from "./lacking-files.ts";
import type { ReviewedSide } from "./merged-pair.ts";
import type { PairPipeline } from "./pipeline.ts";
import { pipelineOver } from "./pipeline.suite.ts";

let scratch: Scratch;
beforeAll(() => {
  scratch = new Scratch();
});
afterAll(() => scratch.close());

type Files = Readonly<Record<string, string>>;

const typescript: readonly Files[] = [
  { "src/a.ts": "export const a = (): number => 1;\n" },
  { "src/a.ts": "export const a = (): number => 2;\n" },
  { "src/b.ts": 'import { a } from "./a";\nexport const b = a();\n' },
];
const python: readonly Files[] = [
  { "a.py": "def a(): return 1\n" },
  { "a.py": "def a(): return 2\n" },
  { "b.py": "import a\na.a()\n" },
];
const go: readonly Files[] = [
  { "x/x.go": "package x\n\nfunc A() int { return 1 }\n" },
  { "x/x.go": "package x\n\nfunc A() int { return 2 }\n" },
  { "y/y.go": 'package y\n\nimport "m/x"\n\nvar B = x.A()\n' },
];
const rust: readonly Files[] = [
  { "src/lib.rs": "pub mod a;\n", "src/a.rs": "pub fn a() -> u8 { 1 }\n" },
  { "src/a.rs": "pub fn a() -> u8 { 2 }\n" },
  { "tests/b.rs": "use m::a::a;\n\n#[test]\nfn b() { a(); }\n" },
];

const cases: readonly (readonly [lacking: string, settings: Files, work: readonly Files[]])[] = [
  ["package.json", { "package.json": '{ "name": "m", "type": "module" }\n' }, typescript],
  ["tsconfig.json", { "tsconfig.json": '{ "compilerOptions": { "strict": true } }\n' }, typescript],
  [
    "tsconfig.base.json",
    { "tsconfig.json": '{ "extends": "./tsconfig.base.json" }\n', "tsconfig.base.json": '{ "compilerOptions": {} }\n' },
    typescript,
  ],
  ["go.mod", { "go.mod": "module m\n\ngo 1.19\n" }, go],
  ["Cargo.toml", { "Cargo.toml": '[package]\nname = "m"\nversion = "0.1.0"\nedition = "2021"\n' }, rust],
  ["pyproject.toml", { "pyproject.toml": '[tool.pytest.ini_options]\npythonpath = ["lib"]\n' }, python],
  [".gitattributes", { ".gitattributes": "*.gen linguist-generated\n" }, python],
  ["constel.toml", { "constel.toml": '[findings]\nexclude = ["made/**"]\n' }, python],
];

let made = 0;

interface Pair {
  readonly top: string;
  readonly observer: RepositoryObserver;
  readonly pipeline: PairPipeline;
  readonly judge: () => Promise<PairVerdict>;
}

async function pairOf(settings: Files, [base = {}, ours = {}, theirs = {}]: readonly Files[]): Promise<Pair> {
  const top = scratch.repository(`lacking${++made}`, { ...settings, ...base });
  for (const [branch, files] of [
    ["ours", ours],
    ["theirs", theirs],
  ] as const) {
    scratch.git(top, "checkout", "-q", "-b", branch, "main");
    scratch.commit(top, files);
  }
  const observer = await scratch.observe(top);
  const pipeline = pipelineOver(observer);
  const side = async (branch: string): Promise<ReviewedSide> => {
    const snapshot = await observer.snapshotOf(`refs/heads/${branch}`);
    if (snapshot === undefined) throw new Error(`${branch} is not there`);
    const { commit, tree } = snapshot;
    return { side: { label: branch, worktree: null, branch, commit, tree }, snapshot };
  };
  const judge = async (): Promise<PairVerdict> => {
    const [our, their] = [await side("ours"), await side("theirs")];
    const [merge] = await observer.merge([{ ours: our.snapshot, theirs: their.snapshot }]);
    if (merge === undefined) throw new Error("git gave no answer");
    return await pipeline.judge(our, their, merge);
  };
  return { top, observer, pipeline, judge };
}

function lose(top: string, path: string): void {
  const blob = scratch.git(top, "rev-parse", `main:${path}`).trim();
  rmSync(join(top, ".git/objects", blob.slice(0, 2), blob.slice(2)), { force: true });
}

for (const [lacking, settings, work] of cases) {
  test(`${lacking} that the clone lacks is named, each time, and is not taken for none`, async () => {
    const whole = await (await pairOf(settings, work)).judge();
    expect([whole.complete, whole.open]).toEqual([true, []]);
    const { top, judge } = await pairOf(settings, work);
    lose(top, lacking);
    for (let time = 0; time < 2; time++) {
      const { complete, open } = await judge();
      expect(complete).toBe(false);
      expect(open.map(({ why }) => why)).toEqual([expect.stringContaining(`${lacking} `)]);
    }
  });
}

const record = 'export const CONFIG: Record<string, string> = { name: "x" };\n';
test("a use in a new file that can only be doubted leaves the pair compared: the base has no such file, which is none that lacks", async () => {
  const { judge } = await pairOf({ "package.json": '{ "name": "m" }\n' }, [
    { "src/config.ts": record, "src/shop.ts": "export function price(): number { return 1; }\n" },
    {
      "src/config.ts": record.replace("name", "title"),
      "src/shop.ts": "export function cost(): number { return 1; }\n",
    },
    {
      "src/use.ts": 'import { CONFIG } from "./config";\nexport const n = CONFIG["name"];\n',
      "src/buy.ts": 'import { price } from "./shop";\nexport const p = price();\n',
    },
  ]);
  const { findings, open } = await judge();
  expect(findings.map(({ title }) => title)).toEqual([expect.stringContaining("price")]);
  expect(open.map(({ what }) => what)).not.toContain("comparison");
});

test("an empty name is no file's, and is not asked of git", async () => {
  const { observer } = await pairOf({}, typescript);
  const lacking = new Set<string>();
  expect(await noteLacking(observer, lacking)("")).toBeUndefined();
  expect([...lacking]).toEqual([]);
});
