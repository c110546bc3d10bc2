import { expect, test } from "bun:test";
import { parseGo } from "../go/parse-go.ts";
import { parseJava } from "../java/parse-java.ts";
import { parseRust } from "../rust/parse-rust.ts";

test("what cannot be read is passed over with its reason, in each language", async () => {
  for (const [parse, broken] of [
    [parseGo, "package a\nfunc f( {"],
    [parseJava, "class A { void f( { }"],
    [parseRust, "fn f( {"],
  ] as const) {
    expect((await parse(broken)).skipped).toBe("syntax error");
    expect((await parse("\0")).skipped).toBe("not text");
    expect((await parse(" ".repeat(1_100_000))).skipped).toBe("too large");
    expect((await parse(`${"(".repeat(2_000)}${")".repeat(2_000)}`)).skipped).toBeDefined();
  }
});

test("grammars of several languages may be loaded at once", async () => {
  const [go, java, rust] = await Promise.all([
    parseGo("package a\n\nfunc F(a, b int, c ...string) (int, error) { return g(a) }\n"),
    parseJava("package a; class A extends B { private int x; A(int... y) {} }"),
    parseRust("pub(crate) fn f(a: i32) {}\nmod m;\nuse a::{b as c, d::*};\n"),
  ]);
  expect(go.declarations[0]).toMatchObject({ name: "F", takes: [2, -1], gives: 2 });
  expect(go.uses.map(({ path, args }) => [path, args])).toEqual([[["g"], 1]]);
  expect(java.declarations.map(({ kind, name, of, access }) => [kind, name, of, access])).toEqual([
    ["type", "A", "", ""],
    ["field", "x", "A", "private"],
    ["constructor", "new", "A", ""],
  ]);
  expect(rust.declarations.map(({ kind, name, access }) => [kind, name, access])).toEqual([
    ["function", "f", "crate"],
    ["module", "m", ""],
  ]);
  expect(rust.imports.map(({ name, path }) => [name, path.join("::")])).toEqual([
    ["c", "a::b"],
    ["*", "a::d"],
  ]);
});

test("a deeply nested file is passed over, not followed into the ground", async () => {
  const deep = `package a\n\nvar x = ${"-(".repeat(5_000)}1${")".repeat(5_000)}\n`;
  expect((await parseGo(deep)).skipped).toBe("nested too deeply");
});
