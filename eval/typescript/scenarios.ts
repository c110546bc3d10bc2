// Scenarios by combination: what happens to a definition, times how the other side reaches it. Each says only what the
// two sides do; whether that breaks is the compiler's word.

import type { Files, Sides } from "../../src/core/conflicts/typescript/trees.suite.ts";

export interface Scenario {
  readonly name: string;
  /** Which part of the table it comes from, to see where mistakes gather. */
  readonly group: string;
  readonly sides: Sides;
}

interface Change {
  readonly name: string;
  /** The exported name the use reaches. */
  readonly symbol: string;
  readonly kind: "value" | "type";
  /** The defining module before and after. `elsewhere` holds files added beside it. */
  readonly before: string;
  readonly after: string;
  readonly elsewhere?: Files;
  /** A new use, given how the symbol is written there. */
  readonly use: (symbol: string) => string;
}

const wrap = (body: string): string => `export async function fresh() {\n${body}\n}\n`;

const format = "export function format(value: number, unit: string): string {\n  return value + unit;\n}\n";
const store =
  "export class Store {\n  static open(): Store {\n    return new Store(1);\n  }\n  constructor(readonly size: number) {}\n  read(key: string): string {\n    return key + this.size;\n  }\n  count(): number {\n    return this.size;\n  }\n}\n";
const options =
  "export interface Options {\n  name: string;\n  depth?: number;\n}\nexport function run(options: Options): string {\n  return options.name;\n}\n";
const level = "export enum Level {\n  Low,\n  High,\n}\n";
const config = 'export const config = { host: "a", port: 1 };\n';
const pair = "export type Pair<A, B> = { first: A; second: B };\n";
const space =
  "export namespace Shapes {\n  export function area(side: number): number {\n    return side * side;\n  }\n  export const unit = 1;\n}\n";
const load = "export function load(name: string): number {\n  return name.length;\n}\n";

const callFormat = (symbol: string): string => wrap(`  return ${symbol}(1, "m");`);

export const changes: readonly Change[] = [
  {
    name: "rename function",
    symbol: "format",
    kind: "value",
    before: format,
    after: format.replace("format", "render"),
    use: callFormat,
  },
  {
    name: "remove function",
    symbol: "format",
    kind: "value",
    before: `${format}export const other = 1;\n`,
    after: "export const other = 1;\n",
    use: callFormat,
  },
  {
    name: "unexport function",
    symbol: "format",
    kind: "value",
    before: `${format}export const other = 1;\n`,
    after: `${format.replace("export ", "")}export const other = format(1, "");\n`,
    use: callFormat,
  },
  {
    name: "move function",
    symbol: "format",
    kind: "value",
    before: `${format}export const other = 1;\n`,
    after: "export const other = 1;\n",
    elsewhere: { "src/moved.ts": format },
    use: callFormat,
  },
  {
    name: "keep alias",
    symbol: "format",
    kind: "value",
    before: format,
    after: `${format.replace("format", "render")}export { render as format };\n`,
    use: callFormat,
  },
  {
    name: "move and re-export",
    symbol: "format",
    kind: "value",
    before: format,
    after: 'export { format } from "./moved";\n',
    elsewhere: { "src/moved.ts": format },
    use: callFormat,
  },
  {
    name: "function to const arrow",
    symbol: "format",
    kind: "value",
    before: format,
    after: "export const format = (value: number, unit: string): string => value + unit;\n",
    use: callFormat,
  },
  {
    name: "add required parameter",
    symbol: "format",
    kind: "value",
    before: format,
    after: format.replace("unit: string", "unit: string, digits: number"),
    use: callFormat,
  },
  {
    name: "add optional parameter",
    symbol: "format",
    kind: "value",
    before: format,
    after: format.replace("unit: string", "unit: string, digits?: number"),
    use: callFormat,
  },
  {
    name: "add default parameter",
    symbol: "format",
    kind: "value",
    before: format,
    after: format.replace("unit: string", "unit: string, digits = 2"),
    use: callFormat,
  },
  {
    name: "add rest parameter",
    symbol: "format",
    kind: "value",
    before: format,
    after: format.replace("unit: string", "unit: string, ...rest: string[]"),
    use: callFormat,
  },
  {
    name: "remove parameter",
    symbol: "format",
    kind: "value",
    before: format,
    after: format.replace(", unit: string", "").replace("value + unit", "String(value)"),
    use: callFormat,
  },
  {
    name: "make parameter optional",
    symbol: "format",
    kind: "value",
    before: format,
    after: format.replace("unit: string", "unit?: string"),
    use: callFormat,
  },
  {
    name: "add overloads that fit",
    symbol: "format",
    kind: "value",
    before: format,
    after: `export function format(value: number): string;\nexport function format(value: number, unit: string): string;\n${format.replace("unit: string", "unit?: string")}`,
    use: callFormat,
  },
  {
    name: "add overloads that do not",
    symbol: "format",
    kind: "value",
    before: format,
    after: `export function format(value: number): string;\nexport function format(value: number, unit: string, digits: number): string;\n${format.replace("unit: string", "unit?: string, digits?: number")}`,
    use: callFormat,
  },
  {
    name: "parameter changes type",
    symbol: "format",
    kind: "value",
    before: format,
    after: format.replace("value: number", "value: string"),
    use: callFormat,
  },
  {
    name: "parameter widens type",
    symbol: "format",
    kind: "value",
    before: format,
    after: format.replace("value: number", "value: number | string"),
    use: callFormat,
  },
  {
    name: "arrow gains parameter",
    symbol: "format",
    kind: "value",
    before: "export const format = (value: number, unit: string): string => value + unit;\n",
    after: "export const format = (value: number, unit: string, digits: number): string => value + unit + digits;\n",
    use: callFormat,
  },
  {
    name: "body only",
    symbol: "format",
    kind: "value",
    before: format,
    after: format.replace("value + unit", "unit + value"),
    use: callFormat,
  },
  {
    name: "becomes async, added to",
    symbol: "load",
    kind: "value",
    before: load,
    after: load.replace("export function", "export async function").replace(": number", ": Promise<number>"),
    use: (s) => wrap(`  return ${s}("a") + 1;`),
  },
  {
    name: "becomes async, kept then compared",
    symbol: "load",
    kind: "value",
    before: load,
    after: load.replace("export function", "export async function").replace(": number", ": Promise<number>"),
    use: (s) => wrap(`  const size = ${s}("a");\n  return size > 3;`),
  },
  {
    name: "becomes async, member",
    symbol: "load",
    kind: "value",
    before: load,
    after: load.replace("export function", "export async function").replace(": number", ": Promise<number>"),
    use: (s) => wrap(`  return ${s}("a").toFixed(2);`),
  },
  {
    name: "becomes async, annotated",
    symbol: "load",
    kind: "value",
    before: load,
    after: load.replace("export function", "export async function").replace(": number", ": Promise<number>"),
    use: (s) => wrap(`  const size: number = ${s}("a");\n  return size;`),
  },
  {
    name: "becomes async, unannotated",
    symbol: "load",
    kind: "value",
    before: load.replace("): number", ")"),
    after: load.replace("export function", "export async function").replace("): number", ")"),
    use: (s) => wrap(`  return ${s}("a") * 2;`),
  },
  {
    name: "becomes async, awaited",
    symbol: "load",
    kind: "value",
    before: load,
    after: load.replace("export function", "export async function").replace(": number", ": Promise<number>"),
    use: (s) => wrap(`  return (await ${s}("a")) + 1;`),
  },
  {
    name: "becomes async, result dropped",
    symbol: "load",
    kind: "value",
    before: load,
    after: load.replace("export function", "export async function").replace(": number", ": Promise<number>"),
    use: (s) => wrap(`  ${s}("a");`),
  },
  {
    name: "rename class",
    symbol: "Store",
    kind: "value",
    before: store,
    after: store.replaceAll("Store", "Shop"),
    use: (s) => wrap(`  return new ${s}(1).count();`),
  },
  {
    name: "rename method",
    symbol: "Store",
    kind: "value",
    before: store,
    after: store.replace("read(", "fetch("),
    use: (s) => wrap(`  return new ${s}(1).read("a");`),
  },
  {
    name: "rename method, through variable",
    symbol: "Store",
    kind: "value",
    before: store,
    after: store.replace("read(", "fetch("),
    use: (s) => wrap(`  const shop = new ${s}(1);\n  return shop.read("a");`),
  },
  {
    name: "rename other method",
    symbol: "Store",
    kind: "value",
    before: store,
    after: store.replace("read(", "fetch("),
    use: (s) => wrap(`  return new ${s}(1).count();`),
  },
  {
    name: "method gains parameter",
    symbol: "Store",
    kind: "value",
    before: store,
    after: store.replace("key: string)", "key: string, again: boolean)"),
    use: (s) => wrap(`  return new ${s}(1).read("a");`),
  },
  {
    name: "method made private",
    symbol: "Store",
    kind: "value",
    before: store,
    after: store.replace("  read(", "  private read("),
    use: (s) => wrap(`  return new ${s}(1).read("a");`),
  },
  {
    name: "static removed",
    symbol: "Store",
    kind: "value",
    before: store,
    after: store.replace("open()", "make()"),
    use: (s) => wrap(`  return ${s}.open();`),
  },
  {
    name: "static through result",
    symbol: "Store",
    kind: "value",
    before: store,
    after: store.replace("count()", "total()"),
    use: (s) => wrap(`  return ${s}.open().count();`),
  },
  {
    name: "constructor gains parameter",
    symbol: "Store",
    kind: "value",
    before: store,
    after: store
      .replace("readonly size: number", "readonly size: number, name: string")
      .replace("new Store(1)", 'new Store(1, "")'),
    use: (s) => wrap(`  return new ${s}(1);`),
  },
  {
    name: "constructor gains optional",
    symbol: "Store",
    kind: "value",
    before: store,
    after: store.replace("readonly size: number", "readonly size: number, name?: string"),
    use: (s) => wrap(`  return new ${s}(1);`),
  },
  {
    name: "class becomes abstract",
    symbol: "Store",
    kind: "value",
    before: "export class Store {\n  read(): number {\n    return 1;\n  }\n}\n",
    after: "export abstract class Store {\n  read(): number {\n    return 1;\n  }\n}\n",
    use: (s) => wrap(`  return new ${s}();`),
  },
  {
    name: "class gains abstract member",
    symbol: "Store",
    kind: "value",
    before: "export abstract class Store {\n  abstract read(): number;\n}\n",
    after: "export abstract class Store {\n  abstract read(): number;\n  abstract write(): void;\n}\n",
    use: (s) => `export class Own extends ${s} {\n  read(): number {\n    return 1;\n  }\n}\n`,
  },
  {
    name: "base loses method used by subclass",
    symbol: "Store",
    kind: "value",
    before: store,
    after: store.replace("count()", "total()"),
    use: (s) => `export class Own extends ${s} {\n  twice(): number {\n    return this.count() * 2;\n  }\n}\n`,
  },
  {
    name: "class becomes interface",
    symbol: "Store",
    kind: "value",
    before: "export class Store {\n  read(): number {\n    return 1;\n  }\n}\n",
    after: "export interface Store {\n  read(): number;\n}\n",
    use: (s) => wrap(`  return new ${s}();`),
  },
  {
    name: "class becomes interface, as type",
    symbol: "Store",
    kind: "type",
    before: "export class Store {\n  read(): number {\n    return 1;\n  }\n}\n",
    after: "export interface Store {\n  read(): number;\n}\n",
    use: (s) => `export function fresh(store: ${s}): number {\n  return store.read();\n}\n`,
  },
  {
    name: "export becomes type-only",
    symbol: "Store",
    kind: "value",
    before: `${store}`,
    after: `${store.replace("export class", "class")}export type { Store };\n`,
    use: (s) => wrap(`  return new ${s}(1);`),
  },
  {
    name: "rename property, literal",
    symbol: "run",
    kind: "value",
    before: options,
    after: options.replaceAll("name", "title"),
    use: (s) => wrap(`  return ${s}({ name: "a" });`),
  },
  {
    name: "new required property, literal",
    symbol: "run",
    kind: "value",
    before: options,
    after: options.replace("depth?", "level: number;\n  depth?"),
    use: (s) => wrap(`  return ${s}({ name: "a" });`),
  },
  {
    name: "new optional property, literal",
    symbol: "run",
    kind: "value",
    before: options,
    after: options.replace("depth?", "level?: number;\n  depth?"),
    use: (s) => wrap(`  return ${s}({ name: "a" });`),
  },
  {
    name: "property changes type",
    symbol: "run",
    kind: "value",
    before: options,
    after: options.replace("name: string;", "name: number;").replace("options.name;", "String(options.name);"),
    use: (s) => wrap(`  return ${s}({ name: "a" });`),
  },
  {
    name: "rename property, read",
    symbol: "Options",
    kind: "type",
    before: options,
    after: options.replaceAll("name", "title"),
    use: (s) => `export function fresh(options: ${s}): string {\n  return options.name;\n}\n`,
  },
  {
    name: "rename property, destructured",
    symbol: "Options",
    kind: "type",
    before: options,
    after: options.replaceAll("name", "title"),
    use: (s) => `export function fresh({ name }: ${s}): string {\n  return name;\n}\n`,
  },
  {
    name: "remove optional property",
    symbol: "Options",
    kind: "type",
    before: options,
    after: options.replace("  depth?: number;\n", ""),
    use: (s) => `export const fresh: ${s} = { name: "a", depth: 2 };\n`,
  },
  {
    name: "property made optional, annotated",
    symbol: "Options",
    kind: "type",
    before: options,
    after: options.replace("name:", "name?:").replace("options.name;", 'options.name ?? "";'),
    use: (s) => `export const fresh: ${s} = { name: "a" };\n`,
  },
  {
    name: "interface member to implement",
    symbol: "Reader",
    kind: "type",
    before: "export interface Reader {\n  read(): string;\n}\n",
    after: "export interface Reader {\n  read(): string;\n  close(): void;\n}\n",
    use: (s) => `export class Fresh implements ${s} {\n  read(): string {\n    return "";\n  }\n}\n`,
  },
  {
    name: "list element loses property",
    symbol: "Options",
    kind: "type",
    before: options,
    after: options.replaceAll("name", "title"),
    use: (s) => `export function fresh(all: ${s}[]): string[] {\n  return all.map((one) => one.name);\n}\n`,
  },
  {
    name: "loop element loses property",
    symbol: "Options",
    kind: "type",
    before: options,
    after: options.replaceAll("name", "title"),
    use: (s) =>
      `export function fresh(all: readonly ${s}[]): void {\n  for (const one of all) console.log(one.name);\n}\n`,
  },
  {
    name: "rename interface",
    symbol: "Options",
    kind: "type",
    before: options,
    after: options.replaceAll("Options", "Settings"),
    use: (s) => `export type Fresh = ${s} | undefined;\n`,
  },
  {
    name: "interface to type alias",
    symbol: "Options",
    kind: "type",
    before: options,
    after: options.replace("interface Options {", "type Options = {"),
    use: (s) => `export const fresh: ${s} = { name: "a" };\n`,
  },
  {
    name: "enum member removed",
    symbol: "Level",
    kind: "value",
    before: level,
    after: level.replace("  High,\n", "  Top,\n"),
    use: (s) => wrap(`  return ${s}.High;`),
  },
  {
    name: "enum member added",
    symbol: "Level",
    kind: "value",
    before: level,
    after: level.replace("  High,\n", "  High,\n  Top,\n"),
    use: (s) => wrap(`  return ${s}.High;`),
  },
  {
    name: "enum becomes union type",
    symbol: "Level",
    kind: "value",
    before: level,
    after: 'export type Level = "Low" | "High";\n',
    use: (s) => wrap(`  return ${s}.High;`),
  },
  {
    name: "object key renamed",
    symbol: "config",
    kind: "value",
    before: config,
    after: config.replace("port:", "socket:"),
    use: (s) => wrap(`  return ${s}.port;`),
  },
  {
    name: "object key renamed, destructured",
    symbol: "config",
    kind: "value",
    before: config,
    after: config.replace("port:", "socket:"),
    use: (s) => wrap(`  const { port } = ${s};\n  return port;`),
  },
  {
    name: "object key added",
    symbol: "config",
    kind: "value",
    before: config,
    after: config.replace("port: 1", "port: 1, path: 2"),
    use: (s) => wrap(`  return ${s}.port;`),
  },
  {
    name: "type gains parameter",
    symbol: "Pair",
    kind: "type",
    before: pair,
    after: "export type Pair<A, B, C> = { first: A; second: B; third: C };\n",
    use: (s) => `export type Fresh = ${s}<string, number>;\n`,
  },
  {
    name: "type gains parameter with default",
    symbol: "Pair",
    kind: "type",
    before: pair,
    after: "export type Pair<A, B, C = B> = { first: A; second: B; third?: C };\n",
    use: (s) => `export type Fresh = ${s}<string, number>;\n`,
  },
  {
    name: "namespace loses member",
    symbol: "Shapes",
    kind: "value",
    before: space,
    after: space.replace("area(", "surface("),
    use: (s) => wrap(`  return ${s}.area(2);`),
  },
  {
    name: "namespace keeps member",
    symbol: "Shapes",
    kind: "value",
    before: space,
    after: space.replace("unit = 1", "unit = 2"),
    use: (s) => wrap(`  return ${s}.area(2);`),
  },
  {
    name: "declaration merges",
    symbol: "Options",
    kind: "type",
    before: options,
    after: `${options}export interface Options {\n  extra?: boolean;\n}\n`,
    use: (s) => `export const fresh: ${s} = { name: "a" };\n`,
  },
];

interface Style {
  readonly name: string;
  readonly kinds: readonly Change["kind"][];
  /** Files both sides start with, beside the definition. */
  readonly base?: (symbol: string) => Files;
  /** Where the definition lives. */
  readonly home?: string;
  readonly head: (symbol: string, kind: Change["kind"]) => string;
  readonly written: (symbol: string) => string;
  readonly user?: string;
}

const both = ["value", "type"] as const;
const same = (symbol: string): string => symbol;
const tsconfig = (options: object): string => JSON.stringify({ compilerOptions: { strict: true, ...options } });

export const styles: readonly Style[] = [
  { name: "named", kinds: both, head: (s) => `import { ${s} } from "./lib";\n`, written: same },
  { name: "named as", kinds: both, head: (s) => `import { ${s} as Local } from "./lib";\n`, written: () => "Local" },
  { name: "type import", kinds: ["type"], head: (s) => `import type { ${s} } from "./lib";\n`, written: same },
  { name: "inline type import", kinds: ["type"], head: (s) => `import { type ${s} } from "./lib";\n`, written: same },
  { name: "import type expression", kinds: ["type"], head: () => "", written: (s) => `import("./lib").${s}` },
  { name: "namespace", kinds: both, head: () => 'import * as lib from "./lib";\n', written: (s) => `lib.${s}` },
  { name: "js specifier", kinds: both, head: (s) => `import { ${s} } from "./lib.js";\n`, written: same },
  { name: "ts specifier", kinds: both, head: (s) => `import { ${s} } from "./lib.ts";\n`, written: same },
  {
    name: "barrel star",
    kinds: both,
    base: () => ({ "src/index.ts": 'export * from "./lib";\n' }),
    head: (s) => `import { ${s} } from ".";\n`,
    written: same,
  },
  {
    name: "barrel namespace",
    kinds: both,
    base: () => ({ "src/index.ts": 'export * as lib from "./lib";\n' }),
    head: () => 'import { lib } from "./index";\n',
    written: (s) => `lib.${s}`,
  },
  {
    name: "two barrels",
    kinds: both,
    base: () => ({ "src/inner.ts": 'export * from "./lib";\n', "src/index.ts": 'export * from "./inner";\n' }),
    head: (s) => `import { ${s} } from "./index";\n`,
    written: same,
  },
  {
    name: "path alias",
    kinds: both,
    base: () => ({ "tsconfig.json": tsconfig({ paths: { "@app/*": ["./src/*"] } }) }),
    head: (s) => `import { ${s} } from "@app/lib";\n`,
    written: same,
  },
  {
    name: "extended path alias",
    kinds: both,
    base: () => ({
      "tsconfig.base.json": tsconfig({ paths: { "~/*": ["./src/*"] } }),
      "tsconfig.json": JSON.stringify({ extends: "./tsconfig.base.json" }),
    }),
    head: (s) => `import { ${s} } from "~/lib";\n`,
    written: same,
  },
  {
    name: "tsx user",
    kinds: both,
    user: "src/fresh.tsx",
    head: (s) => `import { ${s} } from "./lib";\n`,
    written: same,
  },
  {
    name: "mts home",
    kinds: both,
    home: "src/lib.mts",
    head: (s) => `import { ${s} } from "./lib.mjs";\n`,
    written: same,
  },
  {
    name: "directory index",
    kinds: both,
    home: "src/lib/index.ts",
    head: (s) => `import { ${s} } from "./lib";\n`,
    written: same,
  },
  { name: "dynamic import", kinds: ["value"], head: (s) => `const { ${s} } = await import("./lib");\n`, written: same },
  {
    name: "dynamic import, whole",
    kinds: ["value"],
    head: () => 'const lib = await import("./lib");\n',
    written: (s) => `lib.${s}`,
  },
];

/** Every change reached in every way. */
export function combinations(): Scenario[] {
  return changes.flatMap((change) =>
    styles
      .filter((style) => style.kinds.includes(change.kind))
      .map((style): Scenario => {
        const home = style.home ?? "src/lib.ts";
        const deeper = (text: string): string =>
          home.includes("/lib/") ? text.replace('"./moved"', '"../moved"') : text;
        const user = style.user ?? "src/fresh.ts";
        return {
          name: `${change.name} / ${style.name}`,
          group: change.name,
          sides: {
            base: {
              [home]: deeper(change.before),
              "src/quiet.ts": "export const quiet = 1;\n",
              ...style.base?.(change.symbol),
            },
            ours: { [home]: deeper(change.after), ...change.elsewhere },
            theirs: { [user]: style.head(change.symbol, change.kind) + change.use(style.written(change.symbol)) },
          },
        };
      }),
  );
}
