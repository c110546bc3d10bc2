// Defines what the checkers of Go, Java and Rust remember of one file: what it declares, what it brings in, what it uses. It is plain JSON
// and a function of the text alone, so it is kept by blob id. The language's own parser makes it; its rules read it.

import type { GivenText } from "./given.ts";

export type DeclarationKind = "function" | "type" | "field" | "value" | "variant" | "module" | "constructor" | "macro";

export interface SourceDeclaration {
  readonly kind: DeclarationKind;
  readonly name: string;
  readonly line: number;
  /** The type that holds it, as its file names it (`Outer.Inner` in Java); "" for what a package or module holds. */
  readonly of: string;
  /** Rust: the modules written in this file around it, joined by `::`. */
  readonly module: string;
  /** `public`, or what stands there (`private`, `crate`); "" when nothing does. */
  readonly access: string;
  /** Least and most arguments; most is -1 when there is no most. */
  readonly takes?: readonly [least: number, most: number];
  /** Go: how many results. */
  readonly gives?: number;
  /** The type of a field or value, or of what a function answers, where it is a plain name. */
  readonly type?: readonly string[];
  /** The types that a type is built on: superclass and interfaces, embedded structs. */
  readonly supers?: readonly (readonly string[])[];
  /** Anything else that matters to its language: `static`, `abstract`, `struct`, `conditional`. */
  readonly words: readonly string[];
  /** Types of the parameters as written, one for each; left out where type parameters take part. */
  readonly types?: readonly string[];
  /** The type of a field or value, or of what a function answers (Go: of its first result), as written. */
  readonly answers?: string;
  /** Java: what a method says it throws. */
  readonly throws?: readonly string[];
  /** Java: types of the parameters as written, which tell overloads apart. */
  readonly parameters?: string;
  /** Fingerprint of the text after the name: tells a rename from a rewrite. */
  readonly shape: number;
}

export interface SourceImport {
  readonly line: number;
  /** The name it has here; `*` for everything below the path. */
  readonly name: string;
  readonly path: readonly string[];
  readonly module: string;
  readonly access: string;
  readonly words: readonly string[];
}

/** `fits`: a value that has to be of a type, whatever it is called. `unread`: a word given to a macro of which nothing more is known, once for each function. */
export type UseKind = "name" | "new" | "literal" | "match" | "implements" | "overrides" | "import" | "fits" | "unread";

export interface SourceUse {
  readonly kind: UseKind;
  readonly line: number;
  /** The function or type around it: tells the same use in another version of the file. */
  readonly scope: string;
  readonly module: string;
  /** The type it is written in. */
  readonly of: string;
  /** A name as written, from something that is not local. Java's methods end in `()`. */
  readonly path: readonly string[];
  /** Members reached one after another, on a value of the type the path names or answers. */
  readonly members: readonly string[];
  /** Arguments of a call; undefined when it is no call or they cannot be counted. */
  readonly args?: number;
  /** Go: how many results are taken. */
  readonly wants?: number;
  /** Fields of a literal, variants of a match, methods of a class as `name/arity`. */
  readonly parts?: readonly string[];
  /** A literal that names every field, or (Go) gives them by place. */
  readonly whole?: 1;
  readonly supers?: readonly (readonly string[])[];
  /** The known facts about each argument, each field of a literal, or the one value that is assigned. */
  readonly given?: readonly GivenText[];
  /**
   * The kind of value wanted by the place that it goes to: `=type`, `~int` where it is compared with a literal of that kind. Rust: `^` and
   * what is known of the value it is compared with, `!` for what can be denied, `?` for what can fail, `(2` for a tuple of two, `.1` for
   * what has a second place.
   */
  readonly expects?: string;
  /** Go: the one argument is a call, and what it gives is passed on, however much that is. */
  readonly passes?: 1;
  /** Rust: the macros that it is given to, the outermost first. */
  readonly macros?: readonly string[];
  /** Java: the exceptions that are caught or passed on around a call; undefined where that is not known. */
  readonly catches?: readonly string[];
}

export interface SourceSummary {
  /** Of this shape; a cache entry with another number is made again. */
  readonly version: number;
  /** The reason why the file was passed over. If set, all the rest is empty. */
  readonly skipped?: string;
  /** The line of a syntax error. */
  readonly skippedLine?: number;
  /** Go: the package clause. Java: the package. */
  readonly package: string;
  /** Conditions, macros or generators may add or take away names here, so that nothing is missing for certain. */
  readonly doubtful?: 1;
  readonly imports: readonly SourceImport[];
  readonly declarations: readonly SourceDeclaration[];
  readonly uses: readonly SourceUse[];
}

export const sourceSummaryVersion = 4;

/** Never throws and never takes long: what cannot be read comes back as `skipped`. */
export type ParseSource = (source: string, path?: string) => Promise<SourceSummary>;
