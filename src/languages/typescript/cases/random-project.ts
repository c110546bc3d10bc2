// A small random project, random refactorings of it on one side, random new code on the other. Written without looking
// at how the checker works: the new code uses whatever people use (callbacks, generics, optional chaining, spreads,
// inheritance), so that it also shows what the checker cannot see.

import type { Files } from "../rules/trees.suite.ts";
import type { Scenario } from "./scenarios.ts";

export class Dice {
  private state: number;

  constructor(seed: number) {
    this.state = seed >>> 0 || 1;
  }

  /** xorshift: the same seed gives the same project everywhere. */
  next(): number {
    this.state ^= this.state << 13;
    this.state ^= this.state >>> 17;
    this.state ^= this.state << 5;
    this.state >>>= 0;
    return this.state / 0x1_0000_0000;
  }

  below(count: number): number {
    return Math.floor(this.next() * count);
  }

  pick<Item>(items: readonly Item[]): Item {
    return items[this.below(items.length)] as Item;
  }
}

interface Unit {
  readonly id: number;
  readonly path: string;
}

const name = (kind: string, id: number): string => `${kind}${id}`;

/** One module: an interface, a class, functions over them, an enum, a settings object, a generic helper. */
function moduleText({ id }: Unit, below: Unit | undefined): string {
  const item = name("Item", id);
  const lines = [
    below === undefined
      ? ""
      : `import { Item${below.id}, make${below.id}, Box${below.id} } from "./module${below.id}";`,
    `export interface ${item} {`,
    `  label${id}: string;`,
    `  weight${id}: number;`,
    `  note${id}?: string;`,
    ...(below === undefined ? [] : [`  inner${id}: Item${below.id};`]),
    "}",
    `export enum Mode${id} {\n  Fast${id},\n  Slow${id},\n}`,
    `export const settings${id} = { retries${id}: 3, server${id}: { host${id}: "a" } };`,
    `export function make${id}(label: string, weight: number): ${item} {`,
    `  return { label${id}: label, weight${id}: weight${below === undefined ? "" : `, inner${id}: make${below.id}(label, weight)`} };`,
    "}",
    `export function sum${id}(items: readonly ${item}[]): number {`,
    `  return items.reduce((total, one) => total + one.weight${id}, 0);`,
    "}",
    `export const find${id} = (items: ${item}[], label: string): ${item} | undefined => items.find((one) => one.label${id} === label);`,
    `export function each${id}<T>(items: T[], act: (item: T) => void): void {\n  items.forEach(act);\n}`,
    `export class Box${id}${below === undefined ? "" : ` extends Box${below.id}`} {`,
    `  items${id}: ${item}[] = [];`,
    `  add${id}(item: ${item}): this {`,
    `    this.items${id}.push(item);`,
    "    return this;",
    "  }",
    `  total${id}(): number {`,
    `    return sum${id}(this.items${id});`,
    "  }",
    `  static of${id}(item: ${item}): Box${id} {`,
    `    return new Box${id}().add${id}(item);`,
    "  }",
    "}",
    `export default function describe${id}(item: ${item}, mode: Mode${id}): string {`,
    `  return item.label${id} + mode;`,
    "}",
  ];
  return `${lines.filter((line) => line !== "").join("\n")}\n`;
}

export function project(modules: number): Record<string, string> {
  const files: Record<string, string> = {};
  const units = Array.from({ length: modules }, (_, id): Unit => ({ id, path: `src/module${id}.ts` }));
  for (const unit of units) files[unit.path] = moduleText(unit, units[unit.id - 1]);
  files["tsconfig.json"] = JSON.stringify({
    compilerOptions: {
      strict: true,
      target: "es2022",
      module: "esnext",
      moduleResolution: "bundler",
      lib: ["es2022"],
      types: [],
    },
  });
  files["src/index.ts"] = units.map((unit) => `export * from "./module${unit.id}";`).join("\n") + "\n";
  files["src/main.ts"] =
    `import describe0 from "./module0";\nimport { make0, Mode0 } from "./module0";\n${"\n".repeat(3)}export const main = describe0(make0("a", 1), Mode0.Fast0);\n`;
  return files;
}

type Edit = (files: Record<string, string>, id: number) => Record<string, string>;

const everywhere =
  (pattern: (id: number) => RegExp, to: (id: number) => string): Edit =>
  (files, id) =>
    Object.fromEntries(Object.entries(files).map(([path, text]) => [path, text.replace(pattern(id), to(id))]));

const within =
  (change: (text: string, id: number) => string): Edit =>
  (files, id) => {
    const path = `src/module${id}.ts`;
    return { ...files, [path]: change(files[path] ?? "", id) };
  };

const word = (stem: string) => (id: number) => new RegExp(`\\b${stem}${id}\\b`, "g");

/** What one side may do to module `id`, with all uses of its own put right. */
export const refactorings: readonly { name: string; edit: Edit }[] = [
  { name: "rename function", edit: everywhere(word("make"), (id) => `create${id}`) },
  { name: "rename class", edit: everywhere(word("Box"), (id) => `Crate${id}`) },
  { name: "rename interface", edit: everywhere(word("Item"), (id) => `Thing${id}`) },
  { name: "rename property", edit: everywhere(word("label"), (id) => `title${id}`) },
  { name: "rename other property", edit: everywhere(word("weight"), (id) => `mass${id}`) },
  { name: "rename method", edit: everywhere(word("total"), (id) => `volume${id}`) },
  { name: "rename static", edit: everywhere(word("of"), (id) => `with${id}`) },
  { name: "rename enum member", edit: everywhere(word("Slow"), (id) => `Lazy${id}`) },
  { name: "rename settings key", edit: everywhere(word("retries"), (id) => `attempts${id}`) },
  { name: "rename nested key", edit: everywhere(word("host"), (id) => `address${id}`) },
  {
    name: "remove settings",
    edit: within((text, id) => text.replace(new RegExp(`export const settings${id} = .*\\n`), "")),
  },
  {
    name: "unexport helper",
    edit: within((text, id) => text.replace(`export function each${id}`, `function each${id}`)),
  },
  {
    name: "required parameter",
    edit: (files, id) =>
      Object.fromEntries(
        Object.entries(files).map(([path, text]) => [
          path,
          text
            .replace(
              `make${id}(label: string, weight: number)`,
              `make${id}(label: string, weight: number, colour: string)`,
            )
            .replaceAll(new RegExp(`make${id}\\((label, weight|"a", 1)\\)`, "g"), `make${id}($1, "red")`),
        ]),
      ),
  },
  {
    name: "optional parameter",
    edit: within((text, id) =>
      text.replace(
        `make${id}(label: string, weight: number)`,
        `make${id}(label: string, weight: number, colour?: string)`,
      ),
    ),
  },
  {
    name: "reorder parameters",
    edit: within((text, id) =>
      text.replace(
        `find${id} = (items: Item${id}[], label: string)`,
        `find${id} = (label: string, items: Item${id}[])`,
      ),
    ),
  },
  {
    name: "required property",
    edit: within((text, id) =>
      text
        .replace(`  note${id}?: string;`, `  note${id}?: string;\n  colour${id}: string;`)
        .replace(`weight${id}: weight`, `weight${id}: weight, colour${id}: "red"`),
    ),
  },
  {
    name: "optional becomes required",
    edit: within((text, id) =>
      text
        .replace(`note${id}?: string`, `note${id}: string`)
        .replace(`weight${id}: weight`, `weight${id}: weight, note${id}: ""`),
    ),
  },
  {
    name: "required becomes optional",
    edit: within((text, id) =>
      text
        .replace(`  label${id}: string`, `  label${id}?: string`)
        .replace(`item.label${id} + mode`, `(item.label${id} ?? "") + mode`),
    ),
  },
  {
    name: "returns promise",
    edit: within((text, id) =>
      text
        .replace(
          `export function sum${id}(items: readonly Item${id}[]): number {`,
          `export async function sum${id}(items: readonly Item${id}[]): Promise<number> {`,
        )
        .replace(`total${id}(): number`, `total${id}(): Promise<number>`),
    ),
  },
  {
    name: "returns promise unannotated",
    edit: within((text, id) =>
      text.replace(
        `export default function describe${id}(item: Item${id}, mode: Mode${id}): string`,
        `export default async function describe${id}(item: Item${id}, mode: Mode${id})`,
      ),
    ),
  },
  {
    name: "move function",
    edit: (files, id) => {
      const path = `src/module${id}.ts`;
      const text = files[path] ?? "";
      const body = new RegExp(`export function each${id}<T>[\\s\\S]*?\\n}\\n`).exec(text)?.[0] ?? "";
      return { ...files, [path]: text.replace(body, ""), [`src/each${id}.ts`]: body };
    },
  },
  {
    name: "move and keep exporting",
    edit: (files, id) => {
      const path = `src/module${id}.ts`;
      const text = files[path] ?? "";
      const body = new RegExp(`export function each${id}<T>[\\s\\S]*?\\n}\\n`).exec(text)?.[0] ?? "";
      return {
        ...files,
        [path]: `${text.replace(body, "")}export { each${id} } from "./each${id}";\n`,
        [`src/each${id}.ts`]: body,
      };
    },
  },
  {
    name: "drop default",
    edit: (files, id) => ({
      ...within((text) => text.replace("export default function", "export function"))(files, id),
      "src/main.ts": (files["src/main.ts"] ?? "").replace(`import describe${id} from`, `import { describe${id} } from`),
    }),
  },
  {
    name: "property changes type",
    edit: within((text, id) => text.replace(`  note${id}?: string;`, `  note${id}?: number;`)),
  },
  {
    name: "method made private",
    edit: within((text, id) => text.replace(`  total${id}(): number`, `  private total${id}(): number`)),
  },
  {
    name: "drop from barrel",
    edit: (files, id) => ({
      ...files,
      "src/index.ts": (files["src/index.ts"] ?? "").replace(`export * from "./module${id}";\n`, ""),
    }),
  },
  { name: "body only", edit: within((text) => text.replace("total + one", "one === undefined ? total : total + one")) },
  {
    name: "type parameter added",
    edit: within((text, id) =>
      text.replace(
        `each${id}<T>(items: T[], act: (item: T) => void)`,
        `each${id}<T, U>(items: T[], act: (item: T) => U)`,
      ),
    ),
  },
  {
    name: "narrower callback",
    edit: within((text, id) =>
      text
        .replace(`act: (item: T) => void`, `act: (item: T, index: number) => void`)
        .replace("items.forEach(act)", "items.forEach((item, index) => act(item, index))")
        .replace(`each${id}`, `each${id}`),
    ),
  },
];

/** New code over module `id`. `from` is how the module is reached. */
const additions: readonly ((id: number, from: string) => string)[] = [
  (id, from) => `import { make${id} } from "${from}";\nexport const made = make${id}("a", 1);\n`,
  (id, from) =>
    `import { make${id} } from "${from}";\nexport const names = ["a", "b"].map((one) => make${id}(one, 2).label${id});\n`,
  (id, from) =>
    `import { make${id}, sum${id} } from "${from}";\nexport const heavy = sum${id}([make${id}("a", 1)]) > 2;\n`,
  (id, from) =>
    `import { sum${id} } from "${from}";\nexport function half(): number {\n  return sum${id}([]) / 2;\n}\n`,
  (id, from) =>
    `import { sum${id} } from "${from}";\nexport function shown(): string {\n  const size = sum${id}([]);\n  return size.toFixed(1);\n}\n`,
  (id, from) =>
    `import type { Item${id} } from "${from}";\nexport function weigh(items: Item${id}[]): number[] {\n  return items.filter((one) => one.note${id} !== undefined).map((one) => one.weight${id});\n}\n`,
  (id, from) =>
    `import type { Item${id} } from "${from}";\nexport const empty: Omit<Item${id}, "inner${id}"> = { label${id}: "", weight${id}: 0 };\n`,
  (id, from) =>
    `import type { Item${id} } from "${from}";\nexport const patch: Partial<Item${id}> = { label${id}: "", note${id}: "n" };\n`,
  (id, from) =>
    `import type { Item${id} } from "${from}";\nexport function copy(item: Item${id}): Item${id} {\n  return { ...item, label${id}: "copy" };\n}\n`,
  (id, from) =>
    `import type { Item${id} } from "${from}";\nexport type Keys = Pick<Item${id}, "label${id}" | "weight${id}">;\n`,
  (id, from) =>
    `import { type Item${id} } from "${from}";\nexport const by = (key: keyof Item${id}) => key;\nexport const used = by("label${id}");\n`,
  (id, from) =>
    `import { Box${id} } from "${from}";\nexport const box = new Box${id}();\nexport const size = box.total${id}() + 1;\n`,
  (id, from) =>
    `import { Box${id}, make${id} } from "${from}";\nexport const size = Box${id}.of${id}(make${id}("a", 1)).total${id}();\n`,
  (id, from) =>
    `import { Box${id} } from "${from}";\nexport class Big extends Box${id} {\n  double(): number {\n    return this.total${id}() * 2;\n  }\n}\n`,
  (id, from) =>
    `import { Box${id} } from "${from}";\nexport class Loud extends Box${id} {\n  override total${id}(): number {\n    return super.total${id}() + 1;\n  }\n}\n`,
  (id, from) =>
    `import { Mode${id} } from "${from}";\nexport function slow(mode: Mode${id}): boolean {\n  switch (mode) {\n    case Mode${id}.Slow${id}:\n      return true;\n    default:\n      return false;\n  }\n}\n`,
  (id, from) =>
    `import { settings${id} } from "${from}";\nexport const { retries${id}, server${id} } = settings${id};\nexport const host = server${id}.host${id};\n`,
  (id, from) => `import { settings${id} } from "${from}";\nexport const tries = settings${id}.retries${id} * 2;\n`,
  (id, from) =>
    `import { settings${id} } from "${from}";\nexport type Settings = typeof settings${id};\nexport const key: keyof Settings = "retries${id}";\n`,
  (id, from) =>
    `import { find${id}, make${id} } from "${from}";\nexport const label = find${id}([make${id}("a", 1)], "a")?.label${id};\n`,
  (id, from) => `import { each${id} } from "${from}";\neach${id}([1, 2], (one) => one.toFixed(1));\n`,
  (id, from) =>
    `import { each${id} } from "${from}";\neach${id}<string>(["a"], (one) => {\n  console.log(one.length);\n});\n`,
  (id, from) => `import * as all from "${from}";\nexport const made = all.make${id}("a", 1).label${id}.length;\n`,
  (id, from) =>
    `import * as all from "${from}";\nexport function read(item: all.Item${id}): string {\n  return item.note${id} ?? item.label${id};\n}\n`,
  (id, from) =>
    `export async function later(): Promise<number> {\n  const { sum${id}, make${id} } = await import("${from}");\n  return sum${id}([make${id}("a", 1)]);\n}\n`,
  (id, from) =>
    `import { make${id} } from "${from}";\nexport const build: (label: string, weight: number) => unknown = make${id};\n`,
  (id, from) =>
    `import { make${id} } from "${from}";\nconst args: [string, number] = ["a", 1];\nexport const made = make${id}(...args);\n`,
  (id, from) =>
    `import { make${id} } from "${from}";\ntype Made = ReturnType<typeof make${id}>;\nexport const label = (made: Made): string => made.label${id};\n`,
  (id, from) =>
    `import { make${id} } from "${from}";\nexport function pick(flag: boolean): string {\n  const made = flag ? make${id}("a", 1) : undefined;\n  return made?.label${id} ?? "";\n}\n`,
  (id, from) =>
    `import { Box${id} } from "${from}";\nexport function labels(boxes: Map<string, Box${id}>): string[] {\n  return [...boxes.values()].flatMap((box) => box.items${id}.map((one) => one.label${id}));\n}\n`,
  (id) => `export const make${id} = (label: string) => label;\nexport const other = make${id}("a");\n`,
  (id) => `// make${id}, Box${id} and Item${id} are described here\nexport const text = "make${id}(1)";\n`,
  (id) =>
    `import describe${id} from "./module${id}";\nimport { make${id}, Mode${id} } from "./module${id}";\nexport const shown = describe${id}(make${id}("a", 1), Mode${id}.Fast${id}).toUpperCase();\n`,
];

/** One random pair of sides. Some new code goes into a file the other side may change too. */
export function randomScenario(seed: number): Scenario {
  const dice = new Dice(seed * 2654435761 + 1);
  for (let warm = 0; warm < 5; warm += 1) dice.next();
  const modules = 2 + dice.below(2);
  const home = dice.below(modules);
  // Mostly the same module on both sides: pairs that never meet teach little.
  const target = (): number => (dice.next() < 0.8 ? home : dice.below(modules));
  const base = project(modules);
  let after: Record<string, string> = base;
  const done: string[] = [];
  for (let count = 1 + dice.below(2); count > 0; count -= 1) {
    const refactoring = dice.pick(refactorings);
    const id = target();
    after = refactoring.edit(after, id);
    done.push(`${refactoring.name} ${id}`);
  }
  const theirs: Record<string, string> = {};
  for (let count = 1 + dice.below(3); count > 0; count -= 1) {
    const id = target();
    const from = dice.pick([`./module${id}`, `./module${id}.js`, "./index", "."]);
    const addition = dice.pick(additions)(id, from);
    if (dice.next() < 0.2) {
      const [head = "", ...rest] = splitImports(addition);
      const main = theirs["src/main.ts"] ?? base["src/main.ts"] ?? "";
      if (!sharesName(main, head)) theirs["src/main.ts"] = `${head}${main}\n\n\n${rest.join("")}`;
    } else theirs[`src/fresh${count}.ts`] = addition;
  }
  const ours: Files = Object.fromEntries([
    ...Object.entries(after).filter(([path, text]) => base[path] !== text),
    ...Object.keys(base)
      .filter((path) => after[path] === undefined)
      .map((path): [string, null] => [path, null]),
  ]);
  return { name: `seed ${seed}: ${done.join(", ")}`, group: done[0] ?? "", sides: { base, ours, theirs } };
}

function splitImports(text: string): [string, string] {
  const lines = text.split("\n");
  const last = lines.findLastIndex((line) => line.startsWith("import "));
  return [`${lines.slice(0, last + 1).join("\n")}${last >= 0 ? "\n" : ""}`, lines.slice(last + 1).join("\n")];
}

/** The new import would clash with one already there. */
function sharesName(main: string, head: string): boolean {
  return [...head.matchAll(/\b[A-Za-z]+\d\b/g)].some(([one]) => new RegExp(`\\b${one}\\b`).test(main));
}
