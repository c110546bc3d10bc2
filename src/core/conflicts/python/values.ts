// What a step of a ref can lead to, and where it was found. Types only, and the few facts about them.

import type { PythonBinding } from "../../../protocol/python-summary.ts";
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
  | { readonly kind: "instance"; readonly of: ClassValue }
  | { readonly kind: "super"; readonly of: ClassValue }
  | { readonly kind: "coroutine"; readonly result: Value }
  | {
      readonly kind: "function";
      readonly path: string;
      readonly name: string;
      readonly binding: PythonBinding;
      /** Leading parameters that are already given. */
      readonly bound: number;
    };

export const unknown: Value = { kind: "unknown" };

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
}

export type Missing =
  | { readonly kind: "module"; readonly name: string }
  | { readonly kind: "name"; readonly name: string; readonly path: string }
  | { readonly kind: "member"; readonly name: string; readonly path: string; readonly owner: string }
  | { readonly kind: "call"; readonly detail: string; readonly mark: Mark }
  | { readonly kind: "async"; readonly mark: Mark };

export type Step =
  | { readonly values: readonly Value[]; readonly mark?: Mark | undefined; readonly missing?: undefined }
  | { readonly missing: Missing; readonly values?: undefined; readonly mark?: undefined };

export const nothingKnown: Step = { values: [unknown] };

/** A record's own entry: names such as `constructor` are ordinary names in Python. */
export function own<T>(record: Readonly<Record<string, T>> | undefined, key: string): T | undefined {
  return record !== undefined && Object.hasOwn(record, key) ? record[key] : undefined;
}

/** Bindings that may hold at the end: from the last unconditional one on, overload stubs left out. */
export function live(bindings: readonly PythonBinding[]): readonly PythonBinding[] {
  const real = bindings.filter(
    (binding) => !(binding.d ?? []).some((ref) => /(^n|\.)overload$/.test(ref) || ref === "=accessor"),
  );
  const list = real.length === 0 ? bindings : real;
  let from = 0;
  for (const [index, binding] of list.entries()) if (binding.q === undefined && binding.s === undefined) from = index;
  return list.slice(from);
}
