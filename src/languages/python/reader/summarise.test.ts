// Checks what the summary of a file says, and that nothing hostile makes it crash, hang or lie about being read.

import { describe, expect, test } from "bun:test";
import type { PythonSummary } from "../facts.ts";
import { parsePython } from "./summarise.ts";

async function refs(source: string): Promise<string[]> {
  const summary = await parsePython(source);
  expect(summary.skipped).toBeUndefined();
  return summary.uses.map(({ ref }) => ref);
}

function checkRefs(name: string, source: string, ...expected: string[]): void {
  test(name, async () => expect(await refs(source)).toEqual(expected));
}

describe("uses", () => {
  checkRefs("are chains from a name", "import a\na.b.c(1, *z, k=2, **y).d", "m0:a", "na|.b|.c|(1*^;k|.d", "nz", "ny");
  checkRefs("leave out builtins and locals", "def f(x):\n    y = len(x)\n    return y");
  checkRefs("see a shadowed builtin", "def open(): pass\nopen()", "nopen|(0;");
  checkRefs("follow a local that is assigned once", "def f():\n    x = C()\n    x.m()", "nC|(0;", "nC|(0;|.m|(0;");
  checkRefs("give up on a local that is assigned twice", "def f(q):\n    x = C()\n    x = q\n    x.m()", "nC|(0;");
  checkRefs(
    "follow annotations",
    "def f(x: m.C, y: 'D', z: Optional[E], w: F | None):\n    x.a; y.b; z.c; w.d",
    "nm|.C",
    "nOptional",
    "nE",
    "nF",
    "nm|.C|y|.a",
    "nD|y|.b",
    "nE|y|.c",
    "nF|y|.d",
  );
  checkRefs(
    "know self, cls and super",
    "class C:\n    def m(self):\n        self.a; super().b()\n    @classmethod\n    def n(cls):\n        cls.c",
    "oC|.a",
    "sC|.b|(0;",
    "tC|.c",
  );
  checkRefs(
    "know that methods do not see the class body",
    "class C:\n    x = 1\n    y = x\n    def m(self):\n        return x",
    "nx",
  );
  checkRefs(
    "bind comprehensions, lambdas, with, except, for and walrus",
    "def f():\n    [a for a in q]\n    lambda b: b\n    with q as c: c\n    try: pass\n    except E as d: d\n    for e in q: e\n    (g := 1)\n    g",
    "nq|e",
    "nq",
    "nq|.__enter__|(0;",
    "nE",
  );
  checkRefs(
    "bind match captures and use its classes",
    "def f(p):\n    match p:\n        case K.A: pass\n        case P(x=a, y=[b, *c]): a, b, c\n        case {'k': d, **e} as g: d, e, g",
    "nK|.A",
    "nP",
  );
  checkRefs("respect global", "def f():\n    global g\n    g = 1\n    g.x", "ng|.x");
  checkRefs(
    "look into f-strings, decorators, defaults and bases",
    "@d(1)\ndef f(x=e): pass\nclass C(B): pass\nf'{h.i!r:>{j}}'",
    "nd|(1;",
    "ne",
    "nB",
    "nh|.i",
    "nj",
  );
  checkRefs(
    "bind type parameters",
    "def f[T](x: T) -> T: pass\nclass C[U]:\n    def m(self, x: U): pass\ntype A[V] = list[V]",
  );
  checkRefs("are not made of strings, comments and keyword names", "# old\n'old'\nf(old=1)", "nf|(0;old");
  checkRefs("are not made of line continuations", "from a import \\\n    b", "i0:a:b");
  checkRefs(
    "take relative imports with their level",
    "from ...a.b import c as d\nfrom . import e\nfrom .. import *",
    "i3:a.b:c",
    "i1::e",
    "m2:",
  );
});

test("a summary tells functions, classes, fields, members set on self and imports", async () => {
  const { names, all, stars } = await parsePython(
    "from x import *\n__all__ = ['C']\n__all__ += ['f']\nimport a.b as c\n@deco\nclass C(B):\n    k: int\n    def __init__(self, d: c.D, /, e=1, *, g, **h):\n        self.d = d\nasync def f(*a) -> C: pass\n",
  );
  expect(all).toEqual(["C", "f"]);
  expect(stars).toEqual(["m0:x"]);
  expect(names["c"]).toMatchObject([{ kind: "import", line: 4, refersTo: "m0:a.b" }]);
  expect(names["f"]).toMatchObject([{ kind: "function", line: 10, isAsync: true, parameters: ["*a"], gives: "nC|y" }]);
  expect(names["C"]?.[0]).toMatchObject({
    kind: "class",
    line: 6,
    decorators: ["ndeco"],
    bases: ["nB"],
    members: {
      k: [{ field: "required", refersTo: "nint|y" }],
      __init__: [{ kind: "function", parameters: ["/self", "/d", "e=", "&g", "**h"] }],
      d: [{ onSelf: true, refersTo: "nc|.D|y" }],
    },
  });
});

test("what was summarised survives JSON", async () => {
  const summary = await parsePython("class __proto__: pass\nclass C:\n    x = 1\n");
  expect(JSON.parse(JSON.stringify(summary)) as PythonSummary).toEqual(summary);
  expect(Object.keys(summary.names)).toEqual(["__proto__", "C"]);
});

const skips = (name: string, source: string, reason: string): void =>
  test(name, async () => expect((await parsePython(source)).skipped).toBe(reason));

describe("passed over, with the reason", () => {
  skips("a syntax error", "def f(:\n", "syntax error");
  skips("a NUL", "x = 1\0", "not text");
  skips("a huge file", `x = 1\n${"# more\n".repeat(160_000)}`, "too large");
  skips("deep nesting", `x = ${"(".repeat(3_000)}1${")".repeat(3_000)}\n`, "nested too deeply");
  skips("a sum of thousands", `x = 1${" + 1".repeat(2_000)}\n`, "nested too deeply");
});

test("locals that lean on thousands of other locals do not overflow", async () => {
  const chain = Array.from({ length: 15_000 }, (_, at) => `    a${at} = a${at + 1}.b\n`).join("");
  const summary = await parsePython(`def f():\n${chain}    a0.c\n`);
  expect(["nested too deeply", "parsing took too long", undefined]).toContain(summary.skipped);
});

test("long chains and long files of one kind are read", async () => {
  const chain = `x = a${".b(1)".repeat(200)}\n`;
  const many = Array.from({ length: 5_000 }, (_, at) => `from m${at} import n${at}\n`).join("");
  expect((await parsePython(chain)).skipped).toBeUndefined();
  expect((await parsePython(many)).uses).toHaveLength(5_000);
});

test("random bytes and mutated sources neither crash nor hang", async () => {
  const seedSource = await Bun.file(new URL("../cases/truth.py", import.meta.url)).text();
  let state = 12_345;
  const random = (below: number): number => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return (state >>> 8) % below;
  };
  let read = 0;
  for (let round = 0; round < 300; round += 1) {
    let source: string;
    if (round % 3 === 0) {
      source = Array.from({ length: random(2_000) }, () =>
        String.fromCharCode(random(3) === 0 ? random(0x3000) : random(128)),
      ).join("");
    } else {
      source = seedSource;
      for (let edits = random(4) + 1; edits > 0; edits -= 1) {
        const at = random(source.length);
        const length = random(30);
        const piece = source.slice(random(source.length)).slice(0, random(40));
        source = source.slice(0, at) + piece + source.slice(at + length);
      }
    }
    const summary = await parsePython(source);
    if (summary.skipped === undefined) read += 1;
    expect(Array.isArray(summary.uses)).toBe(true);
  }
  expect(read).toBeGreaterThan(0);
}, 120_000);
