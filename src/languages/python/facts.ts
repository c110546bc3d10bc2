// What the Python checker remembers of one file: its names, what they are, and what the file uses of others. Plain JSON,
// small, and a function of the text alone, so it is kept by blob id. host/parse/python makes it; core/conflicts/python reads it.

/**
 * A chain of steps from a root, joined by `|`, for example `nstore|.open|(1;mode|w`.
 *
 * Roots: `nNAME` a name of the module (or a builtin), `iLEVEL:MODULE:NAME` something imported from a module,
 * `mLEVEL:MODULE` a module, `oPATH` an instance of a class of this file, `tPATH` that class itself, `sPATH` super() in it,
 * `@NAME` a name listed in `__all__`.
 * Steps: `.NAME` an attribute, `(COUNT[*][^];KEYWORD,…` a call (`*` and `^` mark unpacked arguments), `w` an await,
 * `y` an instance of the class reached so far, `L` and `D` a collection or a mapping of what was reached so far, `e` an item of one by
 * looping, `#COUNT` a part of an item that is taken apart, `x` an item by index or key. The empty string is something nothing is known about.
 * As what a function gives: `=self` the thing it was called on.
 */
export type PythonRef = string;

/** `name`, `name=` (has a default), `/name` (positional only), `&name` (keyword only), `*args`, `**kwargs`. */
export type PythonParameter = string;

export interface PythonBinding {
  /** d: function, c: class, i: import, v: anything else. */
  readonly k: "d" | "c" | "i" | "v";
  /** Line, from 1. */
  readonly l: number;
  /** Bound under a condition (if, try, loop, a function's `global`), so it may not be the one that holds. */
  readonly q?: 1;
  /** What an import or a value refers to. */
  readonly v?: PythonRef;
  /** Set on `self`, not in the class body. */
  readonly s?: 1;
  /** Class bodies, annotated: a field without (0) or with (1) a default, not a parameter (2), keyword only without (3) or with (4). */
  readonly f?: 0 | 1 | 2 | 3 | 4;
  /** Functions: parameters. */
  readonly p?: readonly PythonParameter[];
  /** Functions: async. */
  readonly a?: 1;
  /** Functions: what the return annotation names, else what every `return` gives. */
  readonly r?: PythonRef;
  /** Functions: what it gives can evidently not be awaited. */
  readonly n?: 1;
  /** Decorators of a function or class, outermost first. */
  readonly d?: readonly PythonRef[];
  /** Fingerprint of the text after the name, or of a member's value: tells a rename from a rewrite. */
  readonly h?: number;
  /** Classes: bases, members, and whether keywords such as a metaclass are given (1), or attributes are set by computed names (2). */
  readonly b?: readonly PythonRef[];
  readonly m?: Readonly<Record<string, readonly PythonBinding[]>>;
  readonly x?: 1 | 2;
}

/** Bits of a use: failures that the code around it expects, so they are not reported. */
export const expectsMissingImport = 1;
export const expectsMissingAttribute = 2;
export const expectsMissingName = 4;
export const expectsTypeError = 8;

/** Line, index into `scopes`, bits, what is used. */
export type PythonUse = readonly [line: number, scope: number, expects: number, ref: PythonRef];

export interface PythonSummary {
  /** Of this shape; a cache entry with another number is made again. */
  readonly version: number;
  /** Why the file was passed over; then all the rest is empty. */
  readonly skipped?: string;
  /** The line of a syntax error. */
  readonly skippedLine?: number;
  /** Names of the module; classes inside functions stand here too, as `function/Class`. */
  readonly names: Readonly<Record<string, readonly PythonBinding[]>>;
  /** `__all__` when it is written out; null when it is computed. */
  readonly all?: readonly string[] | null;
  /** `from X import *`, as module roots. */
  readonly stars: readonly PythonRef[];
  /** The module writes to its own namespace in ways that cannot be read. */
  readonly dynamic?: 1;
  /** The names that the module's `__getattr__` answers for; without this, it may answer for any. */
  readonly answers?: readonly string[];
  /** Qualified names of the functions and classes that uses stand in; "" is the module. */
  readonly scopes: readonly string[];
  readonly uses: readonly PythonUse[];
  /** Attribute names this file assigns on something other than `self`. */
  readonly stores: readonly string[];
}

export const pythonSummaryVersion = 2;

/** Never throws and never takes long: what cannot be read comes back as `skipped`. */
export type ParsePython = (source: string) => Promise<PythonSummary>;
