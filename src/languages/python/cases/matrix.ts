// Scenarios written as a table: what ours does to a library × how theirs reaches it in a new file. Near-misses stand beside the
// breaks. Whether a scenario breaks is not written here: running it decides.

import type { Scene } from "../rules/scenario.suite.ts";

export interface Scenario {
  readonly id: string;
  readonly scene: Scene;
}

interface LibraryChange {
  readonly name: string;
  readonly before: string;
  readonly after: string;
  /** The library's other files, on ours. */
  readonly more?: Readonly<Record<string, string | null>>;
  readonly symbol: string;
  /** The use, where S is however the symbol is reached. */
  readonly use: string;
}

const f = (parameters: string, body = "return 1"): string =>
  `def f(${parameters}):\n    ${body}\n\n\ndef keep():\n    return 0\n`;
const c = (body: string): string => `class C:\n${body}\n    def keep(self):\n        return 0\n`;
const data = (fields: string): string => `import dataclasses\n\n\n@dataclasses.dataclass\nclass C:\n${fields}`;
const colour = (members: string): string => `from enum import Enum\n\n\nclass C(Enum):\n${members}`;
const tuple = (fields: string): string => `import typing\n\n\nclass C(typing.NamedTuple):\n${fields}`;

const changes: readonly LibraryChange[] = [
  { name: "rename", before: f("a"), after: f("a").replace("def f", "def g"), symbol: "f", use: "S(1)" },
  { name: "remove", before: f("a"), after: "def keep():\n    return 0\n", symbol: "f", use: "S(1)" },
  {
    name: "alias kept",
    before: f("a"),
    after: `${f("a").replace("def f", "def g")}\n\nf = g\n`,
    symbol: "f",
    use: "S(1)",
  },
  { name: "body only", before: f("a"), after: f("a", "return 2"), symbol: "f", use: "S(1)" },
  { name: "required parameter", before: f("a"), after: f("a, b"), symbol: "f", use: "S(1)" },
  { name: "optional parameter", before: f("a"), after: f("a, b=1"), symbol: "f", use: "S(1)" },
  { name: "parameter renamed", before: f("a, size=1"), after: f("a, length=1"), symbol: "f", use: "S(1, size=2)" },
  {
    name: "parameter renamed, by position",
    before: f("a, size=1"),
    after: f("a, length=1"),
    symbol: "f",
    use: "S(1, 2)",
  },
  { name: "keyword only", before: f("a, b=1"), after: f("a, *, b=1"), symbol: "f", use: "S(1, 2)" },
  { name: "positional only", before: f("a"), after: f("a, /"), symbol: "f", use: "S(a=1)" },
  { name: "into kwargs", before: f("a, b=1"), after: f("a, **kw"), symbol: "f", use: "S(1, b=2)" },
  { name: "made async", before: f("a"), after: f("a").replace("def f", "async def f"), symbol: "f", use: "S(1) + 1" },
  {
    name: "moved",
    before: f("a"),
    after: "def keep():\n    return 0\n",
    more: { "pkg/deep.py": f("a") },
    symbol: "f",
    use: "S(1)",
  },
  {
    name: "moved, re-exported",
    before: f("a"),
    after: "from .deep import f\n\n\ndef keep():\n    return f(1)\n",
    more: { "pkg/deep.py": f("a") },
    symbol: "f",
    use: "S(1)",
  },
  {
    name: "left out of __all__",
    before: `__all__ = ["f", "keep"]\n${f("a")}`,
    after: `__all__ = ["keep"]\n${f("a")}`,
    symbol: "f",
    use: "S(1)",
  },
  { name: "constant removed", before: "LIMIT = 1\nOTHER = 2\n", after: "OTHER = 2\n", symbol: "LIMIT", use: "S + 1" },
  {
    name: "module __getattr__",
    before: f("a"),
    after:
      "def __getattr__(name):\n    if name.startswith('__'):\n        raise AttributeError(name)\n    return lambda *a: 1\n",
    symbol: "f",
    use: "S(1)",
  },
  {
    name: "method renamed",
    before: c("    def m(self):\n        return 1\n"),
    after: c("    def n(self):\n        return 1\n"),
    symbol: "C",
    use: "S().m()",
  },
  {
    name: "method moved to a base",
    before: c("    def m(self):\n        return 1\n"),
    after: `class B:\n    def m(self):\n        return 1\n\n\n${c("").replace("class C", "class C(B)")}`,
    symbol: "C",
    use: "S().m()",
  },
  {
    name: "method parameter",
    before: c("    def m(self):\n        return 1\n"),
    after: c("    def m(self, a):\n        return 1\n"),
    symbol: "C",
    use: "S().m()",
  },
  {
    name: "attribute renamed",
    before: c("    def __init__(self):\n        self.size = 1\n"),
    after: c("    def __init__(self):\n        self.length = 1\n"),
    symbol: "C",
    use: "S().size",
  },
  {
    name: "constructor parameter",
    before: c("    def __init__(self):\n        self.size = 1\n"),
    after: c("    def __init__(self, a):\n        self.size = 1\n"),
    symbol: "C",
    use: "S()",
  },
  {
    name: "static method parameter",
    before: c("    @staticmethod\n    def m():\n        return 1\n"),
    after: c("    @staticmethod\n    def m(a):\n        return 1\n"),
    symbol: "C",
    use: "S.m()",
  },
  {
    name: "property renamed",
    before: c("    @property\n    def m(self):\n        return 1\n"),
    after: c("    @property\n    def n(self):\n        return 1\n"),
    symbol: "C",
    use: "S().m",
  },
  {
    name: "dataclass field renamed",
    before: data("    a: int\n"),
    after: data("    b: int\n"),
    symbol: "C",
    use: "S(a=1)",
  },
  {
    name: "dataclass field renamed, read",
    before: data("    a: int\n"),
    after: data("    b: int\n"),
    symbol: "C",
    use: "S(1).a",
  },
  {
    name: "dataclass field added",
    before: data("    a: int\n"),
    after: data("    a: int\n    b: int\n"),
    symbol: "C",
    use: "S(1)",
  },
  {
    name: "dataclass default added",
    before: data("    a: int\n"),
    after: data("    a: int\n    b: int = 2\n"),
    symbol: "C",
    use: "S(1)",
  },
  {
    name: "named tuple field added",
    before: tuple("    a: int\n"),
    after: tuple("    a: int\n    b: int\n"),
    symbol: "C",
    use: "S(1)",
  },
  {
    name: "enum member renamed",
    before: colour("    RED = 1\n    BLUE = 2\n"),
    after: colour("    CRIMSON = 1\n    BLUE = 2\n"),
    symbol: "C",
    use: "S.RED.value",
  },
  {
    name: "enum member kept",
    before: colour("    RED = 1\n    BLUE = 2\n"),
    after: colour("    RED = 1\n    GREEN = 2\n"),
    symbol: "C",
    use: "S.RED.value",
  },
  {
    name: "module deleted",
    before: f("a"),
    after: "",
    more: { "pkg/lib.py": null, "pkg/deep.py": f("a") },
    symbol: "f",
    use: "S(1)",
  },
];

/** How theirs reaches the symbol: the path of the new file, and its text around the use. */
const styles: readonly (readonly [name: string, path: string, text: (symbol: string, use: string) => string])[] = [
  ["from", "app.py", (s, use) => `from pkg.lib import ${s}\n\n\ndef use():\n    return ${at(use, s)}\n`],
  [
    "from as",
    "app.py",
    (s, use) => `from pkg.lib import ${s} as other\n\n\ndef use():\n    return ${at(use, "other")}\n`,
  ],
  ["import", "app.py", (s, use) => `import pkg.lib\n\n\ndef use():\n    return ${at(use, `pkg.lib.${s}`)}\n`],
  ["import as", "app.py", (s, use) => `import pkg.lib as lib\n\n\ndef use():\n    return ${at(use, `lib.${s}`)}\n`],
  ["from package", "app.py", (s, use) => `from pkg import lib\n\nVALUE = ${at(use, `lib.${s}`)}\n`],
  ["relative", "pkg/app.py", (s, use) => `from .lib import ${s}\n\n\ndef use():\n    return ${at(use, s)}\n`],
  [
    "relative module",
    "pkg/app.py",
    (s, use) =>
      `from . import lib\n\n\nclass Thing:\n    def go(self):\n        return ${at(use, `lib.${s}`)}\n\n\ndef use():\n    return Thing().go()\n`,
  ],
  ["star", "app.py", (s, use) => `from pkg.lib import *\n\n\ndef use():\n    return ${at(use, s)}\n`],
  [
    "in a function",
    "tests/test_app.py",
    (s, use) => `def use():\n    from pkg.lib import ${s}\n    x = ${at(use, s)}\n    return x\n`,
  ],
  [
    "from package re-export",
    "app.py",
    (s, use) => `from pkg import ${s}\n\n\ndef use():\n    return [${at(use, s)} for _ in range(1)]\n`,
  ],
  ["mentioned", "app.py", (s, use) => `# ${at(use, s)}\n\n\ndef use():\n    return "pkg.lib.${s}"\n`],
  ["shadowed", "app.py", (s) => `from pkg.lib import *\n\n\ndef use(${s}=1):\n    return ${s}\n`],
  [
    "optional",
    "app.py",
    (s) =>
      `try:\n    from pkg.lib import ${s}\nexcept ImportError:\n    ${s} = None\n\n\ndef use():\n    return ${s} is None\n`,
  ],
  ["type checking only", "app.py", (s) => `import typing\n\nif typing.TYPE_CHECKING:\n    from pkg.lib import ${s}\n`],
];

function at(use: string, reached: string): string {
  return use.replaceAll("S", reached);
}

export function matrix(): Scenario[] {
  const all: Scenario[] = [];
  for (const [row, change] of changes.entries()) {
    for (const [column, [style, path, text]] of styles.entries()) {
      // A third of the projects have a src layout; half the definitions change on theirs.
      const top = row % 3 === 2 ? "src/" : "";
      const exported = style === "from package re-export";
      const init = exported ? `from .lib import *\n` : "";
      const base = { [`${top}pkg/__init__.py`]: init, [`${top}pkg/lib.py`]: change.before };
      const library: Record<string, string | null> = { [`${top}pkg/lib.py`]: change.after };
      for (const [file, content] of Object.entries(change.more ?? {})) library[top + file] = content;
      if (exported && change.more?.["pkg/lib.py"] === null) library[`${top}pkg/__init__.py`] = "from .deep import *\n";
      const use = { [path.startsWith("pkg/") ? top + path : path]: text(change.symbol, change.use) };
      const swapped = (row + column) % 2 === 1;
      all.push({
        id: `${change.name} / ${style}`,
        scene: { base, ours: swapped ? use : library, theirs: swapped ? library : use },
      });
    }
  }
  return all;
}
