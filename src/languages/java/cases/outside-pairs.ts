// Java, classes that are built on types of Java's own library, which bring members of their own; and forms of one name, of which what is given
// chooses one. Also classes whose import one side takes out while the other begins to need it.

import { type Pair, pairsIn, pairsOn } from "../../compiled/cases/pairs.ts";

const library = `package org.lib;

import java.io.FilterOutputStream;
import java.io.OutputStream;
import java.io.PrintStream;

public class Screen extends PrintStream {
  public Screen(OutputStream to) { super(to); }
  public int colors() { return 1; }
  public Screen self() { return this; }
  public void println(int times, String text) { }
  public int rows() { return 1; }
}
`;
const text = `package org.lib;

public class Text implements Appendable {
  public Text append(CharSequence more) { return this; }
  public Text append(CharSequence more, int from, int to) { return this; }
  public Text append(char more) { return this; }
  public Text join(Text more) { return this; }
  public Text a(int value) { return this; }
  public Text a(long value) { return this; }
  public Text a(Object value) { return this; }
  public Text a(String value) { return this; }
  public Text a(Text value) { return this; }
  public Text a(int... values) { return this; }
}
`;
const screenPath = "src/org/lib/Screen.java";
const textPath = "src/org/lib/Text.java";
const base = {
  [screenPath]: library,
  [textPath]: text,
  "src/org/lib/Shown.java": "package org.lib;\n\npublic interface Shown {\n  int rows();\n}\n",
  "src/org/lib/Store.java":
    "package org.lib;\n\npublic abstract class Store<K> extends java.util.AbstractMap<K, String> {\n  public void load() { }\n  public int weight() { return 1; }\n}\n",
};
const on = (path: string) =>
  pairsOn(base, path, (use) => ({
    "src/org/app/Fresh.java": `package org.app;\n\nimport org.lib.*;\n\nclass Fresh {\n  ${use}\n}\n`,
  }));
const [screen, store, texts, shown] = [
  on(screenPath),
  on("src/org/lib/Store.java"),
  on(textPath),
  on("src/org/lib/Shown.java"),
];

const noColors = ["colors()", "hues()"] as const;
const intAnswers = ["Text a(int value) { return this; }", 'String a(int value) { return ""; }'] as const;
const textAnswers = ["Text a(String value) { return this; }", 'String a(String value) { return ""; }'] as const;

const app = `package org.app;

import java.util.ArrayList;
import java.util.List;

class App {
  int first() { return new ArrayList<String>().size(); }

  int second() { return 2; }

  int third() { return 3; }

  int fourth(List<String> list) { return 4; }
}
`;
const beside = pairsIn({ "src/org/app/App.java": app }, "src/org/app/App.java", "int third() { return 3; }\n");
const first = app.slice(app.indexOf("import"), app.indexOf("  int second"));
const noArrayList = (more: string): readonly [string, string] => [
  first,
  `${more}import java.util.List;\n\nclass App {\n  int first() { return 1; }\n\n`,
];

export const javaOutsidePairs: readonly Pair[] = [
  beside(
    "a class whose import was taken out is made",
    true,
    noArrayList(""),
    "\n  Object f() { return new ArrayList<String>(); }",
  ),
  beside(
    "a class whose import was taken out is a parameter",
    true,
    noArrayList(""),
    "\n  int f(ArrayList<String> a) { return a.size(); }",
  ),
  beside("a class that is still imported", false, noArrayList(""), "\n  int f(List<String> a) { return a.size(); }"),
  beside(
    "a class that comes with its package",
    false,
    noArrayList("import java.util.*;\n"),
    "\n  int f(ArrayList<String> a) { return a.size(); }",
  ),
  beside(
    "a class by its full name",
    false,
    noArrayList(""),
    "\n  int f(java.util.ArrayList<String> a) { return a.size(); }",
  ),
  beside("a type parameter of that name", false, noArrayList(""), "\n  <ArrayList> int f(ArrayList a) { return 1; }"),
  screen("a method is gone of what extends a stream", true, noColors, "int f(Screen s) { return s.colors(); }"),
  screen(
    "a method is gone, called inside",
    true,
    noColors,
    "static class More extends Screen { More() { super(null); } int f() { return colors(); } }",
  ),
  screen("a chain to a method that is gone", true, noColors, "int f(Screen s) { return s.self().colors(); }"),
  screen(
    "a method is gone that the stream brings too",
    false,
    ["public void println(int times, String text) { }", ""],
    "void f(Screen s) { s.println(1); }",
  ),
  screen(
    "a method of the stream stays",
    false,
    noColors,
    'void f(Screen s) { s.flush(); s.printf(""); s.checkError(); }',
  ),
  screen(
    "a field of the stream stays",
    false,
    noColors,
    "static class More extends Screen { More() { super(null); } Object f() { return out; } }",
  ),
  store("a method is gone of what extends a map", true, ["load()", "fetch()"], "void f(Store<String> s) { s.load(); }"),
  store(
    "a method of the map by another name",
    false,
    ["weight()", "heft()"],
    "int f(Store<String> s) { return s.size() + s.keySet().size(); }",
  ),
  store(
    "a method is gone that is overridden",
    true,
    ["load()", "fetch()"],
    "static abstract class More extends Store<String> { @Override public void load() { } }",
  ),
  store(
    "a method of the map is overridden",
    false,
    ["load()", "fetch()"],
    "static abstract class More extends Store<String> { @Override public int size() { return 1; } }",
  ),
  texts(
    "a method is gone of what implements Appendable",
    true,
    ["join(", "link("],
    "Text f(Text t) { return t.join(t); }",
  ),
  texts(
    "the method of Appendable stays",
    false,
    ["Text append(char more)", "Appendable append(char more)"],
    "Object f(Text t) { return t.append('a'); }",
  ),
  shown(
    "an interface grows, beside a stream",
    true,
    ["int rows();", "int rows();\n  int columns();"],
    "static class More extends java.io.PrintStream implements Shown { More() { super((java.io.OutputStream) null); } public int rows() { return 1; } }",
  ),
  shown(
    "an interface grows by what the stream has",
    false,
    ["int rows();", "int rows();\n  boolean checkError();"],
    "static class More extends java.io.PrintStream implements Shown { More() { super((java.io.OutputStream) null); } public int rows() { return 1; } }",
  ),

  texts("the form for an int answers another type", true, intAnswers, "Text f(Text t, int n) { return t.a(n); }"),
  texts("the form for a number answers another type", true, intAnswers, "Text f(Text t) { return t.a(3); }"),
  texts("the form for a text answers another type", true, textAnswers, 'Text f(Text t) { return t.a("x"); }'),
  texts("another form answers another type", false, intAnswers, "Text f(Text t) { return t.a(3L); }"),
  texts("a form for a class beside it", false, textAnswers, "Text f(Text t) { return t.a(t); }"),
  texts("a form for anything beside it", false, textAnswers, "Text f(Text t, StringBuilder b) { return t.a(b); }"),
  texts("a form for many beside it", false, intAnswers, "Text f(Text t, int n) { return t.a(n, n); }"),
  texts(
    "a narrower number, of which the form is not certain",
    false,
    textAnswers,
    "Text f(Text t, short n) { return t.a(n); }",
  ),
];
