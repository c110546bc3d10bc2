// Near misses: old names that mean something else, and uses that still fit. See shop.ts for the project.

import type { Files } from "../../rules/trees.suite.ts";
import { append, edit, type ExaminerCase } from "./shop.ts";

const renamedFormat: Files = {
  ...edit("src/money.ts", ["formatMoney", "showMoney"]),
  ...edit("src/app.ts", ["formatMoney", "showMoney"]),
};
const renamedTotal: Files = {
  ...edit("src/orders/order.ts", ["total()", "sum()"]),
  ...edit("src/app.ts", ["total()", "sum()"]),
};

export const silentUses: readonly ExaminerCase[] = [
  [
    "old name in a string and in comments",
    renamedFormat,
    {
      "src/new.ts": `import { ZERO } from "./money";\n\n/** Was formatMoney once; see {@link formatMoney}. */\nexport const text = "formatMoney(" + ZERO.amount + ")"; // formatMoney\n`,
    },
  ],
  [
    "old name in a template",
    renamedFormat,
    {
      "src/new.ts":
        'import * as money from "./money";\n\nexport const text = `money.formatMoney ${money.ZERO.amount} formatMoney`;\n',
    },
  ],
  [
    "old name is a function of its own",
    renamedFormat,
    {
      "src/new.ts": `import { ZERO } from "./money";\n\nfunction formatMoney(amount: number): string {\n  return String(amount);\n}\nexport const text = formatMoney(ZERO.amount);\n`,
    },
  ],
  [
    "old name is a parameter",
    renamedFormat,
    {
      "src/new.ts": `import { ZERO, type Money } from "./money";\n\nexport const run = (formatMoney: (money: Money) => string): string => formatMoney(ZERO);\n`,
    },
  ],
  [
    "old name comes from another module",
    renamedFormat,
    {
      "src/other.ts": "export const formatMoney = (cents: number): number => cents;\n",
      "src/new.ts": `import { formatMoney } from "./other";\nimport { ZERO } from "./money";\n\nexport const text = formatMoney(ZERO.amount);\n`,
    },
  ],
  [
    "old name is a key of an object",
    renamedFormat,
    {
      "src/new.ts": `import { ZERO } from "./money";\n\nconst tools = { formatMoney: (amount: number) => amount, formatmoney: 1 };\nexport const text = tools.formatMoney(ZERO.amount);\n`,
    },
  ],
  [
    "old name is kept as an alias",
    edit("src/money.ts", [
      "export function formatMoney",
      "export { showMoney as formatMoney };\nexport function showMoney",
    ]),
    { "src/new.ts": `import { formatMoney, ZERO } from "./money";\n\nexport const text = formatMoney(ZERO, "de");\n` },
  ],
  [
    "old name is kept by a deprecated wrapper",
    {
      "src/money.ts": `${edit("src/money.ts", ["formatMoney", "showMoney"])["src/money.ts"]}\n/** @deprecated */\nexport const formatMoney: typeof showMoney = (...all) => showMoney(...all);\n`,
    },
    { "src/new.ts": `import * as money from "@/money";\n\nexport const text = money.formatMoney(money.ZERO, "de");\n` },
  ],
  [
    "another function of the changed file is used",
    renamedFormat,
    {
      "src/new.ts": `import parse, { addMoney } from "./money";\n\nexport const sum = addMoney(parse("1"), parse("2"), true);\n`,
    },
  ],
  [
    "a new function is built on an unchanged one in the same file",
    renamedFormat,
    append("src/money.ts", `\nexport function double(money: Money): Money {\n  return addMoney(money, money);\n}\n`),
  ],
  [
    "renamed method's name on another class",
    renamedTotal,
    {
      "src/basket.ts": `import { Order } from "./orders";\n\nexport class Basket {\n  constructor(readonly order: Order) {}\n  total(): number {\n    return this.order.count;\n  }\n}\nexport const total = new Basket(Order.empty("1")).total();\n`,
    },
  ],
  [
    "renamed method's name on a value of any",
    renamedTotal,
    { "src/loose.ts": `declare const order: any;\nexport const total = order.total();\n` },
  ],
  [
    "renamed method's name as an own extra in a subclass",
    renamedTotal,
    {
      "src/gift.ts": `import { Order } from "./orders";\n\nexport class Gift extends Order {\n  total(): { amount: number; currency: string } {\n    return { amount: 0, currency: "EUR" };\n  }\n}\nexport const nothing = new Gift("1", []).total();\n`,
    },
  ],
  [
    "renamed method looked for with in",
    renamedTotal,
    {
      "src/loose.ts": `import type { Order } from "./orders";\n\nexport const has = (order: Order): boolean => "total" in order;\n`,
    },
  ],
  [
    "optional parameter added",
    { ...edit("src/money.ts", ["locale: string)", "locale: string, digits?: number)"]) },
    { "src/new.ts": `import { formatMoney, ZERO } from "./money";\n\nexport const text = formatMoney(ZERO, "de");\n` },
  ],
  [
    "optional parameter added, given as a callback of fewer",
    edit("src/orders/order.ts", [
      "add(line: Line, position?: number)",
      "add(line: Line, position?: number, quiet?: boolean)",
    ]),
    {
      "src/new.ts": `import type { Line, Order } from "./orders";\n\nexport const addAll = (order: Order, lines: Line[]) => lines.forEach((line) => order.add(line));\n`,
    },
  ],
  [
    "parameter with a default added",
    edit("src/events.ts", [
      `(id: string): Event => ({`,
      `(id: string, at = 0): Event => at < 0 ? { kind: "created", id: "" } : ({`,
    ]),
    { "src/new.ts": `import { created } from "./events";\n\nexport const two = [created("1"), created("2")];\n` },
  ],
  [
    "rest parameter added",
    { ...edit("src/money.ts", ["locale: string)", "locale: string, ...more: string[])"]) },
    { "src/new.ts": `import { formatMoney, ZERO } from "./money";\n\nexport const text = formatMoney(ZERO, "de");\n` },
  ],
  [
    "required parameter made optional",
    { ...edit("src/money.ts", ["locale: string)", "locale?: string)"]) },
    { "src/new.ts": `import { formatMoney, ZERO } from "./money";\n\nexport const text = formatMoney(ZERO, "de");\n` },
  ],
];
