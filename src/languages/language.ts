// What constel asks of a programming language. A language is one folder: how its files are read, what is known of a file
// (its facts), which uses break in a merge (its rules), its compiler, and the cases it is measured on. `all.ts` is the only list.
// Adding a language is a folder, a line there, and its grammar.

import type { Exported, ReadBlob, SemanticInput, SemanticOutcome, TreeView } from "../ports/semantic.ts";

export interface Language {
  /** As findings and settings name it: `typescript`. */
  readonly name: string;
  /** As people write it: `TypeScript`. */
  readonly title: string;
  /** Files it reads, by path. */
  readonly files: RegExp;
  /** Files that say where modules are or how they compile. With conflict markers in one of them nothing resolves any more. */
  readonly settingsFiles: RegExp;
  /** The compiler that is asked too where it is to be had: `TypeScript`. Its absence is part of what a silence says. */
  readonly compilerOf?: string;
  /** A memory of its own for one repository. */
  open(memory: LanguageMemory): OpenLanguage;
}

export interface LanguageMemory {
  /** Room for the facts of files, in bytes; what was not asked for longest is forgotten first. */
  readonly bytes: number;
}

export interface OpenLanguage {
  readonly language: Language;
  /** Uses that hold on their own side and break in the merge, as the syntax alone shows them. */
  check(input: SemanticInput): Promise<SemanticOutcome>;
  /** The names that a file offers to others, where a parser can tell. */
  exports(path: string, text: string): Promise<readonly Exported[]>;
  /** Which file imports which, over a whole tree, and which files are tests. */
  imports(tree: TreeView, read: ReadBlob, signal: AbortSignal): Promise<ImportGraph>;
  /** A second opinion on the merged tree; undefined where the language has none here. */
  readonly compiler?: LanguageCompiler;
}

export interface ImportGraph {
  /** A file and the files it imports. */
  readonly imports: ReadonlyMap<string, ReadonlySet<string>>;
  readonly tests: ReadonlySet<string>;
}

/** The language's own compiler or type checker, asked about the merged tree: slow, in a process of its own, within bounds. */
export interface LanguageCompiler {
  /** For evidence and for silence: `TypeScript 6.0.3`. */
  readonly name: string;
  /** Whether other files could notice the difference between two texts of a file: only then is asking worth the time. */
  isVisible(path: string, before: string, after: string): boolean;
  /** What `check` says, with the compiler's word added to it and overruling it. */
  check(input: SemanticInput, places: CompilerPlaces): Promise<SemanticOutcome>;
  close(): void;
}

export interface CompilerPlaces {
  /** A checkout whose installed packages may be read. */
  readonly packagesFrom?: string;
  readonly deadlineMs: number;
}
