// Describes what an expression evidently refers to: a root (a name, an import, a class of this file) and the steps from there (attributes,
// calls, awaits). It is kept as one short string, because a file has hundreds of them, they are compared and looked up all the time, and as
// objects the facts of a file take half as much room again or more (docs/decisions/0033). Only this file knows how the string is written;
// everybody else builds it with these functions and reads it with `parseRef`.
//
// Roots: `nNAME`, `iLEVEL:MODULE:NAME`, `mLEVEL:MODULE`, `oPATH`, `tPATH`, `sPATH`, `@NAME`, `bTYPE[:COUNT|:s]`, in the order of `Root`.
// Steps, each after a
// `|`: `.NAME`, `(COUNT[*][^];KEYWORD,…`, `w`, `y`, `L`, `D[s]`, `e`, `#COUNT`, `x[s[:NAME]|i]`, `uCOUNT`, `+[s|i]`, in the order of `Step`. `store.open(path, mode=1)` is
// `nstore|.open|(1;mode`.

export type PythonRef = string;

/** Something of which nothing is known. */
export const nothing: PythonRef = "";
/** As what a function gives: the thing it was called on. */
export const itself: PythonRef = "=self";
/** As a decorator: it makes a function the setter, getter or deleter of a property. */
export const accessor: PythonRef = "=accessor";

export type Root =
  /** A name of the module, or a builtin. */
  | { readonly kind: "name"; readonly name: string }
  /** `from module import name`; the level counts the dots before it. */
  | { readonly kind: "imported"; readonly level: number; readonly module: string; readonly name: string }
  | { readonly kind: "module"; readonly level: number; readonly module: string }
  /** An instance of a class of this file, that class itself, and `super()` in it; the path is `Outer.Inner`. */
  | { readonly kind: "instance" | "class" | "super"; readonly path: string }
  /** A name that stands in `__all__`. */
  | { readonly kind: "listed"; readonly name: string }
  /** A value of a built-in type, with its length where it is a tuple that is written out; of a mapping, that its keys are text. */
  | { readonly kind: "plain"; readonly type: string; readonly count: number | undefined; readonly keys?: "text" }
  | { readonly kind: "unknown" };

export interface CallShape {
  readonly positional: number;
  readonly keywords: readonly string[];
  /** `*args` or `**kwargs` stand in the call, so counts and names are only lower bounds. */
  readonly star: boolean;
  readonly doubleStar: boolean;
}

export type Step =
  | { readonly kind: "attribute"; readonly name: string }
  | ({ readonly kind: "call" } & CallShape)
  | { readonly kind: "await" }
  /** From a class to an instance of it. */
  | { readonly kind: "instance" }
  /** A collection, or a mapping, of what was reached so far. */
  | { readonly kind: "many" | "mapping"; readonly keys?: "text" }
  /** An item of a collection by looping. */
  | { readonly kind: "item" }
  /** A part of an item that is taken apart. */
  | { readonly kind: "part"; readonly at: number }
  /** An item by index or key, with what the key evidently is. */
  | { readonly kind: "index"; readonly key?: "text" | "number"; readonly name?: string }
  /** Taken apart into so many. */
  | { readonly kind: "unpack"; readonly count: number }
  /** Added to text or a number that is written out, or reckoned with. */
  | { readonly kind: "sum"; readonly with: "text" | "number" };

export interface ParsedRef {
  readonly root: Root;
  readonly steps: readonly Step[];
}

export const nameRef = (name: string): PythonRef => `n${name}`;
export const importedRef = (level: number, module: string, name: string): PythonRef => `i${level}:${module}:${name}`;
export const moduleRef = (level: number, module: string): PythonRef => `m${level}:${module}`;
export const instanceRef = (path: string): PythonRef => `o${path}`;
export const classRef = (path: string): PythonRef => `t${path}`;
export const superRef = (path: string): PythonRef => `s${path}`;
export const listedRef = (name: string): PythonRef => `@${name}`;
export const plainRef = (type: string, count?: number): PythonRef =>
  `b${type}${count === undefined ? "" : `:${count}`}`;

/** A mapping whose keys are text. */
export const textMapping: PythonRef = "bdict:s";

export const attributeStep = (name: string): string => `|.${name}`;
export const awaitStep = "|w";
export const instanceStep = "|y";
export const manyStep = "|L";
export const mappingStep = "|D";
export const textMappingStep = "|Ds";
export const itemStep = "|e";
export const partStep = (at: number): string => `|#${at}`;
export const indexStep = "|x";
export const textIndexStep = "|xs";
/** By a text that is written out, where the ref can hold it. */
export const keyIndexStep = (name: string): string => (/^[\w.-]{1,60}$/.test(name) ? `|xs:${name}` : textIndexStep);
export const numberIndexStep = "|xi";
export const sumStep = (other: "text" | "number"): string => (other === "text" ? "|+s" : "|+i");
export const unpackStep = (count: number): string => `|u${count}`;

export function callStep({ positional, keywords, star, doubleStar }: CallShape): string {
  return `|(${positional}${star ? "*" : ""}${doubleStar ? "^" : ""};${keywords.join(",")}`;
}

/** A call without arguments. */
export const bareCallStep = callStep({ positional: 0, keywords: [], star: false, doubleStar: false });

/** Of nothing known, nothing more is known. */
export function withSteps(ref: PythonRef, ...steps: readonly string[]): PythonRef {
  return ref === nothing ? nothing : ref + steps.join("");
}

export function parseRef(ref: PythonRef): ParsedRef {
  const [root = "", ...steps] = ref.split("|");
  return { root: rootOf(root), steps: steps.map(stepOf) };
}

/** It begins at something that is written out, so that no other file has a part in what it is. */
export const isWrittenOut = (ref: PythonRef): boolean => ref.startsWith("b");

/** The module's name that it begins at; undefined when it begins elsewhere. */
export function rootName(ref: PythonRef): string | undefined {
  if (!ref.startsWith("n")) return undefined;
  const bar = ref.indexOf("|");
  return bar === -1 ? ref.slice(1) : ref.slice(1, bar);
}

/** The ref up to so many of its steps. */
export function firstSteps(ref: PythonRef, count: number): PythonRef {
  return ref
    .split("|")
    .slice(0, count + 1)
    .join("|");
}

/** The attribute it ends in, or the name it is. */
export function lastName(ref: PythonRef): string | undefined {
  const bar = ref.lastIndexOf("|");
  if (bar === -1) return rootName(ref);
  return ref.startsWith("|.", bar) ? ref.slice(bar + 2) : undefined;
}

function rootOf(text: string): Root {
  const rest = text.slice(1);
  switch (text[0]) {
    case "n":
      return { kind: "name", name: rest };
    case "@":
      return { kind: "listed", name: rest };
    case "m": {
      const [level = "0", module = ""] = rest.split(":");
      return { kind: "module", level: Number(level), module };
    }
    case "i": {
      const [level = "0", module = "", name = ""] = rest.split(":");
      return { kind: "imported", level: Number(level), module, name };
    }
    case "b": {
      const [type = "", count] = rest.split(":");
      if (count === "s") return { kind: "plain", type, count: undefined, keys: "text" };
      return { kind: "plain", type, count: count === undefined ? undefined : Number(count) };
    }
    case "o":
      return { kind: "instance", path: rest };
    case "t":
      return { kind: "class", path: rest };
    case "s":
      return { kind: "super", path: rest };
    default:
      return { kind: "unknown" };
  }
}

const plainSteps: Readonly<Record<string, Step>> = {
  w: { kind: "await" },
  y: { kind: "instance" },
  L: { kind: "many" },
  D: { kind: "mapping" },
  Ds: { kind: "mapping", keys: "text" },
  e: { kind: "item" },
  x: { kind: "index" },
  xs: { kind: "index", key: "text" },
  xi: { kind: "index", key: "number" },
  "+s": { kind: "sum", with: "text" },
  "+i": { kind: "sum", with: "number" },
};

function stepOf(text: string): Step {
  if (text.startsWith(".")) return { kind: "attribute", name: text.slice(1) };
  if (text.startsWith("#")) return { kind: "part", at: Number(text.slice(1)) };
  if (text.startsWith("xs:")) return { kind: "index", key: "text", name: text.slice(3) };
  if (text.startsWith("u")) return { kind: "unpack", count: Number(text.slice(1)) };
  const plain = plainSteps[text];
  if (plain !== undefined) return plain;
  const [head = "", tail = ""] = text.slice(1).split(";");
  return {
    kind: "call",
    positional: Number.parseInt(head, 10),
    keywords: tail === "" ? [] : tail.split(","),
    star: head.includes("*"),
    doubleStar: head.includes("^"),
  };
}
