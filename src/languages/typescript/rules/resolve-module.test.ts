import { describe, expect, test } from "bun:test";
import { readProjectSettings, settingsFiles } from "./project-settings.ts";
import { ModuleResolver } from "./resolve-module.ts";

async function check(
  files: Readonly<Record<string, string>>,
  from: string,
  specifier: string,
  expected: string,
): Promise<void> {
  const tree = { id: "t", blobs: new Map(Object.keys(files).map((path) => [path, path])) };
  const settings = await readProjectSettings(settingsFiles(tree), (blob) => Promise.resolve(files[blob]));
  const found = new ModuleResolver(tree, settings).resolve(from, specifier);
  expect(typeof found === "object" ? found.path : found).toBe(expected);
}

describe("relative names", () => {
  const files = {
    "src/a.ts": "",
    "src/b/index.tsx": "",
    "src/c.d.ts": "",
    "src/c.js": "",
    "src/d.mts": "",
    "src/e.json": "",
    "src/style.css": "",
    "src/f.test.ts": "",
  };
  test("find a file without its extension", () => check(files, "src/x.ts", "./a", "src/a.ts"));
  test("find TypeScript under a JavaScript name", () => check(files, "src/x.ts", "./a.js", "src/a.ts"));
  test("find .mts under .mjs", () => check(files, "src/x.ts", "./d.mjs", "src/d.mts"));
  test("find a directory's index", () => check(files, "src/x.ts", "./b", "src/b/index.tsx"));
  test("prefer the declarations beside a script", () => check(files, "src/x.ts", "./c", "src/c.d.ts"));
  test("find data", () => check(files, "src/x.ts", "./e.json", "src/e.json"));
  test("find other files, queries aside", () => check(files, "src/x.ts", "./style.css?inline", "src/style.css"));
  test("take a dot in a name for part of it", () => check(files, "src/x.ts", "./f.test", "src/f.test.ts"));
  test("climb", () => check(files, "src/b/y.ts", "../a", "src/a.ts"));
  test("are missing when nothing is there", () => check(files, "src/x.ts", "./nothing", "missing"));
});

describe("aliases", () => {
  const config =
    '{\n  // comment\n  "compilerOptions": { "baseUrl": ".", "paths": { "@/*": ["src/*"], "@/ui": ["src/special.ts"], }, },\n}';
  const files = { "tsconfig.json": config, "src/a.ts": "", "src/special.ts": "", "lib/q.ts": "" };
  test("follow paths of a tsconfig with comments and trailing commas", () =>
    check(files, "src/deep/x.ts", "@/a", "src/a.ts"));
  test("prefer the exact pattern", () => check(files, "src/x.ts", "@/ui", "src/special.ts"));
  test("try baseUrl", () => check(files, "src/x.ts", "lib/q", "lib/q.ts"));
  test("are missing when the pattern is ours and the file is not there", () =>
    check(files, "src/x.ts", "@/none", "missing"));
  test("leave packages alone", () => check(files, "src/x.ts", "react", "external"));
  test("follow extends", () =>
    check(
      {
        "base.json": "{}",
        "tsconfig.base.json": '{"compilerOptions":{"paths":{"~/*":["./src/*"]}}}',
        "app/tsconfig.json": '{"extends":"../tsconfig.base"}',
        "src/a.ts": "",
      },
      "app/x.ts",
      "~/a",
      "src/a.ts",
    ));
  test("follow a solution file to the settings beside it", () =>
    check(
      {
        "tsconfig.json": '{"files":[],"references":[{"path":"./tsconfig.app.json"}]}',
        "tsconfig.app.json": '{"compilerOptions":{"paths":{"@/*":["./src/*"]}}}',
        "src/a.ts": "",
      },
      "src/x.ts",
      "@/a",
      "src/a.ts",
    ));
  test("survive a config that extends itself", () =>
    check({ "tsconfig.json": '{"extends":"./tsconfig.json"}', "src/a.ts": "" }, "src/x.ts", "@/a", "external"));
});

const at = (json: object, more: Record<string, string> = {}): Record<string, string> => ({
  "packages/lib/package.json": JSON.stringify({ name: "@acme/lib", ...json }),
  ...more,
});

describe("packages of the same tree", () => {
  test("lead to their source by main", () =>
    check(
      at({ main: "src/index.ts" }, { "packages/lib/src/index.ts": "" }),
      "app/x.ts",
      "@acme/lib",
      "packages/lib/src/index.ts",
    ));
  test("lead from a built file to its source", () =>
    check(
      at({ main: "dist/index.js" }, { "packages/lib/src/index.ts": "" }),
      "app/x.ts",
      "@acme/lib",
      "packages/lib/src/index.ts",
    ));
  test("follow conditional exports", () =>
    check(
      at(
        { exports: { ".": { import: "./dist/main.mjs" }, "./sub": "./src/sub.ts" } },
        { "packages/lib/src/main.ts": "", "packages/lib/src/sub.ts": "" },
      ),
      "app/x.ts",
      "@acme/lib/sub",
      "packages/lib/src/sub.ts",
    ));
  test("follow export patterns", () =>
    check(
      at({ exports: { "./*": "./dist/*.js" } }, { "packages/lib/src/deep/a.ts": "" }),
      "app/x.ts",
      "@acme/lib/deep/a",
      "packages/lib/src/deep/a.ts",
    ));
  test("fall back on src/index", () =>
    check(at({}, { "packages/lib/src/index.ts": "" }), "app/x.ts", "@acme/lib", "packages/lib/src/index.ts"));
  test("know their private names", () =>
    check(
      { "package.json": '{"imports":{"#db/*":"./src/db/*.ts"}}', "src/db/a.ts": "" },
      "src/x.ts",
      "#db/a",
      "src/db/a.ts",
    ));
  test("are not guessed at when two have the name", () =>
    check(
      { ...at({}, { "packages/lib/src/index.ts": "" }), "other/package.json": '{"name":"@acme/lib"}' },
      "app/x.ts",
      "@acme/lib",
      "external",
    ));
});
