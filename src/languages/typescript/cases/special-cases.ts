// Cases the combinations do not reach: other module systems, JSX, JSON, workspaces, both sides in one file, and near
// misses that must stay silent.

import type { Sides } from "../rules/trees.suite.ts";
import type { Scenario } from "./scenarios.ts";

const tsconfig = JSON.stringify({ compilerOptions: { strict: true } });
const lib = "export function format(value: number, unit: string): string {\n  return value + unit;\n}\n";
const renamedLib = lib.replace("format", "render");
const user = 'import { format } from "./lib";\nexport const first = format(1, "a");\n';
const renamedUser = user.replaceAll("format", "render");
const gap = "\n// one\n// two\n// three\n// four\n// five\n";

const jsx =
  "declare global {\n  namespace JSX {\n    interface Element {}\n    interface ElementChildrenAttribute { children: unknown }\n    interface IntrinsicAttributes { key?: string }\n    interface IntrinsicElements { div: object }\n  }\n}\nexport {};\n";
const button =
  "export interface ButtonProps {\n  label: string;\n  size?: number;\n}\nexport function Button({ label, size }: ButtonProps): JSX.Element {\n  return <div>{label + (size ?? 1)}</div>;\n}\n";

const packages = (source: string): Record<string, string> => ({
  "package.json": JSON.stringify({ name: "root", private: true, workspaces: ["packages/*"] }),
  "packages/lib/package.json": JSON.stringify({ name: "@acme/lib", main: "./src/index.ts", types: "./src/index.ts" }),
  "packages/lib/src/index.ts": source,
  "tsconfig.json": JSON.stringify({
    compilerOptions: { strict: true, paths: { "@acme/lib": ["./packages/lib/src/index.ts"] } },
  }),
});

const cases: Readonly<Record<string, Sides>> = {
  "commonjs destructured": {
    base: {
      "lib.js": "function format(a) {\n  return a;\n}\nfunction other() {}\nmodule.exports = { format, other };\n",
    },
    ours: {
      "lib.js": "function render(a) {\n  return a;\n}\nfunction other() {}\nmodule.exports = { render, other };\n",
    },
    theirs: { "use.js": 'const { format } = require("./lib");\nformat(1);\n' },
  },
  "commonjs whole": {
    base: { "lib.js": "exports.format = function (a) {\n  return a;\n};\nexports.other = 1;\n" },
    ours: { "lib.js": "exports.render = function (a) {\n  return a;\n};\nexports.other = 1;\n" },
    theirs: { "use.js": 'const lib = require("./lib");\nlib.format(1);\n' },
  },
  "commonjs other name": {
    base: { "lib.js": "exports.format = (a) => a;\nexports.other = 1;\n" },
    ours: { "lib.js": "exports.render = (a) => a;\nexports.other = 1;\n" },
    theirs: { "use.js": 'const lib = require("./lib");\nconsole.log(lib.other);\n' },
  },
  "commonjs too many arguments": {
    base: { "lib.js": "exports.format = function (a, b) {\n  return a + b;\n};\n" },
    ours: { "lib.js": "exports.format = function (a) {\n  return a;\n};\n" },
    theirs: { "use.js": 'const { format } = require("./lib");\nformat(1, 2);\n' },
  },
  "commonjs class": {
    base: { "lib.js": "class Store {\n  read() {\n    return 1;\n  }\n}\nmodule.exports = { Store };\n" },
    ours: { "lib.js": "class Store {\n  fetch() {\n    return 1;\n  }\n}\nmodule.exports = { Store };\n" },
    theirs: { "use.js": 'const { Store } = require("./lib");\nnew Store().read();\n' },
  },
  "commonjs field set in constructor": {
    base: { "lib.js": "class Store {\n  constructor() {\n    this.size = 1;\n  }\n}\nmodule.exports = { Store };\n" },
    ours: {
      "lib.js":
        "class Store {\n  constructor() {\n    this.size = 1;\n    this.extra = 2;\n  }\n}\nmodule.exports = { Store };\n",
    },
    theirs: { "use.js": 'const { Store } = require("./lib");\nconsole.log(new Store().size);\n' },
  },
  "esm in js": {
    base: { "lib.js": "export const format = (a) => a;\nexport const b = 1;\n" },
    ours: { "lib.js": "export const render = (a) => a;\nexport const b = 1;\n" },
    theirs: { "use.js": 'import { format } from "./lib.js";\nformat(1);\n' },
  },
  "default removed": {
    base: { "lib.ts": "export default function format(a: number) {\n  return a;\n}\n" },
    ours: { "lib.ts": "export function format(a: number) {\n  return a;\n}\n" },
    theirs: { "use.ts": 'import anything from "./lib";\nanything(1);\n' },
  },
  "default renamed is no matter": {
    base: { "lib.ts": "export default function format(a: number) {\n  return a;\n}\n" },
    ours: { "lib.ts": "export default function render(a: number) {\n  return a;\n}\n" },
    theirs: { "use.ts": 'import anything from "./lib";\nanything(1);\n' },
  },
  "default gains parameter": {
    base: { "lib.ts": "export default (a: number) => a;\n" },
    ours: { "lib.ts": "export default (a: number, b: number) => a + b;\n" },
    theirs: { "use.ts": 'import anything from "./lib";\nanything(1);\n' },
  },
  "default class": {
    base: { "lib.ts": "export default class {\n  go(): void {}\n}\n" },
    ours: { "lib.ts": "export default class {\n  run(): void {}\n}\n" },
    theirs: { "use.ts": 'import Thing from "./lib";\nnew Thing().go();\n' },
  },
  "default through barrel": {
    base: {
      "lib.ts": "export default function format(a: number) {\n  return a;\n}\n",
      "index.ts": 'export { default as format } from "./lib";\n',
    },
    ours: { "index.ts": 'export { default as render } from "./lib";\n' },
    theirs: { "use.ts": 'import { format } from "./index";\nformat(1);\n' },
  },
  "export equals": {
    base: {
      "tsconfig.json": JSON.stringify({
        compilerOptions: {
          module: "commonjs",
          moduleResolution: "node10",
          ignoreDeprecations: "6.0",
          allowImportingTsExtensions: false,
        },
      }),
      "lib.cts": "class Store {\n  read(): number {\n    return 1;\n  }\n}\nexport = Store;\n",
    },
    ours: { "lib.cts": "class Store {\n  fetch(): number {\n    return 1;\n  }\n}\nexport = Store;\n" },
    theirs: { "use.cts": 'import Store = require("./lib.cjs");\nnew Store().read();\n' },
  },
  "side effect of a removed file": {
    base: { "setup.ts": "console.log(1);\nexport {};\n" },
    ours: { "setup.ts": null },
    theirs: { "use.ts": 'import "./setup";\n' },
  },
  "file moved": {
    base: { "lib.ts": lib, "app.ts": user },
    ours: { "lib.ts": null, "util/lib.ts": lib, "app.ts": user.replace("./lib", "./util/lib") },
    theirs: { "use.ts": user },
  },
  "file becomes directory": {
    base: { "lib.ts": lib, "app.ts": user },
    ours: { "lib.ts": null, "lib/index.ts": lib },
    theirs: { "use.ts": user },
  },
  "file becomes tsx": {
    base: { "lib.ts": lib, "app.ts": user },
    ours: { "lib.ts": null, "lib.tsx": lib },
    theirs: { "use.ts": user },
  },
  "json key renamed": {
    base: { "data.json": '{ "name": 1, "size": 2 }\n' },
    ours: { "data.json": '{ "title": 1, "size": 2 }\n' },
    theirs: { "use.ts": 'import data from "./data.json";\nconsole.log(data.name);\n' },
  },
  "json key added": {
    base: { "data.json": '{ "name": 1 }\n' },
    ours: { "data.json": '{ "name": 1, "size": 2 }\n' },
    theirs: { "use.ts": 'import data from "./data.json";\nconsole.log(data.name);\n' },
  },
  "json removed": {
    base: { "data.json": '{ "name": 1 }\n' },
    ours: { "data.json": null },
    theirs: { "use.ts": 'import data from "./data.json";\nconsole.log(data);\n' },
  },
  "jsx property renamed": {
    base: { "jsx.d.ts": jsx, "button.tsx": button },
    ours: { "button.tsx": button.replaceAll("label", "text") },
    theirs: { "use.tsx": 'import { Button } from "./button";\nexport const view = <Button label="a" />;\n' },
  },
  "jsx property required": {
    base: { "jsx.d.ts": jsx, "button.tsx": button },
    ours: { "button.tsx": button.replace("size?:", "size:") },
    theirs: { "use.tsx": 'import { Button } from "./button";\nexport const view = <Button label="a" />;\n' },
  },
  "jsx property optional": {
    base: { "jsx.d.ts": jsx, "button.tsx": button },
    ours: { "button.tsx": button.replace("size?: number;", "size?: number;\n  tone?: string;") },
    theirs: { "use.tsx": 'import { Button } from "./button";\nexport const view = <Button label="a" />;\n' },
  },
  "jsx component renamed": {
    base: { "jsx.d.ts": jsx, "button.tsx": button },
    ours: { "button.tsx": button.replaceAll("Button(", "Press(") },
    theirs: { "use.tsx": 'import * as ui from "./button";\nexport const view = <ui.Button label="a" />;\n' },
  },
  "jsx spread": {
    base: { "jsx.d.ts": jsx, "button.tsx": button },
    ours: { "button.tsx": button.replace("size?: number;", "size?: number;\n  tone?: string;") },
    theirs: {
      "use.tsx":
        'import { Button, type ButtonProps } from "./button";\nexport const view = (props: ButtonProps) => <Button {...props} />;\n',
    },
  },
  "workspace package": {
    base: packages(lib),
    ours: { "packages/lib/src/index.ts": renamedLib },
    theirs: { "packages/app/use.ts": 'import { format } from "@acme/lib";\nformat(1, "a");\n' },
  },
  "workspace package, other name": {
    base: packages(`${lib}export const keep = 1;\n`),
    ours: { "packages/lib/src/index.ts": `${renamedLib}export const keep = 1;\n` },
    theirs: { "packages/app/use.ts": 'import { keep } from "@acme/lib";\nconsole.log(keep);\n' },
  },
  "both in one file, import renamed": {
    base: { "lib.ts": lib, "app.ts": `${user}${gap}export const last = 1;\n` },
    ours: { "lib.ts": renamedLib, "app.ts": `${renamedUser}${gap}export const last = 1;\n` },
    theirs: { "app.ts": `${user}${gap}export const last = 1;\nexport const more = format(2, "b");\n` },
  },
  "both in one file, import dropped": {
    base: { "lib.ts": lib, "app.ts": `${user}${gap}export const last = 1;\n` },
    ours: { "app.ts": `export const first = 1;\n${gap}export const last = 1;\n` },
    theirs: { "app.ts": `${user}${gap}export const last = 1;\nexport const more = format(2, "b");\n` },
  },
  "both in one file, local gains parameter": {
    base: {
      "app.ts": `function aid(a: number) {\n  return a;\n}\n${gap}export const x = aid(1);\n${gap}export const last = 1;\n`,
    },
    ours: {
      "app.ts": `function aid(a: number, b: number) {\n  return a + b;\n}\n${gap}export const x = aid(1, 2);\n${gap}export const last = 1;\n`,
    },
    theirs: {
      "app.ts": `function aid(a: number) {\n  return a;\n}\n${gap}export const x = aid(1);\n${gap}export const last = 1;\nexport const y = aid(3);\n`,
    },
  },
  "both in one file, unrelated": {
    base: { "app.ts": `function aid(a: number) {\n  return a;\n}\n${gap}export const last = 1;\n` },
    ours: { "app.ts": `function aid(a: number) {\n  return a + 1;\n}\n${gap}export const last = 1;\n` },
    theirs: {
      "app.ts": `function aid(a: number) {\n  return a;\n}\n${gap}export const last = 1;\nexport const y = aid(3);\n`,
    },
  },
  "same function twice": {
    base: { "app.ts": `export const a = 1;\n${gap}export const b = 2;\n` },
    ours: {
      "app.ts": `export function aid(): number {\n  return 1;\n}\nexport const a = 1;\n${gap}export const b = 2;\n`,
    },
    theirs: {
      "app.ts": `export const a = 1;\n${gap}export const b = 2;\nexport function aid(): number {\n  return 1;\n}\n`,
    },
  },
  "same constant twice": {
    base: { "app.ts": `export const a = 1;\n${gap}export const b = 2;\n` },
    ours: { "app.ts": `const aid = 1;\nexport const a = aid;\n${gap}export const b = 2;\n` },
    theirs: { "app.ts": `export const a = 1;\n${gap}export const b = 2;\nconst aid = 2;\nexport const c = aid;\n` },
  },
  "same import twice": {
    base: { "lib.ts": lib, "app.ts": `export const a = 1;\n${gap}export const b = 2;\n` },
    ours: { "app.ts": `import { format } from "./lib";\nexport const a = format(1, "");\n${gap}export const b = 2;\n` },
    theirs: {
      "app.ts": `export const a = 1;\n${gap}import { format } from "./lib";\nexport const b = format(2, "");\n`,
    },
  },
  "interface twice merges": {
    base: { "app.ts": `export const a = 1;\n${gap}export const b = 2;\n` },
    ours: { "app.ts": `export interface Aid {\n  one?: number;\n}\nexport const a = 1;\n${gap}export const b = 2;\n` },
    theirs: {
      "app.ts": `export const a = 1;\n${gap}export const b = 2;\nexport interface Aid {\n  two?: number;\n}\n`,
    },
  },
  "same method twice": {
    base: {
      "app.ts": `export class A {\n  a(): number {\n    return 1;\n  }\n${gap}  b(): number {\n    return 2;\n  }\n}\n`,
    },
    ours: {
      "app.ts": `export class A {\n  aid(): number {\n    return 0;\n  }\n  a(): number {\n    return 1;\n  }\n${gap}  b(): number {\n    return 2;\n  }\n}\n`,
    },
    theirs: {
      "app.ts": `export class A {\n  a(): number {\n    return 1;\n  }\n${gap}  b(): number {\n    return 2;\n  }\n  aid(): number {\n    return 0;\n  }\n}\n`,
    },
  },
  "method removed, used in the same class": {
    base: {
      "app.ts": `export class A {\n  aid(): number {\n    return 1;\n  }\n${gap}  b(): number {\n    return 2;\n  }\n}\n`,
    },
    ours: { "app.ts": `export class A {\n${gap}  b(): number {\n    return 2;\n  }\n}\n` },
    theirs: {
      "app.ts": `export class A {\n  aid(): number {\n    return 1;\n  }\n${gap}  b(): number {\n    return 2;\n  }\n  c(): number {\n    return this.aid();\n  }\n}\n`,
    },
  },
  "object key twice": {
    base: { "app.ts": `export const a = {\n  one: 1,\n${gap}  two: 2,\n};\n` },
    ours: { "app.ts": `export const a = {\n  aid: 0,\n  one: 1,\n${gap}  two: 2,\n};\n` },
    theirs: { "app.ts": `export const a = {\n  one: 1,\n${gap}  two: 2,\n  aid: 3,\n};\n` },
  },
  "barrel exports clash": {
    base: {
      "a.ts": "export const a = 1;\n",
      "b.ts": "export const b = 1;\n",
      "index.ts": 'export * from "./a";\nexport * from "./b";\n',
      "tsconfig.json": tsconfig,
    },
    ours: { "a.ts": "export const a = 1;\nexport const same = 1;\n" },
    theirs: { "b.ts": "export const b = 1;\nexport const same = 2;\n" },
  },
  "string mentions": {
    base: { "lib.ts": lib, "app.ts": user },
    ours: { "lib.ts": renamedLib, "app.ts": renamedUser },
    theirs: { "use.ts": '// format\nexport const s = "format(1)";\n' },
  },
  "own definition of the name": {
    base: { "lib.ts": lib, "app.ts": user },
    ours: { "lib.ts": renamedLib, "app.ts": renamedUser },
    theirs: { "use.ts": "const format = (a: number) => a;\nexport const x = format(1);\n" },
  },
  shadowed: {
    base: { "lib.ts": lib, "app.ts": user },
    ours: {
      "lib.ts": lib.replace("unit: string", "unit: string, digits: number"),
      "app.ts": user.replace('"a")', '"a", 2)'),
    },
    theirs: {
      "use.ts":
        'import * as lib from "./lib";\nexport const f = (lib: { format(a: number): void }) => lib.format(1);\nexport const g = lib;\n',
    },
  },
  "already broken": {
    base: { "lib.ts": lib },
    ours: { "lib.ts": renamedLib },
    theirs: { "use.ts": 'import { formats } from "./lib";\nformats(1);\n' },
  },
  "already wrong call": {
    base: { "lib.ts": lib },
    ours: { "lib.ts": lib.replace("unit: string", "unit: string, digits: number") },
    theirs: { "use.ts": 'import { format } from "./lib";\nformat(1);\n' },
  },
  "both renamed alike": {
    base: { "lib.ts": lib, "app.ts": user },
    ours: { "lib.ts": renamedLib, "app.ts": renamedUser },
    theirs: { "lib.ts": renamedLib, "app.ts": renamedUser, "use.ts": renamedUser },
  },
  "use follows the rename": {
    base: { "lib.ts": lib },
    ours: { "lib.ts": `${renamedLib}export const format = render;\n` },
    theirs: { "use.ts": user },
  },
  "cast to any": {
    base: { "lib.ts": "export class A {\n  go(): void {}\n}\n" },
    ours: { "lib.ts": "export class A {\n  run(): void {}\n}\n" },
    theirs: { "use.ts": 'import { A } from "./lib";\n(new A() as any).go();\n' },
  },
  "told to ignore": {
    base: { "lib.ts": lib },
    ours: { "lib.ts": lib.replace("unit: string", "unit: string, digits: number") },
    theirs: { "use.ts": 'import { format } from "./lib";\n// @ts-ignore\nformat(1, "a");\n' },
  },
  "guarded member": {
    base: { "lib.ts": "export interface A {\n  go?(): void;\n}\n" },
    ours: { "lib.ts": "export interface A {\n  go?(): void;\n  run?(): void;\n}\n" },
    theirs: { "use.ts": 'import type { A } from "./lib";\nexport const f = (a: A) => a.go?.();\n' },
  },
  "narrowed to subclass": {
    base: { "lib.ts": "export class A {}\nexport class B extends A {\n  go(): void {}\n}\n" },
    ours: { "lib.ts": "export class A {\n  more = 1;\n}\nexport class B extends A {\n  go(): void {}\n}\n" },
    theirs: {
      "use.ts": 'import { A, B } from "./lib";\nexport const f = (a: A) => {\n  if (a instanceof B) a.go();\n};\n',
    },
  },
  "method moved to base": {
    base: { "lib.ts": "export class A {}\nexport class B extends A {\n  go(): void {}\n}\n" },
    ours: { "lib.ts": "export class A {\n  go(): void {}\n}\nexport class B extends A {}\n" },
    theirs: { "use.ts": 'import { B } from "./lib";\nnew B().go();\n' },
  },
  "method moved to mixin of unknown": {
    base: {
      "shims.d.ts": 'declare module "somewhere" {\n  export const Base: any;\n}\n',
      "lib.ts": "export class B {\n  go(): void {}\n}\n",
    },
    ours: { "lib.ts": 'import { Base } from "somewhere";\nexport class B extends Base {}\n' },
    theirs: { "use.ts": 'import { B } from "./lib";\nnew B().go();\n' },
  },
  "index signature added": {
    base: { "lib.ts": "export interface A {\n  one: string;\n}\n" },
    ours: { "lib.ts": "export interface A {\n  [key: string]: string;\n}\n" },
    theirs: { "use.ts": 'import type { A } from "./lib";\nexport const f = (a: A) => a.one;\n' },
  },
  "type becomes intersection": {
    base: { "lib.ts": "export type A = { one: string; two: string };\n" },
    ours: { "lib.ts": "type One = { one: string };\nexport type A = One & { two: string };\n" },
    theirs: { "use.ts": 'import type { A } from "./lib";\nexport const a: A = { one: "", two: "" };\n' },
  },
  "intersection loses member": {
    base: { "lib.ts": "type One = { one: string };\nexport type A = One & { two: string };\n" },
    ours: { "lib.ts": "type One = { first: string };\nexport type A = One & { two: string };\n" },
    theirs: { "use.ts": 'import type { A } from "./lib";\nexport const f = (a: A) => a.one;\n' },
  },
  "interface now extends": {
    base: { "lib.ts": "export interface A {\n  one: string;\n  two: string;\n}\n" },
    ours: { "lib.ts": "interface One {\n  one: string;\n}\nexport interface A extends One {\n  two: string;\n}\n" },
    theirs: { "use.ts": 'import type { A } from "./lib";\nexport const f = (a: A) => a.one;\n' },
  },
  "overload kept": {
    base: { "lib.ts": "export function f(a: string): void {}\n" },
    ours: {
      "lib.ts":
        "export function f(a: string): void;\nexport function f(a: number, b: number): void;\nexport function f(a: string | number, b?: number): void {}\n",
    },
    theirs: { "use.ts": 'import { f } from "./lib";\nf("a");\n' },
  },
  "generic default": {
    base: { "lib.ts": "export function f<T>(a: T): T {\n  return a;\n}\n" },
    ours: { "lib.ts": "export function f<T, U = T>(a: T, b?: U): T {\n  return a;\n}\n" },
    theirs: { "use.ts": 'import { f } from "./lib";\nf<string>("a");\n' },
  },
  "optional chaining on removed": {
    base: { "lib.ts": "export const a: { one?: { two: number } } = {};\n" },
    ours: { "lib.ts": "export const a: { uno?: { two: number } } = {};\n" },
    theirs: { "use.ts": 'import { a } from "./lib";\nconsole.log(a.one?.two);\n' },
  },
  "promise all": {
    base: { "lib.ts": "export function load(): number {\n  return 1;\n}\n" },
    ours: { "lib.ts": "export async function load(): Promise<number> {\n  return 1;\n}\n" },
    theirs: {
      "use.ts": 'import { load } from "./lib";\nexport const f = async () => Promise.all([load(), load()]);\n',
    },
  },
  "passed on": {
    base: { "lib.ts": "export function load(): number {\n  return 1;\n}\n" },
    ours: { "lib.ts": "export async function load(): Promise<number> {\n  return 1;\n}\n" },
    theirs: { "use.ts": 'import { load } from "./lib";\nexport const f = (): unknown => load();\n' },
  },
  "async to condition": {
    base: { "lib.ts": "export function ready(): boolean {\n  return true;\n}\n" },
    ours: { "lib.ts": "export async function ready(): Promise<boolean> {\n  return true;\n}\n" },
    theirs: { "use.ts": 'import { ready } from "./lib";\nif (ready()) console.log(1);\n' },
  },
  "async iterated": {
    base: { "lib.ts": "export function list(): number[] {\n  return [];\n}\n" },
    ours: { "lib.ts": "export async function list(): Promise<number[]> {\n  return [];\n}\n" },
    theirs: { "use.ts": 'import { list } from "./lib";\nfor (const one of list()) console.log(one);\n' },
  },
  "enum as type kept": {
    base: { "lib.ts": "export enum L {\n  A,\n  B,\n}\n" },
    ours: { "lib.ts": "export enum L {\n  A,\n  C,\n}\n" },
    theirs: { "use.ts": 'import { L } from "./lib";\nexport const f = (l: L): L => (l === L.A ? l : L.A);\n' },
  },
  "const object to enum-like": {
    base: { "lib.ts": "export const L = { A: 1, B: 2 } as const;\n" },
    ours: { "lib.ts": "export const L = { A: 1 } as const;\n" },
    theirs: { "use.ts": 'import { L } from "./lib";\nconsole.log(L.B);\n' },
  },
  "setter only": {
    base: { "lib.ts": "export class A {\n  value = 1;\n}\n" },
    ours: {
      "lib.ts":
        "export class A {\n  #value = 1;\n  get value(): number {\n    return this.#value;\n  }\n  set value(v: number) {\n    this.#value = v;\n  }\n}\n",
    },
    theirs: { "use.ts": 'import { A } from "./lib";\nnew A().value = 3;\n' },
  },
  "external type dropped": {
    base: { "lib.ts": lib },
    ours: { "lib.ts": renamedLib },
    theirs: { "use.ts": 'import { format } from "date-kit";\nformat(1, "a");\n' },
  },
  "test mocks only": {
    base: {
      "lib.ts": lib,
      "globals.d.ts": "declare const jest: { mock(path: string, make?: () => unknown): void };\n",
    },
    ours: { "lib.ts": null },
    theirs: { "use.test.ts": 'jest.mock("./lib", () => ({}));\nexport {};\n' },
  },
  "re-export of a removed name": {
    base: { "lib.ts": `${lib}export const keep = 1;\n` },
    ours: { "lib.ts": "export const keep = 1;\n" },
    theirs: { "index.ts": 'export { format } from "./lib";\n' },
  },
  "shorthand of a renamed import": {
    base: { "lib.ts": lib },
    ours: { "lib.ts": renamedLib },
    theirs: { "use.ts": 'import { format } from "./lib";\nexport const tools = { format };\n' },
  },
  "typeof in a type": {
    base: { "lib.ts": "export const config = { host: 1 };\n" },
    ours: { "lib.ts": "export const config = { address: 1 };\n" },
    theirs: { "use.ts": 'import { config } from "./lib";\nexport type Host = typeof config.host;\n' },
  },
  satisfies: {
    base: { "lib.ts": "export interface A {\n  one: string;\n}\n" },
    ours: { "lib.ts": "export interface A {\n  uno: string;\n}\n" },
    theirs: { "use.ts": 'import type { A } from "./lib";\nexport const a = { one: "" } satisfies A;\n' },
  },
  "declaration file": {
    base: {
      "lib.d.ts": "export declare function format(a: number): string;\nexport declare const keep: number;\n",
      "lib.js": "exports.format = String;\nexports.keep = 1;\n",
    },
    ours: { "lib.d.ts": "export declare const keep: number;\n" },
    theirs: { "use.ts": 'import { format } from "./lib";\nformat(1);\n' },
  },
};

export function specialCases(): Scenario[] {
  return Object.entries(cases).flatMap(([name, sides]): Scenario[] => [
    { name, group: "special", sides },
    // The sides are only names: swapped, the answer must be the same.
    { name: `${name}, swapped`, group: "special", sides: { base: sides.base, ours: sides.theirs, theirs: sides.ours } },
  ]);
}
