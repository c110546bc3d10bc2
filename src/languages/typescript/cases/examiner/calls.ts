// Functions that take or give something else. See shop.ts for the project.

import { edit, type ExaminerCase } from "./shop.ts";

const asyncLoad = edit("src/orders/repository.ts", [
  "export function loadOrder(id: string, from: OrderRepository): Order {",
  "export async function loadOrder(id: string, from: OrderRepository): Promise<Order> {",
]);

export const calls: readonly ExaminerCase[] = [
  [
    "required parameter added",
    {
      ...edit("src/money.ts", ["locale: string)", "locale: string, digits: number)"]),
      ...edit("src/app.ts", ["settings.currency)", "settings.currency, 2)"]),
    },
    {
      "src/new.ts": `import { formatMoney, ZERO } from "./money";\n\nexport const nothing = formatMoney(ZERO, "de");\n`,
    },
  ],
  [
    "required parameter added, called by spread",
    {
      ...edit("src/money.ts", ["locale: string)", "locale: string, digits: number)"]),
      ...edit("src/app.ts", ["settings.currency)", "settings.currency, 2)"]),
    },
    {
      "src/new.ts": `import { formatMoney, ZERO, type Money } from "./money";\n\nconst given: [Money, string] = [ZERO, "de"];\nexport const nothing = formatMoney(...given);\n`,
    },
  ],
  [
    "required parameter added in front",
    {
      ...edit("src/orders/repository.ts", ["loadOrder(id: string, from", "loadOrder(tenant: number, id: string, from"]),
    },
    {
      "src/new.ts": `import { loadOrder, MemoryOrders } from "@/orders";\n\nexport const one = loadOrder("1", new MemoryOrders());\n`,
    },
  ],
  [
    "constructor takes more",
    edit(
      "src/orders/order.ts",
      ["readonly lines: Line[],\n", "readonly lines: Line[],\n    readonly tenant: string,\n"],
      ["new Order(id, [])", `new Order(id, [], "")`],
    ),
    {
      "src/gift.ts": `import { Order } from "./orders";\n\nexport class Gift extends Order {\n  constructor(id: string) {\n    super(id, []);\n  }\n}\n`,
    },
  ],
  [
    "constructor made private",
    edit("src/orders/order.ts", ["  constructor(", "  private constructor("]),
    {
      "src/new.ts": `import { Order } from "./orders";\n\nexport const clone = (order: Order) => new Order(order.id, [...order.lines]);\n`,
    },
  ],
  [
    "optional parameter removed",
    edit(
      "src/orders/order.ts",
      ["add(line: Line, position?: number)", "add(line: Line)"],
      ["position ?? this.lines.length", "this.lines.length"],
    ),
    {
      "src/new.ts": `import type { Line, Order } from "./orders";\n\nexport const prepend = (order: Order, line: Line) => order.add(line, 0);\n`,
    },
  ],
  [
    "parameter with a default removed",
    edit("src/money.ts", [", round = false", ""], ["round ? Math.round(first.amount + second.amount) : ", ""]),
    { "src/new.ts": `import { addMoney, ZERO } from "./money";\n\nexport const two = addMoney(ZERO, ZERO, true);\n` },
  ],
  [
    "parameters swapped",
    edit("src/orders/repository.ts", [
      "loadOrder(id: string, from: OrderRepository)",
      "loadOrder(from: OrderRepository, id: string)",
    ]),
    {
      "src/new.ts": `import { loadOrder, MemoryOrders } from "./orders";\n\nconst orders = new MemoryOrders();\nexport const one = loadOrder("1", orders);\n`,
    },
  ],
  [
    "positional parameters become one object",
    {
      ...edit("src/money.ts", [
        "money: Money, locale: string)",
        "{ money, locale }: { money: Money; locale: string })",
      ]),
      ...edit("src/app.ts", [
        "formatMoney(order.total(), settings.currency)",
        "formatMoney({ money: order.total(), locale: settings.currency })",
      ]),
    },
    {
      "src/new.ts": `import { formatMoney, ZERO } from "./money";\n\nexport const nothing = formatMoney(ZERO, "de");\n`,
    },
  ],
  [
    "function made async, its result used",
    asyncLoad,
    {
      "src/new.ts": `import { loadOrder, type OrderRepository } from "./orders";\n\nexport const total = (from: OrderRepository) => loadOrder("1", from).total();\n`,
    },
  ],
  [
    "function made async, its result kept in a typed place",
    asyncLoad,
    {
      "src/new.ts": `import { loadOrder, type Order, type OrderRepository } from "./orders";\n\nexport function both(from: OrderRepository): Order[] {\n  return [loadOrder("1", from), loadOrder("2", from)];\n}\n`,
    },
  ],
  [
    "function made async, its result taken apart",
    asyncLoad,
    {
      "src/new.ts": `import { loadOrder, type OrderRepository } from "./orders";\n\nexport function ids(from: OrderRepository): string {\n  const { id, lines } = loadOrder("1", from);\n  return id + lines.length;\n}\n`,
    },
  ],
  [
    "interface method made async, implemented elsewhere",
    edit(
      "src/orders/repository.ts",
      ["  save(order: Order): void;", "  save(order: Order): Promise<void>;"],
      ["  save(order: Order): void {", "  async save(order: Order): Promise<void> {"],
    ),
    {
      "src/file-orders.ts": `import type { Order, OrderRepository } from "./orders";\n\nexport class FileOrders implements OrderRepository {\n  find(): Order | undefined {\n    return undefined;\n  }\n  save(order: Order): void {\n    console.log(order.id);\n  }\n}\n`,
    },
  ],
  [
    "interface gains a method, implemented elsewhere",
    edit(
      "src/orders/repository.ts",
      ["  save(order: Order): void;", "  save(order: Order): void;\n  remove(id: string): void;"],
      [
        "    this.all.set(order.id, order);\n  }",
        "    this.all.set(order.id, order);\n  }\n\n  remove(id: string): void {\n    this.all.delete(id);\n  }",
      ],
    ),
    {
      "test/fake-orders.ts": `import type { Order, OrderRepository } from "@/orders";\n\nexport const fake: OrderRepository = {\n  find: () => undefined,\n  save: (order: Order) => console.log(order.id),\n};\n`,
    },
  ],
];
