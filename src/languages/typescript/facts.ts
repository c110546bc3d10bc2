// Describes what one TypeScript or JavaScript file offers and asks for, small enough to keep for every blob ever seen and plain enough to
// store as JSON. It is made from source text alone (ParseTypeScript); what the names mean is decided later, against a whole tree. Where the
// syntax does not say what something is, it is left out, and the checker stays silent.

/** The look of a value or type, as far as the syntax tells. `undefined` always means: not known. */
export type Shape =
  | { readonly k: "primitive"; readonly name: string }
  /** An instance of a named type: `Store`, `ns.Store`, `import("./store").Store`. */
  | { readonly k: "type"; readonly name: readonly string[]; readonly args?: readonly (Shape | undefined)[] }
  /** The result of an expression that starts at a top-level name (or a module, see `moduleRoot`). */
  | { readonly k: "value"; readonly root: string; readonly steps: readonly Step[] }
  /** The result of following steps from another shape: the property of a typed parameter. */
  | { readonly k: "from"; readonly shape: Shape; readonly steps: readonly Step[] }
  | { readonly k: "function"; readonly signatures: readonly Signature[] }
  /** `open` when other members may exist: spread, index signature, computed key. */
  | { readonly k: "object"; readonly members: readonly Member[]; readonly open?: true; readonly fresh?: true }
  | { readonly k: "array"; readonly of?: Shape | undefined }
  | { readonly k: "union"; readonly of: readonly (Shape | undefined)[] }
  | { readonly k: "both"; readonly of: readonly (Shape | undefined)[] };

export interface Call {
  readonly s: "call" | "new";
  /** The number of arguments; not known with `spread`. */
  readonly count: number;
  /** The known shapes of the arguments, where the call itself is judged. */
  readonly args?: readonly (Shape | undefined)[];
  readonly spread?: true;
  readonly types?: number;
}

/** One thing done with a value, in the order of the source: `store.open(1).name` is member, call, member. */
export type Step =
  | { readonly s: "member"; readonly name: string; readonly line?: number }
  | Call
  | { readonly s: "await" }
  /** Any element of an array. */
  | { readonly s: "element" }
  /** Used where a promise makes no sense: an operand, a condition, a template. */
  | { readonly s: "operand" }
  | {
      readonly s: "jsx";
      readonly attributes: readonly Member[];
      readonly spread?: true;
      readonly children?: true;
    }
  /** Named in a type position, with so many type arguments (undefined: none written). */
  | { readonly s: "type"; readonly types?: number }
  /** A class says it implements or extends this and brings these members. */
  | { readonly s: "implement"; readonly members: readonly string[]; readonly how: "implements" | "extends" }
  /** A value is put where this type is asked for. */
  | { readonly s: "fit"; readonly value: Shape };

export interface Parameter {
  readonly name: string;
  /** May be left out: `?`, a default, or (in JavaScript) a body that tests for it. */
  readonly optional?: true;
  readonly rest?: true;
  readonly shape?: Shape | undefined;
}

export interface Signature {
  readonly parameters: readonly Parameter[];
  readonly returns?: Shape | undefined;
  /** Declared async, or annotated to return a promise. */
  readonly async?: true;
  readonly generator?: true;
  /** Fewest and most type arguments. */
  readonly types?: readonly [number, number];
}

export interface Member {
  readonly name: string;
  readonly line: number;
  readonly static?: true;
  readonly optional?: true;
  readonly hidden?: "private" | "protected";
  readonly abstract?: true;
  /** A setter without a getter, or a getter: counts as one property. */
  readonly accessor?: true;
  readonly shape?: Shape | undefined;
}

export type DeclarationKind = "function" | "class" | "interface" | "type" | "enum" | "namespace" | "variable";

export interface Declaration {
  readonly name: string;
  readonly kind: DeclarationKind;
  /** From 1. */
  readonly line: number;
  readonly endLine: number;
  /** The text without its own name, hashed: a renamed definition keeps it. */
  readonly print: string;
  readonly ambient?: true;
  readonly abstract?: true;
  /** A function's or variable's value, a type alias's meaning. */
  readonly shape?: Shape | undefined;
  /** Of a class, interface or enum. */
  readonly members?: readonly Member[];
  /** Members that cannot be listed may exist. */
  readonly open?: true;
  /** Base class (one) or base interfaces. */
  readonly bases?: readonly (Shape | undefined)[];
  readonly constructors?: readonly Signature[];
  readonly types?: readonly [number, number];
  /** Of a namespace: what it exports. */
  readonly inner?: readonly Declaration[];
}

export interface Import {
  readonly local: string;
  readonly specifier: string;
  /** `*` for the whole module. */
  readonly imported: string;
  readonly typeOnly?: true;
  readonly line: number;
  readonly style: "import" | "import-equals";
}

export interface Export {
  /** `*` for `export * from`, `export=` for the whole module. */
  readonly name: string;
  /** The top-level name behind it. */
  readonly local?: string;
  readonly from?: string;
  /** With `from`: the name over there, `*` for the whole module. */
  readonly imported?: string;
  readonly typeOnly?: true;
  readonly line: number;
}

/** A module named anywhere in the file, for its mere existence. */
export interface ModuleMention {
  readonly specifier: string;
  readonly line: number;
  /** `call`: a function is given its path. `glob`: a pattern of paths, which brings in whatever fits. */
  readonly how: "import" | "side-effect" | "require" | "dynamic" | "export" | "type" | "call" | "glob";
}

export interface Use {
  readonly line: number;
  readonly from: Shape;
  readonly steps: readonly Step[];
  /** Classes this use sits in, for private members. */
  readonly inside?: string;
}

/** A name nothing in the file declares or imports. */
export interface FreeName {
  readonly name: string;
  readonly line: number;
}

/** `outline`: what a file offers and which modules it names. `full`: also everything it uses. */
export type SummaryDepth = "outline" | "full";

export interface TypeScriptSummary {
  readonly depth: SummaryDepth;
  /** Set when the text does not parse: everything else is then empty. */
  readonly broken?: string;
  /** The line of the first error. */
  readonly brokenLine?: number;
  readonly dialect: "typescript" | "javascript" | "json";
  readonly module: "esm" | "commonjs" | "script";
  readonly imports: readonly Import[];
  readonly exports: readonly Export[];
  /** More may be exported than is listed (`module.exports = build()`). */
  readonly exportsOpen?: true;
  readonly mentions: readonly ModuleMention[];
  readonly declarations: readonly Declaration[];
  readonly uses: readonly Use[];
  readonly free: readonly FreeName[];
  /** Names declared twice in one scope where the language allows one. */
  readonly duplicates: readonly FreeName[];
  /** Adds to other modules or to the global scope (`declare module`, `declare global`). */
  readonly augments?: true;
}

/** The root of a path that starts at a module: `await import("./a")`, `require("./a")`. */
export function moduleRoot(how: "import" | "require", specifier: string): string {
  return `${how}(${specifier})`;
}

export type ParseTypeScript = (path: string, text: string, depth: SummaryDepth) => TypeScriptSummary;
