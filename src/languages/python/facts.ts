// Defines what the Python checker remembers of one file: its names, what they are, and what the file uses of others. It is plain JSON,
// small, and a function of the text alone, so it is kept by blob id. reader/ makes it; rules/ read it.

import type { ParameterText } from "./parameter.ts";
import type { PythonRef } from "./ref.ts";

/** A parameter, with or without a default, by place or by keyword only; or none at all. */
export type PythonField = "required" | "defaulted" | "required by keyword" | "defaulted by keyword" | "no parameter";

export interface PythonBinding {
  /** `value` is anything but a function, a class or an import. */
  readonly kind: "function" | "class" | "import" | "value";
  /** Line, from 1. */
  readonly line: number;
  /** Bound under a condition (if, try, loop, a function's `global`), so it may not be the one that holds. */
  readonly conditional?: true;
  /** The thing that an import or a value refers to. */
  readonly refersTo?: PythonRef;
  /** Set on `self`, not in the class body. */
  readonly onSelf?: true;
  /** Class bodies, annotated: what a dataclass's constructor makes of it. */
  readonly field?: PythonField;
  /** Functions: parameters. */
  readonly parameters?: readonly ParameterText[];
  /** Functions: async. */
  readonly isAsync?: true;
  /** Functions: what the return annotation names, else what every `return` gives. */
  readonly gives?: PythonRef;
  /** What it gives, or refers to, is what an annotation says: it may be something more than that. */
  readonly isPromised?: true;
  /** Functions: what it gives can evidently not be awaited. */
  readonly isPlain?: true;
  /** Decorators of a function or class, outermost first. */
  readonly decorators?: readonly PythonRef[];
  /** Fingerprint of the text after the name, or of a member's value: tells a rename from a rewrite. */
  readonly fingerprint?: number;
  /** Values: the keys of a dictionary that is written out. */
  readonly entries?: PythonEntries;
  /** Classes. */
  readonly bases?: readonly PythonRef[];
  readonly members?: Readonly<Record<string, readonly PythonBinding[]>>;
  /** Classes: keywords such as a metaclass may give it more than is written. */
  readonly unreadable?: "keywords";
  /** Classes: attributes that its instances are given by computed names. */
  readonly computed?: PythonComputedNames;
  /** `__getattr__`: the names that it answers for; without this, it may answer for any. */
  readonly answers?: readonly string[];
}

export interface PythonEntries {
  /** Each key with its line and the fingerprint of its value. */
  readonly keys: Readonly<Record<string, readonly [line: number, print: number]>>;
  /** The file gives it more keys than are written, or hands it on; the first line that does. */
  readonly grown?: number;
  /** Entries that are such dictionaries themselves. */
  readonly inside?: Readonly<Record<string, PythonEntries>>;
}

export interface PythonComputedNames {
  /** The first line that computes one. */
  readonly line: number;
  /** Names that may come of it; `*` stands for any text. */
  readonly like: readonly string[];
}

/** Bits of a use: failures that the code around it expects, so they are not reported. */
export const expectsMissingImport = 1;
export const expectsMissingAttribute = 2;
export const expectsMissingName = 4;
export const expectsTypeError = 8;
/** Not an expectation: the use is of a local, so whatever tests the local may stand before it. */
export const throughLocal = 16;
export const expectsMissingKey = 32;
/** Not an expectation either: only a text names it, which may be meant otherwise, or whoever reads it may do without. */
export const namedByText = 64;

export interface PythonUse {
  readonly line: number;
  /** Index into `scopes`. */
  readonly scope: number;
  /** Bits, as above. */
  readonly expects: number;
  readonly ref: PythonRef;
}

export interface PythonSummary {
  /** Of this shape; a cache entry with another number is made again. */
  readonly version: number;
  /** The reason why the file was passed over. If set, all the rest is empty. */
  readonly skipped?: string;
  /** The line of a syntax error. */
  readonly skippedLine?: number;
  /** Names of the module; classes inside functions stand here too, as `function/Class`. */
  readonly names: Readonly<Record<string, readonly PythonBinding[]>>;
  /** `__all__` when it is written out; null when it is computed. */
  readonly all?: readonly string[] | null;
  /** With a computed `__all__`: a fingerprint of how. */
  readonly listed?: number;
  /** `from X import *`, as module roots. */
  readonly stars: readonly PythonRef[];
  /** The module writes to its own namespace in ways that cannot be read. */
  readonly dynamic?: true;
  /** The module writes to its own namespace by names that are computed: a fingerprint of how. */
  readonly computed?: number;
  /** With `computed`: words that stand in its strings, any of which may be such a name. */
  readonly spelled?: readonly string[];
  /** The names that the module's `__getattr__` answers for; without this, it may answer for any. */
  readonly answers?: readonly string[];
  /** Qualified names of the functions and classes that uses stand in; "" is the module. */
  readonly scopes: readonly string[];
  readonly uses: readonly PythonUse[];
  /** Attribute names this file assigns on something other than `self`. */
  readonly stores: readonly string[];
}

export const pythonSummaryVersion = 10;

/** Never throws and never takes long: what cannot be read comes back as `skipped`. */
export type ParsePython = (source: string, path?: string) => Promise<PythonSummary>;
