// Describes what a name or expression turned out to be, and what can be wrong with using it. Not known is always undefined, and nothing
// wrong ever follows from the unknown.

import type { Shape } from "../facts.ts";
import type { Definition, Program } from "./program.ts";

export type Value =
  | Definition
  | { readonly what: "module"; readonly path: string; readonly typeOnly?: boolean }
  /** An instance of a class, interface or enum. */
  | { readonly what: "instance"; readonly of: Definition; readonly partial?: boolean }
  /** A structural shape, to be read in the file it was written in. */
  | { readonly what: "shape"; readonly path: string; readonly shape: Shape; readonly owner?: Target }
  | { readonly what: "promise"; readonly value: Value | undefined; readonly owner?: Target }
  | { readonly what: "all"; readonly of: readonly (Value | undefined)[] };

/** The definition that decides. */
export interface Target {
  readonly path: string;
  readonly name: string;
  readonly member?: string;
}

export type FaultCode =
  | "no-module"
  | "no-export"
  | "no-member"
  | "hidden"
  | "arity"
  | "type-arguments"
  | "abstract"
  | "async"
  | "type-only"
  | "not-a-type"
  | "unknown-property"
  | "missing-property"
  | "missing-member"
  | "wrong-type"
  | "no-name"
  | "duplicate";

export interface Fault {
  readonly code: FaultCode;
  /** As its language would name it: `Store.open`. */
  readonly symbol: string;
  readonly target: Target;
  /** The fault in words, to be put after "now". */
  readonly detail: string;
  /** Line of the failing part when it differs from the start of the use. */
  readonly line?: number | undefined;
  /** The reason why it may be there all the same; then it is only a doubt. */
  readonly unsure?: string;
}

/** `lacks`: nobody wrote out what is asked for, and something that cannot be listed may still hold it. */
export type Result = { readonly fault: Fault } | { readonly value: Value | undefined; readonly lacks?: Fault };

export const notKnown: Result = { value: undefined };

export function fault(code: FaultCode, target: Target, detail: string, symbol?: string): Result {
  return { fault: { code, target, detail, symbol: symbol ?? nameOf(target) } };
}

export function mayLack(code: FaultCode, target: Target, unsure: string): Result {
  return { value: undefined, lacks: { code, target, detail: "is gone", symbol: nameOf(target), unsure } };
}

export function nameOf(target: Target): string {
  const name = target.name.startsWith("*") ? fileName(target.path) : target.name;
  return target.member === undefined ? name : `${name}.${target.member}`;
}

function fileName(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}

/** The methods of the whole evaluator that its parts need. */
export interface Evaluator {
  readonly program: Program;
  valueOf(shape: Shape | undefined, path: string, depth: number): Value | undefined;
  /** A variable's or alias's meaning instead of itself. */
  settle(value: Value | undefined, depth: number): Value | undefined;
}
