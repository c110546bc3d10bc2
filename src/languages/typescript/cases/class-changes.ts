// What happens to classes and to what is made of them.

import { type Change, wrap } from "./change.ts";

const store =
  "export class Store {\n  static open(): Store {\n    return new Store(1);\n  }\n  constructor(readonly size: number) {}\n  read(key: string): string {\n    return key + this.size;\n  }\n  count(): number {\n    return this.size;\n  }\n}\n";

export const classChanges: readonly Change[] = [
  {
    name: "rename class",
    symbol: "Store",
    kind: "value",
    before: store,
    after: store.replaceAll("Store", "Shop"),
    use: (s) => wrap(`  return new ${s}(1).count();`),
  },
  {
    name: "rename method",
    symbol: "Store",
    kind: "value",
    before: store,
    after: store.replace("read(", "fetch("),
    use: (s) => wrap(`  return new ${s}(1).read("a");`),
  },
  {
    name: "rename method, through variable",
    symbol: "Store",
    kind: "value",
    before: store,
    after: store.replace("read(", "fetch("),
    use: (s) => wrap(`  const shop = new ${s}(1);\n  return shop.read("a");`),
  },
  {
    name: "rename other method",
    symbol: "Store",
    kind: "value",
    before: store,
    after: store.replace("read(", "fetch("),
    use: (s) => wrap(`  return new ${s}(1).count();`),
  },
  {
    name: "method gains parameter",
    symbol: "Store",
    kind: "value",
    before: store,
    after: store.replace("key: string)", "key: string, again: boolean)"),
    use: (s) => wrap(`  return new ${s}(1).read("a");`),
  },
  {
    name: "method made private",
    symbol: "Store",
    kind: "value",
    before: store,
    after: store.replace("  read(", "  private read("),
    use: (s) => wrap(`  return new ${s}(1).read("a");`),
  },
  {
    name: "static removed",
    symbol: "Store",
    kind: "value",
    before: store,
    after: store.replace("open()", "make()"),
    use: (s) => wrap(`  return ${s}.open();`),
  },
  {
    name: "static through result",
    symbol: "Store",
    kind: "value",
    before: store,
    after: store.replace("count()", "total()"),
    use: (s) => wrap(`  return ${s}.open().count();`),
  },
  {
    name: "constructor gains parameter",
    symbol: "Store",
    kind: "value",
    before: store,
    after: store
      .replace("readonly size: number", "readonly size: number, name: string")
      .replace("new Store(1)", 'new Store(1, "")'),
    use: (s) => wrap(`  return new ${s}(1);`),
  },
  {
    name: "constructor gains optional",
    symbol: "Store",
    kind: "value",
    before: store,
    after: store.replace("readonly size: number", "readonly size: number, name?: string"),
    use: (s) => wrap(`  return new ${s}(1);`),
  },
  {
    name: "class becomes abstract",
    symbol: "Store",
    kind: "value",
    before: "export class Store {\n  read(): number {\n    return 1;\n  }\n}\n",
    after: "export abstract class Store {\n  read(): number {\n    return 1;\n  }\n}\n",
    use: (s) => wrap(`  return new ${s}();`),
  },
  {
    name: "class gains abstract member",
    symbol: "Store",
    kind: "value",
    before: "export abstract class Store {\n  abstract read(): number;\n}\n",
    after: "export abstract class Store {\n  abstract read(): number;\n  abstract write(): void;\n}\n",
    use: (s) => `export class Own extends ${s} {\n  read(): number {\n    return 1;\n  }\n}\n`,
  },
  {
    name: "base loses method used by subclass",
    symbol: "Store",
    kind: "value",
    before: store,
    after: store.replace("count()", "total()"),
    use: (s) => `export class Own extends ${s} {\n  twice(): number {\n    return this.count() * 2;\n  }\n}\n`,
  },
  {
    name: "class becomes interface",
    symbol: "Store",
    kind: "value",
    before: "export class Store {\n  read(): number {\n    return 1;\n  }\n}\n",
    after: "export interface Store {\n  read(): number;\n}\n",
    use: (s) => wrap(`  return new ${s}();`),
  },
  {
    name: "class becomes interface, as type",
    symbol: "Store",
    kind: "type",
    before: "export class Store {\n  read(): number {\n    return 1;\n  }\n}\n",
    after: "export interface Store {\n  read(): number;\n}\n",
    use: (s) => `export function fresh(store: ${s}): number {\n  return store.read();\n}\n`,
  },
  {
    name: "export becomes type-only",
    symbol: "Store",
    kind: "value",
    before: `${store}`,
    after: `${store.replace("export class", "class")}export type { Store };\n`,
    use: (s) => wrap(`  return new ${s}(1);`),
  },
];
