// Declares what a language's checker is given and what it answers. A checker sees four trees (base, both sides, their clean merge) and names
// uses that are right on their own side and wrong in the merged tree. It is pure but for reading blobs.

/** A whole tree of files, as git sees it. Blob ids are content ids: the same id is the same text. */
export interface TreeView {
  /** Symbolic links, by path, with the blob that names where they lead. Only a tree that was read whole knows them. */
  readonly links?: ReadonlyMap<string, string>;
  readonly id: string;
  /** Every file in the tree: path to blob id. */
  readonly blobs: ReadonlyMap<string, string>;
}

/** Reads a blob as text; undefined when it is binary, too large (1 MiB), not UTF-8 or gone. */
export type ReadBlob = (blobId: string) => Promise<string | undefined>;

export type Side = "ours" | "theirs";

export interface SemanticInput {
  readonly base: TreeView;
  readonly ours: TreeView;
  readonly theirs: TreeView;
  /** The clean three-way merge of the two sides. */
  readonly merged: TreeView;
  readonly read: ReadBlob;
  /** Stops the work: what was found so far is answered, and `complete` is false. */
  readonly signal?: AbortSignal;
}

/** Two sides that changed no path in common, before anybody has put them together. */
export type ApartInput = Omit<SemanticInput, "merged">;

export type SemanticRule =
  | "removed" // the definition is gone
  | "renamed" // gone, and one definition of the same shape appeared beside it
  | "moved" // gone from here, defined elsewhere under the same name
  | "made-private" // still defined, no longer exported
  | "signature" // a call that fitted no longer fits: arity, newly required or removed parameter
  | "removed-member" // a member or property of a class, interface, enum, object or module is gone or renamed
  | "became-async" // a value is now a promise where it is used as a value
  | "type-only" // used as a value, now only a type
  | "type-mismatch" // the compiler says the use no longer fits its definition's type
  | "requires-more" // a method to implement, a variant to match or a field to give was added, and is not there
  | "duplicate-definition"; // both sides added the same name; one silently overrides the other, or nothing compiles

export interface Place {
  readonly path: string;
  /** From 1. */
  readonly line: number;
  /** The source line or lines, for showing to people; at most 20 lines. */
  readonly text: string;
}

export interface SemanticConflict {
  readonly language: string;
  readonly rule: SemanticRule;
  /** Qualified as its language would: `formatDate`, `Store.open`. */
  readonly symbol: string;
  /** The side whose change took away or changed the definition. */
  readonly definitionSide: Side;
  /** The place where the definition was (in base) and, if it still exists in some form, the place where it is now. */
  readonly definitionBefore: Place;
  readonly definitionAfter: Place | undefined;
  /** The use, on the other side, and the same use in the merged tree. */
  readonly use: Place;
  /** One sentence for the two authors. */
  readonly message: string;
  /** The advice on what to do about it, in one sentence. */
  readonly suggestion: string;
  /** Only the compiler saw it. */
  readonly byCompiler?: boolean;
}

export interface SemanticOutcome {
  readonly conflicts: readonly SemanticConflict[];
  /** False when a bound was hit: then silence proves nothing. */
  readonly complete: boolean;
  /** The bounds that were hit, for people. */
  readonly notes: readonly string[];
  /** What kept it from being complete may pass: it is worth asking again. */
  readonly mayPass?: true;
  /** Packages that the compiler looked for and did not find: types through them are unknown. */
  readonly missingPackages?: readonly string[];
  readonly unsure?: readonly UnsureUse[];
}

/** A use of something that the other side changed, of which nobody can say whether it still fits. */
export interface UnsureUse {
  readonly side: Side;
  readonly path: string;
  readonly line: number;
  readonly symbol: string;
  /** The file in which the other side changed it. */
  readonly definition: string;
  /** The line in that file, before that change, if one line is meant. */
  readonly definitionLine?: number;
  /** The reason why nobody can say: "it is defined only under conditions there". */
  readonly because: string;
  /** A compiler reads it, so that nothing is left to ask where one has answered for all. */
  readonly isForCompiler?: true;
}

/** A name that a file offers to others. */
export interface Exported {
  readonly name: string;
  /** Equal for two things that may be the same: the kind of declaration, and of a function its number of arguments. */
  readonly kind: string;
  readonly line: number;
  /** The members of a type. Two types of one name are the same thing only if they hold much the same. */
  readonly members?: readonly string[];
}

/** The way files of a language are written, as far as reviewers ask. */
export interface LanguageCustoms {
  /** As findings and settings name it: `typescript`. */
  readonly name: string;
  /** A directory with a file of one of these names begins a package: what is written in it is shared inside it. */
  readonly manifests?: readonly string[];
  /** Files of a name that many packages have, whatever they do (`conftest.py`): two new ones are no duplicate work. */
  readonly customaryFiles?: RegExp;
  /** All files of a directory share their names, so that the same name in two of them is an error by itself. */
  readonly sharesNamesInDirectory?: true;
  /** The consequence when both sides define the same name, as the end of a sentence. */
  readonly definedTwice: string;
  /**
   * Returns the beginning of a line that defines or exports the name, as the source of a pattern. It is cheap, and matches rather too much
   * than too little. The name comes escaped.
   */
  definition(name: string): string;
}

/** A language as reviewers see it. */
export interface ReadableLanguage {
  readonly language: LanguageCustoms;
  /** The names that a file offers to others, where a parser can tell; names that every package has by custom are left out. */
  exports(path: string, text: string): Promise<readonly Exported[]>;
}

export interface ReadableLanguages {
  readonly all: readonly ReadableLanguage[];
  /** The language whose source the file is. */
  of(path: string): ReadableLanguage | undefined;
  named(name: string): ReadableLanguage | undefined;
}
