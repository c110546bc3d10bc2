// Members of classes that are renamed, hidden or fixed. See shop.ts for the project.

import type { Files } from "../../rules/trees.suite.ts";
import { edit, type ExaminerCase } from "./shop.ts";

const renamedTotal: Files = {
  ...edit("src/orders/order.ts", ["total()", "sum()"]),
  ...edit("src/app.ts", ["total()", "sum()"]),
};

export const members: readonly ExaminerCase[] = [
  [
    "method renamed, called on a new",
    renamedTotal,
    { "src/new.ts": `import { Order } from "./orders";\n\nexport const nothing = new Order("1", []).total();\n` },
  ],
  [
    "method renamed, called on a parameter",
    renamedTotal,
    {
      "src/new.ts": `import type { Order } from "./orders";\n\nexport function sumOf(orders: Order[]): number {\n  return orders.reduce((sum, order) => sum + order.total().amount, 0);\n}\n`,
    },
  ],
  [
    "method renamed, called on what a function gives",
    renamedTotal,
    {
      "src/new.ts": `import { loadOrder, MemoryOrders } from "./orders";\n\nexport const total = loadOrder("1", new MemoryOrders()).total();\n`,
    },
  ],
  [
    "method renamed, called after a check for undefined",
    renamedTotal,
    {
      "src/new.ts": `import type { OrderRepository } from "./orders";\n\nexport function totalOf(orders: OrderRepository, id: string): number {\n  return orders.find(id)?.total().amount ?? 0;\n}\n`,
    },
  ],
  [
    "method renamed, called on this in a subclass",
    renamedTotal,
    {
      "src/gift.ts": `import { Order } from "./orders";\n\nexport class Gift extends Order {\n  free(): boolean {\n    return this.total().amount === 0;\n  }\n}\n`,
    },
  ],
  [
    "method renamed, named by a key",
    renamedTotal,
    { "src/new.ts": `import type { Order } from "./orders";\n\nexport type Sum = Pick<Order, "id" | "total">;\n` },
  ],
  [
    "method renamed, overridden",
    renamedTotal,
    {
      "src/gift.ts": `import { ZERO, type Money } from "./money";\nimport { Order } from "./orders";\n\nexport class Gift extends Order {\n  override total(): Money {\n    return ZERO;\n  }\n}\n`,
    },
  ],
  [
    "static method renamed",
    {
      ...edit("src/orders/order.ts", ["static empty", "static blank"]),
      ...edit("src/app.ts", ["Order.empty", "Order.blank"]),
    },
    { "src/new.ts": `import * as orders from "./orders";\n\nexport const blank = orders.Order.empty("x");\n` },
  ],
  [
    "getter made a method",
    edit("src/orders/order.ts", ["get count()", "count()"]),
    {
      "src/new.ts": `import { Order } from "./orders";\n\nexport const isBig = (order: Order): boolean => order.count > 3;\n`,
    },
  ],
  [
    "member made private",
    edit("src/orders/order.ts", ["readonly lines: Line[]", "private readonly lines: Line[]"]),
    {
      "src/new.ts": `import type { Order } from "./orders";\n\nexport const first = ({ lines }: Order) => lines[0];\n`,
    },
  ],
  [
    "member made protected",
    edit("src/orders/order.ts", ["  get count()", "  protected get count()"]),
    {
      "test/order.test.ts": `import { Order } from "../src";\n\nif (Order.empty("1").count !== 0) throw new Error();\n`,
    },
  ],
  [
    "member made read-only",
    edit("src/orders/order.ts", ["  status: Status", "  readonly status: Status"]),
    {
      "src/pay.ts": `import type { Order } from "./orders";\n\nexport function pay(order: Order): void {\n  order.status = "paid";\n}\n`,
    },
  ],
];
