// Cases as an examiner would set them, written before the checker was read (all but those of by-result.ts): one project, what each side does to it, and the name
// that breaks in the merge, or null where everything still works. One case is one pair, and a pair that breaks gets one finding.

import type { Change, Files } from "../../../../eval/scenarios/scenario.ts";
import { byCall } from "./examiner-calls.ts";
import type { Work } from "./examiner-case.ts";
import { byLayout } from "./examiner-layouts.ts";
import { byMember } from "./examiner-members.ts";
import { byName } from "./examiner-names.ts";
import { byResult } from "./by-result.ts";

export interface ExaminerCase {
  readonly name: string;
  readonly breaks: string | null;
  readonly base: Files;
  readonly ours: Change;
  readonly theirs: Change;
}

export function examinerCases(): ExaminerCase[] {
  return [...byName, ...byMember, ...byLayout, ...byCall, ...byResult].map(({ name, breaks, ours, theirs, base }) => {
    const files = base ?? shop;
    return { name, breaks, base: files, ours: change(name, files, ours), theirs: change(name, files, theirs) };
  });
}

function change(name: string, base: Files, work: Work): Change {
  const changed: Record<string, string | null> = {};
  for (const [path, what] of Object.entries(work)) {
    if (what === null || typeof what === "string") {
      changed[path] = what;
      continue;
    }
    let text = base[path];
    if (text === undefined) throw new Error(`${name}: there is no ${path}`);
    for (const [from, to] of what) {
      if (!text.includes(from)) throw new Error(`${name}: ${path} has no ${from}`);
      text = text.replaceAll(from, to);
    }
    changed[path] = text;
  }
  return changed;
}

const shop: Files = {
  "shop/__init__.py": `"""A small shop."""

from .prices import Discount, total
from . import stock

__all__ = ["Discount", "stock", "total"]
`,
  "shop/prices.py": `"""What things cost."""

from dataclasses import dataclass

RATE = 0.2


def total(items, rate=RATE):
    return sum(items) * (1 + rate)


def net(amount, *, digits=2):
    return round(amount, digits)


def unused_price(amount):
    return amount


async def quote(sku):
    return len(sku)


def traced(function):
    return function


class Discount:
    limit = 10

    def __init__(self, percent, label=""):
        self.percent = percent
        self.label = label

    def apply(self, amount):
        return amount * (1 - self.percent)

    def describe(self):
        return self.label

    @classmethod
    def parse(cls, text):
        return cls(float(text))

    @staticmethod
    def allowed(percent):
        return percent < 1

    @property
    def title(self):
        return self.label


@dataclass
class Line:
    sku: str
    count: int
    note: str = ""


class PriceError(Exception):
    pass
`,
  "shop/stock/__init__.py": `"""What lies on the shelves."""

from .shelf import Shelf

__all__ = ["Shelf"]
`,
  "shop/stock/shelf.py": `"""One shelf."""


class Shelf:
    def __init__(self, width):
        self.width = width
        self.boxes = []

    def put(self, box):
        self.boxes.append(box)

    def weigh(self, scale=1):
        return len(self.boxes) * scale


class WideShelf(Shelf):
    pass


def find_shelf(shelves, width):
    for shelf in shelves:
        if shelf.width >= width:
            return shelf
    return None
`,
  "shop/orders.py": `"""Orders of things."""

from shop.prices import Discount, net, total
from shop.stock.shelf import Shelf, find_shelf


class Order:
    def __init__(self, items):
        self.items = items
        self.discount = Discount(0.1)

    def cost(self):
        return net(self.discount.apply(total(self.items)))

    def shelf(self, shelves: list[Shelf]):
        return find_shelf(shelves, 3)
`,
  "shop/reports.py": `"""Reports of orders."""

from shop.orders import Order


def report(order: Order):
    return f"cost {order.cost()}"


def other(order):
    return [report(order)]
`,
  "shop/names.py": `"""Names that other modules have too."""


def total(text):
    return len(text)


class Shelf:
    def put(self, box):
        return box
`,
  "tests/test_orders.py": `from shop.orders import Order


def test_cost():
    assert Order([1, 2]).cost() > 0


def test_items():
    order = Order([1])
    assert order.items == [1]
`,
};
