// Java, the methods that every object has, declared anew: an interface that names `equals`, `hashCode` or `toString` asks for nothing, an
// abstract class that does so asks for it, and so does another form of the name. `clone` and `finalize` are not public in Object.

import { type Pair, pairsOn } from "../../compiled/cases/pairs.ts";

const path = "src/org/lib/Order.java";
const base = {
  [path]: `package org.lib;

public interface Order {
  int rank(int a);
  static void by(Order order) { }

  abstract class Kept {
    public abstract int rank(int a);
  }

  class Plain {
    public boolean equals(Plain a, Plain b) { return a == b; }
    public boolean equals(Object other) { return this == other; }
    public int hashCode() { return 1; }
    public String toString(int width) { return ""; }
  }
}
`,
};
const on = pairsOn(base, path, (use) => ({
  "src/org/app/Fresh.java": `package org.app;\n\nimport org.lib.Order;\n\nclass Fresh {\n  ${use}\n}\n`,
}));
const asked = (method: string) => ["int rank(int a);\n", `int rank(int a);\n  ${method};\n`] as const;
const askedByClass = (method: string) =>
  ["public abstract int rank(int a);", `public abstract int rank(int a);\n    ${method};`] as const;

const lambda = "void f() { Order.by(a -> a); }";
const named = "static class By implements Order { public int rank(int a) { return a; } }";
const unnamed = "Order order = new Order() { public int rank(int a) { return a; } };";
const kept = "static class By extends Order.Kept { public int rank(int a) { return a; } }";
const ways = [
  ["a lambda", lambda],
  ["a class", named],
  ["a class without a name", unnamed],
] as const;

export const javaObjectPairs: readonly Pair[] = [
  ...ways.flatMap(([who, use]) => [
    ...["boolean equals(Object other)", "int hashCode()", "String toString()"].map((method) =>
      on(`an interface declares ${method} anew, for ${who}`, false, asked(method), use),
    ),
    ...["boolean equals(Order a, Order b)", "String toString(int width)", "Object clone()"].map((method) =>
      on(`an interface asks for ${method}, of ${who}`, true, asked(method), use),
    ),
  ]),
  ...[
    "public abstract boolean equals(Object other)",
    "public abstract int hashCode()",
    "public abstract String toString()",
  ].map((method) => on(`an abstract class asks for ${method}`, true, askedByClass(method), kept)),
  on(
    "an abstract class says equals itself",
    false,
    askedByClass("public boolean equals(Object other) { return true; }"),
    kept,
  ),
  on(
    "another form of equals is gone",
    true,
    ["    public boolean equals(Plain a, Plain b) { return a == b; }\n", ""],
    "boolean f(Order.Plain a) { return a.equals(a, a); }",
  ),
  on(
    "another form of toString is gone, overridden",
    true,
    ['    public String toString(int width) { return ""; }\n', ""],
    'static class By extends Order.Plain { @Override public String toString(int width) { return "a"; } }',
  ),
  ...[
    [
      "    public boolean equals(Object other) { return this == other; }\n",
      "boolean f(Order.Plain a) { return a.equals(a); }",
    ],
    ["    public int hashCode() { return 1; }\n", "int f(Order.Plain a) { return a.hashCode(); }"],
    [
      "    public boolean equals(Object other) { return this == other; }\n",
      "static class By extends Order.Plain { @Override public boolean equals(Object other) { return true; } }",
    ],
  ].map(([from = "", use = ""], at) =>
    on(`what every object has is no longer declared anew (${at + 1})`, false, [from, ""], use),
  ),
];
