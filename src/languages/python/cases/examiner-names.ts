// Names that are renamed, removed, moved or hidden, and how the other side comes to use or only to mention them.

import type { Case, Work } from "./examiner-case.ts";

/** `total` of prices becomes `sum_up`, everywhere. */
const renameTotal: Work = {
  "shop/prices.py": [["def total(", "def sum_up("]],
  "shop/__init__.py": [["total", "sum_up"]],
  "shop/orders.py": [["total", "sum_up"]],
};

const renameNet: Work = {
  "shop/prices.py": [["def net(", "def rounded("]],
  "shop/orders.py": [
    [", net,", ", rounded,"],
    ["net(self", "rounded(self"],
  ],
};

const renameShelf: Work = {
  "shop/stock/shelf.py": [
    ["class Shelf:", "class Rack:"],
    ["(Shelf)", "(Rack)"],
  ],
  "shop/stock/__init__.py": [["Shelf", "Rack"]],
  "shop/orders.py": [
    ["import Shelf", "import Rack"],
    ["list[Shelf]", "list[Rack]"],
  ],
};

const dropUnused: Work = { "shop/prices.py": [["def unused_price(amount):\n    return amount\n\n\n", ""]] };

export const byName: readonly Case[] = [
  use(
    "from import in a new file",
    "from shop.prices import total\n\n\ndef vat(items):\n    return total(items) * 0.2\n",
    true,
  ),
  use("from import with another name", "from shop.prices import total as add\n\nprint(add([1]))\n", true),
  use("module attribute", "import shop.prices\n\n\ndef vat(items):\n    return shop.prices.total(items)\n", true),
  use("module under another name", "import shop.prices as p\n\n\ndef vat(items):\n    return p.total(items)\n", true),
  use(
    "module from its package",
    "from shop import prices\n\n\ndef vat(items):\n    return prices.total(items)\n",
    true,
  ),
  use("relative import", "from .prices import total\n\n\ndef vat(items):\n    return total(items)\n", true),
  use("relative module", "from . import prices\n\n\ndef vat(items):\n    return prices.total(items)\n", true),
  use("what the package gives on", "import shop\n\n\ndef vat(items):\n    return shop.total(items)\n", true),
  use("from import of what the package gives on", "from shop import total\n\nprint(total([2]))\n", true),
  use("star import", "from shop.prices import *\n\n\ndef vat(items):\n    return total(items)\n", true),
  use(
    "import inside a function",
    "def vat(items):\n    from shop.prices import total\n\n    return total(items)\n",
    true,
  ),
  use(
    "import over several lines",
    "from shop.prices import (\n    RATE,\n    total,\n)\n\nprint(total([RATE]))\n",
    true,
  ),
  use("a module's function handed on", "from shop import prices\n\ncallbacks = [prices.total, len]\n", true),
  use(
    "a default of a parameter",
    "from shop.prices import total\n\n\ndef sell(items, how=total):\n    return how(items)\n",
    true,
  ),
  use("a lambda", "from shop import prices\n\nadd = lambda items: prices.total(items)\n", true),
  use("a comprehension", "from shop import prices\n\nsums = [prices.total(row) for row in [[1]]]\n", true),
  use("an f-string", 'from shop import prices\n\nprint(f"{prices.total([1]):.2f}")\n', true),
  use("a string", 'NAMES = ["total", "shop.prices.total"]\n', false),
  use("a comment", "# total(items) of shop.prices adds up\nNAMES = []\n", false),
  use("a docstring", '"""See shop.prices.total and ``total(items)``."""\n', false),
  use("a function of its own", "def total(items):\n    return len(items)\n\n\nprint(total([]))\n", false),
  use(
    "a parameter of that name",
    "from shop import prices\n\n\ndef vat(total):\n    return total * prices.RATE\n",
    false,
  ),
  use("a local variable of that name", "def vat(items):\n    total = sum(items)\n    return total\n", false),
  use("a loop variable of that name", "for total in [1, 2]:\n    print(total)\n", false),
  use("a keyword of that name", "print(dict(total=3))\n", false),
  use("an attribute of something else", "class Sum:\n    total = 3\n\n\nprint(Sum.total, Sum().total)\n", false),
  use("the same name in another module", "from shop.names import total\n\nprint(total('a'))\n", false),
  use("the other module's attribute", "from shop import names\n\nprint(names.total('a'))\n", false),
  use(
    "an import that is then shadowed",
    "from shop import prices\n\n\ndef vat(prices):\n    return prices.total\n",
    false,
  ),
  use("getattr with a default", "from shop import prices\n\nadd = getattr(prices, 'total', sum)\n", false),
  use("hasattr", "from shop import prices\n\nprint(hasattr(prices, 'total'))\n", false),
  use(
    "a guarded import",
    "try:\n    from shop.prices import total\nexcept ImportError:\n    total = sum\n\nprint(total([1]))\n",
    false,
  ),
  use("what is unchanged beside it", "from shop.prices import RATE, Discount\n\nprint(RATE, Discount(0.5))\n", false),
  use(
    "type checking only",
    "from typing import TYPE_CHECKING\n\nif TYPE_CHECKING:\n    from shop.prices import total\n\nx: 'int' = 1\n",
    true,
  ),
  {
    name: "a use in a file that both change",
    breaks: "total",
    ours: renameTotal,
    theirs: {
      "shop/reports.py": [
        ["import Order\n", "import Order\nfrom shop.prices import total\n"],
        ["return [report(order)]", "return [report(order), total([1])]"],
      ],
    },
  },
  {
    name: "a use in the defining file, far from the rename",
    breaks: "total",
    ours: renameTotal,
    theirs: {
      "shop/prices.py": [
        [
          "class PriceError(Exception):\n    pass\n",
          "class PriceError(Exception):\n    pass\n\n\ndef twice(items):\n    return 2 * total(items)\n",
        ],
      ],
    },
  },
  {
    name: "an alias is kept",
    breaks: null,
    ours: {
      ...renameTotal,
      "shop/prices.py": [
        ["def total(", "def sum_up("],
        ["def net(", "total = sum_up\n\n\ndef net("],
      ],
    },
    theirs: { "shop/vat.py": "from shop.prices import total\n\nprint(total([1]))\n" },
  },
  {
    name: "the old name is kept as a function that warns",
    breaks: null,
    ours: {
      ...renameTotal,
      "shop/prices.py": [
        ["def total(", "def sum_up("],
        ["def net(", "def total(*args, **kwargs):\n    return sum_up(*args, **kwargs)\n\n\ndef net("],
      ],
    },
    theirs: { "shop/vat.py": "from shop.prices import total\n\nprint(total([1]))\n" },
  },
  {
    name: "the package keeps giving the old name on",
    breaks: null,
    ours: { ...renameTotal, "shop/__init__.py": [["Discount, total", "Discount, sum_up as total"]] },
    theirs: { "shop/vat.py": "from shop import total\n\nprint(total([1]))\n" },
  },
  {
    name: "__getattr__ of the module answers for old names",
    breaks: null,
    ours: {
      ...renameTotal,
      "shop/prices.py": [
        ["def total(", "def sum_up("],
        ["def net(", "def __getattr__(name):\n    return sum_up\n\n\ndef net("],
      ],
    },
    theirs: { "shop/vat.py": "from shop import prices\n\nprint(prices.total([1]))\n" },
  },
  {
    name: "a local function is renamed",
    breaks: null,
    ours: {
      "shop/reports.py": [
        [
          "def other(order):\n    return [report(order)]",
          "def other(order):\n    def inner_two():\n        return 1\n\n    return [report(order), inner_two()]",
        ],
      ],
    },
    theirs: { "shop/vat.py": "def inner():\n    return 2\n\n\nprint(inner())\n" },
  },
  {
    name: "an unused function is deleted and used by the other",
    breaks: "unused_price",
    ours: dropUnused,
    theirs: { "shop/vat.py": "from shop.prices import unused_price\n\nprint(unused_price(3))\n" },
  },
  {
    name: "an unused function is deleted and named in a test's text",
    breaks: null,
    ours: dropUnused,
    theirs: { "tests/test_vat.py": "def test_vat():\n    assert 'unused_price' != ''\n" },
  },
  {
    name: "a function moves to another module",
    breaks: "net",
    ours: {
      "shop/prices.py": [["def net(amount, *, digits=2):\n    return round(amount, digits)\n\n\n", ""]],
      "shop/rounding.py": "def net(amount, *, digits=2):\n    return round(amount, digits)\n",
      "shop/orders.py": [["Discount, net, total", "Discount, total\nfrom shop.rounding import net"]],
    },
    theirs: { "shop/vat.py": "from shop.prices import net\n\nprint(net(1.234))\n" },
  },
  {
    name: "a function moves and is imported back",
    breaks: null,
    ours: {
      "shop/prices.py": [
        ["def net(amount, *, digits=2):\n    return round(amount, digits)\n\n\n", ""],
        ["RATE = 0.2", "from shop.rounding import net\n\nRATE = 0.2"],
      ],
      "shop/rounding.py": "def net(amount, *, digits=2):\n    return round(amount, digits)\n",
    },
    theirs: { "shop/vat.py": "from shop.prices import net\n\nprint(net(1.234))\n" },
  },
  {
    name: "a constant is renamed",
    breaks: "RATE",
    ours: { "shop/prices.py": [["RATE", "VAT_RATE"]] },
    theirs: { "shop/vat.py": "import shop.prices\n\nprint(shop.prices.RATE)\n" },
  },
  {
    name: "a class is renamed and annotates",
    breaks: "Shelf",
    ours: renameShelf,
    theirs: {
      "shop/audit.py":
        "from shop.stock.shelf import Shelf\n\n\ndef audit(shelf: Shelf) -> int:\n    return shelf.weigh()\n",
    },
  },
  {
    name: "a class is renamed and is a base",
    breaks: "Shelf",
    ours: renameShelf,
    theirs: { "shop/audit.py": "from shop.stock import Shelf\n\n\nclass Cold(Shelf):\n    pass\n" },
  },
  {
    name: "a class is renamed and told by isinstance",
    breaks: "Shelf",
    ours: renameShelf,
    theirs: {
      "shop/audit.py": "import shop.stock.shelf as s\n\n\ndef audit(thing):\n    return isinstance(thing, s.Shelf)\n",
    },
  },
  {
    name: "a class is renamed, and the other's class has the old name",
    breaks: null,
    ours: renameShelf,
    theirs: { "shop/audit.py": "class Shelf:\n    pass\n\n\nprint(Shelf())\n" },
  },
  {
    name: "a class is renamed, and another module's class is used",
    breaks: null,
    ours: renameShelf,
    theirs: { "shop/audit.py": "from shop.names import Shelf\n\nprint(Shelf().put(1))\n" },
  },
  {
    name: "an exception is renamed and caught",
    breaks: "PriceError",
    ours: { "shop/prices.py": [["PriceError", "CostError"]] },
    theirs: {
      "shop/audit.py": "from shop.prices import PriceError\n\ntry:\n    print(1)\nexcept PriceError:\n    pass\n",
    },
  },
  {
    name: "a decorator is renamed and decorates",
    breaks: "traced",
    ours: { "shop/prices.py": [["def traced(", "def logged("]] },
    theirs: { "shop/audit.py": "from shop.prices import traced\n\n\n@traced\ndef audit():\n    return 1\n" },
  },
  {
    name: "a name is no longer given on by the package",
    breaks: "Shelf",
    ours: { "shop/stock/__init__.py": '"""What lies on the shelves."""\n' },
    theirs: { "shop/audit.py": "from shop.stock import Shelf\n\nprint(Shelf(3))\n" },
  },
  {
    name: "a name is no longer given on, and is imported from its home",
    breaks: null,
    ours: { "shop/stock/__init__.py": '"""What lies on the shelves."""\n' },
    theirs: { "shop/audit.py": "from shop.stock.shelf import Shelf\n\nprint(Shelf(3))\n" },
  },
  {
    name: "a name leaves __all__ and is taken by a star",
    breaks: "total",
    ours: { "shop/__init__.py": [[', "total"]', "]"]] },
    theirs: { "tests/test_star.py": "from shop import *\n\n\ndef test_star():\n    assert total([1]) > 0\n" },
  },
  {
    name: "a name leaves __all__ and is imported by name",
    breaks: null,
    ours: { "shop/__init__.py": [[', "total"]', "]"]] },
    theirs: { "tests/test_star.py": "from shop import total\n\n\ndef test_star():\n    assert total([1]) > 0\n" },
  },
  {
    name: "a module is renamed and imported",
    breaks: "names",
    ours: {
      "shop/names.py": null,
      "shop/words.py":
        "def total(text):\n    return len(text)\n\n\nclass Shelf:\n    def put(self, box):\n        return box\n",
    },
    theirs: { "shop/audit.py": "from shop.names import total\n\nprint(total('a'))\n" },
  },
  {
    name: "a module is renamed and imported as a module",
    breaks: "names",
    ours: {
      "shop/names.py": null,
      "shop/words.py":
        "def total(text):\n    return len(text)\n\n\nclass Shelf:\n    def put(self, box):\n        return box\n",
    },
    theirs: { "shop/audit.py": "from . import names\n\nprint(names.total('a'))\n" },
  },
  {
    name: "a module becomes a package that gives the same on",
    breaks: null,
    ours: {
      "shop/names.py": null,
      "shop/names/__init__.py": "from .texts import total\n\n\nclass Shelf:\n    pass\n",
      "shop/names/texts.py": "def total(text):\n    return len(text)\n",
    },
    theirs: { "shop/audit.py": "from shop.names import total\n\nprint(total('a'))\n" },
  },
  {
    name: "a package is renamed and imported deep",
    breaks: "stock",
    ours: {
      "shop/stock/__init__.py": null,
      "shop/stock/shelf.py": null,
      "shop/store/__init__.py": "from .shelf import Shelf\n",
      "shop/store/shelf.py":
        "class Shelf:\n    def __init__(self, width):\n        self.width = width\n\n\ndef find_shelf(shelves, width):\n    return shelves[0]\n",
      "shop/__init__.py": [["stock", "store"]],
      "shop/orders.py": [["shop.stock.shelf", "shop.store.shelf"]],
    },
    theirs: { "shop/audit.py": "import shop.stock.shelf\n\nprint(shop.stock.shelf.WideShelf(3))\n" },
  },
  {
    name: "a module is deleted, and its import is conditional",
    breaks: null,
    ours: { "shop/names.py": null },
    theirs: { "shop/audit.py": "try:\n    from shop import names\nexcept ImportError:\n    names = None\n" },
  },
  {
    name: "a module is deleted, and a third-party module has its name",
    breaks: null,
    ours: { "shop/names.py": null },
    theirs: { "shop/audit.py": "import names\n\nprint(names)\n" },
  },
  {
    name: "two uses of one renamed function are one finding",
    breaks: "net",
    ours: renameNet,
    theirs: {
      "shop/audit.py": "from shop.prices import net\n\nprint(net(1), net(2))\n",
      "tests/test_net.py": "from shop import prices\n\n\ndef test_net():\n    assert prices.net(1) == 1\n",
    },
  },
  {
    name: "both rename, and the new use is of the new name",
    breaks: null,
    ours: renameNet,
    theirs: { "shop/audit.py": "def rounded(x):\n    return x\n\n\nprint(rounded(1))\n" },
  },
  {
    name: "a submodule is taken from its package after a rename",
    breaks: "shelf",
    ours: {
      "shop/stock/shelf.py": null,
      "shop/stock/rack.py":
        "class Shelf:\n    def __init__(self, width):\n        self.width = width\n\n\ndef find_shelf(shelves, width):\n    return shelves[0]\n",
      "shop/stock/__init__.py": [[".shelf", ".rack"]],
      "shop/orders.py": [["stock.shelf", "stock.rack"]],
    },
    theirs: { "shop/audit.py": "from shop.stock import shelf\n\nprint(shelf.find_shelf([1], 2))\n" },
  },
  {
    name: "the file itself takes its import away, and the other uses the name",
    breaks: "Order",
    ours: {
      "shop/reports.py":
        '"""Reports of orders."""\n\n\ndef report(order):\n    return f"cost {order.cost()}"\n\n\ndef other(order):\n    return [report(order)]\n',
    },
    theirs: {
      "shop/reports.py": [
        ["return [report(order)]\n", "return [report(order)]\n\n\ndef empty():\n    return Order([])\n"],
      ],
    },
  },
];

/** `total` is renamed by one, and the other adds a file that uses or only mentions it. */
function use(name: string, text: string, breaks: boolean): Case {
  return {
    name: `rename: ${name}`,
    breaks: breaks ? "total" : null,
    ours: renameTotal,
    theirs: { "shop/vat.py": text },
  };
}
