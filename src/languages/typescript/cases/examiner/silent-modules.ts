// Near misses: files, barrels, components, CommonJS and workspace packages. See shop.ts for the project.

import type { Files } from "../../rules/trees.suite.ts";
import { append, edit, shop, type ExaminerCase } from "./shop.ts";

const renamedFormat: Files = {
  ...edit("src/money.ts", ["formatMoney", "showMoney"]),
  ...edit("src/app.ts", ["formatMoney", "showMoney"]),
};

export const silentModules: readonly ExaminerCase[] = [
  [
    "function turned to an arrow",
    edit("src/orders/repository.ts", [
      "export function loadOrder(id: string, from: OrderRepository): Order {",
      "export const loadOrder = (id: string, from: OrderRepository): Order => {",
    ]),
    {
      "src/new.ts": `import { loadOrder, type OrderRepository } from "./orders";\n\nexport const first = (from: OrderRepository) => loadOrder("1", from).id;\n`,
    },
  ],
  [
    "function moved and given out again",
    { "src/result.ts": `export * from "./outcome";\n`, "src/outcome.ts": shop["src/result.ts"] ?? "" },
    {
      "src/new.ts": `import { attempt, type Result } from "./result";\n\nexport const one: Result<number> = attempt(() => 1);\n`,
    },
  ],
  [
    "file made a folder with an index",
    { "src/result.ts": null, "src/result/index.ts": shop["src/result.ts"] ?? "" },
    {
      "src/new.ts": `import { attempt } from "./result";\nimport { pick } from "@/result";\n\nexport const one = attempt(() => pick(1));\n`,
    },
  ],
  [
    "file turned from ts to tsx",
    { "src/settings.ts": null, "src/settings.tsx": shop["src/settings.ts"] ?? "" },
    { "src/new.ts": `import { settings } from "./settings";\n\nexport const host = settings.server.host;\n` },
  ],
  [
    "file removed whose name stands in a string",
    { "src/result.ts": null },
    { "src/new.ts": `export const paths = ["./result", "src/result.ts"];\n// import { attempt } from "./result";\n` },
  ],
  [
    "barrel spells out what it gave by star",
    edit("src/orders/index.ts", [
      `export * from "./order";`,
      `export { Base, Order } from "./order";\nexport type { Line, Status } from "./order";`,
    ]),
    {
      "src/new.ts": `import { Base, Order, type Line } from "./orders";\n\nexport const made = (lines: Line[]): Base => new Order("1", lines);\n`,
    },
  ],
  [
    "named export given as default too",
    append("src/settings.ts", "\nexport default settings;\n"),
    { "src/new.ts": `import { settings } from "./settings";\n\nexport const host = settings.server.host;\n` },
  ],
  [
    "default export renamed inside",
    { ...edit("src/money.ts", ["parseMoney", "readMoney"]) },
    { "src/new.ts": `import parseMoney from "./money";\n\nexport const one = parseMoney("1");\n` },
  ],
  [
    "enum member added",
    edit("src/events.ts", [`High = "high",`, `High = "high",\n  Highest = "highest",`]),
    {
      "src/alarm.ts": `import { created, Emitter, Priority } from "./events";\n\nnew Emitter().emit(created("1"), Priority.High);\n`,
    },
  ],
  [
    "component gains an optional property",
    edit("src/ui/button.tsx", ["  children?: unknown;", "  children?: unknown;\n  tone?: string;"]),
    {
      "src/ui/form.tsx": `import { Button, Card } from "./button";\n\nexport const Form = () => (\n  <div>\n    <Button label="Send">now</Button>\n    <Card title="a" />\n  </div>\n);\n`,
    },
  ],
  [
    "component's property renamed, same attribute on another component",
    { ...edit("src/ui/button.tsx", ["label", "text"]) },
    {
      "src/ui/field.tsx": `import { Card } from "./button";\n\nconst Field = ({ label }: { label: string }) => <Card title={label} />;\nexport const Form = () => <Field label="Name" />;\n`,
    },
  ],
  [
    "local name shadows a renamed import",
    renamedFormat,
    edit("src/app.ts", [
      "export function main",
      'export function twice(): string {\n  const formatMoney = (text: string) => text + text;\n  return formatMoney("a");\n}\n\nexport function main',
    ]),
  ],
  [
    "own type hides the removed one",
    edit("src/orders/order.ts", ["Status", "State"]),
    {
      "src/new.ts": `import { Order } from "./orders";\n\ntype Status = "open" | "shut";\nexport const status = (order: Order): Status => (order.status === "open" ? "open" : "shut");\n`,
    },
  ],
  [
    "CommonJS: another function is renamed",
    edit("legacy/text.js", ["capitalize", "upper"]),
    { "legacy/table.js": `const { pad } = require("./text");\n\nmodule.exports = pad("capitalize", 3);\n` },
  ],
  [
    "CommonJS: kept under both names",
    edit(
      "legacy/text.js",
      ["function capitalize", "function upper"],
      ["{ capitalize, pad }", "{ capitalize: upper, upper, pad }"],
    ),
    { "legacy/title.js": `const { capitalize } = require("./text");\n\nmodule.exports = capitalize("a");\n` },
  ],
  [
    "CommonJS: parameter added that JavaScript may leave out",
    edit("legacy/text.js", ["pad(text, width)", 'pad(text, width, fill = " ")']),
    { "legacy/table.js": `const { pad } = require("./text");\n\nmodule.exports = pad("a", 3);\n` },
  ],
  [
    "CommonJS: field added to a class",
    edit("legacy/cart.js", ["this.items = [];", "this.items = [];\n    this.open = true;"]),
    { "legacy/who.js": `const Cart = require("./cart");\n\nconsole.log(new Cart("me").owner);\n` },
  ],
  [
    "workspace package: file behind the entry renamed",
    {
      "packages/core/src/slug.ts": null,
      "packages/core/src/text.ts": shop["packages/core/src/slug.ts"] ?? "",
      ...edit("packages/core/src/index.ts", ["./slug", "./text"]),
    },
    { "packages/web/src/link.ts": `import { slug } from "@shop/core";\n\nexport const link = "/" + slug("A");\n` },
  ],
  [
    "workspace package: inner function added",
    append("packages/core/src/slug.ts", "\nexport function unslug(text: string): string {\n  return text;\n}\n"),
    {
      "packages/web/src/link.ts": `import { slug, type Tag } from "@shop/core";\n\nexport const tag: Tag = { name: slug("A"), weight: 1 };\n`,
    },
  ],
  [
    "workspace package: same name as a local file's export",
    edit("packages/core/src/clock.ts", ["now()", "time()"]),
    {
      "packages/web/src/now.ts": "export const now = (): number => 2;\n",
      "packages/web/src/time.ts": `import { now } from "./now";\n\nexport const start = now();\n`,
    },
  ],
  [
    "both add different functions to one file",
    append("src/settings.ts", "\nexport const colours = 3;\n"),
    edit("src/settings.ts", ["export const settings", "export const sizes = 2;\n\nexport const settings"]),
  ],
  [
    "both give one name to a barrel, one of them outright",
    {
      "src/orders/refund.ts": "export class Refund {}\n",
      ...append("src/orders/index.ts", `export * from "./refund";\n`),
    },
    {
      "src/orders/back.ts": "export class Refund {\n  at = 1;\n}\n",
      ...edit("src/orders/index.ts", [
        `export * from "./order";`,
        `export { Refund } from "./back";\nexport * from "./order";`,
      ]),
    },
  ],
  [
    "both add the same name in different files",
    { "src/one.ts": "export const shared = 1;\n" },
    { "src/two.ts": "export const shared = 2;\n" },
  ],
  [
    "both add a local of the same name in different functions",
    edit("src/result.ts", [
      "  return { ok: true, value };\n",
      "  const made = { ok: true as const, value };\n  return made;\n",
    ]),
    edit("src/result.ts", ["  return value;\n}", "  const made = value;\n  return made;\n}"]),
  ],
  [
    "interface both extend by different members",
    edit("src/money.ts", ["  amount: number;", "  rate?: number;\n  amount: number;"]),
    {
      "src/more.ts": `import type { Money } from "./money";\n\nexport interface Tipped extends Money {\n  tip: number;\n}\nexport const tipped: Tipped = { amount: 1, currency: "EUR", tip: 1 };\n`,
    },
  ],
  [
    "import left behind is imported again by the other",
    edit("src/app.ts", [`import { settings } from "./settings";\n`, ""], ["settings.currency", `"EUR"`]),
    {
      "src/new.ts": `import { settings } from "./settings";\nimport { main } from "./app";\n\nexport const all = main() + settings.retries;\n`,
    },
  ],
  [
    "type parameter with a default added",
    edit(
      "src/events.ts",
      ["class Emitter<E extends Event = Event>", "class Emitter<E extends Event = Event, M = unknown>"],
      ["  #handlers: Handler<E>[] = [];", "  #handlers: Handler<E>[] = [];\n  meta?: M;"],
    ),
    {
      "src/typed.ts": `import { Emitter, type Event } from "./events";\n\nexport const created = new Emitter<Extract<Event, { kind: "created" }>>();\n`,
    },
  ],
];
