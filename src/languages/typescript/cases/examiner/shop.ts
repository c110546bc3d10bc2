// The project on which the examiner's cases play: one of everything the language offers to other files. Written, like the
// cases, without looking at the checker.

import type { Files } from "../../rules/trees.suite.ts";

export const shop: Record<string, string> = {
  "tsconfig.json": JSON.stringify({
    compilerOptions: {
      strict: true,
      jsx: "preserve",
      target: "es2022",
      module: "esnext",
      moduleResolution: "bundler",
      allowJs: true,
      checkJs: true,
      noImplicitAny: false,
      baseUrl: ".",
      paths: { "@/*": ["./src/*"], "~money": ["./src/money.ts"] },
    },
    include: ["src", "legacy", "packages", "test"],
  }),
  "package.json": JSON.stringify({ name: "shop", private: true, workspaces: ["packages/*"] }),
  "src/money.ts": `export interface Money {
  amount: number;
  currency: string;
  note?: string;
}

export const ZERO: Money = { amount: 0, currency: "EUR" };

export function formatMoney(money: Money, locale: string): string {
  return money.amount.toFixed(2) + " " + money.currency + " " + locale;
}

export function addMoney(first: Money, second: Money, round = false): Money {
  return { amount: round ? Math.round(first.amount + second.amount) : first.amount + second.amount, currency: first.currency };
}

export default function parseMoney(text: string): Money {
  return { amount: Number(text), currency: "EUR" };
}
`,
  "src/orders/order.ts": `import { addMoney, ZERO, type Money } from "../money";

export interface Line {
  sku: string;
  price: Money;
}

export abstract class Base {
  abstract describe(): string;
  protected stamp(): number {
    return 1;
  }
}

export class Order extends Base {
  static empty(id: string): Order {
    return new Order(id, []);
  }

  status: Status = "open";

  constructor(
    readonly id: string,
    readonly lines: Line[],
  ) {
    super();
  }

  add(line: Line, position?: number): this {
    this.lines.splice(position ?? this.lines.length, 0, line);
    return this;
  }

  get count(): number {
    return this.lines.length;
  }

  total(): Money {
    return this.lines.reduce((sum, line) => addMoney(sum, line.price), ZERO);
  }

  describe(): string {
    return this.id + this.stamp();
  }
}

export type Status = "open" | "paid" | "sent";
`,
  "src/orders/repository.ts": `import type { Order } from "./order";

export interface OrderRepository {
  find(id: string): Order | undefined;
  save(order: Order): void;
}

export class MemoryOrders implements OrderRepository {
  private readonly all = new Map<string, Order>();

  find(id: string): Order | undefined {
    return this.all.get(id);
  }

  save(order: Order): void {
    this.all.set(order.id, order);
  }
}

export function loadOrder(id: string, from: OrderRepository): Order {
  const order = from.find(id);
  if (order === undefined) throw new Error(id);
  return order;
}
`,
  "src/orders/index.ts": `export * from "./order";
export { MemoryOrders, loadOrder } from "./repository";
export type { OrderRepository } from "./repository";
`,
  "src/events.ts": `import type { Money } from "./money";

export type Event = { kind: "created"; id: string } | { kind: "paid"; id: string; amount: Money };

export enum Priority {
  Low = "low",
  High = "high",
}

export type Handler<E extends Event = Event> = (event: E, priority: Priority) => void;

export class Emitter<E extends Event = Event> {
  #handlers: Handler<E>[] = [];

  on(handler: Handler<E>): () => void {
    this.#handlers.push(handler);
    return () => undefined;
  }

  emit(event: E, priority: Priority = Priority.Low): number {
    for (const handler of this.#handlers) handler(event, priority);
    return this.#handlers.length;
  }
}

export const created = (id: string): Event => ({ kind: "created", id });
`,
  "src/settings.ts": `export const settings = {
  currency: "EUR",
  retries: 3,
  server: { host: "localhost", port: 80 },
};

export type Settings = typeof settings;

export const limits = ["small", "large"] as const;
export type Limit = (typeof limits)[number];

export namespace Rates {
  export const standard = 19;
  export function of(country: string): number {
    return country === "DE" ? standard : 0;
  }
}

export let counter = 0;
export function bump(): void {
  counter += 1;
}
`,
  "src/result.ts": `export type Result<T, E = Error> = { ok: true; value: T } | { ok: false; error: E };

export function success<T>(value: T): Result<T, never> {
  return { ok: true, value };
}

export function attempt<T>(work: () => T): Result<T> {
  try {
    return { ok: true, value: work() };
  } catch (error) {
    return { ok: false, error: error as Error };
  }
}

export function pick(value: string): string;
export function pick(value: number): number;
export function pick(value: string | number): string | number {
  return value;
}
`,
  "src/index.ts": `export * from "./money";
export { default as parseMoney } from "./money";
export * as events from "./events";
export * from "./orders";
`,
  "src/ui/jsx.d.ts": `declare namespace JSX {
  interface Element {}
  interface ElementChildrenAttribute {
    children: unknown;
  }
  interface IntrinsicAttributes {
    key?: string;
  }
  interface IntrinsicElements {
    div: { class?: string; children?: unknown };
    button: { onclick?: () => void; children?: unknown };
  }
}
`,
  "src/ui/button.tsx": `export interface ButtonProps {
  label: string;
  onPress?: () => void;
  size?: "small" | "large";
  children?: unknown;
}

export function Button({ label, onPress, children }: ButtonProps): JSX.Element {
  return (
    <button onclick={onPress}>
      {label}
      {children}
    </button>
  );
}

export const Card = (props: { title: string; footer?: string }): JSX.Element => <div>{props.title}</div>;

export default Button;
`,
  "src/app.ts": `import parseMoney, { formatMoney } from "@/money";
import { Order } from "./orders";
import { settings } from "./settings";

export function main(): string {
  const order = Order.empty("1").add({ sku: "a", price: parseMoney("3") });
  return formatMoney(order.total(), settings.currency);
}
`,
  "legacy/text.js": `function capitalize(text) {
  return text[0].toUpperCase() + text.slice(1);
}

function pad(text, width) {
  return text.padStart(width);
}

module.exports = { capitalize, pad };
`,
  "legacy/cart.js": `class Cart {
  constructor(owner) {
    this.owner = owner;
    this.items = [];
  }

  put(item) {
    this.items.push(item);
    return this;
  }
}

module.exports = Cart;
`,
  "legacy/flags.js": `exports.isOn = function (name) {
  return name.length > 0;
};
exports.names = ["a", "b"];
`,
  "packages/core/package.json": JSON.stringify({
    name: "@shop/core",
    type: "module",
    exports: { ".": "./src/index.ts", "./clock": "./src/clock.ts" },
  }),
  "packages/core/src/index.ts": `export { slug } from "./slug";
export type { Tag } from "./slug";
`,
  "packages/core/src/slug.ts": `export type Tag = { name: string; weight: number };

export function slug(text: string): string {
  return text.toLowerCase();
}
`,
  "packages/core/src/clock.ts": `export function now(): number {
  return 1;
}

export function later(ms: number): number {
  return now() + ms;
}
`,
  "packages/web/package.json": JSON.stringify({ name: "@shop/web", dependencies: { "@shop/core": "workspace:*" } }),
  "packages/web/src/page.ts": `import { slug } from "@shop/core";

export const page = slug("Hello");
`,
};

/** What the one side does to the shop, and what the other does meanwhile. */
export type ExaminerCase = readonly [name: string, ours: Files, theirs: Files];

type Change = readonly [from: string, to: string];

/** The shop's file with each text replaced everywhere; a text that is not there is a mistake of the case. */
export function edit(path: string, ...changes: readonly Change[]): Files {
  let text = shop[path] ?? "";
  for (const [from, to] of changes) {
    if (!text.includes(from)) throw new Error(`${path} has no ${from}`);
    text = text.replaceAll(from, to);
  }
  return { [path]: text };
}

export function append(path: string, text: string): Files {
  return { [path]: `${shop[path] ?? ""}${text}` };
}
