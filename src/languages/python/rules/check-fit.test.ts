// Calls and members that fitted on their own side and no longer fit in the merge; and the many ways in which they still do.

import { describe, expect, test } from "bun:test";
import { run } from "./scenario.suite.ts";

/** `before` and `after` are the library on base and ours, `use` is what theirs adds in another file. */
async function check(before: string, after: string, use: string, expected: readonly string[]): Promise<void> {
  const { conflicts } = await run({
    base: { "lib.py": before },
    ours: { "lib.py": after },
    theirs: { "app.py": `import lib\nfrom lib import *\n${use}\n` },
  });
  expect(conflicts.map(({ rule, symbol }) => `${rule} ${symbol}`).sort()).toEqual([...expected].sort());
}

type Case = readonly [name: string, before: string, after: string, use: string, ...expected: string[]];

function cases(title: string, list: readonly Case[]): void {
  describe(title, () => {
    for (const [name, before, after, use, ...expected] of list) test(name, () => check(before, after, use, expected));
  });
}

const fn = (parameters: string, head = "def"): string => `${head} f(${parameters}):\n    return 1\n`;

cases("a call", [
  ["with too many arguments now", fn("a, b"), fn("a"), "f(1, 2)", "signature f"],
  ["with a newly required parameter", fn("a"), fn("a, b"), "lib.f(1)", "signature f"],
  ["with a newly required keyword-only parameter", fn("a"), fn("a, *, b"), "lib.f(1)", "signature f"],
  ["with a renamed keyword", fn("a, size=1"), fn("a, length=1"), "f(1, size=2)", "signature f"],
  ["with a removed keyword", fn("a, size=1"), fn("a"), "f(1, size=2)", "signature f"],
  ["by keyword of what became positional only", fn("a"), fn("a, /"), "f(a=1)", "signature f"],
  ["by position of what became keyword only", fn("a, b=1"), fn("a, *, b=1"), "f(1, 2)", "signature f"],
  ["with a new optional parameter", fn("a"), fn("a, b=1"), "f(1)"],
  [
    "of a context manager",
    `import contextlib\n@contextlib.contextmanager\n${fn("a")}`,
    `import contextlib\n@contextlib.contextmanager\n${fn("a, b")}`,
    "with f(1):\n    pass",
    "signature f",
  ],
  [
    "left for later, with a removed keyword",
    fn("a, k=1"),
    fn("a"),
    "import functools\nfunctools.partial(f, k=2)",
    "signature f",
  ],
  ["left for later, with a new parameter", fn("a"), fn("a, b"), "import functools\nfunctools.partial(f, 1)"],
  ["into *args", fn("a, b"), fn("*args"), "f(1, 2)"],
  ["by keyword into **kwargs", fn("a, k=1"), fn("a, **kw"), "f(1, k=2)"],
  ["with unpacked arguments", fn("a, b"), fn("a, b, c"), "import x\nf(*x.given())"],
  ["with unpacked arguments of a local", fn("a, b"), fn("a, b, c"), "given = [1, 2]\ngiven.append(3)\nf(*given)"],
  ["with as many unpacked arguments as it takes", fn("a"), fn("a, b=1"), "f(*list(range(1)))"],
  ["with an unpacked range", fn("a, b"), fn("a, b, c"), "f(*range(2))", "signature f"],
  ["with an unpacked list of a range", fn("a, b"), fn("a"), "f(*list(range(2)))", "signature f"],
  ["with an unpacked range of two bounds", fn("a, b"), fn("a"), "f(*tuple(range(1, 3)))", "signature f"],
  ["with an unpacked list that is repeated", fn("a, b"), fn("a"), "f(*[None] * 2)", "signature f"],
  ["with unpacked lists inside a list", fn("a, b"), fn("a"), "f(*[*[1], *(2,)])", "signature f"],
  ["with an unpacked range that is no built-in", fn("a, b"), fn("a"), "from x import range\nf(*range(2))"],
  ["with an unpacked range of a parameter", fn("a, b"), fn("a"), "def go(range):\n    f(*range(2))"],
  ["with an unpacked range up to a name", fn("a, b"), fn("a"), "import x\nf(*range(x.many))"],
  ["with an unpacked list that is added to", fn("a, b"), fn("a"), "import x\nf(*[1] + x.more)"],
  ["with an unpacked tuple of a name", fn("a, b"), fn("a, b, c"), "given = (1, 2)\nf(*given)", "signature f"],
  [
    "with an unpacked tuple of a local",
    fn("a, b"),
    fn("a"),
    "def go():\n    given = 1, 2\n    f(*given)",
    "signature f",
  ],
  ["with an unpacked tuple that still fits", fn("a, b"), fn("a, b, c=1"), "given = (1, 2)\nf(*given)"],
  ["with an unpacked tuple that is bound twice", fn("a, b"), fn("a"), "given = (1, 2)\ngiven += (3,)\nf(*given)"],
  ["with an unpacked tuple of a parameter", fn("a, b"), fn("a"), "given = (1, 2)\ndef go(given):\n    f(*given)"],
  ["with an unpacked tuple of a loop", fn("a, b"), fn("a"), "for given in [(1,), (2,)]:\n    f(*given)"],
  ["with an unpacked part of a tuple", fn("a, b"), fn("a"), "given, x = (1, 2), 3\nf(*given)"],
  ["with unpacked arguments that are written out", fn("a, b"), fn("a, b, c"), "f(*[1, 2])", "signature f"],
  ["with unpacked keywords", fn("a"), fn("a, b"), "import x\nf(1, **x.given())"],
  ["with unpacked keywords that are written out", fn("a"), fn("a, b"), "f(1, **{})", "signature f"],
  ["with an unpacked keyword that is gone", fn("a, k=1"), fn("a"), 'f(1, **{"k": 2})', "signature f"],
  ["with an unpacked keyword of dict() that is gone", fn("a, k=1"), fn("a"), "f(1, **dict(k=2))", "signature f"],
  ["with unpacked keywords that still fit", fn("a, k=1"), fn("a, *, k=1"), 'f(1, **{"k": 2})'],
  [
    "with an unpacked key that is computed",
    fn("a, k=1"),
    fn("a"),
    'import x\nf(1, **{x.key: 2, "k": 2})',
    "signature f",
  ],
  ["with unpacked keywords in unpacked ones", fn("a"), fn("a, b"), "import x\nf(1, **{**x.given()})"],
  ["with unpacked arguments but a removed keyword", fn("a, k=1"), fn("a"), "f(*[1], k=2)", "signature f"],
  ["that did not fit on its own side", fn("a"), fn("a, b, c"), "f(1, 2)"],
  ["of an unknown decorator's product", `import x\n@x.y\n${fn("a")}`, `import x\n@x.y\n${fn("a, b")}`, "f(1)"],
  [
    "of a cached function",
    `import functools\n@functools.lru_cache(maxsize=2)\n${fn("a")}`,
    `import functools\n@functools.lru_cache(maxsize=2)\n${fn("a, b")}`,
    "f(1)",
    "signature f",
  ],
  [
    "of one of two conditional definitions",
    fn("a"),
    `import os\nif os.name:\n    def f(a): pass\nelse:\n    def f(a, b): pass\n`,
    "f(1)",
  ],
  ["of a redefinition", fn("a"), `${fn("a")}\n\n${fn("a, b")}`, "f(1)", "signature f"],
  [
    "of an overloaded function",
    fn("a"),
    `from typing import overload\n@overload\n${fn("a, b")}\n@overload\n${fn("a, b, c")}\n${fn("a, b=1, c=2")}`,
    "f(1)",
  ],
  ["of a lambda", "f = lambda a: a\n", "f = lambda a, b: a\n", "f(1)", "signature f"],
  ["through an alias", `${fn("a")}\ng = f\n`, `${fn("a, b")}\ng = f\n`, "g(1)", "signature f"],
  ["expecting a TypeError", fn("a"), fn("a, b"), "try:\n    f(1)\nexcept TypeError:\n    pass"],
  ["inside pytest.raises", fn("a"), fn("a, b"), "import pytest\nwith pytest.raises(TypeError):\n    f(1)"],
  [
    "inside pytest.raises of several",
    fn("a"),
    fn("a, b"),
    'import pytest\nwith pytest.raises((ValueError, TypeError), match="x"):\n    f(1)',
  ],
  ["inside pytest.raises of anything", fn("a"), fn("a, b"), "import pytest\nwith pytest.raises(Exception):\n    f(1)"],
  [
    "inside pytest.raises of what is given",
    fn("a"),
    fn("a, b"),
    "import pytest\ndef test_it(error):\n    with pytest.raises(error):\n        f(1)",
  ],
  [
    "inside pytest.raises of an error that it is not",
    fn("a"),
    fn("a, b"),
    'import pytest\nwith pytest.raises(ValueError, match="TypeError"):\n    f(1)',
    "signature f",
  ],
  [
    "inside assertRaises of an error that it is not",
    fn("a"),
    fn("a, b"),
    "import errors\ndef check(self):\n    with self.assertRaises(errors.Missing):\n        f(1)",
    "signature f",
  ],
  [
    "as what pytest.raises is given",
    `${fn("a")}class Lost(Exception):\n    pass\n`,
    fn("a"),
    "import pytest\nwith pytest.raises(lib.Lost):\n    f(1)",
    "removed Lost",
  ],
  ["inside a lambda given to raises", fn("a"), fn("a, b"), "import pytest\npytest.raises(ValueError, lambda: f(1))"],
  ["passed as a callback", fn("a"), fn("a, b"), "list(map(f, [1]))"],
  ["nested as an argument", fn("a"), fn("a, b"), "print(str(f(1)))", "signature f"],
  ["with a name that its position now fills too", fn("b, a"), fn("a, b=1"), "f(1, a=2)", "signature f"],
]);

cases("a function made async", [
  ["called plainly", fn("a"), fn("a", "async def"), "x = f(1)", "became-async f"],
  ["awaited", fn("a"), fn("a", "async def"), "async def g():\n    return await f(1)"],
  ["awaited later", fn("a"), fn("a", "async def"), "async def g():\n    x = f(1)\n    return await x"],
  [
    "as a method",
    "class C:\n    def m(self):\n        return 1\n",
    "class C:\n    async def m(self):\n        return 1\n",
    "C().m()",
    "became-async C.m",
  ],
]);

const method = (name: string, parameters = "self", decorator = ""): string =>
  `class C:\n${decorator === "" ? "" : `    @${decorator}\n`}    def ${name}(${parameters}):\n        return 1\n    def keep(self):\n        return 2\n`;

/** Its attributes may be set by computed names, so that one which is merely gone may still be there. */
const computed = (name: string, through: string): string =>
  `class C(Base):\n    def ${name}(self):\n        return ${through}${name}()\n    def extend(self, **given):\n        for key in given:\n            setattr(self, key, 1)\n`.replace(
    "class C(Base)",
    "class Base:\n    pass\nclass C(Base)",
  );

cases("a member", [
  ["renamed, on an instance", method("m"), method("n"), "C().m()", "removed-member C.m"],
  ["renamed, on a variable", method("m"), method("n"), "c = lib.C()\nc.m()", "removed-member C.m"],
  [
    "renamed, on a local variable",
    method("m"),
    method("n"),
    "def g():\n    c = C()\n    return c.m()",
    "removed-member C.m",
  ],
  [
    "renamed, on an annotated parameter",
    method("m"),
    method("n"),
    "def g(c: lib.C):\n    return c.m()",
    "removed-member C.m",
  ],
  [
    "renamed, on an optional parameter",
    method("m"),
    method("n"),
    "def g(c: 'C | None', d: C | None):\n    return d.m()",
    "removed-member C.m",
  ],
  ["renamed, on the class", method("m"), method("n"), "C.m(None)", "removed-member C.m"],
  [
    "renamed, in a subclass by self",
    method("m"),
    method("n"),
    "class D(C):\n    def go(self):\n        return self.m()",
    "removed-member C.m",
  ],
  [
    "renamed, by super",
    method("m"),
    method("n"),
    "class D(lib.C):\n    def m(self):\n        return super().m()",
    "removed-member C.m",
  ],
  [
    "renamed, and b's subclass has its own",
    method("m"),
    method("n"),
    "class D(C):\n    def m(self):\n        return 1\n    def go(self):\n        return self.m()",
  ],
  [
    "renamed, on a variable assigned twice",
    method("m"),
    method("n"),
    "def g(z):\n    c = C()\n    c = z\n    return c.m()",
  ],
  [
    "moved to a base",
    method("m"),
    "class B:\n    def m(self):\n        return 1\nclass C(B):\n    def keep(self):\n        return 2\n",
    "C().m()",
  ],
  ["with __getattr__ now", method("m"), "class C:\n    def __getattr__(self, name):\n        return 1\n", "C().m()"],
  [
    "of a class with an unknown base",
    method("m"),
    `import ext\n${method("n").replace("class C:", "class C(ext.B):")}`,
    "C().m()",
  ],
  [
    "of a class with setattr",
    method("m"),
    `${method("n")}    def __init__(self):\n        setattr(self, 'm', 1)\n`,
    "C().m()",
  ],
  ...["self.inner.", "super()."].map((through): Case => [
    `of a class with setattr, renamed with what it calls through ${through}`,
    computed("m", through),
    computed("n", through),
    "C().m()",
    "removed-member C.m",
  ]),
  ["of a class with setattr, removed for another", computed("m", "self.inner."), computed("n", "other."), "C().m()"],
  ["that became a property still read", method("m"), method("m", "self", "property"), "C().m"],
  ["with a new parameter", method("m"), method("m", "self, a"), "C().m()", "signature C.m"],
  [
    "static, with a new parameter",
    method("m", "", "staticmethod"),
    method("m", "a", "staticmethod"),
    "C.m()",
    "signature C.m",
  ],
  [
    "of the class, with a new parameter",
    method("m", "cls", "classmethod"),
    method("m", "cls, a", "classmethod"),
    "C.m()\nC().m()",
    "signature C.m",
  ],
  ["property renamed", method("m", "self", "property"), method("n", "self", "property"), "C().m", "removed-member C.m"],
  [
    "attribute set in __init__, renamed",
    "class C:\n    def __init__(self):\n        self.size = 1\n",
    "class C:\n    def __init__(self):\n        self.length = 1\n",
    "C().size",
    "removed-member C.size",
  ],
  [
    "that b itself stores",
    "class C:\n    def __init__(self):\n        self.size = 1\n",
    "class C:\n    def __init__(self):\n        self.length = 1\n",
    "c = C()\nc.size = 2\nprint(c.size)",
  ],
  [
    "of an instance in another module's variable",
    `${method("m")}\ninst = C()\n`,
    `${method("n")}\ninst = C()\n`,
    "lib.inst.m()",
    "removed-member C.m",
  ],
  [
    "of what a function returns",
    `${method("m")}\ndef make() -> C:\n    return C()\n`,
    `${method("n")}\ndef make() -> C:\n    return C()\n`,
    "lib.make().m()",
    "removed-member C.m",
  ],
  [
    "of an inner class",
    "class C:\n    class D:\n        x = 1\n",
    "class C:\n    class D:\n        y = 1\n",
    "C.D.x",
    "removed-member C.D.x",
  ],
  [
    "made of a function by assignment",
    "def g(self, a):\n    return a\nclass C:\n    m = g\n",
    "def g(self):\n    return 1\nclass C:\n    m = g\n",
    "C().m(1)",
    "signature g",
  ],
  [
    "holding a function, set on self",
    "def g(a):\n    return a\nclass C:\n    def __init__(self):\n        self.m = g\n",
    "def g(a, b=1):\n    return a\nclass C:\n    def __init__(self):\n        self.m = g\n",
    "C().m(1)",
  ],
  [
    "of what a string annotation names, when that is renamed",
    method("m"),
    method("m").replace("class C", "class D"),
    "import lib\ndef g(c: 'lib.C'):\n    return c.m()",
  ],
  [
    "registered on an abstract class",
    `import abc\nclass C(abc.ABC):\n    def register(self):\n        pass\n`,
    "import abc\nclass C(abc.ABC):\n    pass\n",
    "C.register(int)",
  ],
  ["asked for in try", method("m"), method("n"), "try:\n    C().m()\nexcept AttributeError:\n    pass"],
  [
    "holding a function, set on self, that takes more now",
    "def g(a):\n    return a\nclass C:\n    def __init__(self):\n        self.m = g\n",
    "def g(a, b):\n    return a\nclass C:\n    def __init__(self):\n        self.m = g\n",
    "C().m(1)",
    "signature g",
  ],
  [
    "of a class whose base was unknown on b's side",
    "import ext\nclass C(ext.B):\n    pass\n",
    "class C:\n    pass\n",
    "C().m()",
  ],
  [
    "renamed, in a subclass inside a function",
    method("m"),
    method("n"),
    "def g():\n    class D(lib.C):\n        def go(self):\n            return self.m()\n    return D().go()",
    "removed-member C.m",
  ],
  [
    "renamed, on an instance of a subclass inside a function",
    method("m"),
    method("n"),
    "def g():\n    class D(C):\n        pass\n    return D().m()",
    "removed-member C.m",
  ],
]);

const init = (parameters: string): string => `class C:\n    def __init__(${parameters}):\n        pass\n`;
const data = (fields: string): string => `from dataclasses import dataclass, field\n@dataclass\nclass C:\n${fields}`;
const tuple = (fields: string): string => `from typing import NamedTuple\nclass C(NamedTuple):\n${fields}`;
const colour = (members: string): string => `import enum\nclass C(enum.Enum):\n${members}`;

const fields = (...names: string[]): string => names.map((name) => `    ${name}: int\n`).join("");
const iterated = (names: string[]): string =>
  `${tuple(fields(...names))}class S:\n    def __iter__(self) -> "I":\n        return I()\nclass I:\n    def __next__(self) -> C:\n        return make()\n`;

cases("a named tuple", [
  [
    "that is taken apart into fewer names than it has fields now",
    tuple(fields("a", "b")),
    tuple(fields("a", "b", "c")),
    "def go(c: C):\n    a, b = c",
    "signature C",
  ],
  [
    "that is made and taken apart into more names than it has fields now",
    tuple("    a: int\n    b: int = 1\n"),
    tuple(fields("a")),
    "a, b = C(1)",
    "signature C",
  ],
  [
    "that a loop over an iterator of the project takes apart",
    iterated(["a", "b"]),
    iterated(["a", "b", "c"]),
    "def go(s: S):\n    return [b for a, b in s]",
    "signature C",
  ],
  [
    "of which a star takes the rest",
    tuple(fields("a", "b")),
    tuple(fields("a", "b", "c")),
    "def go(c: C):\n    a, *b = c",
  ],
  [
    "whose fields are read by name",
    tuple(fields("a", "b")),
    tuple(fields("a", "b", "c")),
    "def go(c: C):\n    return c.a + c.b",
  ],
  [
    "that says itself what it is taken apart into",
    `${tuple(fields("a", "b"))}    def __iter__(self):\n        return iter((1, 2))\n`,
    `${tuple(fields("a", "b", "c"))}    def __iter__(self):\n        return iter((1, 2))\n`,
    "def go(c: C):\n    a, b = c",
  ],
]);

cases("a constructor", [
  ...[
    ["from collections import abc", "abc.MutableMapping.register"],
    ["import numbers", "numbers.Number.register"],
    ["from typing_extensions import deprecated", 'deprecated("soon")'],
  ].map(([imports, decorator]): Case => [
    `of a class decorated with ${decorator}`,
    `${imports}\n@${decorator}\n${init("self, a")}`,
    `${imports}\n@${decorator}\n${init("self, a, b")}`,
    "C(1)",
    "signature C.__init__",
  ]),
  [
    "of a class that something unknown registers",
    `import ext\n@ext.register\n${init("self, a")}`,
    `import ext\n@ext.register\n${init("self, a, b")}`,
    "C(1)",
  ],
  ["with a newly required parameter", init("self"), init("self, a"), "C()", "signature C.__init__"],
  ["with a renamed keyword", init("self, a=1"), init("self, b=1"), "C(a=2)", "signature C.__init__"],
  ["of a subclass b adds", init("self"), init("self, a"), "class D(C):\n    pass\nD()", "signature C.__init__"],
  [
    "called by super",
    init("self"),
    init("self, a"),
    "class D(C):\n    def __init__(self):\n        super().__init__()",
    "signature C.__init__",
  ],
  [
    "with __new__",
    init("self"),
    `${init("self, a")}    def __new__(cls, *a):\n        return object.__new__(cls)\n`,
    "C()",
  ],
  ["of a dataclass with a new field", data("    a: int\n"), data("    a: int\n    b: int\n"), "C(1)", "signature C"],
  ["of a dataclass with a renamed field", data("    a: int\n"), data("    b: int\n"), "C(a=1)", "signature C"],
  [
    "of a dataclass with a new default",
    data("    a: int\n"),
    data("    a: int\n    b: int = 1\n    c: list = field(default_factory=list)\n"),
    "C(1)",
  ],
  [
    "of a dataclass with a field left out of init",
    data("    a: int\n"),
    data("    a: int\n    b: int = field(init=False)\n"),
    "C(1)",
  ],
  [
    "of a dataclass through its base",
    data("    a: int\n"),
    data("    a: int\n    z: int\n"),
    "from dataclasses import dataclass\n@dataclass\nclass D(C):\n    b: int\nD(1, 2)",
    "signature C",
  ],
  [
    "of a dataclass by super",
    data("    a: int\n"),
    data("    a: int\n    z: int\n"),
    "class D(C):\n    def __init__(self):\n        super().__init__(1)",
    "signature C",
  ],
  [
    "of a named tuple that is written as a call",
    "from collections import namedtuple\nC = namedtuple('C', 'a b')\n",
    "from collections import namedtuple\nC = namedtuple('C', ['a', 'b', 'c'])\n",
    "C(1, 2)",
    "signature C",
  ],
  [
    "of a named tuple that is written as a call, with a default",
    "from collections import namedtuple\nC = namedtuple('C', 'a b')\n",
    "from collections import namedtuple\nC = namedtuple('C', ['a', 'b', 'c'], defaults=[1])\n",
    "C(1, 2)",
  ],
  ["of a named tuple", tuple("    a: int\n"), tuple("    a: int\n    b: int\n"), "C(1)", "signature C"],
]);

cases("a field or member by name", [
  [
    "of a dataclass",
    data("    a: int\n    k: int = 1\n"),
    data("    b: int\n    k: int = 1\n"),
    "def g(c: C):\n    return c.a",
    "removed-member C.a",
  ],
  [
    "of a named tuple",
    tuple("    a: int\n    b: int\n"),
    tuple("    c: int\n    b: int\n"),
    "def g(c: C):\n    return c.a",
    "removed-member C.a",
  ],
  [
    "of a named tuple that is written as a call",
    "from collections import namedtuple\nC = namedtuple('C', 'a b')\n",
    "from collections import namedtuple\nC = namedtuple('C', 'x b')\n",
    "C(1, 2).a",
    "removed-member C.a",
  ],
  ["of a named tuple, its own", tuple("    a: int\n"), tuple("    c: int\n"), "def g(c: C):\n    return c._asdict()"],
  [
    "of an enum",
    colour("    RED = 1\n    BLUE = 2\n"),
    colour("    CRIMSON = 1\n    BLUE = 2\n"),
    "C.RED.value",
    "removed-member C.RED",
  ],
  ["of an enum, kept", colour("    RED = 1\n    BLUE = 2\n"), colour("    RED = 1\n    GREEN = 2\n"), "C.RED.name"],
  [
    "in a match statement",
    colour("    RED = 1\n    BLUE = 2\n"),
    colour("    CRIMSON = 1\n    BLUE = 2\n"),
    "def g(c):\n    match c:\n        case C.RED:\n            return 1",
    "removed-member C.RED",
  ],
]);
