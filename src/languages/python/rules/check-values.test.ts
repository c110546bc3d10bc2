// Checks what a value is, where that has to be worked out: items of collections, what a condition says, what functions give, bases from
// outside. Also checks members that are still there but are used differently.

import { describe, expect, test } from "bun:test";
import { run } from "./scenario.suite.ts";

type Case = readonly [name: string, before: string, after: string, use: string, ...expected: string[]];

function cases(title: string, list: readonly Case[]): void {
  describe(title, () => {
    for (const [name, before, after, use, ...expected] of list) {
      test(name, async () => {
        const theirs = { "app.py": `import lib\nfrom lib import C\n${use}\n` };
        const { conflicts } = await run({ base: { "lib.py": before }, ours: { "lib.py": after }, theirs });
        expect(conflicts.map(({ rule, symbol }) => `${rule} ${symbol}`).sort()).toEqual([...expected].sort());
      });
    }
  });
}

const classOf = (name: string, base = ""): string =>
  `class C${base}:\n    def ${name}(self):\n        return [1]\n    def keep(self):\n        return self\n`;
const [old, gone] = [classOf("m"), classOf("n")];

const renamed = (name: string, use: string, isTold = true): Case => [
  name,
  old,
  gone,
  use,
  ...(isTold ? ["removed-member C.m"] : []),
];

cases("a renamed method on", [
  renamed("what is cast", "import typing\ndef g(one):\n    return typing.cast(C, one).m()"),
  renamed("what is cast by name", "from typing import cast\ndef g(one):\n    it = cast('C', one)\n    return it.m()"),
  renamed(
    "what a context manager gives",
    "import contextlib, typing\n@contextlib.contextmanager\ndef make() -> typing.Iterator[C]:\n    yield C()\n\nwith make() as one:\n    one.m()",
  ),
  renamed(
    "what one loops over by its own word",
    "import typing\nclass D:\n    def __iter__(self) -> typing.Iterator[C]:\n        yield C()\n    def __getitem__(self, at) -> C:\n        return C()\n\nfor one in D():\n    one.m()\nD()[0].m()",
  ),
  renamed(
    "a generic class",
    "import typing\nT = typing.TypeVar('T')\nclass D(C, typing.Generic[T]):\n    pass\n\ndef g(one: D[int]):\n    return one.m()",
  ),
  renamed("one of two by Union", "import typing\ndef g(one: typing.Union[C, int]):\n    return one.m()", false),
  renamed("an item of a list that is written out", "def g():\n    many = [C(), C()]\n    return many[0].m()"),
  renamed("an item of a mixed list", "def g(other):\n    many = [C(), other]\n    return many[0].m()", false),
  renamed("an item of a list", "def g(many: list[C]):\n    return many[0].m()"),
  renamed("each item of a list", "def g(many: list[C]):\n    for one in many:\n        one.m()"),
  renamed("each item in a comprehension", "def g(many: list[C]):\n    return [one.m() for one in many]"),
  renamed("each item with its number", "def g(many: list[C]):\n    for at, one in enumerate(many):\n        one.m()"),
  renamed("the items in order", "def g(many: set[C]):\n    for one in sorted(many):\n        one.m()"),
  renamed("a slice's item", "def g(many: list[C]):\n    return many[1:][0].m()"),
  renamed("a value of a mapping", "def g(many: dict[str, C]):\n    return many['a'].m()"),
  renamed("each value of a mapping", "def g(many: dict[str, C]):\n    for one in many.values():\n        one.m()"),
  renamed("each pair's value", "def g(many: dict[str, C]):\n    for key, one in many.items():\n        one.m()"),
  renamed("each key of a mapping", "def g(many: dict[C, int]):\n    for one in many:\n        one.m()", false),
  renamed("what a mapping has or a default", "def g(many: dict[str, C], d):\n    return many.get('a', d).m()", false),
  renamed("a list itself", "def g(many: list[C]):\n    return many.m()", false),
  renamed("what isinstance says", "def g(one):\n    if isinstance(one, C):\n        return one.m()"),
  renamed(
    "what isinstance says beside more",
    "def g(one, b):\n    if b and isinstance(one, C):\n        return one.m()",
  ),
  renamed(
    "what isinstance says in elif",
    "def g(one):\n    if not one:\n        pass\n    elif isinstance(one, C):\n        one.m()",
  ),
  renamed("what was asserted", "def g(one):\n    assert isinstance(one, C)\n    return one.m()"),
  renamed("what is left", "def g(one):\n    if not isinstance(one, C):\n        return None\n    return one.m()"),
  renamed("one of two classes", "def g(one):\n    if isinstance(one, (C, int)):\n        return one.m()", false),
  renamed(
    "what isinstance denies",
    "def g(one):\n    if isinstance(one, C):\n        return 1\n    return one.m()",
    false,
  ),
  renamed(
    "what is bound again",
    "def g(one, two):\n    if isinstance(one, C):\n        one = two\n        return one.m()",
    false,
  ),
  renamed("what a function gives without saying", "def make():\n    return C()\n\nmake().m()"),
  renamed(
    "what a function gives one way or the other",
    "def make(a):\n    if a:\n        return C()\n    return 1\n\nmake(1).m()",
    false,
  ),
  renamed("what a generator gives", "def make():\n    yield 1\n    return C()\n\nmake().m()", false),
  renamed("what a method gives back of itself", "C().keep().m()"),
  renamed(
    "what is entered",
    "class D(C):\n    def __enter__(self):\n        return self\n    def __exit__(self, *a):\n        pass\n\nwith D() as d:\n    d.m()",
  ),
  [
    "what a subclass makes of its own",
    `class A:\n    def m(self):\n        return 1\nclass C:\n    kind = A\n    def make(self):\n        return self.kind()\n`,
    `class A:\n    def n(self):\n        return 1\nclass C:\n    kind = A\n    def make(self):\n        return self.kind()\n`,
    "class B:\n    def m(self):\n        return 1\n\nclass D(C):\n    kind = B\n\nD().make().m()",
  ],
  renamed(
    "an instance of a subclass's own kind",
    "class D(C):\n    def m(self):\n        return 2\n\nD().keep().m()",
    false,
  ),
]);

const typed = "import typing, collections.abc\n";

cases("a base from outside", [
  [
    "of the standard library",
    `${typed}${classOf("m", "(typing.MutableMapping[str, str])")}`,
    `${typed}${classOf("n", "(typing.MutableMapping[str, str])")}`,
    "C().m()",
    "removed-member C.m",
  ],
  ["that has the member", `${classOf("pop", "(dict)")}`, `${classOf("n", "(dict)")}`, "C().pop()"],
  [
    "that is not known, and the member is renamed",
    `import ext\n${classOf("m", "(ext.B)")}`,
    `import ext\n${classOf("n", "(ext.B)")}`,
    "C().m()",
    "removed-member C.m",
  ],
  [
    "that is not known, and the member is removed",
    `import ext\n${classOf("m", "(ext.B)")}`,
    "import ext\nclass C(ext.B):\n    def keep(self):\n        return self\n",
    "C().m()",
  ],
  [
    "that is not known, and another member is added",
    `import ext\n${classOf("m", "(ext.B)")}`,
    `import ext\n${classOf("n", "(ext.B)").replace("[1]", "[2]")}`,
    "C().m()",
  ],
  ["that is new and not known", old, `import ext\n${classOf("n", "(ext.B)")}`, "C().m()"],
  [
    "that is not known, and an attribute is renamed",
    "import ext\nclass C(ext.B):\n    def __init__(self):\n        self.size = [3]\n",
    "import ext\nclass C(ext.B):\n    def __init__(self):\n        self.width = [3]\n",
    "C().size",
    "removed-member C.size",
  ],
]);

const property = (name: string): string => `class C:\n    @property\n    def ${name}(self):\n        return [1]\n`;
const abstract = (more: string): string =>
  `from abc import ABC, abstractmethod\nclass C(ABC):\n    @abstractmethod\n    def m(self):\n        ...\n${more}`;
const needsMore = abstract("    @abstractmethod\n    def n(self):\n        ...\n");
const data = (options: string): string =>
  `from dataclasses import dataclass\n@dataclass${options}\nclass C:\n    a: int\n`;
const asked = (head: string, body: string): string => `class C:\n    ${head} m(self):\n        return ${body}\n`;

cases("a member used otherwise:", [
  ["a property is called", classOf("m"), property("m"), "C().m()", "signature C.m"],
  [
    "a property that gives something to call is called",
    classOf("m"),
    property("m").replace("return [1]", "return self.find()"),
    "C().m()",
  ],
  ["a property is read", classOf("m"), property("m"), "C().m"],
  ["a method is not called", property("m"), classOf("m"), "print(C().m)", "signature C.m"],
  ["a method is called", property("m"), classOf("m"), "C().m()"],
  [
    "an abstract method is wanting",
    abstract(""),
    needsMore,
    "class D(C):\n    def m(self):\n        return 1\n\nD()",
    "signature C.n",
  ],
  [
    "an abstract method is there",
    abstract(""),
    needsMore,
    "class D(C):\n    def m(self):\n        return 1\n    n = m\n\nD()",
  ],
  ["an abstract class stays unconstructed", abstract(""), needsMore, "class D(C):\n    def m(self):\n        return 1"],
  ["a dataclass's fields go by name only", data(""), data("(kw_only=True)"), "C(1)", "signature C"],
  ["a dataclass's fields are given by name", data(""), data("(kw_only=True)"), "C(a=1)"],
  ["a dataclass's option is off", data(""), data("(kw_only=False)"), "C(1)"],
  [
    "what is no longer async is awaited",
    asked("async def", "1"),
    asked("def", "1"),
    "async def g(c: C):\n    return await c.m()",
    "signature C.m",
  ],
  [
    "what gives an instance now is awaited",
    `class R:\n    pass\n${asked("async def", "R()")}`,
    `class R:\n    pass\n${asked("def", "R()")}`,
    "async def g(c: C):\n    return await c.m()",
    "signature C.m",
  ],
  [
    "what gives an instance that can be awaited is awaited",
    `class R:\n    def __await__(self):\n        yield\n${asked("async def", "R()")}`,
    `class R:\n    def __await__(self):\n        yield\n${asked("def", "R()")}`,
    "async def g(c: C):\n    return await c.m()",
  ],
  [
    "what gives something to await is awaited",
    asked("async def", "1"),
    asked("def", "other()"),
    "async def g(c: C):\n    return await c.m()",
  ],
  [
    "an override hands on what is async now",
    asked("def", "1"),
    asked("async def", "1"),
    "class D(C):\n    def m(self):\n        return super().m()",
  ],
  [
    "another method does not await it",
    asked("def", "1"),
    asked("async def", "1"),
    "class D(C):\n    def other(self):\n        return super().m()",
    "became-async C.m",
  ],
]);

const answering = (names: string, function_: string): string =>
  `def ${function_}():\n    return 1\n\nC = 1\n\ndef __getattr__(name):\n    if name in ${names}:\n        return globals()['_' + name]\n    raise AttributeError(name)\n`;

cases("a module that executes text", [
  ["elsewhere", `C = 1\ndef f():\n    exec("x", {})\n`, `C = 1\ndef g():\n    exec("x", {})\n`, "lib.f()", "renamed f"],
  ["in itself", `C = 1\ndef f():\n    exec("x")\n`, `C = 1\ndef g():\n    exec("x")\n`, "lib.f()"],
]);

cases("a module's __getattr__", [
  ["that does not answer for it", answering('{"other"}', "f"), answering('{"other"}', "g"), "lib.f()", "renamed f"],
  ["that answers for it", answering('{"other"}', "f"), answering('{"other", "f"}', "g"), "lib.f()"],
  [
    "that keeps a table",
    answering('{"other"}', "f"),
    "import typing\nC = 1\ndef g():\n    return 1\nif not typing.TYPE_CHECKING:\n    def __getattr__(name):\n        table = {'a': 'b'}\n        if name in table:\n            return 1\n        raise AttributeError(name)\n",
    "lib.f()",
    "renamed f",
  ],
  [
    "that answers for any",
    answering('{"other"}', "f"),
    "C = 1\ndef g():\n    return 1\ndef __getattr__(name):\n    return g\n",
    "lib.f()",
  ],
]);
