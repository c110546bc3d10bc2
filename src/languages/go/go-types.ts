// Tells whether a value of one Go type may stand where another is wanted, as far as types written in the source say so for certain. Types
// from outside, type parameters and aliases are unknown, and so is everything that depends on them.

import type { SourceDeclaration, SourceImport } from "../compiled/facts.ts";
import type { Mark } from "../compiled/rules.ts";

export type GoType =
  | { readonly kind: "basic" | "untyped"; readonly name: string }
  | { readonly kind: "pointer" | "list"; readonly of: GoType }
  | { readonly kind: "map" | "chan" | "array"; readonly text: string }
  | {
      readonly kind: "func";
      readonly takes: readonly GoType[];
      readonly gives: readonly GoType[];
      readonly isOpen: boolean;
    }
  /** Declared in this project. `defined` is built on something that is no struct and no interface. */
  | { readonly kind: "struct" | "interface" | "defined"; readonly mark: Mark }
  /** Of Go's own library, by the path of its package. */
  | { readonly kind: "library"; readonly name: string }
  | { readonly kind: "any" | "error" | "unknown" };

export type Answer = "yes" | "no" | "unknown";

const unknownType: GoType = { kind: "unknown" };

/** The type that a text means; `named` looks a name up where the text is written. */
export async function readGoType(
  text: string,
  named: (path: readonly string[]) => Promise<Mark | undefined>,
  imports: readonly SourceImport[],
): Promise<GoType> {
  if (text.startsWith("*")) return { kind: "pointer", of: await readGoType(text.slice(1), named, imports) };
  if (text.startsWith("[]")) return { kind: "list", of: await readGoType(text.slice(2), named, imports) };
  if (text.startsWith("(") && text.endsWith(")")) return await readGoType(text.slice(1, -1), named, imports);
  if (text === "any" || text === "interface{}") return { kind: "any" };
  if (text === "error") return { kind: "error" };
  if (text.startsWith("func(")) return await functionType(text, async (one) => await readGoType(one, named, imports));
  const composite = /^(map|chan|<-chan|\[)(?![\w])/.exec(text)?.[1];
  if (composite !== undefined) {
    const kind = composite === "[" ? "array" : composite === "<-chan" ? "chan" : (composite as "map" | "chan");
    return { kind, text };
  }
  if (basics.has(text)) return { kind: "basic", name: text === "byte" ? "uint8" : text === "rune" ? "int32" : text };
  const plain = /^(\p{L}[\w\p{L}]*(?:\.[\w\p{L}]+)?)\[.*\]$/u.exec(text)?.[1];
  if (plain !== undefined) {
    // What a generic interface asks for is known by name; any other generic type depends on what it is made with.
    const mark = await named(plain.split("."));
    return mark?.declaration.words.includes("interface") === true ? { kind: "interface", mark } : unknownType;
  }
  if (!/^\p{L}[\w\p{L}]*(\.[\w\p{L}]+)?$/u.test(text)) return unknownType;
  const [first = "", second] = text.split(".");
  const home = second === undefined ? undefined : imports.find((one) => one.name === first)?.path[0];
  // Only the library's packages have no dot in the first part of their path.
  if (home !== undefined && !home.split("/", 1)[0]?.includes(".") && !anything.has(`${home}.${second}`)) {
    const own = await named([first, second ?? ""]);
    return own === undefined ? { kind: "library", name: `${home}.${second}` } : declaredType(own);
  }
  const mark = await named(text.split("."));
  return mark === undefined ? unknownType : declaredType(mark);
}

/** `func(a,b)(c,d)`, without names, as summaries have it. */
async function functionType(text: string, type: (text: string) => Promise<GoType>): Promise<GoType> {
  const end = closingOf(text, 4);
  const [takes, gives] = [partsOf(text.slice(5, end)), partsOf(text.slice(end + 2, -1))];
  return await functionOf(takes, gives, type);
}

/** A function that takes and gives these types. */
export async function functionOf(
  takes: readonly string[],
  gives: readonly string[],
  type: (text: string) => Promise<GoType>,
): Promise<GoType> {
  const isOpen = takes.at(-1)?.startsWith("...") === true;
  const each = async (list: readonly string[]): Promise<GoType[]> =>
    await Promise.all(list.map((one) => type(one.replace(/^\.\.\./, ""))));
  return { kind: "func", takes: await each(takes), gives: await each(gives), isOpen };
}

function closingOf(text: string, from: number): number {
  let depth = 0;
  for (let at = from; at < text.length; at += 1) {
    if ("([{".includes(text[at] ?? "")) depth += 1;
    if (")]}".includes(text[at] ?? "")) depth -= 1;
    if (depth === 0) return at;
  }
  return text.length;
}

/** Returns the parts between the commas of a list. */
function partsOf(list: string): string[] {
  const parts: string[] = [];
  let [depth, from] = [0, 0];
  for (let at = 0; at <= list.length; at += 1) {
    const letter = list[at] ?? ",";
    if ("([{".includes(letter)) depth += 1;
    if (")]}".includes(letter)) depth -= 1;
    if (letter !== "," || depth !== 0) continue;
    parts.push(list.slice(from, at));
    from = at + 1;
  }
  return list === "" ? [] : parts;
}

/** Types of the library that are another name for something, or take whatever is given. */
const anything = new Set(["database/sql/driver.Value", "plugin.Symbol", "syscall.Errno", "unsafe.Pointer", "C.int"]);

export function declaredType(mark: Mark): GoType {
  const { kind, words } = mark.declaration;
  if (kind !== "type" || words.includes("alias") || words.includes("generic")) return unknownType;
  if (words.includes("struct")) return { kind: "struct", mark };
  return { kind: words.includes("interface") ? "interface" : "defined", mark };
}

/** Tells whether a value may be assigned. What interfaces ask for is left to `implemented`. */
export async function fitsGo(
  from: GoType,
  to: GoType,
  implemented: (type: Mark, wanted: Mark) => Promise<Answer>,
): Promise<Answer> {
  if (from.kind === "unknown" || to.kind === "unknown") return "unknown";
  if (to.kind === "any") return "yes";
  if (from.kind === "untyped") return fitsLiteral(from.name, to);
  if (to.kind === "error") return from.kind === "error" ? "yes" : hasNoMethods(from) ? "no" : "unknown";
  if (to.kind === "interface") {
    if (hasNoMethods(from)) return asksForSomething(to.mark.declaration) ? "no" : "unknown";
    const type = from.kind === "pointer" ? from.of : from;
    return type.kind === "struct" || type.kind === "defined" ? await implemented(type.mark, to.mark) : "unknown";
  }
  if (from.kind === "library" || to.kind === "library") return fitsLibrary(from, to);
  if (from.kind === "any" || from.kind === "error" || from.kind === "interface")
    return to.kind === "basic" || to.kind === "struct" || to.kind === "list" ? "no" : "unknown";
  return identical(from, to);
}

/** A type of the library is named, so it is none of the basic ones; whether it is an interface is not known here. */
function fitsLibrary(from: GoType, to: GoType): Answer {
  if (from.kind === "library" && to.kind === "library") return from.name === to.name ? "yes" : "unknown";
  const other = from.kind === "library" ? to : from;
  return other.kind === "basic" ? "no" : "unknown";
}

/** Of types that are no interfaces. One without a name may be given to a defined one that is built on the same. */
function identical(from: GoType, to: GoType): Answer {
  if (from.kind === "unknown" || to.kind === "unknown") return "unknown";
  if (from.kind === "defined" || to.kind === "defined") {
    if ("mark" in from && "mark" in to) return isSame(from.mark, to.mark) ? "yes" : "no";
    return from.kind === "basic" || to.kind === "basic" ? "no" : "unknown";
  }
  if (from.kind === "library" || to.kind === "library") return fitsLibrary(from, to);
  if (from.kind !== to.kind) return "no";
  if (from.kind === "basic" && to.kind === "basic") return from.name === to.name ? "yes" : "no";
  if ("mark" in from && "mark" in to) return isSame(from.mark, to.mark) ? "yes" : "no";
  if ("of" in from && "of" in to) return identical(from.of, to.of);
  if (from.kind === "func" && to.kind === "func") {
    if (from.isOpen !== to.isOpen) return "no";
    return alike(from.takes, to.takes, alike(from.gives, to.gives, "yes"));
  }
  if ("text" in from && "text" in to) return from.text === to.text ? "yes" : "unknown";
  return from.kind === "any" || from.kind === "error" ? "yes" : "unknown";
}

function alike(from: readonly GoType[], to: readonly GoType[], rest: Answer): Answer {
  if (from.length !== to.length) return "no";
  const answers = [...from.map((one, at) => identical(one, to[at] ?? unknownType)), rest];
  return answers.includes("no") ? "no" : answers.includes("unknown") ? "unknown" : "yes";
}

const isSame = (one: Mark, other: Mark): boolean =>
  one.path === other.path && one.declaration.name === other.declaration.name;

function fitsLiteral(literal: string, to: GoType): Answer {
  switch (to.kind) {
    case "interface":
    case "error":
      if (literal === "nil") return "yes";
      return !("mark" in to) || asksForSomething(to.mark.declaration) ? "no" : "unknown";
    case "basic":
      if (literal === "nil") return "no";
      if (literal === "string" || literal === "bool") return to.name === literal ? "yes" : "no";
      if (to.name === "string" || to.name === "bool") return "no";
      return literal === "float" && !/^(float|complex)/.test(to.name) ? "unknown" : "yes";
    case "struct":
    case "array":
      return "no";
    case "pointer":
    case "list":
    case "map":
    case "func":
    case "chan":
      return literal === "nil" ? "yes" : "no";
    default:
      return "unknown";
  }
}

/** Types that nobody can give methods to. */
export function hasNoMethods(type: GoType): boolean {
  return ["basic", "list", "map", "func", "chan", "array"].includes(type.kind);
}

/** For certain: its own methods are not kept with the type, so those that its text shows are gone by. */
function asksForSomething({ words }: SourceDeclaration): boolean {
  return words.includes("methods");
}

/** Two methods take and give as many values. */
export function isAlike(one: SourceDeclaration, other: SourceDeclaration): boolean {
  return JSON.stringify([one.takes, one.gives]) === JSON.stringify([other.takes, other.gives]);
}

export function tellGoType(type: GoType): string {
  switch (type.kind) {
    case "basic":
      return type.name;
    case "untyped":
      return type.name === "nil" ? "nil" : `a ${type.name === "int" ? "number" : type.name}`;
    case "pointer":
      return `*${tellGoType(type.of)}`;
    case "list":
      return `[]${tellGoType(type.of)}`;
    case "struct":
    case "interface":
    case "defined":
      return type.mark.declaration.name;
    case "map":
    case "chan":
    case "array":
      return type.text;
    case "func": {
      const gives = type.gives.map(tellGoType).join(", ");
      const takes = type.takes.map(tellGoType).join(", ");
      return `func(${takes}${type.isOpen ? "..." : ""})${gives === "" ? "" : ` (${gives})`}`;
    }
    case "library":
      return type.name.slice(type.name.lastIndexOf("/") + 1);
    default:
      return type.kind;
  }
}

const basics = new Set(
  "bool byte complex64 complex128 float32 float64 int int8 int16 int32 int64 rune string uint uint8 uint16 uint32 uint64 uintptr".split(
    " ",
  ),
);
