// Judges whether a value of one Rust type may stand where another is wanted. Few conversions happen without being written: of references
// only, by `Deref` and to slices and trait objects. Everything they could concern is unknown.

import type { Mark } from "../compiled/rules.ts";

export type RustType =
  | { readonly kind: "scalar" | "literal" | "other"; readonly name: string }
  | { readonly kind: "reference"; readonly isMutable: boolean; readonly of: RustType }
  /** `Option`, `Result`, `Vec`, `Box`, with their first argument. */
  | { readonly kind: "library"; readonly name: string; readonly of: RustType }
  | { readonly kind: "named"; readonly mark: Mark }
  | { readonly kind: "function"; readonly count: number }
  | { readonly kind: "string" | "str" | "unit" | "unknown" };

export type Answer = "yes" | "no" | "unknown";

const unknownType: RustType = { kind: "unknown" };

/** The type that a text means; `named` looks a path up where the text is written. */
export async function readRustType(
  text: string,
  named: (path: readonly string[]) => Promise<Mark | undefined>,
): Promise<RustType> {
  if (text.startsWith("&")) {
    const isMutable = text.startsWith("&mut ");
    return { kind: "reference", isMutable, of: await readRustType(text.slice(isMutable ? 5 : 1), named) };
  }
  if (text === "()") return { kind: "unit" };
  if (text === "str") return { kind: "str" };
  if (scalars.has(text)) return { kind: "scalar", name: text };
  const closure = /^(?:Fn|FnMut|FnOnce)\((.*?)\)/.exec(text)?.[1];
  if (closure !== undefined) return { kind: "function", count: partsOf(closure).length };
  const [, head = "", inner] = /^([\p{L}_][\w:]*)(?:<(.*)>)?$/su.exec(text) ?? [];
  if (head === "") return /^[[(]/.test(text) ? { kind: "other", name: text } : unknownType;
  const mark = await named(head.split("::"));
  if (mark !== undefined && !mark.declaration.words.includes("alias")) {
    const { kind, words } = mark.declaration;
    return kind === "type" && !words.includes("trait") ? { kind: "named", mark } : unknownType;
  }
  const last = head.split("::").at(-1) ?? "";
  // Aliases of Result are Results; of the others nobody makes any.
  if (last === "Result" || (mark === undefined && libraryTypes.has(last))) {
    const [first = ""] = inner === undefined ? [] : partsOf(inner);
    return {
      kind: "library",
      name: last,
      of: first === "" || first === "_" ? unknownType : await readRustType(first, named),
    };
  }
  return mark === undefined && head === "String" ? { kind: "string" } : unknownType;
}

/** Returns the parts between the commas of a list of types. */
export function partsOf(list: string): string[] {
  const parts = [""];
  let depth = 0;
  for (const [at, letter] of [...list].entries()) {
    if ("<([".includes(letter)) depth += 1;
    // The arrow of a function closes nothing.
    if (">)]".includes(letter) && !(letter === ">" && list[at - 1] === "-")) depth -= 1;
    if (letter === "," && depth === 0) parts.push("");
    else parts[parts.length - 1] += letter;
  }
  return list.trim() === "" ? [] : parts;
}

export function fitsRust(from: RustType, to: RustType): Answer {
  if (from.kind === "unknown" || to.kind === "unknown") return "unknown";
  if (from.kind === "literal") return fitsLiteral(from.name, to);
  if (to.kind === "function" || from.kind === "function") return "unknown";
  if (from.kind === "reference" || to.kind === "reference") {
    if (from.kind !== "reference" || to.kind !== "reference") return "no";
    if (to.isMutable && !from.isMutable) return "no";
    return behind(from.of, to.of);
  }
  return same(from, to);
}

/** Of what stands behind two references: some things lead on to others by `Deref`. */
function behind(from: RustType, to: RustType): Answer {
  if (from.kind === "unknown" || to.kind === "unknown") return "unknown";
  const isFixed = from.kind === "scalar" || from.kind === "str" || from.kind === "unit";
  const answer = same(from, to);
  if (answer !== "no") return answer;
  return isFixed ? "no" : from.kind === "string" && to.kind === "scalar" ? "no" : "unknown";
}

function same(from: RustType, to: RustType): Answer {
  if (from.kind === "unknown" || to.kind === "unknown") return "unknown";
  if (from.kind === "other" || to.kind === "other") {
    if (from.kind === "other" && to.kind === "other") return from.name === to.name ? "yes" : "unknown";
    const rest = from.kind === "other" ? to : from;
    return rest.kind === "scalar" || rest.kind === "string" || rest.kind === "named" ? "no" : "unknown";
  }
  if (from.kind !== to.kind) return "no";
  if (from.kind === "scalar" && to.kind === "scalar") return from.name === to.name ? "yes" : "no";
  if (from.kind === "named" && to.kind === "named")
    return from.mark.path === to.mark.path && from.mark.declaration.name === to.mark.declaration.name ? "yes" : "no";
  if (from.kind === "library" && to.kind === "library") {
    if (from.name !== to.name) return "no";
    const inner =
      from.of.kind === "reference" || to.of.kind === "reference" ? fitsRust(from.of, to.of) : same(from.of, to.of);
    return inner === "no" && from.name !== "Box" ? "no" : inner === "yes" ? "yes" : "unknown";
  }
  return "yes";
}

/**
 * Tells whether no two values of these types can be compared. It answers only for library types where this is known: the author of a type
 * may define what it equals, texts equal each other however they are held, and so do lists. Where one is a reference and the other is not,
 * it claims nothing.
 */
export function neverEqual(one: RustType, other: RustType): boolean {
  if (one.kind === "reference" && other.kind === "reference") return neverEqual(one.of, other.of);
  if (!isPlain(one) || !isPlain(other)) return false;
  if (one.kind === "library" && other.kind === "library" && one.name === other.name)
    return neverEqual(one.of, other.of);
  return one.kind !== other.kind || ("name" in one && "name" in other && one.name !== other.name);
}

const isPlain = (type: RustType): boolean =>
  ["scalar", "string", "unit"].includes(type.kind) || (type.kind === "library" && type.name !== "Box");

function fitsLiteral(literal: string, to: RustType): Answer {
  if (literal.startsWith("closure/")) {
    if (to.kind === "function") return to.count === Number(literal.slice(8)) ? "yes" : "no";
    return ["scalar", "string", "named", "unit", "reference"].includes(to.kind) ? "no" : "unknown";
  }
  if (literal === "str") {
    if (to.kind === "reference")
      return to.isMutable ? "no" : to.of.kind === "str" ? "yes" : to.of.kind === "unknown" ? "unknown" : "no";
    return to.kind === "function" ? "unknown" : "no";
  }
  if (to.kind !== "scalar") return to.kind === "function" ? "unknown" : "no";
  if (literal === "int") return /^[iu]/.test(to.name) ? "yes" : "no";
  if (literal === "float") return to.name.startsWith("f") ? "yes" : "no";
  return to.name === literal ? "yes" : "no";
}

/**
 * Says what speaks against taking a value apart by its places: `(2` for a tuple of two, `.1` for the second. Undefined if nothing does for
 * certain.
 */
export function withoutPlaces(type: RustType, asked: string): string | undefined {
  if (type.kind === "reference") return withoutPlaces(type.of, asked);
  const count = Number(asked.slice(1));
  if (type.kind === "other") {
    const held = type.name.startsWith("(") ? partsOf(type.name.slice(1, -1)).filter((one) => one !== "").length : 0;
    if (asked.startsWith("(")) return held === count ? undefined : `which is no tuple of ${count}`;
    return count < held ? undefined : `which has no place ${count}`;
  }
  const isBare =
    ["scalar", "string", "str", "unit"].includes(type.kind) || (type.kind === "library" && type.name !== "Box");
  // Structs may have places of their own, and what stands in a Box is reached through it.
  if (asked.startsWith(".")) return isBare ? `which has no place ${count}` : undefined;
  return isBare || type.kind === "named" || type.kind === "library" ? `which is no tuple of ${count}` : undefined;
}

export function tellRust(type: RustType): string {
  switch (type.kind) {
    case "reference":
      return `&${type.isMutable ? "mut " : ""}${tellRust(type.of)}`;
    case "library":
      return type.of.kind === "unknown" ? type.name : `${type.name}<${tellRust(type.of)}>`;
    case "named":
      return type.mark.declaration.name;
    case "function":
      return `a function of ${type.count}`;
    case "string":
      return "String";
    case "unit":
      return "()";
    case "literal":
      return type.name.startsWith("closure/")
        ? `a closure of ${type.name.slice(8)}`
        : type.name === "str"
          ? "&str"
          : `a literal ${type.name}`;
    case "scalar":
    case "other":
      return type.name;
    default:
      return type.kind;
  }
}

/** Tells whether a value of the type has a method of this name, as far as that is known. */
export function hasMethod({ name, kind }: { name: string; kind: string }, method: string): boolean {
  return kind === "library" && (name === "Option" || name === "Result") && optionMethods.has(method);
}

const scalars = new Set("bool char u8 u16 u32 u64 u128 usize i8 i16 i32 i64 i128 isize f32 f64".split(" "));
const libraryTypes = new Set("Option Result Vec Box".split(" "));
const optionMethods = new Set(
  "and and_then as_deref as_deref_mut as_mut as_ref as_slice clone cloned copied cmp default eq err expect expect_err expect_none filter flatten fmt from ge get_or_insert get_or_insert_default get_or_insert_with gt hash insert inspect inspect_err inspect_none into into_err into_iter into_ok is_err is_err_and is_none is_none_or is_ok is_ok_and is_some is_some_and iter iter_mut le lt map map_err map_or map_or_default map_or_else max min ne ok ok_or ok_or_else or or_else partial_cmp replace take take_if transpose try_into unwrap unwrap_err unwrap_err_unchecked unwrap_none unwrap_or unwrap_or_default unwrap_or_else unwrap_unchecked unzip xor zip to_owned borrow borrow_mut type_id try_from".split(
    " ",
  ),
);
