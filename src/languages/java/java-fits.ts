// Tells whether a value of one Java type may be given where another is wanted, as far as the source says so for certain, and which
// exceptions somebody has to catch. About the library it knows what its types are built on (java-ancestry.ts), and that it does not build on
// the project.

import type { SourceDeclaration } from "../compiled/facts.ts";
import type { Mark } from "../compiled/rules.ts";
import type { SourceTree } from "../compiled/source-tree.ts";
import { libraryAncestors } from "./java-ancestry.ts";
import { libraryName } from "./java-library.ts";
import { everyObjectHas, hierarchyOf, isMetByObject } from "./java-obligations.ts";
import { type JavaType, JavaTypes, memberOf } from "./java-types.ts";

export type JavaKind =
  | { readonly kind: "primitive" | "literal"; readonly name: string }
  /** With its full name where that is known. */
  | { readonly kind: "library"; readonly name: string; readonly full: string }
  | { readonly kind: "array"; readonly of: JavaKind }
  | { readonly kind: "class"; readonly type: JavaType }
  | { readonly kind: "string" | "unknown" };

export type Answer = "yes" | "no" | "unknown";

export async function readJavaType(tree: SourceTree, path: string, of: string, text: string): Promise<JavaKind> {
  if (text.endsWith("[]")) return { kind: "array", of: await readJavaType(tree, path, of, text.slice(0, -2)) };
  if (Object.hasOwn(widenings, text)) return { kind: "primitive", name: text };
  const summary = await tree.summary(path);
  if (summary === undefined || text === "" || text === "void") return { kind: "unknown" };
  const names = text.split(".");
  const found = await new JavaTypes(tree, path, summary).named(of, names);
  if (typeof found !== "string") return { kind: "class", type: found };
  if (text === "String" || text === "java.lang.String") return { kind: "string" };
  const full = libraryName(summary, names);
  return full === undefined ? { kind: "unknown" } : { kind: "library", name: names.at(-1) ?? "", full };
}

export async function fitsJava(tree: SourceTree, from: JavaKind, to: JavaKind): Promise<Answer> {
  if (from.kind === "unknown" || to.kind === "unknown") return "unknown";
  if (from.kind === "literal") return await fitsLiteral(tree, from.name, to);
  if (to.kind === "array") return from.kind === "array" ? await fitsElement(tree, from.of, to.of) : "no";
  if (from.kind === "array") return to.kind === "library" && anything.has(to.name) ? "unknown" : "no";
  switch (to.kind) {
    case "primitive":
      if (from.kind === "primitive") return widenings[from.name]?.includes(to.name) === true ? "yes" : "no";
      return from.kind === "library" && boxes.has(from.name) ? "unknown" : "no";
    case "string":
      return from.kind === "string" ? "yes" : "no";
    case "class":
      return from.kind === "class" ? await isBuiltOn(tree, from.type, to.type) : "no";
    case "library":
      if (from.kind === "library") return fitsLibrary(from.full, to);
      if (from.kind === "class") return await isOfLibrary(tree, from.type, to.name);
      return anything.has(to.name) || boxes.has(to.name) || to.name === "CharSequence" ? "unknown" : "no";
    default:
      return "unknown";
  }
}

/** For certain the same type, with no conversion between them. */
export function isSameJava(from: JavaKind, to: JavaKind): boolean {
  if (from.kind === "literal")
    return from.name === "String" ? to.kind === "string" : to.kind === "primitive" && to.name === from.name;
  if (from.kind === "array") return to.kind === "array" && isSameJava(from.of, to.of);
  if (from.kind === "primitive") return to.kind === "primitive" && to.name === from.name;
  if (from.kind === "library") return to.kind === "library" && to.full === from.full;
  if (from.kind === "class")
    return to.kind === "class" && to.type.path === from.type.path && to.type.qualified === from.type.qualified;
  return from.kind === "string" && to.kind === "string";
}

/** Types of the library that are listed are built on what is listed, and on nothing else that could be named. */
function fitsLibrary(from: string, { name, full }: { readonly name: string; readonly full: string }): Answer {
  if (from === full) return "yes";
  const above = libraryAncestors(from);
  if (above === undefined || anything.has(name) || /^(Auto)?Closeable$/.test(name)) return "unknown";
  return above.has(name) ? "yes" : "no";
}

/** An array of a subtype is an array of the type; with primitives they have to be the same. */
async function fitsElement(tree: SourceTree, from: JavaKind, to: JavaKind): Promise<Answer> {
  if (from.kind === "primitive" || to.kind === "primitive") {
    if (from.kind === "unknown" || to.kind === "unknown") return "unknown";
    return from.kind === "primitive" && to.kind === "primitive" && from.name === to.name ? "yes" : "no";
  }
  return await fitsJava(tree, from, to);
}

async function fitsLiteral(tree: SourceTree, name: string, to: JavaKind): Promise<Answer> {
  if (name === "null") return to.kind === "primitive" ? "no" : "yes";
  if (name === "ref" || name.startsWith("lambda")) {
    if (to.kind === "class") return await fitsFunction(tree, name, to.type);
    return to.kind === "library" ? "unknown" : "no";
  }
  if (name === "String") return await fitsJava(tree, { kind: "string" }, to);
  // A constant is made narrow where it fits.
  if (name === "int" && to.kind === "primitive" && /^(byte|short|char)$/.test(to.name)) return "unknown";
  return await fitsJava(tree, { kind: "primitive", name }, to);
}

/** A lambda is one method of an interface that asks for no other. */
async function fitsFunction(tree: SourceTree, name: string, type: JavaType): Promise<Answer> {
  if (!type.declaration.words.includes("interface")) return "no";
  const { types, isSure } = await hierarchyOf(tree, type);
  const methods = types.flatMap((one) =>
    one.summary.declarations.filter(
      (each) => each.kind === "function" && memberOf(one, each) && !isMetByObject(one, each),
    ),
  );
  const key = ({ name: called, takes }: SourceDeclaration): string => `${called}/${takes?.[0] ?? 0}`;
  const done = new Set(methods.filter((one) => !one.words.includes("abstract")).map(key));
  const open = methods.filter((one) => one.words.includes("abstract") && !done.has(key(one)));
  const asked = new Set(open.map(key));
  if (asked.size > 1) return "no";
  if (asked.size === 0) return isSure ? "no" : "unknown";
  const count = /^lambda\/(\d+)$/.exec(name)?.[1];
  return count === undefined || Number(count) === open[0]?.takes?.[0] ? "yes" : "no";
}

/** What builds on nothing outside is of no type of the library but those that everything is of; and nothing builds on a final one. */
async function isOfLibrary(tree: SourceTree, from: JavaType, name: string): Promise<Answer> {
  if (boxes.has(name) || finals.has(name)) return "no";
  if (anything.has(name) || name === "Enum" || name === "Record") return "unknown";
  const { isSure, outside } = await hierarchyOf(tree, from);
  return isSure && outside.length === 0 ? "no" : "unknown";
}

/** Nothing from outside builds on the project, so what is not found among its own is not there. */
async function isBuiltOn(tree: SourceTree, from: JavaType, to: JavaType): Promise<Answer> {
  const { types, isDark, outside } = await hierarchyOf(tree, from);
  if (types.some((one) => one.path === to.path && one.qualified === to.qualified)) return "yes";
  return isDark || outside.includes(undefined) ? "unknown" : "no";
}

export function tellJava(type: JavaKind): string {
  switch (type.kind) {
    case "array":
      return `${tellJava(type.of)}[]`;
    case "class":
      return type.type.qualified;
    case "string":
      return "String";
    case "literal":
      return type.name.startsWith("lambda") ? "a lambda" : type.name === "ref" ? "a method reference" : type.name;
    case "unknown":
      return "something else";
    default:
      return type.name;
  }
}

/** The first exception that a call throws and nobody catches or passes on; undefined when there is none for certain. */
export async function uncaught(tree: SourceTree, mark: Mark, catches: readonly string[]): Promise<string | undefined> {
  for (const thrown of mark.declaration.throws ?? []) {
    const above = await exceptionsAbove(tree, mark.path, mark.declaration.of, thrown);
    const name = thrown.split(".").at(-1) ?? "";
    if (above === undefined || (!above.includes("Exception") && !above.includes("Throwable"))) continue;
    if (above.includes("RuntimeException") || above.includes("Error")) continue;
    if (!catches.some((one) => above.includes(one.split(".").at(-1) ?? ""))) return name;
  }
  return undefined;
}

/** Its own name and those above it, as far as the library's; undefined where that is not known. */
async function exceptionsAbove(
  tree: SourceTree,
  path: string,
  of: string,
  name: string,
): Promise<string[] | undefined> {
  const found = await readJavaType(tree, path, of, name);
  const last = name.split(".").at(-1) ?? "";
  if (found.kind === "library" || exceptions[last] !== undefined) {
    const chain: string[] = [];
    for (let at: string | undefined = last; at !== undefined; at = exceptions[at]) chain.push(at);
    return exceptions[last] === undefined && last !== "Throwable" ? undefined : chain;
  }
  if (found.kind !== "class") return undefined;
  const [above] = found.type.declaration.supers ?? [];
  if (above === undefined) return undefined;
  const more = await exceptionsAbove(tree, found.type.path, found.type.declaration.of, above.join("."));
  return more === undefined ? undefined : [last, ...more];
}

/** Each with what it is built on. */
const exceptions: Readonly<Record<string, string>> = {
  Exception: "Throwable",
  Error: "Throwable",
  RuntimeException: "Exception",
  IOException: "Exception",
  FileNotFoundException: "IOException",
  EOFException: "IOException",
  UnsupportedEncodingException: "IOException",
  MalformedURLException: "IOException",
  UnknownHostException: "IOException",
  InterruptedException: "Exception",
  TimeoutException: "Exception",
  ExecutionException: "Exception",
  CloneNotSupportedException: "Exception",
  ReflectiveOperationException: "Exception",
  ClassNotFoundException: "ReflectiveOperationException",
  NoSuchMethodException: "ReflectiveOperationException",
  NoSuchFieldException: "ReflectiveOperationException",
  IllegalAccessException: "ReflectiveOperationException",
  InstantiationException: "ReflectiveOperationException",
  InvocationTargetException: "ReflectiveOperationException",
  GeneralSecurityException: "Exception",
  NoSuchAlgorithmException: "GeneralSecurityException",
  URISyntaxException: "Exception",
  SQLException: "Exception",
};

const widenings: Readonly<Record<string, readonly string[]>> = {
  boolean: ["boolean"],
  byte: ["byte", "short", "int", "long", "float", "double"],
  short: ["short", "int", "long", "float", "double"],
  char: ["char", "int", "long", "float", "double"],
  int: ["int", "long", "float", "double"],
  long: ["long", "float", "double"],
  float: ["float", "double"],
  double: ["double"],
};

/** True when nothing of the name can be reached on a value of this type. */
export function lacks(type: JavaKind, name: string): boolean {
  if (type.kind === "primitive") return true;
  if (type.kind === "array") return name !== "length" && name !== "clone()" && !everyObjectHas(name.replace("()", ""));
  return type.kind === "string" && name.endsWith("()") && !stringMethods.has(name.slice(0, -2));
}

const stringMethods = new Set(
  "charAt chars codePointAt codePointBefore codePointCount codePoints compareTo compareToIgnoreCase concat contains contentEquals describeConstable endsWith equals equalsIgnoreCase format formatted getBytes getChars getClass hashCode indent indexOf intern isBlank isEmpty join lastIndexOf length lines matches notify notifyAll offsetByCodePoints regionMatches repeat replace replaceAll replaceFirst resolveConstantDesc split splitWithDelimiters startsWith strip stripIndent stripLeading stripTrailing subSequence substring toCharArray toLowerCase toString toUpperCase transform translateEscapes trim valueOf copyValueOf wait".split(
    " ",
  ),
);

const boxes = new Set("Boolean Byte Short Character Integer Long Float Double".split(" "));
const finals = new Set("Class StringBuilder StringBuffer Void Optional UUID Locale URI URL Pattern Scanner".split(" "));
/** Types of the library that nearly everything is. */
const anything = new Set("Object Number Comparable Serializable Cloneable Constable ConstantDesc".split(" "));
