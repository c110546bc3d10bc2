// What is renamed, moved to another name, or no longer the default. See shop.ts for the project.

import type { Files } from "../../rules/trees.suite.ts";
import { append, edit, type ExaminerCase } from "./shop.ts";

const renamedFormat: Files = {
  ...edit("src/money.ts", ["formatMoney", "showMoney"]),
  ...edit("src/app.ts", ["formatMoney", "showMoney"]),
};

export const names: readonly ExaminerCase[] = [
  [
    "renamed function, imported by name",
    renamedFormat,
    {
      "src/new.ts": `import { formatMoney } from "./money";\n\nexport const price = formatMoney({ amount: 1, currency: "EUR" }, "de");\n`,
    },
  ],
  [
    "renamed function, through an alias of tsconfig",
    renamedFormat,
    {
      "src/new.ts": `import { formatMoney as show } from "~money";\n\nexport const price = show({ amount: 1, currency: "EUR" }, "de");\n`,
    },
  ],
  [
    "renamed function, through a wildcard alias",
    renamedFormat,
    {
      "src/deep/er/new.ts": `import { formatMoney } from "@/money";\n\nexport const all = ["de"].map((locale) => formatMoney({ amount: 1, currency: "EUR" }, locale));\n`,
    },
  ],
  [
    "renamed function, through a barrel",
    renamedFormat,
    {
      "src/new.ts": `import { formatMoney, Order } from ".";\n\nexport const price = (order: Order) => formatMoney(order.total(), "de");\n`,
    },
  ],
  [
    "renamed function, through a namespace",
    renamedFormat,
    {
      "src/new.ts": `import * as money from "./money";\n\nexport const price = money.formatMoney(money.ZERO, "de");\n`,
    },
  ],
  [
    "renamed function, taken out of a namespace",
    renamedFormat,
    {
      "src/new.ts": `import * as money from "./money";\n\nconst { formatMoney, ZERO } = money;\nexport const price = formatMoney(ZERO, "de");\n`,
    },
  ],
  [
    "renamed function, re-exported",
    renamedFormat,
    { "src/public.ts": `export { formatMoney as format } from "./money";\n` },
  ],
  [
    "renamed function, by a dynamic import",
    renamedFormat,
    {
      "src/new.ts": `export async function price(): Promise<string> {\n  const { formatMoney, ZERO } = await import("./money");\n  return formatMoney(ZERO, "de");\n}\n`,
    },
  ],
  [
    "renamed function, by a dynamic import and then",
    renamedFormat,
    {
      "src/new.ts": `export const price = (): Promise<string> => import("./money").then((money) => money.formatMoney(money.ZERO, "de"));\n`,
    },
  ],
  [
    "renamed function, its type asked for",
    renamedFormat,
    {
      "src/new.ts": `import type { formatMoney } from "./money";\n\nexport type Shown = ReturnType<typeof formatMoney>;\n`,
    },
  ],
  [
    "renamed function, its type through import()",
    renamedFormat,
    { "src/new.ts": `export type Shown = Parameters<typeof import("./money").formatMoney>[1];\n` },
  ],
  [
    "renamed function, in a test beside others",
    renamedFormat,
    {
      "test/money.test.ts": `import { addMoney, formatMoney, ZERO } from "../src/money";\n\nif (formatMoney(addMoney(ZERO, ZERO), "en") !== "0.00 EUR en") throw new Error("wrong");\n`,
    },
  ],
  [
    "renamed function, from JavaScript",
    renamedFormat,
    { "src/new.js": `import { formatMoney, ZERO } from "./money";\n\nconsole.log(formatMoney(ZERO, "de"));\n` },
  ],
  [
    "renamed function, in a line added to a file both change",
    { ...renamedFormat },
    append(
      "src/money.ts",
      `\nexport function shortMoney(money: Money): string {\n  return formatMoney(money, "en").slice(0, 5);\n}\n`,
    ),
  ],
  [
    "renamed type, in an annotation",
    { ...edit("src/orders/order.ts", ["Line", "OrderLine"]) },
    {
      "src/new.ts": `import type { Line } from "./orders/order";\n\nexport const skus = (lines: readonly Line[]): string[] => lines.map(({ sku }) => sku);\n`,
    },
  ],
  [
    "renamed type, through export star",
    { ...edit("src/orders/order.ts", ["Status", "State"]) },
    {
      "src/new.ts": `import { type Status } from "./orders";\n\nexport const labels: Record<Status, string> = { open: "Open", paid: "Paid", sent: "Sent" };\n`,
    },
  ],
  [
    "default function made a named one",
    {
      ...edit("src/money.ts", ["export default function", "export function"]),
      ...edit("src/app.ts", ["import parseMoney, { formatMoney }", "import { parseMoney, formatMoney }"]),
      ...edit("src/index.ts", [`export { default as parseMoney } from "./money";\n`, ""]),
    },
    { "src/new.ts": `import money from "./money";\n\nexport const three = money("3");\n` },
  ],
  [
    "default made named, reached as default by name",
    {
      ...edit("src/money.ts", ["export default function", "export function"]),
      ...edit("src/app.ts", ["import parseMoney, { formatMoney }", "import { parseMoney, formatMoney }"]),
      ...edit("src/index.ts", [`export { default as parseMoney } from "./money";\n`, ""]),
    },
    { "src/new.ts": `import { default as parse } from "@/money";\n\nexport const three = parse("3");\n` },
  ],
  [
    "named component made default only",
    edit("src/ui/button.tsx", ["export function Button", "function Button"]),
    { "src/ui/form.tsx": `import { Button } from "./button";\n\nexport const Form = () => <Button label="Send" />;\n` },
  ],
];
