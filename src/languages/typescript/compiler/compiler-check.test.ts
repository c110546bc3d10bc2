import { afterAll, describe, expect, test } from "bun:test";
import { checkTypeScript } from "../rules/check-typescript.ts";
import { treesOf, type Sides } from "../rules/trees.suite.ts";
import type { SemanticOutcome } from "../../../ports/semantic.ts";
import type { TypeScriptCompiler } from "./typescript-compiler.ts";
import type { TypeScriptSummary } from "../facts.ts";
import { CompilerProcess } from "./compiler-check.ts";
import { parseTypeScript } from "../reader/parse-typescript.ts";
import { surfaceOf } from "../reader/surface.ts";

const compiler = new CompilerProcess();
afterAll(() => compiler.close());

function outcomeOf(
  sides: Sides,
  compilerDeadlineMs = 50_000,
  by: TypeScriptCompiler = compiler,
): Promise<SemanticOutcome> {
  const trees = treesOf(sides);
  if (trees === undefined) throw new Error("the sides conflict in the text");
  return checkTypeScript(trees.input, {
    parse: parseTypeScript,
    cache: new Map<string, TypeScriptSummary>(),
    compiler: by,
    compilerDeadlineMs,
  });
}

async function check(sides: Sides, expected: readonly string[]): Promise<void> {
  const { conflicts, complete } = await outcomeOf(sides);
  expect(conflicts.map((one) => `${one.rule} ${one.symbol} ${one.use.path}:${one.use.line}`)).toEqual([...expected]);
  expect(complete).toBe(true);
}

const tsconfig = JSON.stringify({
  compilerOptions: { strict: true, lib: ["es2022"], types: [], module: "esnext", moduleResolution: "bundler" },
});
const item = "export interface Item {\n  label: string;\n}\nexport const all = new Map<string, Item>();\n";
const labels = 'import { all } from "./item";\nexport const labels = [...all.values()].map((one) => one.label);\n';
const base = { "tsconfig.json": tsconfig, "item.ts": item };
const wish = { between: [], betweenMs: 1000, deadlineMs: 50_000 };

describe("the compiler as second opinion", () => {
  test("finds what only types tell", () =>
    check({ base, ours: { "item.ts": item.replace("label", "title") }, theirs: { "use.ts": labels } }, [
      "removed-member Item.label use.ts:2",
    ]));

  test("a name that only a bundler can follow to what the other side changed leaves types unknown", async () => {
    const lib = "export const lookUp = (name: string): number => name.length;\n";
    const use = 'import { lookUp } from "@lib/price";\nexport const shown = lookUp("x").toFixed(2);\n';
    const missing = async (more: Readonly<Record<string, string>>): Promise<unknown> => {
      const ours = { "src/price.ts": lib.replace("number", "string").replace("name.length", "name") };
      const sides = { base: { "tsconfig.json": tsconfig, "src/price.ts": lib, ...more }, ours };
      return (await outcomeOf({ ...sides, theirs: { "src/fresh.ts": use } })).missingPackages ?? [];
    };
    expect(await missing({})).toEqual(["@lib/price"]);
    expect(await missing({ "src/all.d.ts": 'declare module "@lib/*";\n' })).toEqual([]);
  });

  test("names the member behind an error that begins at a module", () =>
    check(
      {
        base: {
          "tsconfig.json": tsconfig,
          "lib.ts": "export interface Item {\n  label: string;\n}\nexport declare function make(): Item;\n",
        },
        ours: { "lib.ts": "export interface Item {\n  label?: string;\n}\nexport declare function make(): Item;\n" },
        theirs: { "use.ts": 'import * as lib from "./lib";\nexport const size = lib.make().label.length;\n' },
      },
      ["type-mismatch Item.label use.ts:2"],
    ));

  test("names what the other side changed where the error leads to something that nobody touched", async () => {
    const forms = (more: string): string =>
      `${more}export function check(of: object): Promise<number>;\nexport function check(): Promise<number> {\n  return Promise.resolve(1);\n}\n`;
    const lib = (field: string): string => `export interface Fault {\n  ${field};\n}\n`;
    const make = 'import type { Fault } from "./lib";\nexport declare function faults(): Fault[];\n';
    await check(
      {
        base: {
          "tsconfig.json": tsconfig,
          "lib.ts": lib("name: string"),
          "make.ts": make,
          "forms.ts": forms("export function check(name: string, of: object): Promise<number>;\n"),
        },
        ours: { "lib.ts": lib("name: string | symbol"), "forms.ts": forms("") },
        theirs: {
          "a.ts":
            'import { check as c } from "./forms";\nexport const run: (name: string, of: object) => Promise<unknown> = c;\n',
          "b.ts":
            'import { faults } from "./make";\nexport const names: string[] = faults().map(({ name }) => name);\n',
          "c.ts":
            'import { faults } from "./make";\nexport function all(): string[] {\n  return faults().map((one) => one.name);\n}\n',
        },
      },
      ["type-mismatch check a.ts:2", "type-mismatch Fault.name b.ts:2", "type-mismatch Fault.name c.ts:3"],
    );
  });

  test("says that something became asynchronous only where a promise stands for something else", async () => {
    const lib = (result: string): string => `export declare function load(): ${result};\n`;
    const at = (use: string, was: string, is: string, rule: string): Promise<void> =>
      check(
        {
          base: { "tsconfig.json": tsconfig, "lib.ts": lib(was) },
          ours: { "lib.ts": lib(is) },
          theirs: { "use.ts": `import { load } from "./lib";\n${use}\n` },
        },
        [`${rule} load use.ts:2`],
      );
    await at("export const text: string = load();", "string", "Promise<string>", "became-async");
    await at("export const given: () => string = load;", "string", "Promise<string>", "became-async");
    await at("export const text: Promise<string> = load();", "Promise<string>", "string", "type-mismatch");
    await at("export const text: Promise<string> = load();", "Promise<string>", "Promise<number>", "type-mismatch");
  });

  test("names files as the repository does", async () => {
    const lib = "export const one = { label: 1 };\n";
    const { conflicts } = await outcomeOf({
      base: { "tsconfig.json": tsconfig, "src/lib.ts": lib, "src/all.ts": 'export * as lib from "./lib";\n' },
      ours: { "src/lib.ts": "export const two = 1;\n" },
      theirs: { "src/use.ts": 'import { lib } from "./all";\nexport type Part = (typeof lib)[`one`];\n' },
    });
    expect(conflicts.map(({ message }) => message).join()).toContain('typeof import("src/lib")');
  });

  test("says the same thing once when both see it", () =>
    check({ base, ours: { "item.ts": item.replace("all", "every") }, theirs: { "use.ts": labels } }, [
      "renamed all use.ts:1",
    ]));

  test("is silent where the line was broken on its own side", () =>
    check(
      {
        base,
        ours: { "item.ts": item.replace("label", "title") },
        theirs: { "use.ts": labels.replace("one.label", "one.lable") },
      },
      [],
    ));

  test("is not asked when the sides do not touch", async () => {
    const never: TypeScriptCompiler = { compare: () => Promise.reject(new Error("asked")) };
    const apart = {
      base,
      ours: { "item.ts": item.replace("label", "title") },
      theirs: { "use.ts": "export const x = 1;\n" },
    };
    expect((await outcomeOf(apart, 1, never)).conflicts).toEqual([]);
  });

  test("needs no settings", () =>
    check(
      { base: { "item.ts": item }, ours: { "item.ts": item.replace("label", "title") }, theirs: { "use.ts": labels } },
      ["removed-member Item.label use.ts:2"],
    ));

  test("looks at JavaScript whatever the settings say, and tells nothing of the errors that it has anyway", async () => {
    const price = "export function lookUp(name) {\n  return name.length + 1;\n}\n";
    const use = 'import { lookUp } from "./price.js";\nexport const shown = lookUp("x").toFixed(2);\n';
    const old = "export const wrong = (1).trim();\n";
    for (const options of ['{ "checkJs": false, "allowJs": true }', '{ "allowJs": false }', "{}"]) {
      const settings = `{ "compilerOptions": ${options} }`;
      const sides = { base: { "tsconfig.json": settings, "price.js": price, "old.js": old } };
      const ours = { "price.js": price.replace("name.length + 1", "`${name} costs`") };
      const theirs = { "fresh.js": use, "old.js": `import "./price.js";\n${old}` };
      await check({ ...sides, ours, theirs }, ["type-mismatch lookUp fresh.js:2"]);
    }
  });

  test("looks at each file under the settings it falls under", () => {
    const under = (name: string): string =>
      JSON.stringify({ compilerOptions: { strict: true, types: [], paths: { [`${name}/*`]: ["./*"] } } });
    return check(
      {
        base: { "a/tsconfig.json": under("@a"), "b/tsconfig.json": under("@b"), "a/item.ts": item, "b/item.ts": item },
        ours: { "a/item.ts": item.replace("label", "title"), "b/item.ts": item.replace("label", "title") },
        theirs: {
          "a/use.ts": labels.replace("./item", "@a/item"),
          "b/use.ts": labels.replace("./item", "@b/item"),
        },
      },
      ["removed-member Item.label a/use.ts:2", "removed-member Item.label b/use.ts:2"],
    );
  });

  test("follows settings of any name that others stand on, also those of a package of the tree", () =>
    check(
      {
        base: {
          "a/tsconfig.json": '{ "extends": ["../config/strict"] }',
          "b/tsconfig.json": '{ "extends": "@shop/config/strict.json" }',
          "package.json": '{ "devDependencies": { "typescript": "^5.9.0" } }',
          "config/package.json": '{ "name": "@shop/config" }',
          "config/strict.json": '{ "compilerOptions": { "strict": true, "types": [] } }',
          "item.ts": item,
        },
        ours: { "item.ts": item.replace("label", "label?") },
        theirs: {
          "a/use.ts": labels.replace("./item", "../item").replace("one.label", "one.label.length"),
          "b/use.ts": labels.replace("./item", "../item").replace("one.label", "one.label.length"),
          "use.ts": labels.replace("one.label", "one.label.length"),
        },
      },
      // Beside all settings, TypeScript is as strict as it is by itself.
      [
        "type-mismatch Item.label a/use.ts:2",
        "type-mismatch Item.label b/use.ts:2",
        "type-mismatch Item.label use.ts:2",
      ],
    ));

  test("finds packages of the tree by their names, and the files a star with a name leads to", () =>
    check(
      {
        base: {
          "tsconfig.json": tsconfig,
          "packages/core/package.json": JSON.stringify({ name: "@shop/core", exports: { ".": "./src/index.ts" } }),
          "packages/core/src/index.ts": 'export * as items from "./item";\n',
          "packages/core/src/item.ts": item,
        },
        ours: { "packages/core/src/item.ts": item.replace("label", "title") },
        theirs: {
          "app/use.ts":
            'import { items } from "@shop/core";\nexport const labels = [...items.all.values()].map((one) => one.label);\n',
        },
      },
      ["removed-member Item.label app/use.ts:2"],
    ));

  test("counts an error beside one that its side has on the same line already", () =>
    check(
      {
        base,
        ours: { "item.ts": item.replace("label", "title") },
        theirs: { "use.ts": labels.replace("export const labels = ", "nowhere(); export const labels = ") },
      },
      ["removed-member Item.label use.ts:2"],
    ));

  test("is asked where other settings hide a module", () =>
    check(
      {
        base: {
          "tsconfig.json": tsconfig.replace("{", '{"files":[],').replace('"types"', '"paths":{"@/*":["./*"]},"types"'),
          "item.ts": item,
        },
        ours: {
          "tsconfig.json": tsconfig.replace("{", '{"files":[],').replace('"types"', '"paths":{"#/*":["./*"]},"types"'),
        },
        theirs: { "deep/use.ts": labels.replace("./item", "@/item") },
      },
      ["removed @/item deep/use.ts:1"],
    ));

  test("overrules a call it accepts", async () => {
    const sides: Sides = {
      base: { "tsconfig.json": tsconfig, "f.ts": "export function f(a: number): number {\n  return a;\n}\n" },
      ours: { "f.ts": "export function f(a: number, b: number): number {\n  return a + b;\n}\n" },
      theirs: { "use.ts": 'import { f } from "./f";\nf(1);\n' },
    };
    const content: TypeScriptCompiler = { compare: () => Promise.resolve({ findings: [], complete: true }) };
    const unsure: TypeScriptCompiler = {
      compare: () => Promise.resolve({ findings: [], complete: false, note: "slow" }),
    };
    expect((await outcomeOf(sides, 1, content)).conflicts).toEqual([]);
    const outcome = await outcomeOf(sides, 1, unsure);
    expect(outcome.conflicts).toHaveLength(1);
    expect([outcome.complete, outcome.notes]).toEqual([false, ["slow"]]);
  });

  describe("of files that neither side changed", () => {
    const made = {
      "tsconfig.json": tsconfig,
      "make.ts": "export const make = (): string => '';\n",
      "take.ts": "export const take = (it: string | number): void => void it;\n",
      "use.ts": 'import { make } from "./make";\nimport { take } from "./take";\ntake(make());\n',
      "all.ts": 'export * from "./make";\nexport * from "./take";\n',
    };
    const asked: string[] = [];
    const watched: TypeScriptCompiler = {
      compare: (request) => {
        asked.push(...request.between);
        return compiler.compare(request);
      },
    };
    const outcome = async (
      ours: Readonly<Record<string, string>>,
      theirs: Readonly<Record<string, string>>,
      betweenMs = 10_000,
    ): Promise<SemanticOutcome> => {
      asked.length = 0;
      const trees = treesOf({ base: made, ours, theirs });
      if (trees === undefined) throw new Error("the sides conflict in the text");
      const cache = new Map<string, TypeScriptSummary>();
      return checkTypeScript(trees.input, { parse: parseTypeScript, cache, compiler: watched, surfaceOf, betweenMs });
    };
    const told = ({ conflicts }: SemanticOutcome): string[] => conflicts.map(({ use }) => `${use.path}:${use.line}`);
    const number = { "make.ts": "export const make = (): number => 0;\n" };
    const text = { "take.ts": "export const take = (it: string): void => void it;\n" };

    test("those are asked about in which two changes meet", async () => {
      const both = await outcome(number, text);
      expect([told(both), both.complete]).toEqual([["use.ts:3"], true]);
      expect(asked).toContain("use.ts");
    });

    test("what only adds can break none of them", async () => {
      const more = (path: "make.ts" | "take.ts", name: string) => ({
        [path]: `${made[path]}export const ${name} = 1;\n`,
      });
      for (const [ours, theirs] of [
        [more("make.ts", "one"), more("take.ts", "two")],
        [more("make.ts", "one"), text],
      ] as const) {
        expect(told(await outcome(ours, theirs))).toEqual([]);
        expect(asked).toEqual([]);
      }
      // But what both add under one name is exported twice by whoever exports all of both.
      const twice = await outcome(more("make.ts", "same"), more("take.ts", "same"));
      expect(asked).toContain("all.ts");
      expect(told(twice)).toEqual(["all.ts:2"]);
    });

    test("those for which there is no time are owned up to", async () => {
      const hurried = await outcome(number, text, 0);
      expect([told(hurried), hurried.complete]).toEqual([[], false]);
      expect(asked).toEqual(["all.ts", "use.ts"]);
      expect(hurried.notes).toEqual(["2 files that neither side changed, and that use both, were not looked at"]);
    });
  });

  describe("that fails", () => {
    const sides = { base, ours: { "item.ts": item.replace("label", "title") }, theirs: { "use.ts": labels } };
    /** Ten thousand shapes, each compared with ten thousand others, again and again: seconds on any machine. */
    const endless = `
type Digit = 0 | 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9;
type Key = \`${"${Digit}".repeat(4)}\`;
type All<T> = { [K in Key]: { at: [K]; of: T } }[Key];
declare const some: All<string>;
${Array.from({ length: 40 }, (_, at) => `export const same${at}: All<string | ${at}> = some;`).join("\n")}
`;
    const later = async (): Promise<void> => {
      const next = await outcomeOf(sides);
      expect([next.complete, next.conflicts.length]).toEqual([true, 1]);
    };

    test("by taking too long is ended, and the next question gets a new one", async () => {
      const slow = { ...sides, theirs: { "use.ts": labels + endless } };
      const late = await outcomeOf(slow, 400);
      expect([late.complete, late.conflicts]).toEqual([false, []]);
      expect(late.notes).toEqual(["the compiler used more than 0.4 s of processor time"]);
      await later();
    });

    test("by holding too much memory is ended, and says so", async () => {
      const small = new CompilerProcess({ memoryBytes: 60_000_000 });
      try {
        const slow = { ...sides, theirs: { "use.ts": labels + endless } };
        const large = await outcomeOf(slow, 50_000, small);
        expect([large.complete, large.notes]).toEqual([false, ["the compiler took more than 57 MB of memory"]]);
        expect(small.pids).toEqual([]);
      } finally {
        small.close();
      }
    });

    test("by ending in the middle is told, and may be asked again", async () => {
      const trees = treesOf({ ...sides, theirs: { "use.ts": labels + endless } });
      if (trees === undefined) throw new Error("no trees");
      await later();
      const [, native] = compiler.pids;
      const answer = compiler.compare({ ...trees.input, ...wish, paths: ["use.ts"] });
      if (native === undefined) throw new Error("no compiler runs");
      process.kill(native, "SIGKILL");
      expect(await answer).toEqual({ findings: [], complete: false, mayPass: true, note: "the compiler ended early" });
      expect(compiler.pids).toEqual([]);
      await later();
    });
  });

  test("tells lines and names in texts of other scripts", () =>
    check(
      {
        base: { ...base, "item.ts": `// 価格の一覧 🌲\n${item}` },
        ours: { "item.ts": `// 価格の一覧 🌲\n${item.replace("label", "title")}` },
        theirs: {
          "use.ts": `// それを使う 🌲🌲🌲\n/* é */ ${labels.replace("export const", 'export const 名 = "🌲🌲";\nexport const')}`,
        },
      },
      ["removed-member Item.label use.ts:4"],
    ));

  test("follows names from a base directory, which TypeScript 7 itself no longer does", () =>
    check(
      {
        base: {
          "tsconfig.json": `{ "compilerOptions": { "baseUrl": "./src", "moduleResolution": "node", "module": "commonjs", "paths": { "@/*": ["deep/*"] } } }`,
          "src/item.ts": item,
          "src/deep/more.ts": item,
        },
        ours: {
          "src/item.ts": item.replace("label", "title"),
          "src/deep/more.ts": item.replace("label", "title"),
        },
        theirs: { "src/a.ts": labels.replace("./item", "item"), "src/b.ts": labels.replace("./item", "@/more") },
      },
      ["removed-member Item.label src/a.ts:2", "removed-member Item.label src/b.ts:2"],
    ));

  test("stops when told to", async () => {
    const fresh = { "use.ts": `// nobody read this yet\n${labels}` };
    const trees = treesOf({ base, ours: { "item.ts": item.replace("label", "title") }, theirs: fresh });
    if (trees === undefined) throw new Error("no trees");
    const abort = new AbortController();
    const { ours, theirs, merged } = trees.input;
    const read = (blob: string): Promise<string | undefined> => {
      abort.abort();
      return trees.input.read(blob);
    };
    const answer = await compiler.compare({
      ours,
      theirs,
      merged,
      ...wish,
      paths: ["use.ts"],
      read,
      signal: abort.signal,
    });
    expect(answer).toEqual({ findings: [], complete: false, note: "stopped" });
  });
});
