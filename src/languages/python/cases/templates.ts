// The acceptance cases of semantic findings in Python, end to end through git. The wide measurement, against the interpreter, is in
// measure-python.ts.

import { type Grow, snake, type Template } from "../../../../eval/scenarios/scenario.ts";

const pythonLibrary = (name: string): string => `def ${name}(value):\n    return str(value)\n`;
const pythonUse = (name: string): string => `from app.lib import ${name}\n\nused = ${name}(1)\n`;

/** A renames a function with all its uses; what B does is the question. */
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

export const semanticPython: readonly Template[] = [
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
