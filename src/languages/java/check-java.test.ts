import { expect, test } from "bun:test";
import { said } from "../compiled/scene.suite.ts";

const library = `package org.lib;

import java.util.List;

public class Library extends Base {
  public static final int LIMIT = 3;
  public int size;

  public Library(int size) { this.size = size; }
  public Library(int size, String name) { this.size = size; }

  public static Library make(int a) { return new Library(a); }
  public void open(int mode) {}
  public void open(int mode, boolean twice) {}
  public void all(int first, String... rest) {}
  void inside() {}
  public static class Part { public int id() { return 1; } }
}
`;
const extra = {
  "src/org/lib/Base.java":
    "package org.lib;\n\npublic abstract class Base {\n  public void close() {}\n  protected abstract int rank(int a);\n}\n",
  "src/org/lib/Shape.java":
    "package org.lib;\n\npublic interface Shape {\n  double area();\n  default void draw() {}\n}\n",
  "src/org/lib/Color.java": "package org.lib;\n\npublic enum Color { RED, BLUE }\n",
  "src/org/lib/Point.java": "package org.lib;\n\npublic record Point(int x, int y) {}\n",
};
const fixed = library.replace("void inside() {}", "void inside() {}\n  protected int rank(int a) { return a; }");

/** One side edits a file of the library, the other adds a class; what is said about it. */
async function check(
  name: string,
  edit: (text: string) => string,
  body: string,
  expected: readonly string[],
): Promise<void> {
  const base: Record<string, string> = { "src/org/lib/Library.java": fixed, ...extra };
  const path = `src/org/lib/${name}.java`;
  const text = body.startsWith("package")
    ? body
    : `package org.app;\n\nimport org.lib.*;\n\nclass Fresh {\n${body}\n}\n`;
  const theirs = { [`src/${/^package ([\w.]+)/.exec(text)?.[1]?.replaceAll(".", "/") ?? ""}/Fresh.java`]: text };
  const told = await said("java", { base, ours: { [path]: edit(base[path] ?? "") }, theirs });
  expect(told.map((one) => one.replace(/ src\/.*$/, ""))).toEqual([...expected]);
}
const swap =
  (from: string, to: string) =>
  (text: string): string => {
    if (!text.includes(from)) throw new Error(`no ${from}`);
    return text.replace(from, to);
  };

test("static members, constructors and methods that are gone or changed are told", async () => {
  await check("Library", swap("Library make", "Library build"), "Library x = Library.make(1);", [
    "removed-member Library.make",
  ]);
  await check("Library", swap("make(int a)", "make(int a, int b)"), "Library x = Library.make(1);", [
    "signature Library.make",
  ]);
  await check("Library", swap("LIMIT", "MOST"), "int x = org.lib.Library.LIMIT;", ["removed-member Library.LIMIT"]);
  await check(
    "Library",
    swap("public Library(int size) {", "public Library(int size, int a, int b) {"),
    "Library x = new Library(1);",
    ["signature Library.new"],
  );
  await check("Library", swap("public void open(int mode) {}\n", ""), "void run(Library x) { x.open(1); }", [
    "signature Library.open",
  ]);
  await check("Library", swap("public static Library make", "public Library make"), "Library x = Library.make(1);", [
    "signature Library.make",
  ]);
});

test("members are followed through var, fields, results, inheritance, nested types and records", async () => {
  await check("Base", swap("close()", "shut()"), "void run() { var x = new Library(1); x.close(); }", [
    "removed-member Base.close",
  ]);
  await check("Base", swap("close()", "shut()"), "Library x;\n  void run() { this.x.close(); x.close(); }", [
    "removed-member Base.close",
  ]);
  await check("Base", swap("close()", "shut()"), "void run() { Library.make(1).close(); }", [
    "removed-member Base.close",
  ]);
  await check("Library", swap("int id()", "int key()"), "int run(Library.Part part) { return part.id(); }", [
    "removed-member Library.Part.id",
  ]);
  await check("Point", swap("int y", "int z"), "int run(Point point) { return point.y(); }", [
    "removed-member Point.y",
  ]);
  await check("Point", swap("int y", "int y, int z"), "Point point = new Point(1, 2);", ["signature Point.new"]);
});

test("what becomes private or leaves its package is out of reach", async () => {
  await check("Library", swap("public int size", "private int size"), "int run(Library x) { return x.size; }", [
    "made-private Library.size",
  ]);
  await check(
    "Library",
    swap("public class Library", "class Library"),
    "package org.app;\n\nimport org.lib.Library;\n\nclass Fresh {\n  Library x;\n}\n",
    ["made-private Library"],
  );
  await check(
    "Library",
    swap("void inside()", "private void inside()"),
    "package org.lib;\n\nclass Fresh {\n  void run(Library x) { x.inside(); }\n}\n",
    ["made-private Library.inside"],
  );
});

test("a class implements and overrides what it says", async () => {
  const disc = "static class Disc implements Shape {\n  @Override public double area() { return 1; }\n}";
  await check("Shape", swap("double area();", "double area();\n  double length();"), disc, ["requires-more Shape"]);
  await check("Shape", swap("double area();", "double area();\n  default double length() { return 0; }"), disc, []);
  await check("Shape", swap("double area();", ""), disc, ["removed-member Shape.area"]);
  await check(
    "Shape",
    swap("double area();", "double area();\n  double length();"),
    "Shape x = new Shape() {\n  public double area() { return 1; }\n};",
    ["requires-more Shape"],
  );
  await check(
    "Base",
    swap("rank(int a);", "rank(int a);\n  protected abstract int more();"),
    "static abstract class Part extends Base {}",
    [],
  );
});

test("an enum's constants are known to a switch", async () => {
  const whole = "int run(Color c) { return switch (c) { case RED -> 1; case BLUE -> 2; }; }";
  await check("Color", swap("BLUE", "BLUE, GREEN"), whole, ["requires-more Color"]);
  await check("Color", swap("BLUE", "TEAL"), whole, ["removed-member Color.BLUE"]);
  await check(
    "Color",
    swap("BLUE", "BLUE, GREEN"),
    "void run(Color c) { switch (c) { case RED: break; case BLUE: break; } }",
    [],
  );
});

test("overloads, varargs, locals, generics, anonymous classes and unknown supertypes stay silent", async () => {
  await check(
    "Library",
    swap("public void open(int mode) {}", "public void open(int mode, int... more) {}"),
    "void run(Library x) { x.open(1); }",
    [],
  );
  await check("Library", swap("String... rest", "Object... rest"), 'void run(Library x) { x.all(1, "", ""); }', []);
  await check(
    "Library",
    swap("Library make", "Library build"),
    "int make(int a) { return a; }\n  int x = make(1);",
    [],
  );
  await check("Library", swap("Library make", "Library build"), "<Library> void run(Library x) { x.make(1); }", []);
  await check(
    "Library",
    swap("extends Base", "extends org.elsewhere.Observable"),
    "void run(Library x) { x.close(); }",
    [],
  );
  await check(
    "Library",
    (text) =>
      text
        .replace("public void open(int mode) {}", "")
        .replace("public class", "import lombok.Data;\n\n@Data\npublic class"),
    "void run(Library x) { x.open(1); }",
    [],
  );
  await check(
    "Base",
    swap("close()", "shut()"),
    "Object o = new Object() { void run() { close(); } void close() {} };",
    [],
  );
});

test("a class that moved to another package is told at its import, and a duplicate method by both sides too", async () => {
  const base = {
    "src/a/One.java":
      "package a;\n\npublic class One {\n  int first() { return 1; }\n\n\n\n  int last() { return 1; }\n}\n",
  };
  const moved = {
    "src/a/One.java": null,
    "src/b/One.java": "package b;\n\npublic class One {\n  int first() { return 1; }\n}\n",
  };
  const use = { "src/c/Two.java": "package c;\n\nimport a.One;\n\nclass Two {\n  One one;\n}\n" };
  expect(await said("java", { base, ours: moved, theirs: use })).toEqual(["moved One src/c/Two.java"]);
  const add = (at: string, type: string) => ({
    "src/a/One.java": base["src/a/One.java"].replace(at, `  int both(${type} x) { return 2; }\n${at}`),
  });
  const twice = { base, ours: add("  int first", "int"), theirs: add("  int last", "int") };
  expect(await said("java", twice)).toEqual(["duplicate-definition One.both src/a/One.java"]);
  expect(await said("java", { ...twice, theirs: add("  int last", "long") })).toEqual([]);
});
