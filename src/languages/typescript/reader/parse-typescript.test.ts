import { describe, expect, test } from "bun:test";
import type { Shape, Step, TypeScriptSummary } from "../facts.ts";
import { parseTypeScript } from "./parse-typescript.ts";

function full(text: string, path = "a.tsx"): TypeScriptSummary {
  return parseTypeScript(path, text, "full");
}

/** A use as people would write it: `Store.new/1.open/0`. */
function written(text: string, path?: string): string[] {
  return full(text, path).uses.map((use) => [start(use.from), ...use.steps.map(step)].join("."));
}

function start(shape: Shape): string {
  switch (shape.k) {
    case "value":
      return [shape.root, ...shape.steps.map(step)].join(".");
    case "type":
      return `<${shape.name.join(".")}>`;
    case "from":
      return [start(shape.shape), ...shape.steps.map(step)].join(".");
    default:
      return shape.k;
  }
}

function step(one: Step): string {
  switch (one.s) {
    case "member":
      return one.name;
    case "call":
    case "new":
      return `${one.s}/${one.spread ? "any" : one.count}`;
    case "type":
      return `type/${one.types ?? 0}`;
    case "jsx":
      return `jsx(${one.attributes.map((attribute) => attribute.name).join(",")}${one.spread ? ",…" : ""})`;
    default:
      return one.s;
  }
}

const names = (list: readonly { name: string }[]): string[] => list.map((one) => one.name);

describe("uses", () => {
  const head = 'import { Store, f } from "./a";\nimport * as ns from "./b";\n';

  test("are chains from an imported name", () =>
    expect(written(`${head}ns.make(1, 2).name;`)).toEqual(["ns.make.call/2.name"]));
  test("follow a variable to what it was made of", () =>
    expect(written(`${head}function g() { const s = new Store(1); s.open(); }`)).toEqual([
      "Store.new/1",
      "Store.new/1.open.call/0",
    ]));
  test("follow annotations", () =>
    expect(written(`${head}const g = (s: Store) => s.size;`)).toEqual(["Store.type/0", "<Store>.size"]));
  test("follow destructuring", () =>
    expect(written(`${head}const { a, b: { c } } = ns;`)).toEqual(["ns.a", "ns.b", "ns.b.c", "ns"]));
  test("follow elements into callbacks and loops", () =>
    expect(
      written(`${head}export const g = (all: Store[]) => { all.map((one) => one.id); for (const s of all) s.go(); };`),
    ).toEqual(["Store.type/0", "<Store>.id", "<Store>.go.call/0"]));
  test("do not see through a shadow", () =>
    expect(written(`${head}export function g(f: () => void) { f(); { const ns = 1; ns; } }`)).toEqual([]));
  test("do not see through a later declaration in the block", () =>
    expect(written(`${head}{ f(1); function f(n) {} }`)).toEqual([]));
  test("see past optional chaining, assertions and parentheses", () =>
    expect(written(`${head}(ns?.a!.b satisfies unknown)?.();`)).toEqual(["ns.a.b.call/0"]));
  test("lose track at a cast", () => expect(written(`${head}(f() as any).x;`)).toEqual(["f.call/0"]));
  test("count spread arguments as any", () => expect(written(`${head}f(...all);`)).toEqual(["f.call/any"]));
  test("note an operand and an await", () =>
    expect(written(`${head}f() + (await ns.g());`)).toEqual(["f.call/0.operand", "ns.g.call/0.await.operand"]));
  test("note elements with their attributes", () =>
    expect(written(`${head}<ns.Box a="1" b {...p}>x</ns.Box>;`)).toEqual(["ns.Box.jsx(a,b,…)"]));
  test("note types, once each", () =>
    expect(written(`${head}let a: ns.T<1>; let b: ns.T<2>; type X = import("./q").Y;`)).toEqual([
      "ns.T.type/1",
      "import(./q).Y.type/0",
    ]));
  test("start at dynamic imports and require", () =>
    expect(written('async function g() { const { a } = await import("./a"); a(1); require("./b").c(); }')).toEqual([
      "<Promise>.await.a",
      "<Promise>.await.a.call/1",
      "require(./b).c.call/0",
    ]));
  test("are left out on lines told to be ignored", () =>
    expect(written(`${head}// @ts-expect-error\nf(1);\nf(2);`)).toEqual(["f.call/1"]));
  test("know the class around", () => {
    const found = full("export class A { a() { this.b(); } b() {} }").uses;
    expect(found).toEqual([
      {
        line: 1,
        from: { k: "type", name: ["A"] },
        steps: [
          { s: "member", name: "b" },
          { s: "call", count: 0 },
        ],
        inside: "A",
      },
    ]);
  });
});

describe("names", () => {
  test("are free when nothing declares them", () =>
    expect(names(full("a; function f(b) { b; c; } type T = D; typeof e;").free)).toEqual(["a", "c", "D"]));
  test("are bound by var, parameters, catch, labels, type parameters and infer", () =>
    expect(
      names(
        full(
          "if (1) { var v; } v; try {} catch (e) { e; } l: for (;;) break l; type T<A> = A extends (infer B)[] ? B : { [K in keyof A]: K };",
        ).free,
      ),
    ).toEqual([]));
  test("declared twice are noted", () =>
    expect(
      names(
        full("const a = 1; const a = 2; function f() {} function f() {} class C { m() {} m() {} }").duplicates,
      ).sort(),
    ).toEqual(["C.m", "a", "f"]));
  test("that merge are not", () =>
    expect(
      names(
        full(
          "interface I {} interface I {} function f(): void; function f(a?: 1) {} namespace f {} class K { get a() { return 1; } set a(v) {} } type T = 1; const T = 1; var x; var x;",
          "a.ts",
        ).duplicates,
      ),
    ).toEqual([]));
});

const exported = (text: string, path = "a.ts"): string[] =>
  full(text, path).exports.map((one) => `${one.name}<${one.from ?? ""}${one.local ?? one.imported ?? ""}`);

describe("exports", () => {
  test("of ES modules", () =>
    expect(
      exported(
        'export const a = 1, { b, c: [d] } = x; export { a as z }; export * from "./q"; export * as ns from "./r"; export default class K {}',
      ),
    ).toEqual(["a<a", "b<b", "d<d", "z<a", "*<./q*", "ns<./r*", "default<K"]));
  test("of CommonJS", () =>
    expect(exported("exports.a = 1; module.exports.b = f; function f() {}", "a.js")).toEqual(["a<*a*", "b<f"]));
  test("as a whole", () => expect(exported("class K {} export = K;")).toEqual(["export=<K"]));
  test("assigned below the top leave the list open", () => {
    expect(full("exports.a = 1; if (x) { exports.b = 2; }", "a.js").exportsOpen).toBe(true);
    expect(full("exports.a = 1;", "a.js").exportsOpen).toBeUndefined();
  });
});

const print = (text: string): string | undefined => full(text).declarations[0]?.print;

describe("definitions", () => {
  test("say what a parameter allows", () => {
    const [declaration] = full(
      "export function f(this: X, a: string, b?: number, c = 1, ...d: string[]) {}",
      "a.ts",
    ).declarations;
    expect(declaration?.shape).toMatchObject({
      signatures: [
        {
          parameters: [
            { name: "a" },
            { name: "b", optional: true },
            { name: "c", optional: true },
            { name: "d", rest: true },
          ],
        },
      ],
    });
  });
  test("in JavaScript, a parameter the body asks for may be left out", () => {
    const [declaration] = full("export function f(a, b, c) { b = b || {}; if (!c) return a; }", "a.js").declarations;
    expect(declaration?.shape).toMatchObject({
      signatures: [{ parameters: [{ name: "a" }, { name: "b", optional: true }, { name: "c", optional: true }] }],
    });
    expect(declaration?.shape).not.toMatchObject({ signatures: [{ parameters: [{ optional: true }] }] });
  });
  test("keep their print when renamed", () => {
    expect(print("function a(x) { return a(x - 1); }")).toBe(print("function bb(x) { return bb(x - 1); }") ?? "");
    expect(print("function a(x) { return x; }")).not.toBe(print("function a(x) { return x + 1; }"));
  });
});

describe("any text", () => {
  test("that does not parse says so and claims nothing", () => {
    const summary = full("export const a = ;\nimport { b } from './b';");
    expect(summary.broken).toBeString();
    expect([summary.exports, summary.uses, summary.mentions]).toEqual([[], [], []]);
  });
  test.each([
    ["parentheses", "x = " + "(".repeat(100_000) + "1" + ")".repeat(100_000)],
    ["operators", "x = " + "a+".repeat(100_000) + "1"],
    ["operators over lines", "x = " + "a\n+".repeat(100_000) + "1"],
    ["words", "x = " + "typeof ".repeat(100_000) + "1"],
    ["branches", "if (a) {} else ".repeat(50_000) + "{}"],
    ["blocks", "{".repeat(100_000) + "}".repeat(100_000)],
    ["members", `import { a } from "./a"; a${".b".repeat(100_000)};`],
    ["calls", `f${"()".repeat(300_000)};`],
    ["types", `type X = ${"A<".repeat(100_000)}1${">".repeat(100_000)};`],
  ])("that nests %s beyond reason is passed over, and nothing ends", (_, text) => {
    expect(full(text, "a.ts").broken).toBe("nested too deeply");
  });
  test("that is long but flat is read", () => {
    expect(full("const a = b + c\n".repeat(20_000), "a.ts").broken).toBeUndefined();
    expect(full(`export const a = [${"1 + 2, ".repeat(20_000)}];`, "a.ts").broken).toBeUndefined();
  });
  test("with variance annotations parses", () =>
    expect(full("export interface Box<in out T> { value: T }", "a.ts").broken).toBeUndefined());
  test("with JSX in .js parses", () => expect(full("export const a = <div>{1}</div>;", "a.js").broken).toBeUndefined());
  test("of JSON gives its keys", () =>
    expect(full('{ "a": 1, "b": 2 }', "a.json").declarations[0]?.shape).toMatchObject({
      members: [{ name: "a" }, { name: "b" }],
    }));
  test("gives the same outline at both depths", () => {
    const text =
      'import { a } from "./a";\nexport class K extends a { m(n: number) { return import("./lazy"); } }\nconst b = require("./b");\n';
    const [outline, whole] = [parseTypeScript("a.ts", text, "outline"), parseTypeScript("a.ts", text, "full")];
    expect(outline.uses).toEqual([]);
    expect({ ...outline, depth: 0, uses: [] }).toEqual({ ...whole, depth: 0, uses: [] } as never);
  });
});
