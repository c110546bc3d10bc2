// Modules that are named in calls, and members that are named by text: what is gone there is told like any other use.

import { expect, test } from "bun:test";
import { parseTypeScript } from "../reader/parse-typescript.ts";
import { checkTypeScript } from "./check-typescript.ts";
import { type Sides, treesOf } from "./trees.suite.ts";

async function said(sides: Sides): Promise<string[]> {
  const trees = treesOf(sides);
  if (trees === undefined) throw new Error("the sides conflict in the text");
  const { conflicts, unsure = [] } = await checkTypeScript(trees.input, { parse: parseTypeScript, cache: new Map() });
  return [
    ...conflicts.map(({ rule, symbol, use }) => `${rule} ${symbol} ${use.path}:${use.line}`),
    ...unsure.map(({ symbol, definition, because }) => `doubt ${symbol} ${definition}: ${because}`),
  ];
}

const lib = "export const total = (a: number): number => a;\n";
const base = { "src/lib.ts": lib, "src/app.ts": "export {};\n" };
const moved = { "src/lib.ts": null, "src/deep/lib.ts": lib };

const named = [
  'jest.mock("./lib");',
  'jest.mock("./lib", () => ({ total: 1 }));',
  'jest.doMock("./lib");',
  'jest.unmock("./lib");',
  'const real = jest.requireActual<object>("./lib");',
  'jest.requireMock("./lib").total;',
  'jest.unstable_mockModule("./lib", () => ({}));',
  'jest.createMockFromModule("./lib");',
  'vi.mock("./lib");',
  "vi.mock(`./lib`);",
  'await vi.importActual("./lib");',
  'mock.module("./lib", () => ({}));',
  'require.resolve("./lib");',
  'import.meta.resolve("./lib");',
  'const made = proxyquire("./lib", {});',
  'rewire("./lib");',
  'test("x", () => {\n  vi.doMock("./lib");\n});',
  'new Worker(new URL("./lib.ts", import.meta.url));',
  'new URL("lib.ts", import.meta.url);',
];

test("a file that moved is told where a call names its path", async () => {
  for (const call of named) {
    const [found, ...more] = await said({ base, ours: moved, theirs: { "src/lib.test.ts": `${call}\n` } });
    expect([call, found?.replace(/:\d+$/, ""), more]).toEqual([call, "moved src/lib.ts src/lib.test.ts", []]);
  }
});

test("nothing is told where the file is still there, none is needed, or something else is called", async () => {
  for (const call of [
    'jest.mock("./app");',
    'jest.mock("./lib", () => ({}), { virtual: true });',
    'jest.mock("package");',
    'jest.fn("./lib");',
    'other.mock("./lib");',
    'log("./lib");',
    'new URL("./lib.ts", base);',
  ])
    expect([call, await said({ base, ours: moved, theirs: { "src/lib.test.ts": `${call}\n` } })]).toEqual([call, []]);
});

test("a new pattern of paths that found the file is a doubt", async () => {
  const use = { "src/app.ts": 'export const all = import.meta.glob("./*.ts");\n' };
  expect(await said({ base, ours: moved, theirs: use })).toEqual([
    "doubt ./*.ts src/lib.ts: the pattern no longer finds that file",
  ]);
  const deep = { "src/app.ts": 'export const all = import.meta.glob("./**/*.ts");\n' };
  expect(await said({ base, ours: { "src/other.ts": lib }, theirs: deep })).toEqual([]);
});

const config = (name: string): string =>
  [
    `export const CONFIG = { ${name}: 1, other: 2 };`,
    `export const frozen = Object.freeze({ ${name}: 1 });`,
    `export const open: Record<string, number> = { ${name}: 1 };`,
    `export const indexed: { [key: string]: number } = { ${name}: 1 };`,
    `export interface Options { ${name}: { deep: string } }`,
    "",
  ].join("\n");
const heads = 'import { CONFIG, frozen, open, indexed, type Options } from "./lib";\n';
const unwritten = "it has members that are not written out, and this may be one of them";

test("a key that is gone is told however it is written", async () => {
  const uses: readonly (readonly [string, string])[] = [
    ['CONFIG["name"]', "removed-member CONFIG.name app.ts:2"],
    ["CONFIG[`name`]", "removed-member CONFIG.name app.ts:2"],
    ['CONFIG?.["name"]', "removed-member CONFIG.name app.ts:2"],
    ['const { "name": it } = CONFIG', "removed-member CONFIG.name app.ts:2"],
    ['frozen["name"]', "removed-member frozen.name app.ts:2"],
    ['type T = Options["name"]', "removed-member Options.name app.ts:2"],
    ['type T = Options["name"]["deep"]', "removed-member Options.name app.ts:2"],
    ['type T = (typeof CONFIG)["name"]', "removed-member CONFIG.name app.ts:2"],
    ['type T = Pick<Options, "name">', "removed-member Options.name app.ts:2"],
    ['const key: keyof Options = "name"', "removed-member Options.name app.ts:2"],
    ['const key: keyof typeof CONFIG = "name"', "removed-member CONFIG.name app.ts:2"],
    ['open["name"]', `doubt open.name lib.ts: ${unwritten}`],
    ['indexed["name"]', `doubt indexed.name lib.ts: ${unwritten}`],
  ];
  for (const [use, expected] of uses) {
    const sides = { base: { "lib.ts": config("name") }, ours: { "lib.ts": config("title") } };
    expect([use, await said({ ...sides, theirs: { "app.ts": `${heads}${use};\n` } })]).toEqual([use, [expected]]);
    const kept = { base: { "lib.ts": config("name") }, ours: { "lib.ts": `${config("name")}export {};\n` } };
    expect([use, await said({ ...kept, theirs: { "app.ts": `${heads}${use};\n` } })]).toEqual([use, []]);
  }
});
