// The acceptance cases of semantic findings, end to end through git. The wide measurement, against the compiler and the
// interpreter, is in semantic-typescript.ts and semantic-python.ts.

import { type Grow, snake, type Template } from "../../../../eval/scenarios/scenario.ts";

const typescriptLibrary = (name: string): string =>
  `export function ${name}(value: number): string {\n  return String(value);\n}\n`;
const typescriptUse = (name: string): string =>
  `import { ${name} } from "./lib.ts";\n\nexport const used = ${name}(1);\n`;
const pythonLibrary = (name: string): string => `def ${name}(value):\n    return str(value)\n`;
const pythonUse = (name: string): string => `from app.lib import ${name}\n\nused = ${name}(1)\n`;

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

const python =
  (theirs: (name: string) => Readonly<Record<string, string>>, expects: boolean, keepAlias = false): Grow =>
  (seed) => {
    const [name, fresh] = [snake(seed.name()), snake(seed.name())];
    const alias = keepAlias ? `\n${name} = ${fresh}\n` : "";
    return {
      base: {
        "app/__init__.py": "",
        "app/lib.py": pythonLibrary(name),
        "app/use.py": pythonUse(name),
        "app/other.py": "other = 1\n",
      },
      ours: { "app/lib.py": pythonLibrary(fresh) + alias, "app/use.py": pythonUse(fresh) },
      theirs: theirs(name),
      expect: expects ? ["semantic"] : [],
    };
  };

const template = (name: string, grow: Grow): Template => ({ kind: "semantic", name, grow });

export const semantic: readonly Template[] = [
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
  template(
    "Python: renamed, and used anew",
    python((name) => ({ "app/new.py": `from app.lib import ${name}\n\nmore = ${name}(2)\n` }), true),
  ),
  template(
    "Python: renamed, and used anew through the module",
    python((name) => ({ "app/new.py": `import app.lib\n\nmore = app.lib.${name}(2)\n` }), true),
  ),
  template(
    "Python: near miss, only in a string and a comment",
    python((name) => ({ "app/new.py": `# ${name} is nice\ntext = "${name}(1)"\n` }), false),
  ),
  template(
    "Python: near miss, an alias stays",
    python((name) => ({ "app/new.py": `from app.lib import ${name}\n\nmore = ${name}(2)\n` }), false, true),
  ),
  template(
    "Python: near miss, another module has the same name",
    python(
      (name) => ({
        "app/mine.py": `def ${name}(value):\n    return value\n`,
        "app/new.py": `from app.mine import ${name}\n\nmore = ${name}(2)\n`,
      }),
      false,
    ),
  ),
  template(
    "Python: near miss, a local of that name",
    python((name) => ({ "app/new.py": `def run():\n    ${name} = 1\n    return ${name}\n` }), false),
  ),
  template(
    "Python: near miss, shadowed",
    python((name) => ({ "app/new.py": `def run(${name}):\n    return ${name}(1)\n` }), false),
  ),
];
