// Classes and modules that may hold more than is written. A member that is gone is told as gone where nothing can bring that very name, and
// named as a doubt where something might; it is never passed over.

import { describe, expect, test } from "bun:test";
import { run, type Scene } from "./scenario.suite.ts";

/** `found`, or why nobody can say; "" for silence. */
async function said(scene: Scene): Promise<string> {
  const { conflicts, unsure = [] } = await run(scene);
  if (conflicts.length > 0) return conflicts.map(({ rule, symbol }) => `${rule} ${symbol}`).join(", ");
  return unsure
    .map(
      ({ path, line, symbol, definition, definitionLine, because }) =>
        `${path}:${line} ${symbol} ${definition}:${definitionLine ?? ""}: ${because}`,
    )
    .join("; ");
}

const member = "    def m(self):\n        return 1\n";
const use = "from lib import C\n\n\ndef use(c: C):\n    return c.m()\n";
const gone = "removed-member C.m";

/** A class with the member, and without it; the rest of its body follows the member. */
const removed = (rest: string, more = "", head = "class C:"): Scene => ({
  base: { "lib.py": `${more}${head}\n${member}${rest}` },
  ours: { "lib.py": `${more}${head}\n    x = 1\n${rest}` },
  theirs: { "app.py": use },
});

const found: readonly (readonly [string, string, string?])[] = [
  [
    "setattr on an object of another class",
    "    def n(self, other: list, key):\n        setattr(other, key, 1)\n        it = make()\n        setattr(it, key, 1)\n",
  ],
  [
    "setattr with another name on an object that may be its own",
    "    def n(self, other):\n        setattr(other, 'k', 1)\n        other.__dict__['j'] = 1\n",
  ],
  ["setattr on a part of itself", "    def n(self, key):\n        setattr(self.hook, key, 1)\n"],
  [
    "setattr on a local that is a part of itself",
    "    def n(self, key):\n        h = self.hook\n        setattr(h, key, 1)\n",
  ],
  ["setattr with another name", "    def n(self):\n        setattr(self, 'other', 1)\n"],
  ["setattr over other names", "    def n(self):\n        for k in ('a', 'b'):\n            setattr(self, k, 1)\n"],
  [
    "setattr over a module's names",
    "    def n(self):\n        for k in names:\n            setattr(self, k, 1)\n",
    "names = ['a', 'b']\n",
  ],
  [
    "setattr over pairs",
    "    def n(self):\n        for k, v in (('a', 1), ('b', 2)):\n            setattr(self, k, v)\n",
  ],
  [
    "setattr with a prefix",
    "    def n(self, key):\n        setattr(self, f'_{key}', 1)\n        setattr(self, 'on_' + key, 1)\n",
  ],
  [
    "setattr with a format",
    "    def n(self, key):\n        setattr(self, 'on_%s' % key, 1)\n        setattr(self, '{}_x'.format(key), 1)\n",
  ],
  [
    "its state restored",
    "    def __setstate__(self, state):\n        for k, v in state.items():\n            setattr(self, k, v)\n",
  ],
  [
    "its state restored at once",
    "    def __setstate__(self, state):\n        self.__dict__.update(state)\n        self.__dict__ = state\n",
  ],
  [
    "its copy",
    "    def n(self):\n        rv = object.__new__(self.__class__)\n        rv.__dict__.update(self.__dict__)\n        return rv\n",
  ],
  [
    "its copy, one by one",
    "    def n(self, rv):\n        for k, v in vars(self).items():\n            setattr(self, k, v)\n",
  ],
  [
    "its setter",
    "    def __setattr__(self, name, value):\n        self.__dict__[name] = value\n        object.__setattr__(self, name, value)\n        super().__setattr__(name, value)\n",
  ],
  [
    "its attributes read",
    "    def n(self):\n        d = self.__dict__\n        print(vars(self), self.__dict__['m'], 'm' in self.__dict__, {**vars(self)})\n        return self.__dict__ == d.get('x')\n",
  ],
  [
    "its attributes listed",
    "    def n(self):\n        return [k for k in self.__dict__], self.__dict__.items(), dict(self.__dict__)\n",
  ],
  [
    "keywords that are written out",
    "    def n(self):\n        self.__dict__.update(a=1, b=2)\n        vars(self).update({'c': 1})\n",
  ],
  ["its own locals", "    def n(self, a, b):\n        self.__dict__.update(locals())\n"],
  [
    "answers for other names",
    "    def __getattr__(self, name):\n        if name == 'other':\n            return 1\n        raise AttributeError(name)\n",
  ],
  [
    "an attribute of a descriptor's object",
    "    def __set__(self, obj, value):\n        obj.__dict__[self.name] = value\n",
  ],
];

describe("a method that is removed is told where nothing brings it:", () => {
  for (const [title, rest, more] of found) test(title, async () => expect(await said(removed(rest, more))).toBe(gone));
});

const brought: readonly (readonly [string, string])[] = [
  ["by setattr", "    def n(self):\n        setattr(self, 'm', 1)\n"],
  ["by setattr in a loop", "    def n(self):\n        for k in ('a', 'm'):\n            setattr(type(self), k, 1)\n"],
  ["by setattr of a class", "    @classmethod\n    def n(cls):\n        setattr(cls, 'm', 1)\n"],
  ["by object's own setter", "    def n(self):\n        object.__setattr__(self, 'm', 1)\n"],
  ["by its dictionary", "    def n(self):\n        self.__dict__['m'] = 1\n"],
  ["by its dictionary, with others", "    def n(self):\n        vars(self).update(m=1)\n"],
  ["by its own locals", "    def n(self, m):\n        self.__dict__.update(locals())\n"],
  ["after the class", "\n\nC.m = lambda self: 1\n"],
  ["after the class by setattr", "\n\nfor k in ['m']:\n    setattr(C, k, 1)\n"],
];

describe("a method that is written out no more is there all the same:", () => {
  for (const [title, rest] of brought) test(title, async () => expect(await said(removed(rest))).toBe(""));
});

const any = "    def n(self, **given):\n        for k, v in given.items():\n            setattr(self, k, v)\n";
const doubt = (line: number, what: string): string => `app.py:5 C.m lib.py:${line}: ${what} may still bring it`;

describe("a name that something might bring is a doubt:", () => {
  test("attributes of computed names of itself, its class or an object that may be its own", async () => {
    for (const rest of [
      "    def n(self, **given):\n        setattr(self, next(iter(given)), 1)\n",
      "    def n(self, key):\n        setattr(type(self), key, 1)\n",
      "    def n(self):\n        self.__dict__[self.name] = 1\n",
      "    def n(self, more):\n        vars(self).update(more)\n",
      "    def n(self, other, key):\n        setattr(other, key, 1)\n",
      "    def n(self, other):\n        setattr(other, 'm', 1)\n",
      "    def __get__(self, obj, kind=None):\n        self.__dict__[self.name] = 1\n",
    ])
      expect([rest, await said(removed(rest))]).toEqual([rest, doubt(2, "an attribute of a computed name (lib.py:4)")]);
  });

  test("attributes of computed names, which are computed otherwise now", async () => {
    const { base, theirs } = removed(any);
    const other = `class C:\n${any.replace("given.items()", "load().items()")}`;
    expect(await said({ base, ours: { "lib.py": other }, theirs })).toBe(
      doubt(2, "an attribute of a computed name (lib.py:4)"),
    );
  });

  test("attributes of computed names, of which a value may have been the default", async () => {
    const base = { "lib.py": `class C:\n    m = 1\n    y = 2\n${any}` };
    const ours = { "lib.py": `class C:\n    y = 2\n${any}` };
    expect(await said({ base, ours, theirs: { "app.py": use.replace("m()", "m") } })).toBe(
      doubt(2, "an attribute of a computed name (lib.py:5)"),
    );
  });

  test("names of a fitting form, and a dictionary that is handed on", async () => {
    const form = "    def n(self, key):\n        setattr(self, f'{key}m', 'm')\n";
    expect(await said(removed(form))).toBe(doubt(2, "an attribute of a computed name (lib.py:4)"));
    const handed = "    def n(self):\n        fill(self.__dict__, 'm')\n";
    expect(await said(removed(handed))).toBe(doubt(2, "an attribute of a computed name (lib.py:4)"));
  });

  test("`__getattr__`, a base outside, a metaclass, a decorator", async () => {
    const passes = "    def __getattr__(self, name):\n        return getattr(self.inner, name)\n";
    expect(await said(removed(passes))).toBe(doubt(2, "__getattr__ (lib.py:3)"));
    const outside = "a base outside this project (lib.py:2)";
    expect(await said(removed("", "import ext\n", "class C(ext.B):"))).toBe(doubt(3, outside));
    const meta = "a metaclass or another keyword (lib.py:2)";
    expect(await said(removed("", "import ext\n", "class C(metaclass=ext.M):"))).toBe(doubt(3, meta));
    const decorated = "a decorator (lib.py:3)";
    expect(await said(removed("", "import ext\n", "@ext.more\nclass C:"))).toBe(doubt(4, decorated));
  });

  test("a module's `__getattr__`, and `exec`", async () => {
    const scene = (more: string): Scene => ({
      base: { "lib.py": `${more}def f():\n    return 1\n` },
      ours: { "lib.py": `${more}def g():\n    return 2\n` },
      theirs: { "app.py": "import lib\n\nlib.f()\n" },
    });
    expect(await said(scene("def __getattr__(name):\n    return name\n"))).toBe(
      "app.py:3 f lib.py:3: __getattr__ (lib.py:1) may still bring it",
    );
    expect(await said(scene("exec(open('x').read())\n"))).toBe(
      "app.py:3 f lib.py:2: code run by `exec` (lib.py:1) may still bring it",
    );
  });

  test("an attribute of that name that the other side now gives to something elsewhere", async () => {
    const scene = removed("");
    const ours = { ...scene.ours, "patch.py": "import lib\n\nlib.C.m = lambda self: 1\n" };
    expect(await said({ ...scene, ours })).toBe(
      "app.py:5 C.m lib.py:: patch.py now gives an attribute of that name to something",
    );
  });

  test("but not where the use is old, or expects to fail", async () => {
    const scene = removed("    def __getattr__(self, name):\n        return 1\n");
    const old = { ...scene, base: { ...scene.base, "app.py": use }, theirs: { "app.py": `${use}\nx = 1\n` } };
    expect(await said(old)).toBe("");
    const careful =
      "from lib import C\n\n\ndef use(c: C):\n    try:\n        return c.m()\n    except AttributeError:\n        return 1\n";
    expect(await said({ ...scene, theirs: { "app.py": careful } })).toBe("");
  });
});

test("a renamed method is told however names are computed", async () => {
  const base = { "lib.py": `class C:\n${member}${any}` };
  const ours = { "lib.py": `class C:\n${member.replace("def m", "def k")}${any}` };
  expect(await said({ base, ours, theirs: { "app.py": use } })).toBe(gone);
});

describe("an object that is made of a class with a decorator or a metaclass has the methods of the class:", () => {
  const own = "def keep(c):\n    return c\n\n\nclass Meta(type):\n    pass\n\n\n";
  const made = "from lib import C\n\n\ndef use():\n    return C().m()\n";
  const kept =
    "from lib import C\n\n\nclass W:\n    def __init__(self):\n        self.c = C(1, by=2)\n\n    def n(self):\n        self.c.m()\n";
  const heads = ["@keep\nclass C:", "@keep('c')\nclass C:", "class C(metaclass=Meta):", "class C(keep(Meta)):"];

  test("a renamed one is told", async () => {
    for (const head of heads) {
      const base = { "lib.py": `${own}${head}\n${member}` };
      const ours = { "lib.py": `${own}${head}\n${member.replace("def m", "def k")}` };
      for (const text of [made, kept])
        expect([head, text, await said({ base, ours, theirs: { "app.py": text } })]).toEqual([head, text, gone]);
    }
  });

  test("one that is gone is a doubt, and one that is there is none", async () => {
    for (const head of heads) {
      const { base, ours } = removed("", own, head);
      expect(await said({ base, ours, theirs: { "app.py": made } })).toEndWith("may still bring it");
      expect(await said({ base, ours: { "lib.py": `${base["lib.py"]}# more\n` }, theirs: { "app.py": made } })).toBe(
        "",
      );
    }
  });

  test("what it is constructed with is not judged", async () => {
    for (const head of heads.slice(0, 3)) {
      const init = "    def __init__(self, a):\n        pass\n\n";
      const base = { "lib.py": `${own}${head}\n${init}${member}` };
      const ours = { "lib.py": `${own}${head}\n${init.replace("a)", "a, b)")}${member}` };
      expect(await said({ base, ours, theirs: { "app.py": made.replace("C()", "C(1)") } })).toBe("");
    }
  });
});
