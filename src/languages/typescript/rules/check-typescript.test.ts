import { describe, expect, test } from "bun:test";
import { parseTypeScript } from "../reader/parse-typescript.ts";
import type { SemanticConflict } from "../../../ports/semantic.ts";
import type { TypeScriptSummary } from "../facts.ts";
import { checkTypeScript } from "./check-typescript.ts";
import { treesOf, type Sides } from "./trees.suite.ts";

async function conflictsOf(
  sides: Sides,
  cache = new Map<string, TypeScriptSummary>(),
): Promise<readonly SemanticConflict[]> {
  const trees = treesOf(sides);
  if (trees === undefined) throw new Error("the sides conflict in the text");
  const outcome = await checkTypeScript(trees.input, { parse: parseTypeScript, cache });
  return outcome.conflicts;
}

/** `rule symbol path:line`, one string a conflict. */
async function check(sides: Sides, expected: readonly string[]): Promise<void> {
  const found = (await conflictsOf(sides)).map((one) => `${one.rule} ${one.symbol} ${one.use.path}:${one.use.line}`);
  expect(found).toEqual([...expected]);
}

const dates = "export function formatDate(date: Date): string {\n  return date.toISOString();\n}\n";
const app = 'import { formatDate } from "./dates";\nexport const now = formatDate(new Date());\n';
const renamed = {
  "dates.ts": dates.replaceAll("formatDate", "formatDay"),
  "app.ts": app.replaceAll("formatDate", "formatDay"),
};
const base = { "dates.ts": dates, "app.ts": app };
const newUse = 'import { formatDate } from "./dates";\nconsole.log(formatDate(new Date()));\n';

describe("a definition one side takes away and the other begins to use", () => {
  test("a renamed function is one conflict that names symbol, definition and use", async () => {
    const [conflict, ...rest] = await conflictsOf({ base, ours: renamed, theirs: { "report.ts": newUse } });
    expect(rest).toEqual([]);
    expect(conflict).toMatchObject({
      language: "typescript",
      rule: "renamed",
      symbol: "formatDate",
      definitionSide: "ours",
      definitionBefore: { path: "dates.ts", line: 1, text: dates.trimEnd() },
      definitionAfter: { path: "dates.ts", line: 1 },
      use: { path: "report.ts", line: 1 },
    });
    expect(conflict?.message).toContain("renamed to formatDay");
  });

  test("it does not matter which side is which", async () => {
    const [conflict] = await conflictsOf({ base, ours: { "report.ts": newUse }, theirs: renamed });
    expect(conflict).toMatchObject({ rule: "renamed", definitionSide: "theirs" });
  });

  test("a removed function", () =>
    check(
      {
        base,
        ours: { "dates.ts": "export const zone = 1;\n", "app.ts": "export {};\n" },
        theirs: { "report.ts": newUse },
      },
      ["removed formatDate report.ts:1"],
    ));

  test("a function no longer exported", () =>
    check(
      { base, ours: { "dates.ts": dates.replace("export ", ""), "app.ts": null }, theirs: { "report.ts": newUse } },
      ["made-private formatDate report.ts:1"],
    ));

  test("a function moved to another file", () =>
    check(
      {
        base,
        ours: { "dates.ts": "export {};\n", "time.ts": dates, "app.ts": app.replace("./dates", "./time") },
        theirs: { "report.ts": newUse },
      },
      ["moved formatDate report.ts:1"],
    ));

  test("a whole file moved", () =>
    check(
      {
        base,
        ours: { "dates.ts": null, "lib/dates.ts": dates, "app.ts": app.replace("./dates", "./lib/dates") },
        theirs: { "report.ts": newUse },
      },
      ["moved dates.ts report.ts:1"],
    ));

  test("of two new functions of one shape, the one with the old body is the new name", async () => {
    const twin = "export function stamp(date: Date): string {\n  return String(date);\n}\n";
    const [conflict] = await conflictsOf({
      base,
      ours: { ...renamed, "dates.ts": twin + renamed["dates.ts"] },
      theirs: { "report.ts": newUse },
    });
    expect(conflict?.message).toContain("renamed to formatDay");
  });

  test.each([
    [
      "a star",
      'export * from "./dates";\n',
      'import { formatDate } from "./index";\nformatDate(new Date());\n',
      "report.ts:1",
    ],
    [
      "two stars",
      'export * from "./inner";\n',
      'import { formatDate } from ".";\nformatDate(new Date());\n',
      "report.ts:1",
    ],
    [
      "a namespace",
      'export * as tools from "./dates";\n',
      'import { tools } from "./index";\ntools.formatDate(new Date());\n',
      "report.ts:2",
    ],
  ])("reached through %s", (_, index, use, place) =>
    check(
      {
        base: { ...base, "index.ts": index, "inner.ts": 'export * from "./dates";\n' },
        ours: renamed,
        theirs: { "report.ts": use },
      },
      [`renamed formatDate ${place}`],
    ),
  );

  test("a package of the workspace removed", () =>
    check(
      {
        base: { "lib/package.json": '{"name":"@acme/lib","main":"index.ts"}', "lib/index.ts": dates },
        ours: { "lib/package.json": null, "lib/index.ts": null },
        theirs: { "report.ts": newUse.replace("./dates", "@acme/lib") },
      },
      ["removed lib/index.ts report.ts:1"],
    ));

  test("the use in another hunk of the same file", () => {
    const file = `import { formatDate } from "./dates";\n\nexport const a = formatDate(new Date());\n${"\n".repeat(8)}export const z = 1;\n`;
    return check(
      {
        base: { "dates.ts": dates, "app.ts": file },
        ours: { "dates.ts": renamed["dates.ts"], "app.ts": file.replaceAll("formatDate", "formatDay") },
        theirs: { "app.ts": `${file}export const b = formatDate(new Date(0));\n` },
      },
      ["renamed formatDate app.ts:13"],
    );
  });

  test("a local function of one file, used in another hunk of it", () => {
    const file = `function helper(n: number): number {\n  return n;\n}\nexport const a = helper(1);\n${"// line\n".repeat(8)}export const z = 1;\n`;
    return check(
      {
        base: { "a.ts": file },
        ours: { "a.ts": file.replaceAll("helper", "aid") },
        theirs: { "a.ts": `${file}export const b = helper(2);\n` },
      },
      ["renamed helper a.ts:14"],
    );
  });
});

const silent = (theirs: Sides["theirs"], ours: Sides["ours"] = renamed): Promise<void> =>
  check({ base, ours, theirs }, []);

describe("no conflict", () => {
  test("when the name is only in a string or comment", () =>
    silent({ "report.ts": '// formatDate\nexport const s = "formatDate(1)";\n' }));
  test("when an alias is kept", () =>
    silent(
      { "report.ts": newUse },
      { ...renamed, "dates.ts": `${renamed["dates.ts"]}export { formatDay as formatDate };\n` },
    ));
  test("when another module has the same name", () =>
    silent({ "other.ts": dates, "report.ts": newUse.replace("./dates", "./other") }));
  test("when the name is local", () =>
    silent({ "report.ts": "const formatDate = (n: number) => n;\nexport const x = formatDate(1);\n" }));
  test("when it is shadowed", () =>
    silent({ "report.ts": "export function f(formatDate: (n: number) => void) {\n  formatDate(1);\n}\n" }));
  test("when the use was broken on its own side", () =>
    silent({ "dates.ts": dates, "report.ts": 'import { formatDates } from "./dates";\nformatDates();\n' }));
  test("when the package is not in the tree", () =>
    silent({ "report.ts": 'import { formatDate } from "date-kit";\nformatDate(1);\n' }));
  test("when the name is a global", () =>
    silent({ "report.ts": "declare function formatDate(n: number): void;\nformatDate(1);\n" }));
  test("when both sides made the same change", () =>
    silent({ ...renamed, "report.ts": newUse.replaceAll("formatDate", "formatDay") }));
  test("when only jest.mock names the file, and needs none", () =>
    silent(
      { "report.test.ts": 'jest.mock("./dates", () => ({ formatDate: () => 1 }), { virtual: true });\n' },
      { "dates.ts": null, "app.ts": null },
    ));
  test("when settings that are not understood take a file's alias away", () =>
    check(
      {
        base: {
          "tsconfig.json": '{"compilerOptions":{"paths":{"@core":["./core"]}}}',
          "core/index.ts": "export const a = 1;\n",
          "app/use.ts": "export {};\n",
        },
        ours: { "app/tsconfig.json": '{"extends":"some-package/tsconfig.json"}' },
        theirs: { "app/use.ts": 'import { a } from "@core";\nconsole.log(a);\n' },
      },
      [],
    ));
  test("when a file does not parse", () => silent({ "report.ts": `${newUse}const = ;\n` }));
});

const lib = (text: string): Sides["base"] => ({ "lib.ts": text });

const against = (before: string, after: string, use: string, expected: readonly string[]): Promise<void> =>
  check({ base: lib(before), ours: lib(after), theirs: { "use.ts": use } }, expected);

describe("a definition that changes under a use", () => {
  const f = "export function f(a: number): number {\n  return a;\n}\n";
  const callsF = 'import { f } from "./lib";\nf(1);\n';

  test("a new required parameter", () =>
    against(f, f.replace("a: number", "a: number, b: number"), callsF, ["signature f use.ts:2"]));
  test("a new optional parameter is in order", () =>
    against(f, f.replace("a: number", "a: number, b?: number"), callsF, []));
  test("a removed parameter", () =>
    against(f, f.replace("a: number", "").replace("return a", "return 1"), callsF, ["signature f use.ts:2"]));
  test("a parameter of another type", () =>
    against(f, f.replace("a: number", "a: string").replace("return a", "return 1"), callsF, [
      "type-mismatch f use.ts:2",
    ]));
  test("a function that became async", () =>
    against(
      f,
      f.replace("export function", "export async function").replace("): number", "): Promise<number>"),
      'import { f } from "./lib";\nexport const n = f(1) + 1;\n',
      ["became-async f use.ts:2"],
    ));
  test("an awaited function that became async is in order", () =>
    against(
      f,
      f.replace("export function", "export async function").replace("): number", "): Promise<number>"),
      'import { f } from "./lib";\nexport const n = (await f(1)) + 1;\n',
      [],
    ));
  test("a renamed method, told with its new name", async () => {
    const [conflict] = await conflictsOf({
      base: lib("export class A {\n  go(): void {}\n}\n"),
      ours: lib("export class A {\n  run(): void {}\n}\n"),
      theirs: { "use.ts": 'import { A } from "./lib";\nnew A().go();\n' },
    });
    expect(conflict).toMatchObject({
      rule: "removed-member",
      symbol: "A.go",
      definitionBefore: { path: "lib.ts", line: 2 },
      definitionAfter: { line: 2 },
    });
    expect(conflict?.message).toContain("renamed to A.run");
  });
  test("a method made private", () =>
    against(
      "export class A {\n  go(): void {}\n}\n",
      "export class A {\n  private go(): void {}\n}\n",
      'import { A } from "./lib";\nnew A().go();\n',
      ["made-private A.go use.ts:2"],
    ));
  test("a class that became an interface", () =>
    against("export class A {}\n", "export interface A {}\n", 'import { A } from "./lib";\nnew A();\n', [
      "type-only A use.ts:2",
    ]));
  test("an interface with a new required property", () =>
    against(
      "export interface A {\n  a: number;\n}\n",
      "export interface A {\n  a: number;\n  b: number;\n}\n",
      'import type { A } from "./lib";\nexport const x: A = { a: 1 };\n',
      ["signature A.b use.ts:2"],
    ));
  test("a name both sides add to one file", () => {
    const file = `export const a = 1;\n${"// line\n".repeat(8)}export const z = 1;\n`;
    return check(
      { base: lib(file), ours: lib(`export const same = 1;\n${file}`), theirs: lib(`${file}export const same = 2;\n`) },
      ["duplicate-definition same lib.ts:12"],
    );
  });
  test("a key that both sides add to one object, under its own name", () => {
    const object = (first: string, last: string): ReturnType<typeof lib> =>
      lib(`export const a = {\n${first}${"  // line\n".repeat(8)}${last}};\n`);
    return check({ base: object("", ""), ours: object("  path: 1,\n", ""), theirs: object("", "  path: 1,\n") }, [
      "duplicate-definition path lib.ts:11",
    ]);
  });
  test("CommonJS, in JavaScript", () =>
    check(
      {
        base: { "lib.js": "exports.f = () => 1;\n" },
        ours: { "lib.js": "exports.g = () => 1;\n" },
        theirs: { "use.js": 'const { f } = require("./lib");\nf();\n' },
      },
      ["renamed f use.js:1"],
    ));
  test("a JavaScript parameter that callers must now give", () =>
    check(
      {
        base: { "lib.js": "export function f(a) {\n  return a;\n}\n" },
        ours: { "lib.js": "export function f(a, b) {\n  return a + b.size;\n}\n" },
        theirs: { "use.js": 'import { f } from "./lib.js";\nf(1);\n' },
      },
      ["signature f use.js:2"],
    ));
});

/** Paths parsed by a check, with a cache that outlives it. */
async function parsed(sides: Sides, cache: Map<string, TypeScriptSummary>): Promise<string[]> {
  const trees = treesOf(sides);
  if (trees === undefined) throw new Error("the sides conflict in the text");
  const paths: string[] = [];
  await checkTypeScript(trees.input, {
    cache,
    parse: (path, text, depth) => {
      paths.push(path);
      return parseTypeScript(path, text, depth);
    },
  });
  return [...new Set(paths)].sort();
}

describe("the cost of a check", () => {
  const many = Object.fromEntries(
    Array.from({ length: 50 }, (_, index) => [`other${index}.ts`, `export const x${index} = ${index};\n`]),
  );

  test("is the changed files and what they reach, not the tree", async () => {
    const sides = {
      base: { ...base, ...many },
      ours: renamed,
      theirs: { "report.ts": 'import { formatDay } from "./dates";\nformatDay(new Date());\n' },
    };
    expect(await parsed(sides, new Map())).toEqual(["app.ts", "dates.ts", "report.ts"]);
  });

  test("is one file after one edit", async () => {
    const cache = new Map<string, TypeScriptSummary>();
    const before = {
      base: { ...base, ...many },
      ours: { "other1.ts": "export const x1 = 2;\n" },
      theirs: { "report.ts": newUse },
    };
    await parsed(before, cache);
    expect(await parsed({ ...before, theirs: { "report.ts": `${newUse}// more\n` } }, cache)).toEqual(["report.ts"]);
  });

  test("does not hide a conflict that a later edit elsewhere brings", async () => {
    const cache = new Map<string, TypeScriptSummary>();
    const before = {
      base: { ...base, ...many },
      ours: { "other1.ts": "export const x1 = 2;\n" },
      theirs: { "report.ts": newUse },
    };
    expect(await conflictsOf(before, cache)).toEqual([]);
    expect(await conflictsOf({ ...before, ours: renamed }, cache)).toHaveLength(1);
    expect(await conflictsOf(before, cache)).toEqual([]);
  });

  test("is nothing when only one side changed", async () => {
    expect(await parsed({ base, ours: renamed, theirs: {} }, new Map())).toEqual([]);
  });

  test("ends early when told to stop, and says so", async () => {
    const trees = treesOf({ base, ours: renamed, theirs: { "report.ts": newUse } });
    if (trees === undefined) throw new Error("the sides conflict in the text");
    const outcome = await checkTypeScript(
      { ...trees.input, signal: AbortSignal.abort() },
      { parse: parseTypeScript, cache: new Map<string, TypeScriptSummary>() },
    );
    expect(outcome).toMatchObject({ conflicts: [], complete: false });
  });

  test("a file that does not parse is named in the notes", async () => {
    const trees = treesOf({ base, ours: renamed, theirs: { "report.ts": "const = ;\n" } });
    if (trees === undefined) throw new Error("the sides conflict in the text");
    const outcome = await checkTypeScript(trees.input, {
      parse: parseTypeScript,
      cache: new Map<string, TypeScriptSummary>(),
    });
    expect(outcome.notes.some((note) => note.startsWith("report.ts does not parse"))).toBe(true);
  });
});

describe("arguments that are spread", () => {
  const lib =
    "export function sum(a: number, b: number): number {\n  return a + b;\n}\n" +
    "export class Box {\n  constructor(a: number, b: number) {}\n}\n";
  const uses = (call: string) => ({
    "use.ts": `import { Box, sum } from "./lib";\nexport const run = (all: [number, number], some: number[]) => [Box, sum, ${call}];\n`,
  });
  const third = { "lib.ts": lib.replaceAll("b: number)", "b: number, c?: number)") };
  const wanted = { "lib.ts": lib.replaceAll("b: number)", "b: number, c: number)") };
  const one = { "lib.ts": lib.replaceAll(", b: number)", ", ...b: number[])") };

  test("are any number, so that nothing is said of their count", async () => {
    for (const call of ["sum(...all)", "sum(1, ...some.slice(1))", "new Box(...all)", "sum(...all, ...some)"])
      for (const ours of [third, wanted, one]) await check({ base: { "lib.ts": lib }, ours, theirs: uses(call) }, []);
  });

  test("and where none is spread, the count has to fit", async () => {
    await check({ base: { "lib.ts": lib }, ours: wanted, theirs: uses("sum(1, 2)") }, ["signature sum use.ts:2"]);
    await check({ base: { "lib.ts": lib }, ours: wanted, theirs: uses("new Box(1, 2)") }, ["signature Box use.ts:2"]);
    await check({ base: { "lib.ts": lib }, ours: wanted, theirs: uses("sum(...all), sum(1, 2)") }, [
      "signature sum use.ts:2",
    ]);
    await check({ base: { "lib.ts": lib }, ours: third, theirs: uses("sum(1, 2)") }, []);
  });

  test("what is called is looked up all the same", () =>
    check({ base: { "lib.ts": lib }, ours: { "lib.ts": lib.replace("sum", "add") }, theirs: uses("sum(...all)") }, [
      "renamed sum use.ts:1",
    ]));
});
