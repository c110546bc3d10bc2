// Defines what a step of a ref can lead to, and where it was found. Types only, and the few facts about them.

import type { PythonBinding, PythonEntries } from "../facts.ts";
import { accessor, lastName } from "../ref.ts";
import type { PythonModule } from "./project-tree.ts";

export interface ClassValue {
  readonly kind: "class";
  readonly path: string;
  /** Qualified inside its file: `Outer.Inner`. */
  readonly name: string;
  readonly binding: PythonBinding;
}

export type Value =
  | { readonly kind: "unknown" }
  | { readonly kind: "module"; readonly module: PythonModule; readonly dotted: string }
  | ClassValue
  | { readonly kind: "instance"; readonly of: ClassValue; readonly origin?: Mark }
  /** A value of a built-in type; `None` is one. */
  | {
      readonly kind: "plain";
      readonly type: string;
      readonly count: number | undefined;
      readonly keys?: "text";
      readonly origin?: Mark;
      readonly entries?: WrittenEntries;
    }
  /** A built-in type itself. */
  | { readonly kind: "plain type"; readonly type: string }
  | { readonly kind: "super"; readonly of: ClassValue }
  | { readonly kind: "coroutine"; readonly result: Value }
  /** A list or the like, or a mapping, of such values. */
  | {
      readonly kind: "many";
      readonly of: readonly Value[];
      readonly byKey: boolean;
      readonly keys?: "text";
      readonly origin?: Mark;
      readonly entries?: WrittenEntries;
    }
  /** A context manager, with the values that a `with` enters. */
  | { readonly kind: "manager"; readonly of: readonly Value[] }
  /** The pair that `items()` of a mapping gives. */
  | { readonly kind: "pair"; readonly second: readonly Value[] }
  /** A built-in method that gives these. */
  | { readonly kind: "gives"; readonly values: readonly Value[] }
  | {
      readonly kind: "function";
      readonly path: string;
      readonly name: string;
      readonly binding: PythonBinding;
      /** Leading parameters that are already given. */
      readonly bound: number;
      /** The class it was reached through, when it is a method. */
      readonly of?: ClassValue;
    };

/** Of a dictionary that is written out, with where it is. */
export type WrittenEntries = PythonEntries & { readonly path: string; readonly name: string; readonly line: number };

export function withEntries(value: Value, entries: WrittenEntries): Value {
  if ((value.kind === "plain" && value.type === "dict") || (value.kind === "many" && value.byKey))
    return { ...value, entries };
  return value.kind === "unknown" ? { kind: "plain", type: "dict", count: undefined, keys: "text", entries } : value;
}

export const unknown: Value = { kind: "unknown" };

/** The value, with what gave it where nothing further back did. */
export function givenBy(value: Value, { path, name, line }: Mark): Value {
  if (value.kind !== "instance" && value.kind !== "plain" && value.kind !== "many") return value;
  return value.origin === undefined ? { ...value, origin: { path, name, line } } : value;
}

/** A definition that a step reached, in one tree. */
export interface Mark {
  readonly path: string;
  /** Qualified inside its file; "" for the module itself. */
  readonly name: string;
  readonly line: number;
  /** The import or `__init__` entry through which it was reached, when that is in another place. */
  readonly via?: { readonly path: string; readonly name: string; readonly line: number };
  /** Calls of a dataclass: the classes whose fields make its parameters. */
  readonly also?: readonly { readonly path: string; readonly name: string; readonly line: number }[];
  /** Calls: the function is async. */
  readonly isAsync?: boolean;
  /** Calls: what it gives can evidently not be awaited. */
  readonly isPlain?: boolean;
  /** Members: called, or read like an attribute though it is a function; with the fingerprint of its text. */
  readonly as?: "method" | "property";
  readonly text?: number | undefined;
  /** In an explanation: what this gives is what changed. */
  readonly gives?: true;
}

export type Missing =
  | { readonly kind: "module"; readonly name: string }
  | { readonly kind: "name"; readonly name: string; readonly path: string }
  | {
      readonly kind: "member";
      readonly name: string;
      readonly path: string;
      readonly owner: string;
      /** The definition that gave the thing that lacks it. */
      readonly given?: Mark;
    }
  /** What the mark gives is of another type now, which cannot do this. */
  | {
      readonly kind: "result";
      readonly detail: string;
      readonly mark: Mark | undefined;
      readonly isNone: boolean;
      readonly failure: "attribute" | "type";
    }
  | { readonly kind: "call"; readonly detail: string; readonly mark: Mark }
  /** The mark is a dictionary that has no such key. */
  | { readonly kind: "key"; readonly name: string; readonly mark: Mark }
  /** The mark is a named tuple, which is taken apart into more or fewer names than it has fields. */
  | { readonly kind: "parts"; readonly detail: string; readonly mark: Mark }
  | { readonly kind: "async"; readonly mark: Mark }
  | { readonly kind: "sync"; readonly mark: Mark }
  /** The mark is the method that is wanting, `owner` the class that asks for it. */
  | { readonly kind: "abstract"; readonly mark: Mark; readonly owner: Mark }
  | { readonly kind: "property" | "method"; readonly mark: Mark };

export type Step =
  | {
      readonly values: readonly Value[];
      readonly mark?: Mark | undefined;
      readonly missing?: undefined;
      /** Nothing that is written in the project has this name, and this might still bring it. */
      readonly open?: Bringer;
    }
  | { readonly missing: Missing; readonly values?: undefined; readonly mark?: undefined; readonly open?: undefined };

/** Something that may give a class or module names which nobody wrote out. */
export interface Bringer {
  readonly kind: "outside" | "computed" | "answers" | "run";
  readonly path: string;
  readonly line: number;
  /** The class that it is about; "" for a module. */
  readonly owner: string;
  /** It, as the subject of "may still bring it". */
  readonly what: string;
}

/** Returns the name of a dictionary's key among definitions. */
export const keyName = (dictionary: string, key: string): string => `${dictionary}["${key}"]`;

export const nothingKnown: Step = { values: [unknown] };

/** A record's own entry: names such as `constructor` are ordinary names in Python. */
export function own<T>(record: Readonly<Record<string, T>> | undefined, key: string): T | undefined {
  return record !== undefined && Object.hasOwn(record, key) ? record[key] : undefined;
}

/** Bindings that may hold at the end: from the last unconditional one on, overload stubs left out. */
export function live(bindings: readonly PythonBinding[]): readonly PythonBinding[] {
  const real = bindings.filter(
    (binding) => !(binding.decorators ?? []).some((ref) => lastName(ref) === "overload" || ref === accessor),
  );
  const list = real.length === 0 ? bindings : real;
  let from = 0;
  for (const [index, binding] of list.entries())
    if (binding.conditional === undefined && binding.onSelf === undefined) from = index;
  return list.slice(from);
}
