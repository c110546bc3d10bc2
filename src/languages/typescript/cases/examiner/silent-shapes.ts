// Near misses: types and members that change without harm. See shop.ts for the project.

import { edit, type ExaminerCase } from "./shop.ts";

const asyncLoad = edit("src/orders/repository.ts", [
  "export function loadOrder(id: string, from: OrderRepository): Order {",
  "export async function loadOrder(id: string, from: OrderRepository): Promise<Order> {",
]);

export const silentShapes: readonly ExaminerCase[] = [
  [
    "parameter renamed only",
    edit("src/money.ts", ["locale", "language"]),
    {
      "src/new.ts": `import { formatMoney, ZERO } from "./money";\n\nconst locale = "de";\nexport const text = formatMoney(ZERO, locale);\n`,
    },
  ],
  [
    "optional parameter removed that is not given",
    edit(
      "src/orders/order.ts",
      ["add(line: Line, position?: number)", "add(line: Line)"],
      ["position ?? this.lines.length", "this.lines.length"],
    ),
    {
      "src/new.ts": `import type { Line, Order } from "./orders";\n\nexport const put = (order: Order, line: Line) => order.add(line);\n`,
    },
  ],
  [
    "function that is passed on loses a parameter",
    edit(
      "src/orders/order.ts",
      ["add(line: Line, position?: number)", "add(line: Line)"],
      ["position ?? this.lines.length", "this.lines.length"],
    ),
    {
      "src/new.ts": `import type { Line, Order } from "./orders";\n\nexport const adder = (order: Order): ((line: Line, position: number) => Order) => order.add.bind(order);\n`,
    },
  ],
  [
    "overload added",
    edit(
      "src/result.ts",
      [
        "export function pick(value: number): number;\n",
        "export function pick(value: number): number;\nexport function pick(value: boolean): boolean;\n",
      ],
      ["value: string | number): string | number", "value: string | number | boolean): string | number | boolean"],
    ),
    { "src/check.ts": `import { pick } from "./result";\n\nexport const text: string = pick("a");\n` },
  ],
  [
    "parameter's type widened",
    edit("src/money.ts", ["parseMoney(text: string)", "parseMoney(text: string | number)"]),
    { "src/new.ts": `import { parseMoney } from ".";\n\nexport const one = parseMoney("1");\n` },
  ],
  [
    "union widened where values are only made",
    edit("src/orders/order.ts", [`| "sent"`, `| "sent" | "lost"`]),
    {
      "src/new.ts": `import type { Order, Status } from "./orders";\n\nexport const pay = (order: Order): Status => (order.status = "paid");\n`,
    },
  ],
  [
    "union widened, switched over with a default",
    edit("src/orders/order.ts", [`| "sent"`, `| "sent" | "lost"`]),
    {
      "src/label.ts": `import type { Status } from "./orders";\n\nexport function label(status: Status): string {\n  switch (status) {\n    case "open":\n      return "Open";\n    default:\n      return "Other";\n  }\n}\n`,
    },
  ],
  [
    "union narrowed by a value that is not used",
    edit("src/orders/order.ts", [` | "sent"`, ""]),
    {
      "src/pay.ts": `import type { Order } from "./orders";\n\nexport const pay = (order: Order): void => {\n  order.status = "paid";\n};\n`,
    },
  ],
  [
    "return narrowed",
    edit("src/orders/repository.ts", [
      "  find(id: string): Order | undefined {\n    return this.all.get(id);",
      "  find(id: string): Order {\n    return this.all.get(id) as Order;",
    ]),
    {
      "src/new.ts": `import { MemoryOrders } from "./orders";\n\nexport const one = new MemoryOrders().find("1")?.id ?? "none";\n`,
    },
  ],
  [
    "optional property added to what is made elsewhere",
    edit("src/money.ts", ["note?: string;", "note?: string;\n  rate?: number;"]),
    {
      "src/new.ts": `import type { Money } from "./money";\n\nexport const one: Money = { amount: 1, currency: "EUR" };\n`,
    },
  ],
  [
    "required property added to what is only read elsewhere",
    {
      ...edit(
        "src/money.ts",
        ["note?: string;", "note?: string;\n  rate: number;"],
        [`currency: "EUR" }`, `currency: "EUR", rate: 1 }`],
        ["currency: first.currency }", "currency: first.currency, rate: 1 }"],
      ),
    },
    {
      "src/new.ts": `import type { Money } from "./money";\n\nexport const text = ({ amount, currency }: Money): string => amount + currency;\n`,
    },
  ],
  [
    "required property made optional where it is written",
    edit("src/orders/order.ts", ["sku: string", "sku?: string"]),
    {
      "src/new.ts": `import { ZERO } from "./money";\nimport type { Line } from "./orders";\n\nexport const line: Line = { sku: "a", price: ZERO };\n`,
    },
  ],
  [
    "property renamed, of a type of the same name elsewhere",
    { ...edit("src/orders/order.ts", ["sku: string", "article: string"]), ...edit("src/app.ts", ["sku:", "article:"]) },
    {
      "src/draw.ts": `export interface Line {\n  sku: string;\n  from: number;\n}\nexport const line: Line = { sku: "x", from: 1 };\n`,
    },
  ],
  [
    "interface gains an optional method, implemented elsewhere",
    edit("src/orders/repository.ts", ["  save(order: Order): void;", "  save(order: Order): void;\n  close?(): void;"]),
    {
      "src/none.ts": `import type { OrderRepository } from "./orders";\n\nexport const none: OrderRepository = { find: () => undefined, save: () => undefined };\n`,
    },
  ],
  [
    "interface gains a method, only called elsewhere",
    edit(
      "src/orders/repository.ts",
      ["  save(order: Order): void;", "  save(order: Order): void;\n  size(): number;"],
      [
        "  save(order: Order): void {",
        "  size(): number {\n    return this.all.size;\n  }\n\n  save(order: Order): void {",
      ],
    ),
    {
      "src/new.ts": `import type { Order, OrderRepository } from "./orders";\n\nexport const keep = (all: OrderRepository, order: Order): void => all.save(order);\n`,
    },
  ],
  [
    "interface method made async, implemented by nothing-giving function",
    edit("src/orders/repository.ts", ["  save(order: Order): void;", "  save(order: Order): void | Promise<void>;"]),
    {
      "src/none.ts": `import type { OrderRepository } from "./orders";\n\nexport const none: OrderRepository = { find: () => undefined, save: () => undefined };\n`,
    },
  ],
  [
    "function made async where its result is awaited already",
    asyncLoad,
    {
      "src/new.ts": `import { loadOrder, type OrderRepository } from "./orders";\n\nexport async function total(from: OrderRepository): Promise<number> {\n  const order = await loadOrder("1", from);\n  return order.total().amount;\n}\n`,
    },
  ],
  [
    "function made async where its result is thrown away",
    asyncLoad,
    {
      "src/new.ts": `import { loadOrder, type OrderRepository } from "./orders";\n\nexport function warm(from: OrderRepository): void {\n  loadOrder("1", from);\n}\n`,
    },
  ],
  [
    "method added to a class that is extended elsewhere",
    edit("src/orders/order.ts", [
      "  total(): Money {",
      "  isEmpty(): boolean {\n    return this.count === 0;\n  }\n\n  total(): Money {",
    ]),
    {
      "src/gift.ts": `import { Order } from "./orders";\n\nexport class Gift extends Order {\n  describe(): string {\n    return super.describe() + " gift";\n  }\n}\n`,
    },
  ],
  [
    "member made private, another member used",
    edit("src/orders/order.ts", ["readonly lines: Line[]", "private readonly lines: Line[]"]),
    {
      "src/new.ts": `import type { Order } from "./orders";\n\nexport const size = ({ count }: Order): number => count;\n`,
    },
  ],
  [
    "member made protected, used in a subclass",
    edit("src/orders/order.ts", ["  get count()", "  protected get count()"]),
    {
      "src/gift.ts": `import { Order } from "./orders";\n\nexport class Gift extends Order {\n  big(): boolean {\n    return this.count > 2;\n  }\n}\n`,
    },
  ],
  [
    "type turned from interface to alias",
    edit("src/orders/order.ts", [
      "export interface Line {\n  sku: string;\n  price: Money;\n}",
      "export type Line = { sku: string; price: Money };",
    ]),
    {
      "src/new.ts": `import type { Line } from "./orders";\n\nexport interface Heavy extends Line {\n  weight: number;\n}\n`,
    },
  ],
];
