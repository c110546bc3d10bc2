// Java, class by class: what a parameter, a result or a field is of; overloads; constructors and `super(…)`; exceptions that somebody has
// to catch; lambdas and the one method they stand for; classes with interfaces of the library.

import { type Pair, pairsOn } from "../../compiled/cases/pairs.ts";
import { javaObjectPairs } from "./object-pairs.ts";
import { javaOutsidePairs } from "./outside-pairs.ts";

const library = `package org.lib;

import java.io.Serializable;
import java.util.List;

public class Library implements Serializable, Cloneable {
  public int size;
  public int[] many;
  public Object any;

  public Library(String name) { }

  public static int count(String name) { return 1; }
  public static void take(String name, int limit) { }
  public static void each(Visitor visitor) { }
  public Library self() { return this; }
  public String text() { return ""; }
  public boolean isOpen() { return true; }
  public void load() { }
  public int[] listed() { return new int[1]; }
  public void form(Library a) { }
  public void form(Class<?> a) { }
  public void form(List<String> a, int b) { }
  public void sent(Library a) { }
  public void sent(Serializable a) { }
  public Library mark(Appendable... a) { return this; }
  public Library mark(Iterable<String> a) { return this; }
  public Library named(java.lang.reflect.Type a, List<String> b) { return this; }
  public Library named(javax.lang.model.type.TypeMirror a, List<String> b) { return this; }
  public char letter() { return 'a'; }
  public void over(int a) { }
  public void over(String a) { }

  public interface Visitor {
    void visit(String name);
  }
}
`;
const path = "src/org/lib/Library.java";
const base = { [path]: library, "src/org/app/App.java": "package org.app;\n\nclass App {\n}\n" };
const inClass = pairsOn(base, path, (use) => ({
  "src/org/app/Fresh.java": `package org.app;\n\nimport java.io.IOException;\nimport java.util.List;\nimport org.lib.Library;\n\nclass Fresh {\n  ${use}\n}\n`,
}));
const whole = pairsOn(base, path, (use) => ({
  "src/org/app/Fresh.java": `package org.app;\n\nimport org.lib.Library;\n\n${use}\n`,
}));

const letters = ["take(String name,", "take(char[] name,"] as const;
const asText = ["int count(String name) { return 1; }", 'String count(String name) { return ""; }'] as const;
const thrown = ["void load() { }", "void load() throws java.io.IOException { }"] as const;

const asLetter = ["char letter() { return 'a'; }", 'String letter() { return "a"; }'] as const;
const gone = ["class Piece { }", "class Part { }"] as const;
const pieces = {
  "src/org/app/Pieces.java": "package org.app;\n\nclass Piece { }\nclass Scanner { }\nclass Process { }\n",
};

function beside(name: string, breaks: boolean, change: readonly [string, string], imports: string, use: string): Pair {
  const pair = pairsOn(pieces, "src/org/app/Pieces.java", (text) => ({
    "src/org/app/Fresh.java": `package org.app;\n\n${imports}${text}\n`,
  }));
  return pair(name, breaks, change, use);
}

export const javaPairs: readonly Pair[] = [
  ...javaOutsidePairs,
  ...javaObjectPairs,
  inClass("a literal for a parameter of another type", true, letters, 'void f() { Library.take("a", 1); }'),
  inClass("a declared parameter for one of another type", true, letters, "void f(String s) { Library.take(s, 1); }"),
  inClass(
    "what a method answers for a parameter of another type",
    true,
    letters,
    "void f(Library x) { Library.take(x.text(), 1); }",
  ),
  inClass(
    "a wider parameter",
    false,
    ["take(String name, int limit)", "take(CharSequence name, long limit)"],
    'void f() { Library.take("a", 1); }',
  ),
  inClass(
    "a parameter that takes anything",
    false,
    ["take(String name, int limit)", "take(Object name, Object limit)"],
    'void f() { Library.take("a", 1); }',
  ),
  inClass(
    "parameters change places",
    true,
    ["take(String name, int limit)", "take(int limit, String name)"],
    'void f() { Library.take("a", 1); }',
  ),
  inClass(
    "an argument that cannot be told",
    false,
    letters,
    "<T> void f(T x, List<T> y) { y.add(x); Library.count(null); }",
  ),
  inClass(
    "a form that is gone, while another takes as many",
    true,
    ["  public void over(String a) { }\n", ""],
    'void f(Library x) { x.over("a"); }',
  ),
  inClass("the form that stays", false, ["  public void over(String a) { }\n", ""], "void f(Library x) { x.over(1); }"),
  inClass("a result of another type, returned", true, asText, 'int f() { return Library.count("a"); }'),
  inClass("a result of another type, in a variable", true, asText, 'void f() { int n = Library.count("a"); }'),
  inClass("a result of another type, compared", true, asText, 'boolean f() { return Library.count("a") > 3; }'),
  inClass("a result of another type, in a text", false, asText, 'String f() { return "" + Library.count("a"); }'),
  inClass(
    "a wider result",
    true,
    ["int count(String name) { return 1; }", "long count(String name) { return 1; }"],
    'int f() { return Library.count("a"); }',
  ),
  inClass(
    "a narrower result",
    false,
    ["int count(String name) { return 1; }", "short count(String name) { return 1; }"],
    'int f() { return Library.count("a"); }',
  ),
  inClass(
    "a result as a condition",
    true,
    ["boolean isOpen() { return true; }", 'String isOpen() { return ""; }'],
    "void f(Library x) { if (x.isOpen()) { } }",
  ),
  inClass(
    "a member of a result that is a String now",
    true,
    ["Library self() { return this; }", 'String self() { return ""; }'],
    "void f(Library x) { x.self().load(); }",
  ),
  inClass(
    "a member that a String has too",
    false,
    ["Library self() { return this; }", 'String self() { return ""; }'],
    "int f(Library x) { return x.text().length(); }",
  ),
  inClass(
    "a field of another type, read",
    true,
    ["public int size", "public String size"],
    "int f(Library x) { return x.size; }",
  ),
  inClass(
    "a field of another type, written",
    true,
    ["public int size", "public String size"],
    "void f(Library x, int n) { x.size = n; }",
  ),
  inClass(
    "a field that takes anything",
    false,
    ["public int size", "public Object size"],
    "void f(Library x, int n) { x.size = n; }",
  ),
  inClass(
    "another constructor by type",
    true,
    ["Library(String name)", "Library(int name)"],
    'Library f() { return new Library("a"); }',
  ),
  whole(
    "super(…) with another type",
    true,
    ["Library(String name)", "Library(int name)"],
    'class Fresh extends Library {\n  Fresh() { super("a"); }\n}',
  ),
  whole(
    "super(…) with one more",
    true,
    ["Library(String name)", "Library(String name, int more)"],
    'class Fresh extends Library {\n  Fresh() { super("a"); }\n}',
  ),
  whole(
    "super(…) that still fits",
    false,
    ["Library(String name)", "Library(CharSequence name)"],
    'class Fresh extends Library {\n  Fresh() { super("a"); }\n}',
  ),
  inClass("an exception that nobody catches", true, thrown, "void f(Library x) { x.load(); }"),
  inClass(
    "an exception that is caught",
    false,
    thrown,
    "void f(Library x) { try { x.load(); } catch (Exception e) { } }",
  ),
  inClass("an exception that is passed on", false, thrown, "void f(Library x) throws Exception { x.load(); }"),
  inClass(
    "an exception that need not be caught",
    false,
    ["void load() { }", "void load() throws IllegalStateException { }"],
    "void f(Library x) { x.load(); }",
  ),
  inClass(
    "an exception caught around another call",
    true,
    thrown,
    'void f(Library x) { try { new java.io.File("a").toPath().toRealPath(); } catch (java.io.IOException e) { x.load(); } }',
  ),
  inClass(
    "an exception inside a lambda is for its interface to say",
    false,
    ["void load() { }", "void load() throws IllegalStateException { }"],
    "Runnable f(Library x) { return () -> x.load(); }",
  ),
  inClass(
    "a lambda for a method with one more parameter",
    true,
    ["visit(String name)", "visit(String name, int depth)"],
    "void f() { Library.each(name -> { }); }",
  ),
  inClass(
    "a lambda for an interface that grew",
    true,
    ["void visit(String name);", "void visit(String name);\n    void leave();"],
    "void f() { Library.each(name -> { }); }",
  ),
  inClass(
    "a lambda for an interface that grew by itself",
    false,
    ["void visit(String name);", "void visit(String name);\n    default void leave() { }"],
    "void f() { Library.each(name -> { }); }",
  ),
  inClass(
    "a lambda in a variable",
    true,
    ["visit(String name)", "visit()"],
    "void f() { Library.Visitor v = name -> { }; }",
  ),
  inClass(
    "a lambda that is answered",
    true,
    ["visit(String name)", "visit()"],
    "Library.Visitor f() { return name -> { }; }",
  ),
  inClass(
    "a member of a class with interfaces of the library",
    true,
    ["void load()", "void reload()"],
    "void f(Library x) { x.load(); }",
  ),
  inClass(
    "a member that the library brings",
    false,
    ["void load()", "void reload()"],
    "int f(Library x) { return x.hashCode(); }",
  ),
  // Names that a whole package of Java's library, or a class built on one of its types, might bring.
  beside(
    "a type that is gone, beside a package of the library imported whole",
    true,
    gone,
    "import java.util.*;\n",
    "class Fresh { boolean f(Object o) { return o instanceof Piece; } }",
  ),
  beside(
    "a type that is gone, in a class with an interface of the language",
    true,
    gone,
    "",
    "abstract class Fresh implements Iterable<Object>, Comparable<Fresh> { boolean f(Object o) { return o instanceof Piece; } }",
  ),
  beside(
    "a type that is gone, and that the package has too",
    false,
    ["class Scanner { }", "class Reader { }"],
    "import java.util.*;\n",
    "class Fresh { boolean f(Object o) { return o instanceof Scanner; } }",
  ),
  beside(
    "a type that is gone, and that the language has too",
    false,
    ["class Process { }", "class Reader { }"],
    "",
    "class Fresh { boolean f(Object o) { return o instanceof Process; } }",
  ),
  inClass(
    "a switch over text that is a number now",
    true,
    ['String text() { return ""; }', "long text() { return 1; }"],
    'int f(Library x) { switch (x.text()) { case "a": return 1; default: return 2; } }',
  ),
  inClass(
    "a switch over a letter that is text now",
    true,
    asLetter,
    "int f(Library x) { switch (x.letter()) { case 'a': return 1; default: return 2; } }",
  ),
  inClass(
    "a switch over a letter that is a number now",
    false,
    ["char letter() { return 'a'; }", "int letter() { return 1; }"],
    "int f(Library x) { switch (x.letter()) { case 'a': return 1; default: return 2; } }",
  ),
  // Forms of one name that take types of the library: what is left does not take a class of the project.
  inClass(
    "a form that is gone, beside one for a final class of the library",
    true,
    ["void form(Library a)", "void shape(Library a)"],
    "void f(Library x) { x.form(x); }",
  ),
  inClass(
    "a form that is gone, beside one for an interface that the class has",
    false,
    ["void sent(Library a)", "void shape(Library a)"],
    "void f(Library x) { x.sent(x); }",
  ),
  inClass(
    "an item of an array that is text now",
    true,
    ["int[] many", "String many"],
    "int f(Library x) { return x.many[0]; }",
  ),
  inClass(
    "an item of an array that has other items now",
    false,
    ["int[] many", "short[] many"],
    "int f(Library x) { return x.many[0]; }",
  ),
  inClass(
    "an item of what a method answers",
    true,
    ["int[] listed() { return new int[1]; }", "List<Integer> listed() { return null; }"],
    "int f(Library x) { return x.listed()[0]; }",
  ),
  inClass(
    "what a form of a name answers that only takes an open list",
    true,
    ["Library mark(Appendable... a) { return this; }", 'String mark(Appendable... a) { return ""; }'],
    "Library f(Library x, Appendable... a) { return x.mark(a); }",
  ),
  inClass(
    "what the other form of a name answers",
    false,
    ["Library mark(Appendable... a) { return this; }", 'String mark(Appendable... a) { return ""; }'],
    "Library f(Library x, Iterable<String> a) { return x.mark(a); }",
  ),
  inClass(
    "what a form answers that takes what an interface of the library is",
    true,
    ["Library mark(Iterable<String> a) { return this; }", 'String mark(Iterable<String> a) { return ""; }'],
    "Library f(Library x, List<String> a) { return x.mark(a); }",
  ),
  inClass(
    "a form of a name that another of the same simple name does not stand for",
    true,
    ["named(java.lang.reflect.Type a,", "named(String a,"],
    "Library f(Library x, java.lang.reflect.TypeVariable<?> a) { return x.named(a, null); }",
  ),
  inClass(
    "a form of a name that takes a wider type of the library",
    false,
    ["named(java.lang.reflect.Type a,", "named(Object a,"],
    "Library f(Library x, java.lang.reflect.TypeVariable<?> a) { return x.named(a, null); }",
  ),
  inClass(
    "what a lambda answers that is given back",
    true,
    ["Library self() { return this; }", "Library[] self() { return null; }"],
    "java.util.function.Supplier<Library> f(Library x) { return () -> x.self(); }",
  ),
  inClass(
    "what a lambda with a body answers",
    true,
    ["Library self() { return this; }", "Library[] self() { return null; }"],
    "void f(Library x) { java.util.concurrent.Callable<Library> later = () -> { return x.self(); }; }",
  ),
  inClass(
    "what a lambda answers where anything is taken",
    false,
    ["Library self() { return this; }", "Library[] self() { return null; }"],
    "java.util.function.Supplier<?> f(Library x) { java.util.function.Function<Library, Object> all = y -> y.self(); return () -> x.self(); }",
  ),
  inClass(
    "what a lambda answers inside another that is given back",
    false,
    ['String text() { return ""; }', "int text() { return 1; }"],
    "java.util.function.Supplier<Library> f(Library x) { return () -> { Runnable r = () -> x.text(); return x; }; }",
  ),
];
