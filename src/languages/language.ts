// Defines what constel asks of a programming language. A language is one folder: how its files are read, what is known of a file (its
// facts), which uses break in a merge (its rules), its compiler, and the cases it is measured on. `all.ts` is the only list. Adding a
// language is a folder, a line there, and its grammar; what is optional here may come later.

import type {
  ApartInput,
  Exported,
  LanguageCustoms,
  ReadBlob,
  SemanticInput,
  SemanticOutcome,
  TreeView,
} from "../ports/semantic.ts";
import type { Toolchains } from "../ports/toolchains.ts";
import type { CodeInterfaces } from "../ports/code-interfaces.ts";
import type { FactsMemory } from "./facts-memory.ts";

export interface Language extends LanguageCustoms {
  /** As people write it: `TypeScript`. */
  readonly title: string;
  /** Its source files, by path. */
  readonly sources: RegExp;
  /** Other files that sources use by name, so that a change of one may break a use: JSON that is imported. */
  readonly data?: RegExp;
  /** Files that say where modules are or how they compile. With conflict markers in one of them nothing resolves any more. */
  readonly settingsFiles?: RegExp;
  /** Sources may import files of any kind (styles, pictures), and a test reaches them so. */
  readonly importsAnyFile?: true;
  /** Its compiler is asked too where it is to be had: where it is not, a silence says so. */
  readonly wantsCompiler?: true;
  /** Reads what a file serves to other programs and asks of them. Languages whose frameworks are not read have none. */
  readonly interfaces?: (path: string, text: string) => Promise<CodeInterfaces>;
  /** Ready to answer, for as long as the memory is kept. */
  open(memory: LanguageMemory): OpenLanguage;
}

/**
 * One memory serves all repositories that a process looks at: facts are kept by what is written in a file, so a fork, a
 * workspace and a second clone share them, and the bound holds for all of them together.
 */
export interface LanguageMemory {
  readonly facts: FactsMemory;
  readonly compiler: CompilerCare;
}

export interface CompilerCare {
  /** The compiler is ended when nothing was asked of it for so long; without, it is kept until closed. */
  readonly idleMs?: number;
  /** The amount by which it steps back behind others, as `nice` counts. */
  readonly niceness?: number;
  /** The memory it may hold, with all that works for it. */
  readonly memoryBytes?: number;
  /** Hears that a process was started or ended for it. */
  readonly changed?: () => void;
}

export interface OpenLanguage {
  readonly language: Language;
  /** Uses that hold on their own side and break in the merge, as the syntax alone shows them. */
  check(input: SemanticInput): Promise<SemanticOutcome>;
  /**
   * Says what `check` says of two sides that changed no path in common, where each side by itself can tell. Most pairs are like this, and
   * need not be put together for it. Undefined where they have to be.
   */
  apart?(input: ApartInput): Promise<SemanticOutcome | undefined>;
  /** The names that a file offers to others, where a parser can tell; names that every package has by custom are left out. */
  exports(path: string, text: string): Promise<readonly Exported[]>;
  /** Says why nothing can be said about a file. Undefined when it can be read. */
  unreadable(path: string, blob: string, read: ReadBlob): Promise<Unreadable | undefined>;
  /** Finds which file imports which, over a whole tree, and which files are tests. When the signal comes, returns as far as it got. */
  imports(tree: TreeView, read: ReadBlob, signal?: AbortSignal): Promise<ImportGraph>;
  /** A second opinion on the merged tree; undefined where the language has none here. */
  readonly compiler?: LanguageCompiler;
}

export interface Unreadable {
  /** `syntax error`, `not readable as text`… */
  readonly why: string;
  /** From 1, where the parser stopped understanding; undefined when that is not the matter. */
  readonly line?: number | undefined;
}

export interface ImportGraph {
  /** A file and the files it imports. */
  readonly imports: ReadonlyMap<string, ReadonlySet<string>>;
  readonly tests: ReadonlySet<string>;
}

/**
 * The language's own compiler or type checker, asked about the merged tree: slow, in a process of its own, within bounds. One for
 * all repositories, started when it is first asked.
 */
export interface LanguageCompiler {
  /** For evidence and for silence: `TypeScript 7.0.2`. */
  readonly name: string;
  /** True when other files could notice the difference between two texts of a file: only then is asking worth the time. */
  isVisible(path: string, before: string, after: string): boolean;
  /** Tells whether it can be asked now. Without this function, it can. */
  readiness?(toolchains: Toolchains | undefined): Readiness;
  /** The end of "types from … are unknown: ", for packages that it did not find. */
  readonly lacking?: string;
  /** Returns what `check` says, with the compiler's word added to it. Where the compiler is sure, it overrules `check`. */
  check(input: SemanticInput, asking: Asking): Promise<SemanticOutcome>;
  /** The processes that it keeps from one question to the next. */
  readonly pids?: readonly number[];
  close(): void;
}

/** `absent`: it should be asked and is not here, which leaves types open. `unasked`: nobody wants it asked. */
export type Readiness =
  | { readonly state: "ready" }
  | { readonly state: "absent"; readonly why: string }
  | { readonly state: "unasked"; readonly note?: string };

export interface Asking {
  /** Checkouts of the repository whose installed packages may be read, best first. */
  readonly checkouts: readonly string[];
  /** Processor time that it may use for one tree. */
  readonly deadlineMs: number;
  /** For files that neither side changed and that use what both did, where many pairs wait to be asked about. */
  readonly betweenMs?: number | undefined;
  /** The owner's own compilers, for the languages that need them. */
  readonly toolchains?: Toolchains | undefined;
}

/** True when a change of the file can matter to a check of the language. */
export function concerns({ sources, data }: Language, path: string): boolean {
  return sources.test(path) || data?.test(path) === true;
}

/** Lays files down in a private directory, for a program that the system is to start from there. */
export type LayDown = (
  files: readonly { readonly name: string; readonly content: Uint8Array; readonly runs: boolean }[],
) => Promise<LaidDown>;

export interface LaidDown {
  readonly directory: string;
  readonly remove: () => void;
}
