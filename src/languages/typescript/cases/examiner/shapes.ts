// Interfaces, properties, unions, enums and type parameters. See shop.ts for the project.

import { edit, type ExaminerCase } from "./shop.ts";

export const shapes: readonly ExaminerCase[] = [
  [
    "abstract method added",
    edit(
      "src/orders/order.ts",
      ["  abstract describe(): string;", "  abstract describe(): string;\n  abstract key(): string;"],
      ["  describe(): string {", "  key(): string {\n    return this.id;\n  }\n\n  describe(): string {"],
    ),
    {
      "src/invoice.ts": `import { Base } from "./orders";\n\nexport class Invoice extends Base {\n  describe(): string {\n    return "invoice";\n  }\n}\n`,
    },
  ],
  [
    "property renamed, in a literal",
    { ...edit("src/orders/order.ts", ["sku:", "article:"]), ...edit("src/app.ts", ["sku:", "article:"]) },
    {
      "src/new.ts": `import { Order } from "./orders";\nimport { ZERO } from "./money";\n\nexport const sample = Order.empty("s").add({ sku: "b", price: ZERO });\n`,
    },
  ],
  [
    "property renamed, read",
    edit("src/money.ts", ["currency: string", "code: string"], ["currency:", "code:"], [".currency", ".code"]),
    {
      "src/new.ts": `import type { Money } from "./money";\n\nexport const same = (a: Money, b: Money): boolean => a.currency === b.currency;\n`,
    },
  ],
  [
    "property renamed, taken apart with a new name",
    edit("src/money.ts", ["currency: string", "code: string"], ["currency:", "code:"], [".currency", ".code"]),
    {
      "src/new.ts": `import parseMoney from "./money";\n\nconst { amount, currency: code = "EUR" } = parseMoney("3");\nexport const text = amount + code;\n`,
    },
  ],
  [
    "optional property made required",
    {
      ...edit(
        "src/money.ts",
        ["note?: string", "note: string"],
        [`currency: "EUR" }`, `currency: "EUR", note: "" }`],
        ["currency: first.currency }", `currency: first.currency, note: "" }`],
      ),
    },
    {
      "src/new.ts": `import { addMoney } from "./money";\n\nexport const three = addMoney({ amount: 1, currency: "EUR" }, { amount: 2, currency: "EUR", note: "two" });\n`,
    },
  ],
  [
    "optional property removed",
    edit("src/money.ts", ["  note?: string;\n", ""]),
    {
      "src/new.ts": `import type { Money } from "./money";\n\nexport const tip: Money = { amount: 1, currency: "EUR", note: "thanks" };\n`,
    },
  ],
  [
    "property's type changed",
    {
      ...edit(
        "src/money.ts",
        ["amount: number;", "amount: bigint;"],
        ["amount: 0,", "amount: 0n,"],
        ["money.amount.toFixed(2)", "String(money.amount)"],
        ["round ? Math.round(first.amount + second.amount) : ", ""],
        ["Number(text)", "BigInt(text)"],
      ),
    },
    { "src/new.ts": `import { ZERO } from "./money";\n\nexport const half = Math.round(ZERO.amount / 2);\n` },
  ],
  [
    "union narrowed, a value no longer allowed",
    edit("src/orders/order.ts", [` | "sent"`, ""]),
    {
      "src/send.ts": `import type { Order } from "./orders";\n\nexport function send(order: Order): void {\n  order.status = "sent";\n}\n`,
    },
  ],
  [
    "union widened, switched over to the end",
    { ...edit("src/orders/order.ts", [`| "sent"`, `| "sent" | "lost"`]) },
    {
      "src/label.ts": `import type { Status } from "./orders";\n\nexport function label(status: Status): string {\n  switch (status) {\n    case "open":\n      return "Open";\n    case "paid":\n      return "Paid";\n    case "sent":\n      return "Sent";\n  }\n}\n`,
    },
  ],
  [
    "union widened, a table over it",
    edit("src/settings.ts", [`"small", "large"`, `"small", "medium", "large"`]),
    {
      "src/limits.ts": `import type { Limit } from "./settings";\n\nexport const sizes: Record<Limit, number> = { small: 1, large: 9 };\n`,
    },
  ],
  [
    "member of a union of objects loses a field",
    edit(
      "src/events.ts",
      [`kind: "paid"; id: string; amount: Money`, `kind: "paid"; id: string; cents: number`],
      [`import type { Money } from "./money";\n\n`, ""],
    ),
    {
      "src/log.ts": `import type { Event } from "./events";\n\nexport function log(event: Event): string {\n  return event.kind === "paid" ? event.amount.currency : event.id;\n}\n`,
    },
  ],
  [
    "discriminant renamed",
    edit("src/events.ts", ["kind:", "type:"]),
    {
      "src/log.ts": `import { events } from ".";\n\nexport const isPaid = (event: events.Event): boolean => event.kind === "paid";\n`,
    },
  ],
  [
    "enum member renamed",
    edit("src/events.ts", [`High = "high"`, `Urgent = "high"`]),
    {
      "src/alarm.ts": `import { created, Emitter, Priority } from "./events";\n\nnew Emitter().emit(created("1"), Priority.High);\n`,
    },
  ],
  [
    "enum turned into a union of strings",
    edit(
      "src/events.ts",
      [`export enum Priority {\n  Low = "low",\n  High = "high",\n}`, `export type Priority = "low" | "high";`],
      ["Priority.Low", `"low"`],
    ),
    {
      "src/alarm.ts": `import { created, Emitter, Priority } from "./events";\n\nnew Emitter().emit(created("1"), Priority.High);\n`,
    },
  ],
  [
    "callback is given more, handler typed by name gains a parameter type",
    edit(
      "src/events.ts",
      ["(event: E, priority: Priority) => void", "(event: E, priority: number) => void"],
      ["handler(event, priority)", "handler(event, priority.length)"],
    ),
    {
      "src/listen.ts": `import { Emitter, type Priority } from "./events";\n\nnew Emitter().on((event, priority: Priority) => console.log(event.id, priority));\n`,
    },
  ],
  [
    "class loses its type parameter",
    edit(
      "src/events.ts",
      ["class Emitter<E extends Event = Event>", "class Emitter"],
      ["Handler<E>", "Handler"],
      ["event: E, priority: Priority =", "event: Event, priority: Priority ="],
    ),
    {
      "src/typed.ts": `import { Emitter, type Event } from "./events";\n\nexport const created = new Emitter<Extract<Event, { kind: "created" }>>();\n`,
    },
  ],
  [
    "type loses its second parameter",
    edit(
      "src/result.ts",
      ["Result<T, E = Error>", "Result<T>"],
      ["error: E }", "error: Error }"],
      ["Result<T, never>", "Result<T>"],
    ),
    {
      "src/check.ts": `import type { Result } from "./result";\n\nexport const fine: Result<number, string> = { ok: true, value: 1 };\n`,
    },
  ],
  [
    "type gains a required parameter",
    edit(
      "src/result.ts",
      ["Result<T, E = Error>", "Result<T, E>"],
      ["(work: () => T): Result<T> {", "(work: () => T): Result<T, Error> {"],
    ),
    {
      "src/check.ts": `import type { Result } from "./result";\n\nexport function half(value: number): Result<number> {\n  return { ok: true, value: value / 2 };\n}\n`,
    },
  ],
  [
    "constraint of a type parameter tightened",
    edit("src/result.ts", ["export function success<T>(", "export function success<T extends object>("]),
    { "src/check.ts": `import { success } from "./result";\n\nexport const one = success(1);\n` },
  ],
  [
    "overload removed",
    edit("src/result.ts", ["export function pick(value: number): number;\n", ""]),
    { "src/check.ts": `import { pick } from "./result";\n\nexport const two: number = pick(2);\n` },
  ],
  [
    "return widened by undefined",
    edit(
      "src/orders/repository.ts",
      ["from: OrderRepository): Order {", "from: OrderRepository): Order | undefined {"],
      ["  if (order === undefined) throw new Error(id);\n", ""],
    ),
    {
      "src/new.ts": `import { loadOrder, type OrderRepository } from "./orders";\n\nexport const countOf = (id: string, from: OrderRepository): number => loadOrder(id, from).count;\n`,
    },
  ],
];
