// Signatures that change, and calls of the other side that do or do not fit them.

import type { Case, Work } from "./examiner-case.ts";

const totalNeedsCurrency: Work = {
  "shop/prices.py": [["def total(items, rate=RATE)", "def total(items, currency, rate=RATE)"]],
  "shop/orders.py": [["total(self.items)", "total(self.items, 'EUR')"]],
};
const totalWithoutRate: Work = {
  "shop/prices.py": [
    ["def total(items, rate=RATE):\n    return sum(items) * (1 + rate)", "def total(items):\n    return sum(items)"],
  ],
};
const discountNeedsReason: Work = {
  "shop/prices.py": [
    ['def __init__(self, percent, label=""):', 'def __init__(self, percent, reason, label=""):'],
    ["cls(float(text))", "cls(float(text), text)"],
  ],
  "shop/orders.py": [["Discount(0.1)", "Discount(0.1, 'new')"]],
};

const prices = "from shop.prices import Discount, Line, net, quote, total\n\n";

export const byCall: readonly Case[] = [
  call("a required parameter more, positional call", totalNeedsCurrency, "print(total([1]))", "total"),
  call("a required parameter more, call with a keyword", totalNeedsCurrency, "print(total([1], rate=0.1))", "total"),
  call("a required parameter more, all by keyword", totalNeedsCurrency, "print(total(items=[1], rate=3))", "total"),
  call("a required parameter more, given by chance", totalNeedsCurrency, "print(total([1], 'x'))", null),
  call("a required parameter more, starred call", totalNeedsCurrency, "args = [[1], 2]\nprint(total(*args))", null),
  call(
    "a required parameter more, call with a dict",
    totalNeedsCurrency,
    "more = {'currency': 1}\nprint(total([1], **more))",
    null,
  ),
  call("a required parameter more, only handed on", totalNeedsCurrency, "print(list(map(total, [])))", null),
  call(
    "an optional parameter more",
    { "shop/prices.py": [["items, rate=RATE)", "items, rate=RATE, currency='EUR')"]] },
    "print(total([1], 2))",
    null,
  ),
  call("a parameter less, not given", totalWithoutRate, "print(total([1]))", null),
  call("a parameter less, given by keyword", totalWithoutRate, "print(total([1], rate=2))", "total"),
  call("a parameter less, given by place", totalWithoutRate, "print(total([1], 2))", "total"),
  call(
    "a parameter renamed, given by keyword",
    {
      "shop/prices.py": [
        ["items, rate=RATE", "items, share=RATE"],
        ["(1 + rate)", "(1 + share)"],
      ],
    },
    "print(total([1], rate=2))",
    "total",
  ),
  call(
    "a parameter renamed, given by place",
    {
      "shop/prices.py": [
        ["items, rate=RATE", "items, share=RATE"],
        ["(1 + rate)", "(1 + share)"],
      ],
    },
    "print(total([1], 2))",
    null,
  ),
  call(
    "a parameter becomes keyword-only, given by place",
    { "shop/prices.py": [["items, rate=RATE", "items, *, rate=RATE"]] },
    "print(total([1], 2))",
    "total",
  ),
  call(
    "a parameter becomes keyword-only, given by keyword",
    { "shop/prices.py": [["items, rate=RATE", "items, *, rate=RATE"]] },
    "print(total([1], rate=2))",
    null,
  ),
  call(
    "a parameter becomes positional-only, given by keyword",
    { "shop/prices.py": [["total(items, rate", "total(items, /, rate"]] },
    "print(total(items=[1]))",
    "total",
  ),
  call(
    "parameters become *args and **kwargs",
    {
      "shop/prices.py": [
        [
          "def total(items, rate=RATE):\n    return sum(items) * (1 + rate)",
          "def total(*args, **kwargs):\n    return sum(args[0])",
        ],
      ],
    },
    "print(total([1], rate=2), total([1], 3))",
    null,
  ),
  call(
    "a keyword-only parameter loses its default",
    {
      "shop/prices.py": [["*, digits=2", "*, digits"]],
      "shop/orders.py": [["(total(self.items)))", "(total(self.items)), digits=2)"]],
    },
    "print(net(3))",
    "net",
  ),
  call(
    "a keyword-only parameter loses its default and is given",
    {
      "shop/prices.py": [["*, digits=2", "*, digits"]],
      "shop/orders.py": [["(total(self.items)))", "(total(self.items)), digits=2)"]],
    },
    "print(net(3, digits=1))",
    null,
  ),
  call(
    "a decorated function is not judged by its own parameters",
    {
      "shop/prices.py": [
        [
          "def total(items, rate=RATE)",
          "def any_call(f):\n    return lambda *a, **k: f(0, 1)\n\n\n@any_call\ndef total(items, currency, rate=RATE)",
        ],
      ],
    },
    "print(total([1]))",
    null,
  ),
  call("a required parameter of __init__", discountNeedsReason, "print(Discount(0.1))", "Discount"),
  call("a required parameter of __init__, given", discountNeedsReason, "print(Discount(0.1, 'x'))", null),
  call(
    "a required parameter of __init__, by super",
    discountNeedsReason,
    "class Half(Discount):\n    def __init__(self):\n        super().__init__(0.5)",
    "Discount",
  ),
  call(
    "a required parameter of __init__, by the inherited one",
    discountNeedsReason,
    "class Half(Discount):\n    pass\n\n\nprint(Half(0.5))",
    "Discount",
  ),
  call(
    "a required parameter of __init__, and a subclass with its own",
    discountNeedsReason,
    "class Half(Discount):\n    def __init__(self):\n        self.percent = 0.5\n        self.label = ''\n\n\nprint(Half())",
    null,
  ),
  call(
    "a required parameter of an inherited __init__ of theirs",
    { "shop/stock/shelf.py": [["def __init__(self, width):", "def __init__(self, width, depth):"]] },
    "from shop.stock.shelf import WideShelf\n\nprint(WideShelf(3))",
    "Shelf",
  ),
  call(
    "a dataclass has a field more",
    { "shop/prices.py": [['    note: str = ""', '    price: float\n    note: str = ""']] },
    "print(Line('a', 1))",
    "Line",
  ),
  call(
    "a dataclass has a field more with a default",
    { "shop/prices.py": [['    note: str = ""', '    note: str = ""\n    price: float = 0.0']] },
    "print(Line('a', 1))",
    null,
  ),
  call(
    "a dataclass's field is renamed, given by keyword",
    { "shop/prices.py": [["count: int", "number: int"]] },
    "print(Line(sku='a', count=1))",
    "Line",
  ),
  call(
    "a dataclass's field is renamed, given by place",
    { "shop/prices.py": [["count: int", "number: int"]] },
    "print(Line('a', 1))",
    null,
  ),
  call(
    "a dataclass's field is renamed and read",
    { "shop/prices.py": [["count: int", "number: int"]] },
    "line = Line('a', 1)\nprint(line.count)",
    "count",
  ),
  call(
    "a dataclass becomes keyword-only",
    { "shop/prices.py": [["@dataclass\n", "@dataclass(kw_only=True)\n"]] },
    "print(Line('a', 1))",
    "Line",
  ),
  call(
    "a dataclass's field leaves",
    { "shop/prices.py": [['    note: str = ""\n', ""]] },
    "print(Line('a', 1, 'new'))",
    "Line",
  ),
  call(
    "a method has a required parameter more",
    {
      "shop/prices.py": [["def apply(self, amount)", "def apply(self, amount, currency)"]],
      "shop/orders.py": [["apply(total(self.items))", "apply(total(self.items), 'EUR')"]],
    },
    "print(Discount(0.1).apply(3))",
    "apply",
  ),
  call(
    "a method has a required parameter more, called by self in a subclass",
    {
      "shop/prices.py": [["def apply(self, amount)", "def apply(self, amount, currency)"]],
      "shop/orders.py": [["apply(total(self.items))", "apply(total(self.items), 'EUR')"]],
    },
    "class Half(Discount):\n    def twice(self):\n        return self.apply(2)",
    "apply",
  ),
  call(
    "a method has a required parameter more, called by super",
    {
      "shop/prices.py": [["def apply(self, amount)", "def apply(self, amount, currency)"]],
      "shop/orders.py": [["apply(total(self.items))", "apply(total(self.items), 'EUR')"]],
    },
    "class Half(Discount):\n    def apply(self, amount, currency=None):\n        return super().apply(amount)",
    "apply",
  ),
  call(
    "a class method has a required parameter more",
    { "shop/prices.py": [["def parse(cls, text)", "def parse(cls, text, sign)"]] },
    "print(Discount.parse('0.1'))",
    "parse",
  ),
  call(
    "a static method has a required parameter more",
    { "shop/prices.py": [["def allowed(percent)", "def allowed(percent, limit)"]] },
    "print(Discount.allowed(0.1))",
    "allowed",
  ),
  call(
    "a method becomes static, called as before",
    {
      "shop/prices.py": [
        [
          "    def describe(self):\n        return self.label",
          "    @staticmethod\n    def describe():\n        return ''",
        ],
      ],
    },
    "print(Discount(0.1).describe())",
    null,
  ),
  call(
    "a method becomes a property and is called",
    {
      "shop/prices.py": [
        ["    def describe(self)", "    @property\n    def describe(self) -> str"],
        ["self.label = label", "self.label: str = label"],
      ],
    },
    "print(Discount(0.1).describe())",
    "describe",
  ),
  call(
    "a property becomes a method and is read as text",
    { "shop/prices.py": [["    @property\n    def title(self)", "    def title(self)"]] },
    "print(Discount(0.1).title.upper())",
    "title",
  ),
  call(
    "a static method becomes a method, called on the class",
    { "shop/prices.py": [["    @staticmethod\n    def allowed(percent)", "    def allowed(self, percent)"]] },
    "print(Discount.allowed(0.1))",
    "allowed",
  ),
  call(
    "a function becomes async and its number is used",
    {
      "shop/prices.py": [["def net(", "async def net("]],
      "shop/orders.py": [
        ["    def cost(self):\n        return net(", "    async def cost(self):\n        return await net("],
      ],
      "shop/reports.py": [
        [
          'def report(order: Order):\n    return f"cost {order.cost()}"',
          'async def report(order: Order):\n    return f"cost {await order.cost()}"',
        ],
      ],
    },
    "print(net(3) + 1)",
    "net",
  ),
  call(
    "an async function becomes sync and is awaited",
    { "shop/prices.py": [["async def quote(", "def quote("]] },
    "async def ask():\n    return await quote('a')",
    "quote",
  ),
  call(
    "a function keeps its parameters and changes its body",
    { "shop/prices.py": [["return sum(items) * (1 + rate)", "return round(sum(items) * (1 + rate), 2)"]] },
    "print(total([1], rate=2))",
    null,
  ),
  call(
    "a function gets annotations",
    {
      "shop/prices.py": [["def total(items, rate=RATE)", "def total(items: list[float], rate: float = RATE) -> float"]],
    },
    "print(total([1], rate=2))",
    null,
  ),
  call(
    "parameters change, and the call's name is a local's",
    totalNeedsCurrency,
    "def f(total):\n    return total([1])",
    null,
  ),
  call(
    "parameters change, and another module's is called",
    totalNeedsCurrency,
    "from shop.names import total as count\n\nprint(count('a'))",
    null,
  ),
  {
    name: "call: an abstract method more, and a new subclass without it",
    breaks: "close",
    base: {
      "kit/__init__.py": "",
      "kit/base.py":
        "from abc import ABC, abstractmethod\n\n\nclass Source(ABC):\n    @abstractmethod\n    def read(self):\n        ...\n",
    },
    ours: {
      "kit/base.py":
        "from abc import ABC, abstractmethod\n\n\nclass Source(ABC):\n    @abstractmethod\n    def read(self):\n        ...\n\n    @abstractmethod\n    def close(self):\n        ...\n",
    },
    theirs: {
      "kit/use.py":
        "from kit.base import Source\n\n\nclass Disk(Source):\n    def read(self):\n        return 1\n\n\nprint(Disk())\n",
    },
  },
  {
    name: "call: a named tuple's field is renamed and read",
    breaks: "x",
    base: {
      "kit/__init__.py": "",
      "kit/point.py": "from typing import NamedTuple\n\n\nclass Point(NamedTuple):\n    x: int\n    y: int\n",
    },
    ours: { "kit/point.py": [["x: int", "left: int"]] },
    theirs: { "kit/use.py": "from kit.point import Point\n\nprint(Point(1, 2).x)\n" },
  },
  {
    name: "call: a named tuple has a field more",
    breaks: "Point",
    base: {
      "kit/__init__.py": "",
      "kit/point.py": "from typing import NamedTuple\n\n\nclass Point(NamedTuple):\n    x: int\n    y: int\n",
    },
    ours: { "kit/point.py": [["y: int", "y: int\n    z: int"]] },
    theirs: { "kit/use.py": "from kit.point import Point\n\nprint(Point(1, 2))\n" },
  },
  {
    name: "call: the caller is in the file that both change",
    breaks: "report",
    ours: {
      "shop/reports.py": [
        ["def report(order: Order)", "def report(order: Order, width)"],
        ["[report(order)]", "[report(order, 3)]"],
      ],
    },
    theirs: {
      "tests/test_reports.py":
        "from shop.orders import Order\nfrom shop.reports import report\n\n\ndef test_report():\n    assert report(Order([1]))\n",
    },
  },
  {
    name: "call: both change the same function's callers, which fit",
    breaks: null,
    ours: totalNeedsCurrency,
    theirs: {
      "tests/test_orders.py":
        "from shop.orders import Order\n\n\ndef test_cost():\n    assert Order([1, 2]).cost() > 0\n\n\ndef test_two():\n    assert Order([2]).cost() > 0\n",
    },
  },
];

/** One changes a signature in the shop, the other adds a file that calls. */
function call(name: string, ours: Work, code: string, breaks: string | null): Case {
  return { name: `call: ${name}`, breaks, ours, theirs: { "shop/audit.py": `${prices}\n${code}\n` } };
}
