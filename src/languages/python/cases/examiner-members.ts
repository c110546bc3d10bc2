// Members of classes that are renamed, and the ways of reaching them.

import type { Case, Work } from "./examiner-case.ts";

const renameApply: Work = {
  "shop/prices.py": [["def apply(", "def reduce("]],
  "shop/orders.py": [[".apply(", ".reduce("]],
};

const renameCost: Work = {
  "shop/orders.py": [["def cost(", "def amount("]],
  "shop/reports.py": [[".cost()", ".amount()"]],
  "tests/test_orders.py": [[".cost()", ".amount()"]],
};

/** A class with a method `clear` that one side deletes, and a method that sets attributes by computed names. */
const setting = (name: string, breaks: string | null, method: string): Case => {
  const kept = `class Kept:\n    def __init__(self, name):\n        self.name = name\n\n${method}`;
  return {
    name: `a method is deleted, ${name}`,
    breaks,
    base: { "shop/__init__.py": "", "shop/kept.py": `${kept}\n    def clear(self):\n        return 1\n` },
    ours: { "shop/kept.py": kept },
    theirs: { "shop/audit.py": "from shop.kept import Kept\n\n\ndef audit(kept: Kept):\n    return kept.clear()\n" },
  };
};

export const byMember: readonly Case[] = [
  setting(
    "and its class sets names of the object that it describes",
    "clear",
    "    def __get__(self, obj, kind=None):\n        return obj.__dict__.setdefault(self.name, 1)\n",
  ),
  setting(
    "and its class sets names of the class that owns it",
    "clear",
    "    def __set_name__(self, owner, name):\n        setattr(owner, name + '_kept', 1)\n",
  ),
  setting(
    "and its class sets names of itself while it is asked",
    null,
    "    def __get__(self, obj, kind=None):\n        self.__dict__[self.name] = 1\n        return obj\n",
  ),
  setting(
    "and its class sets names of another that may be its own",
    null,
    "    def copy(self, other):\n        setattr(other, self.name, 1)\n",
  ),
  {
    name: "a method is renamed and called on a local instance",
    breaks: "apply",
    ours: renameApply,
    theirs: {
      "shop/audit.py":
        "from shop.prices import Discount\n\n\ndef audit():\n    discount = Discount(0.2)\n    return discount.apply(3)\n",
    },
  },
  {
    name: "a method is renamed and called on a new instance",
    breaks: "apply",
    ours: renameApply,
    theirs: { "shop/audit.py": "from shop.prices import Discount\n\nprint(Discount(0.2).apply(3))\n" },
  },
  {
    name: "a method is renamed and called on an annotated parameter",
    breaks: "apply",
    ours: renameApply,
    theirs: {
      "shop/audit.py":
        "from shop.prices import Discount\n\n\ndef audit(discount: Discount):\n    return discount.apply(3)\n",
    },
  },
  {
    name: "a method is renamed and called on an optional parameter",
    breaks: "apply",
    ours: renameApply,
    theirs: {
      "shop/audit.py":
        "from __future__ import annotations\n\nfrom shop.prices import Discount\n\n\ndef audit(discount: Discount | None):\n    if discount is not None:\n        return discount.apply(3)\n    return None\n",
    },
  },
  {
    name: "a method is renamed and called by self in a subclass",
    breaks: "apply",
    ours: renameApply,
    theirs: {
      "shop/audit.py":
        "from shop.prices import Discount\n\n\nclass Half(Discount):\n    def twice(self, amount):\n        return self.apply(self.apply(amount))\n",
    },
  },
  {
    name: "a method is renamed and called by super",
    breaks: "apply",
    ours: renameApply,
    theirs: {
      "shop/audit.py":
        "from shop.prices import Discount\n\n\nclass Half(Discount):\n    def apply(self, amount):\n        return super().apply(amount) / 2\n",
    },
  },
  {
    name: "a method is renamed and called through an attribute of self",
    breaks: "apply",
    ours: renameApply,
    theirs: {
      "shop/audit.py":
        "from shop.prices import Discount\n\n\nclass Till:\n    def __init__(self):\n        self.discount = Discount(0.3)\n\n    def pay(self, amount):\n        return self.discount.apply(amount)\n",
    },
  },
  {
    name: "a method is renamed and called through the class",
    breaks: "apply",
    ours: renameApply,
    theirs: { "shop/audit.py": "from shop.prices import Discount\n\nprint(Discount.apply(Discount(0.1), 3))\n" },
  },
  {
    name: "a method is renamed, and what is called is of an unknown type",
    breaks: null,
    ours: renameApply,
    theirs: { "shop/audit.py": "def audit(discount):\n    return discount.apply(3)\n" },
  },
  {
    name: "a method is renamed, and the subclass has its own",
    breaks: null,
    ours: renameApply,
    theirs: {
      "shop/audit.py":
        "from shop.prices import Discount\n\n\nclass Half(Discount):\n    def apply(self, amount):\n        return amount / 2\n\n\nprint(Half(1).apply(3))\n",
    },
  },
  {
    name: "a method is renamed, and another class's is called",
    breaks: null,
    ours: renameApply,
    theirs: {
      "shop/audit.py":
        "class Filter:\n    def apply(self, amount):\n        return amount\n\n\nprint(Filter().apply(3))\n",
    },
  },
  {
    name: "a method is renamed and called on what a function of ours gives",
    breaks: "cost",
    ours: renameCost,
    theirs: {
      "shop/audit.py":
        "from shop.orders import Order\n\n\ndef make() -> Order:\n    return Order([1])\n\n\nprint(make().cost())\n",
    },
  },
  {
    name: "a method is renamed and called in a new test",
    breaks: "cost",
    ours: renameCost,
    theirs: {
      "tests/test_more.py":
        "from shop.orders import Order\n\n\ndef test_zero():\n    order = Order([])\n    assert order.cost() == 0\n",
    },
  },
  {
    name: "a method is renamed and called in an old test",
    breaks: "cost",
    ours: renameCost,
    theirs: {
      "tests/test_orders.py": [
        ["order.items == [1]\n", "order.items == [1]\n\n\ndef test_one():\n    assert Order([1]).cost() == 1\n"],
      ],
    },
  },
  {
    name: "a class attribute is renamed and read",
    breaks: "limit",
    ours: { "shop/prices.py": [["limit = 10", "maximum = 10"]] },
    theirs: { "shop/audit.py": "from shop.prices import Discount\n\nprint(Discount.limit)\n" },
  },
  {
    name: "an instance attribute is renamed and read",
    breaks: "percent",
    ours: { "shop/prices.py": [["self.percent", "self.share"]] },
    theirs: { "shop/audit.py": "from shop.prices import Discount\n\nprint(Discount(0.1).percent)\n" },
  },
  {
    name: "an inherited attribute is renamed and read",
    breaks: "boxes",
    ours: { "shop/stock/shelf.py": [["self.boxes", "self.crates"]] },
    theirs: {
      "shop/audit.py":
        "from shop.stock.shelf import WideShelf\n\n\ndef audit(shelf: WideShelf):\n    return len(shelf.boxes)\n",
    },
  },
  {
    name: "a property is renamed and read",
    breaks: "title",
    ours: { "shop/prices.py": [["def title(", "def heading("]] },
    theirs: { "shop/audit.py": "from shop.prices import Discount\n\nprint(Discount(0.1).title)\n" },
  },
  {
    name: "a static method is renamed and called",
    breaks: "allowed",
    ours: { "shop/prices.py": [["def allowed(", "def permitted("]] },
    theirs: { "shop/audit.py": "from shop import Discount\n\nprint(Discount.allowed(0.3))\n" },
  },
  {
    name: "a class method is renamed and called, and its result is used",
    breaks: "parse",
    ours: { "shop/prices.py": [["def parse(", "def from_text("]] },
    theirs: { "shop/audit.py": "from shop import Discount\n\nprint(Discount.parse('0.1').apply(2))\n" },
  },
];
