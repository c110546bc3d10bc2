// Scenarios by combination: what happens to a definition, times how the other side reaches it. Each says only what the
// two sides do; whether that breaks is the compiler's word.

import type { Files, Sides } from "../rules/trees.suite.ts";
import type { Change } from "./change.ts";
import { classChanges } from "./class-changes.ts";
import { functionChanges } from "./function-changes.ts";
import { shapeChanges } from "./shape-changes.ts";

export interface Scenario {
  readonly name: string;
  /** Which part of the table it comes from, to see where mistakes gather. */
  readonly group: string;
  readonly sides: Sides;
}

const changes: readonly Change[] = [...functionChanges, ...classChanges, ...shapeChanges];

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

const styles: readonly Style[] = [
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
