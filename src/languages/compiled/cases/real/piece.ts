// A declaration of real code that the measurement on real repositories changes, copies or begins to use. What it is in its language is
// read by read-go.ts, read-java.ts and read-rust.ts, from the syntax tree alone.

import type { Syntax } from "../../../tree-sitter/syntax.ts";

export type Span = readonly [start: number, end: number];

export interface Piece {
  readonly kind:
    | "function"
    | "constructor"
    | "type"
    | "interface"
    | "field"
    | "constant"
    | "variant"
    | "implementation"
    /** A function among the tests of a file (Rust). */
    | "test";
  readonly path: string;
  readonly name: string;
  readonly nameAt: Span;
  /** The whole declaration, with its modifiers and without its comments. */
  readonly at: Span;
  readonly text: string;
  /** The type that holds a member, as others name it; "" for what stands by itself. */
  readonly holder: string;
  /** What a copy of a member has to stand in: `impl<'a> Reader<'a>`, `(r *Reader)`; "" where nothing is needed. */
  readonly header: string;
  readonly isPublic: boolean;
  readonly isStatic: boolean;
  readonly isGeneric: boolean;
  /** Of a trait, an interface, or of an implementation of a trait: others decide what it looks like. */
  readonly isBound: boolean;
  readonly hasBody: boolean;
  readonly parametersAt: Span;
  readonly parameters: readonly Parameter[];
  /** As written, without arrow; "" for nothing. */
  readonly result: string;
  /** Of a field or constant; where its type stands. */
  readonly typeAt: Span;
  readonly type: string;
  /** Where the body of an interface or struct begins, after its brace; 0 when it has none. */
  readonly bodyAt: number;
}

export interface Parameter {
  readonly name: string;
  readonly type: string;
}

export function piece(one: Pick<Piece, "kind" | "path" | "name" | "nameAt" | "at" | "text"> & Partial<Piece>): Piece {
  return {
    holder: "",
    header: "",
    isPublic: false,
    isStatic: false,
    isGeneric: false,
    isBound: false,
    hasBody: true,
    parametersAt: [0, 0],
    parameters: [],
    result: "",
    typeAt: [0, 0],
    type: "",
    bodyAt: 0,
    ...one,
  };
}

/** Every node below, in order. */
export function* below(syntax: Syntax, node: number): Generator<number> {
  for (const child of syntax.children(node)) {
    yield child;
    yield* below(syntax, child);
  }
}
