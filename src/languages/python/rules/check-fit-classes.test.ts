// Constructors, named tuples and fields that fitted on their own side and no longer fit in the merge; and the ways in which they still do.

import { type Case, cases } from "./fit-cases.suite.ts";

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
