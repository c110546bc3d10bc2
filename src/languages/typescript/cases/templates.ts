// The acceptance cases of semantic findings in TypeScript, end to end through git. The wide measurement, against the compiler, is in
// measure-typescript.ts.

import type { Grow, Template } from "../../../../eval/scenarios/scenario.ts";

const typescriptLibrary = (name: string): string =>
  `export function ${name}(value: number): string {\n  return String(value);\n}\n`;
const typescriptUse = (name: string): string =>
  `import { ${name} } from "./lib.ts";\n\nexport const used = ${name}(1);\n`;

/** A renames an exported function with all its uses; what B does is the question. */
const typescript =
  (theirs: (name: string) => Readonly<Record<string, string>>, expects: boolean, keepAlias = false): Grow =>
  (seed) => {
    const [name, fresh] = [seed.name(), seed.name()];
    const alias = keepAlias ? `export { ${fresh} as ${name} };\n` : "";
    return {
      base: {
        "src/lib.ts": typescriptLibrary(name),
        "src/use.ts": typescriptUse(name),
        "src/other.ts": "export const other = 1;\n",
      },
      ours: { "src/lib.ts": typescriptLibrary(fresh) + alias, "src/use.ts": typescriptUse(fresh) },
      theirs: theirs(name),
      expect: expects ? ["semantic"] : [],
    };
  };

const template = (name: string, grow: Grow): Template => ({ kind: "semantic", name, grow });

export const semanticTypeScript: readonly Template[] = [
  template(
    "TypeScript: renamed, and used anew",
    typescript(
      (name) => ({ "src/new.ts": `import { ${name} } from "./lib.ts";\n\nexport const more = ${name}(2);\n` }),
      true,
    ),
  ),
  template(
    "TypeScript: renamed, and used anew in a file that was there",
    typescript(
      (name) => ({ "src/other.ts": `import { ${name} } from "./lib.ts";\nexport const other = ${name}(1);\n` }),
      true,
    ),
  ),
  template(
    "TypeScript: near miss, only in a string and a comment",
    typescript((name) => ({ "src/new.ts": `// ${name} is nice\nexport const text = "${name}(1)";\n` }), false),
  ),
  template(
    "TypeScript: near miss, an alias stays",
    typescript(
      (name) => ({ "src/new.ts": `import { ${name} } from "./lib.ts";\nexport const more = ${name}(2);\n` }),
      false,
      true,
    ),
  ),
  template(
    "TypeScript: near miss, another module has the same name",
    typescript(
      (name) => ({
        "src/mine.ts": `export function ${name}(value: number): number {\n  return value;\n}\n`,
        "src/new.ts": `import { ${name} } from "./mine.ts";\nexport const more = ${name}(2);\n`,
      }),
      false,
    ),
  ),
  template(
    "TypeScript: near miss, a local of that name",
    typescript(
      (name) => ({ "src/new.ts": `export function run(): number {\n  const ${name} = 1;\n  return ${name};\n}\n` }),
      false,
    ),
  ),
  template(
    "TypeScript: near miss, shadowed",
    typescript(
      (name) => ({
        "src/new.ts": `export function run(${name}: (one: number) => string): string {\n  return ${name}(1);\n}\n`,
      }),
      false,
    ),
  ),
];
