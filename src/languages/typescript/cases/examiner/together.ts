// What only the two sides together break: files that neither changed, in which the work of both meets; and uses that have an error of
// their own already, which is not the one that the merge brings. Each has its own small project.

import type { Files, Sides } from "../../rules/trees.suite.ts";

export type TogetherCase = readonly [name: string, base: Files, ours: Sides["ours"], theirs: Sides["theirs"]];

const settings = JSON.stringify({
  compilerOptions: { strict: true, module: "esnext", moduleResolution: "bundler", target: "es2022", types: [] },
});
const project = (files: Files): Files => ({ "tsconfig.json": settings, ...files });

const make = 'export function make(): string {\n  return "a";\n}\n';
const take = "export function take(value: string | number): string {\n  return String(value);\n}\n";
const joined = project({
  "make.ts": make,
  "take.ts": take,
  "join.ts": 'import { make } from "./make";\nimport { take } from "./take";\n\nexport const joined = take(make());\n',
});
const wider = make.replace("): string", "): string | number");
const narrower = take.replace("string | number", "string");

const wrapped = project({
  "make.ts": make,
  "take.ts": take,
  "wrap.ts": 'import { make } from "./make";\n\nexport const wrap = () => ({ inner: make() });\n',
  "index.ts": 'export * from "./take";\nexport * from "./wrap";\n',
  "deep/join.ts": 'import { take, wrap } from "../index";\n\nexport const joined = take(wrap().inner);\n',
});

const shape = "export interface Shape {\n  area(): number;\n}\n";
const named = 'export class Named {\n  readonly id: string = "a";\n}\n';
const implemented = project({
  "shape.ts": shape,
  "named.ts": named,
  "circle.ts":
    'import { Named } from "./named";\nimport type { Shape } from "./shape";\n\nexport class Circle extends Named implements Shape {\n  area(): number {\n    return 1;\n  }\n}\n',
});

const shared = project({
  "model.ts":
    "export interface Row {\n  id: string;\n}\n\n// one\n// two\n// three\n// four\n\nexport interface Page {\n  rows: Row[];\n  total: number;\n}\n\n// five\n// six\n// seven\n// eight\n\nexport function first(page: Page): string | number {\n  return page.rows[0]?.id ?? page.total;\n}\n",
  "use.ts":
    'import { first, type Page } from "./model";\n\nexport const shown = (page: Page): string | number => first(page);\n',
  "key.ts":
    'import type { Row } from "./model";\nimport { keep } from "./keep";\n\nexport const key = (row: Row): string => keep(row.id);\n',
  "keep.ts": "export function keep(id: string | number): string {\n  return String(id);\n}\n",
});

export const together: readonly TogetherCase[] = [
  ["a result widens and a parameter narrows", joined, { "make.ts": wider }, { "take.ts": narrower }],
  ["a result widens behind a file that stays", wrapped, { "make.ts": wider }, { "take.ts": narrower }],
  [
    "an interface asks for a field, and the base class gives it another type",
    implemented,
    { "shape.ts": shape.replace("area", "readonly id: string;\n  area") },
    { "named.ts": named.replace('id: string = "a"', "id: number = 1") },
  ],
  [
    "a field's type widens, and the parameter it is given to narrows",
    shared,
    { "model.ts": (shared["model.ts"] ?? "").replace("id: string;", "id: string | number;") },
    { "keep.ts": (shared["keep.ts"] ?? "").replace("string | number", "string") },
  ],
  [
    "a call that has an error of its own gets too many arguments",
    project({ "lib.ts": "export function f(a: string): string {\n  return a;\n}\n" }),
    { "lib.ts": 'export function f(): string {\n  return "a";\n}\n' },
    { "use.ts": 'import { f } from "./lib";\n\nexport const used = f(1);\n' },
  ],
  [
    "a field that has an error of its own is gone",
    project({ "lib.ts": "export interface Item {\n  label: string;\n  size?: number;\n}\n" }),
    { "lib.ts": "export interface Item {\n  size?: number;\n}\n" },
    { "use.ts": 'import type { Item } from "./lib";\n\nexport const used: Item = { label: 1 };\n' },
  ],
];

export const silentTogether: readonly TogetherCase[] = [
  [
    "a result widens and a parameter stays wide",
    joined,
    { "make.ts": wider },
    { "take.ts": take.replace("value:", "it:").replace("(value)", "(it)") },
  ],
  [
    "a result narrows and a parameter narrows",
    joined,
    { "make.ts": make.replace('string {\n  return "a"', '"a" {\n  return "a"') },
    { "take.ts": narrower },
  ],
  [
    "two things change that meet nowhere",
    project({
      "make.ts": make,
      "take.ts": take,
      "one.ts": 'import { make } from "./make";\n\nexport const one = make().length;\n',
      "two.ts": 'import { take } from "./take";\n\nexport const two = take("b");\n',
    }),
    { "make.ts": make.replace("): string", '): "a" | "b"') },
    { "take.ts": narrower },
  ],
  [
    "an error that stays as it was in a file of nobody",
    project({
      "make.ts": make,
      "take.ts": take,
      "join.ts":
        'import { make } from "./make";\nimport { take } from "./take";\n\nexport const joined: number = take(make());\n',
    }),
    { "make.ts": make.replace("make()", "make(more = 1)").replace('"a"', '"a" + more') },
    { "take.ts": narrower },
  ],
  [
    "a call that has an error of its own still has it",
    project({ "lib.ts": "export function f(a: string): string {\n  return a;\n}\n" }),
    { "lib.ts": "export function f(a: string | boolean): string {\n  return String(a);\n}\n" },
    { "use.ts": 'import { f } from "./lib";\n\nexport const used = f(1);\n' },
  ],
];
