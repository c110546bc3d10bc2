// Barrels, files, settings, components, CommonJS and workspace packages. See shop.ts for the project.

import type { Files } from "../../rules/trees.suite.ts";
import { append, edit, shop, type ExaminerCase } from "./shop.ts";

const movedLoad: Files = {
  ...edit("src/orders/repository.ts", [
    `export function loadOrder(id: string, from: OrderRepository): Order {
  const order = from.find(id);
  if (order === undefined) throw new Error(id);
  return order;
}
`,
    "",
  ]),
  ...edit("src/orders/index.ts", ["MemoryOrders, loadOrder", "MemoryOrders"]),
  "src/loading.ts": `import type { Order, OrderRepository } from "./orders";\n\nexport function loadOrder(id: string, from: OrderRepository): Order {\n  const order = from.find(id);\n  if (order === undefined) throw new Error(id);\n  return order;\n}\n`,
};

export const modules: readonly ExaminerCase[] = [
  [
    "class made type only by its barrel",
    edit(
      "src/orders/index.ts",
      ["export { MemoryOrders, loadOrder }", "export { loadOrder }"],
      ["export type { OrderRepository }", "export type { MemoryOrders, OrderRepository }"],
    ),
    { "src/new.ts": `import { MemoryOrders } from "./orders";\n\nexport const orders = new MemoryOrders();\n` },
  ],
  [
    "class turned into an interface",
    edit("src/orders/repository.ts", [
      "export class MemoryOrders implements OrderRepository {\n  private readonly all = new Map<string, Order>();\n\n  find(id: string): Order | undefined {\n    return this.all.get(id);\n  }\n\n  save(order: Order): void {\n    this.all.set(order.id, order);\n  }\n}",
      "export interface MemoryOrders extends OrderRepository {\n  readonly size: number;\n}",
    ]),
    {
      "src/new.ts": `import { MemoryOrders } from "./orders/repository";\n\nexport class Cached extends MemoryOrders {}\n`,
    },
  ],
  [
    "barrel drops its star",
    edit("src/index.ts", [`export * from "./orders";\n`, ""]),
    {
      "test/order.test.ts": `import { Order, ZERO } from "../src";\n\nif (Order.empty("1").total() !== ZERO) throw new Error();\n`,
    },
  ],
  [
    "barrel wraps its star in a namespace",
    edit("src/index.ts", [`export * from "./orders"`, `export * as orders from "./orders"`]),
    {
      "test/order.test.ts": `import { Order, ZERO } from "../src/index";\n\nif (Order.empty("1").total() !== ZERO) throw new Error();\n`,
    },
  ],
  [
    "function moved to another file",
    movedLoad,
    {
      "src/new.ts": `import { loadOrder } from "./orders/repository";\nimport { MemoryOrders } from "./orders";\n\nexport const one = loadOrder("1", new MemoryOrders());\n`,
    },
  ],
  [
    "function moved, imported from the barrel it left",
    movedLoad,
    {
      "src/new.ts": `import { loadOrder, MemoryOrders } from "@/orders";\n\nexport const one = loadOrder("1", new MemoryOrders());\n`,
    },
  ],
  [
    "file renamed",
    {
      "src/money.ts": null,
      "src/cash.ts": shop["src/money.ts"] ?? "",
      ...edit("src/index.ts", ["./money", "./cash"]),
      ...edit("src/app.ts", ["@/money", "@/cash"]),
      ...edit("src/events.ts", ["./money", "./cash"]),
      ...edit("src/orders/order.ts", ["../money", "../cash"]),
      ...edit("tsconfig.json", ["money.ts", "cash.ts"]),
    },
    {
      "src/tip.ts": `import { addMoney, type Money } from "./money";\n\nexport const tip = (money: Money): Money => addMoney(money, { amount: 1, currency: money.currency });\n`,
    },
  ],
  [
    "file renamed, re-exported whole",
    { "src/result.ts": null, "src/outcome.ts": shop["src/result.ts"] ?? "" },
    append("src/index.ts", `export * from "./result";\n`),
  ],
  [
    "file renamed, its type through import()",
    { "src/result.ts": null, "src/outcome.ts": shop["src/result.ts"] ?? "" },
    { "src/new.ts": `export type Outcome = import("./result").Result<string>;\n` },
  ],
  [
    "folder with an index flattened, reached by its inner file",
    {
      "src/ui/button.tsx": null,
      "src/ui/button/button.tsx": shop["src/ui/button.tsx"] ?? "",
      "src/ui/button/index.ts": `export { Button } from "./button";\n`,
    },
    {
      "src/ui/form.tsx": `import Pressable from "./button";\n\nexport const Form = () => <Pressable label="Send" />;\n`,
    },
  ],
  [
    "alias of tsconfig renamed",
    { ...edit("tsconfig.json", [`"@/*":`, `"#/*":`]), ...edit("src/app.ts", ["@/money", "#/money"]) },
    { "src/deep/new.ts": `import { ZERO } from "@/money";\n\nexport const nothing = ZERO;\n` },
  ],
  [
    "setting removed from a constant",
    edit("src/settings.ts", ["  retries: 3,\n", ""]),
    {
      "src/retry.ts": `import { settings } from "./settings";\n\nfor (let at = 0; at < settings.retries; at += 1) console.log(at);\n`,
    },
  ],
  [
    "nested setting renamed",
    edit("src/settings.ts", ["port: 80", "listen: 80"]),
    {
      "src/serve.ts": `import { settings as given } from "./settings";\n\nconst { server: { host, port } } = given;\nexport const address = host + ":" + port;\n`,
    },
  ],
  [
    "member of a namespace renamed",
    edit("src/settings.ts", ["export const standard", "export const usual"], ["? standard", "? usual"]),
    {
      "src/tax.ts": `import { Rates } from "./settings";\n\nexport const tax = (net: number): number => (net * Rates.standard) / 100;\n`,
    },
  ],
  [
    "variable made constant by the other side's writer",
    edit("src/settings.ts", [
      "export let counter = 0;\nexport function bump(): void {\n  counter += 1;\n}",
      "export const counter = 0;",
    ]),
    { "src/count.ts": `import { bump, counter } from "./settings";\n\nbump();\nconsole.log(counter);\n` },
  ],
  [
    "component's property renamed",
    edit("src/ui/button.tsx", ["label", "text"]),
    {
      "src/ui/form.tsx": `import { Button } from "./button";\n\nexport const Form = () => (\n  <div>\n    <Button label="Send" size="small" />\n  </div>\n);\n`,
    },
  ],
  [
    "component's property made required",
    edit("src/ui/button.tsx", ["onPress?:", "onPress:"]),
    {
      "src/ui/form.tsx": `import { Button } from "./button";\n\nexport const Form = () => <Button label="Send">now</Button>;\n`,
    },
  ],
  [
    "component's property removed, spread",
    edit("src/ui/button.tsx", [`  size?: "small" | "large";\n`, ""]),
    {
      "src/ui/form.tsx": `import { Button, type ButtonProps } from "./button";\n\nexport const small: Pick<ButtonProps, "size"> = { size: "small" };\nexport const Form = () => <Button label="Send" {...small} />;\n`,
    },
  ],
  [
    "component's inline property type changed",
    edit("src/ui/button.tsx", ["title: string; footer", "heading: string; footer"], ["props.title", "props.heading"]),
    {
      "src/ui/list.tsx": `import * as ui from "./button";\n\nexport const List = ({ names }: { names: string[] }) => <div>{names.map((name) => <ui.Card key={name} title={name} />)}</div>;\n`,
    },
  ],
  [
    "CommonJS: function renamed, taken apart",
    edit("legacy/text.js", ["capitalize", "upper"]),
    {
      "legacy/title.js": `const { capitalize, pad } = require("./text");\n\nmodule.exports = (text) => pad(capitalize(text), 10);\n`,
    },
  ],
  [
    "CommonJS: function renamed, through the module",
    edit("legacy/text.js", ["capitalize", "upper"]),
    {
      "legacy/title.js": `const text = require("./text.js");\n\nexports.title = (words) => words.map((word) => text.capitalize(word)).join(" ");\n`,
    },
  ],
  [
    "CommonJS: function renamed, required in place",
    edit("legacy/text.js", ["capitalize", "upper"]),
    { "legacy/title.js": `exports.title = require("./text").capitalize("a");\n` },
  ],
  [
    "CommonJS: export removed",
    edit("legacy/flags.js", [`exports.names = ["a", "b"];\n`, ""]),
    { "legacy/all.js": `const flags = require("./flags");\n\nmodule.exports = flags.names.filter(flags.isOn);\n` },
  ],
  [
    "CommonJS: class method renamed",
    edit("legacy/cart.js", ["put(", "push("], ["this.items.push(item)", "this.items.push(item)"]),
    { "legacy/fill.js": `const Cart = require("./cart");\n\nmodule.exports = new Cart("me").put(1).put(2);\n` },
  ],
  [
    "CommonJS: field renamed",
    edit("legacy/cart.js", ["this.owner", "this.user"]),
    { "legacy/who.js": `const Cart = require("./cart");\n\nconst cart = new Cart("me");\nconsole.log(cart.owner);\n` },
  ],
  [
    "CommonJS: module gives an object where it gave a class",
    edit("legacy/cart.js", ["module.exports = Cart", "module.exports = { Cart }"]),
    { "legacy/fill.js": `const Cart = require("./cart");\n\nmodule.exports = new Cart("me");\n` },
  ],
  [
    "CommonJS: file moved",
    { "legacy/flags.js": null, "legacy/config/flags.js": shop["legacy/flags.js"] ?? "" },
    { "legacy/all.js": `const { isOn } = require("./flags");\n\nmodule.exports = isOn("a");\n` },
  ],
  [
    "CommonJS: reached from TypeScript",
    edit("legacy/text.js", ["pad", "left"], ["text.leftStart", "text.padStart"]),
    {
      "src/table.ts": `import { pad } from "../legacy/text";\n\nexport const cell = (text: string): string => pad(text, 8);\n`,
    },
  ],
  [
    "workspace package: function renamed",
    {
      ...edit("packages/core/src/slug.ts", ["slug(", "slugify("]),
      ...edit("packages/core/src/index.ts", ["{ slug }", "{ slugify }"]),
      ...edit("packages/web/src/page.ts", ["slug", "slugify"]),
    },
    {
      "packages/web/src/link.ts": `import { slug } from "@shop/core";\n\nexport const link = (text: string): string => "/" + slug(text);\n`,
    },
  ],
  [
    "workspace package: type's property renamed",
    edit("packages/core/src/slug.ts", ["weight:", "rank:"]),
    {
      "packages/web/src/tags.ts": `import type { Tag } from "@shop/core";\n\nexport const top: Tag = { name: "new", weight: 3 };\n`,
    },
  ],
  [
    "workspace package: entry of exports removed",
    edit("packages/core/package.json", [`,"./clock":"./src/clock.ts"`, ""]),
    { "packages/web/src/time.ts": `import { now } from "@shop/core/clock";\n\nexport const start = now();\n` },
  ],
  [
    "workspace package: function of an entry takes more",
    edit(
      "packages/core/src/clock.ts",
      ["later(ms: number)", "later(ms: number, from: number)"],
      ["now() + ms", "from + ms"],
    ),
    { "packages/web/src/time.ts": `import { later } from "@shop/core/clock";\n\nexport const soon = later(10);\n` },
  ],
  [
    "both add the same function to a file's two ends",
    append("src/settings.ts", "\nexport function reset(): void {\n  counter = 0;\n}\n"),
    edit("src/settings.ts", [
      "export const settings",
      "export function reset(): number {\n  return 0;\n}\n\nexport const settings",
    ]),
  ],
  [
    "import left behind for the other side's new use",
    edit("src/app.ts", [`import { settings } from "./settings";\n`, ""], ["settings.currency", `"EUR"`]),
    append("src/app.ts", `\nexport const retries = settings.retries;\n`),
  ],
  [
    "local helper removed while a call of it is added",
    edit(
      "src/orders/order.ts",
      ["  protected stamp(): number {\n    return 1;\n  }\n", ""],
      ["this.id + this.stamp()", "this.id"],
    ),
    edit("src/orders/order.ts", [
      "export type Status",
      "export class Draft extends Base {\n  describe(): string {\n    return String(this.stamp());\n  }\n}\n\nexport type Status",
    ]),
  ],
];
