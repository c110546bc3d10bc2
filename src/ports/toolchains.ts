// The owner's own compilers and type checkers, asked about one tree of a repository. The files of the tree are written to a
// scratch place; a program from the owner's PATH reads them there, within bounds, without a network it could want, and with a
// home of its own that is empty. What a compiler is told and what its words mean is left to the languages.

import type { TreeView } from "./semantic.ts";
import type { Overrun } from "./work-budget.ts";

/** The owner's rules about compilers. */
export interface CompilerRules {
  /** Languages whose compiler is not asked, by name: `go`. */
  readonly off: readonly string[];
  /** True when the build code of this repository (build scripts, procedural macros) may run. */
  readonly mayRunBuildCode: boolean;
  readonly memoryBytes: number;
}

export interface Toolchains {
  readonly rules: CompilerRules;
  /** The absolute name of a program on the owner's PATH; undefined when none is there, or only one inside the repository. */
  find(program: string): string | undefined;
  /** A variable of the owner's environment, for places such as CARGO_HOME. */
  variable(name: string): string | undefined;
  /** Lends out a place that holds the files of a tree that `wants` names. One at a time for each language. */
  on<T>(wish: TreeWish, use: (place: ToolPlace) => Promise<T>): Promise<T>;
}

export interface TreeWish {
  /** Each language has a place of its own. */
  readonly language: string;
  readonly tree: TreeView;
  readonly wants: (path: string) => boolean;
  readonly signal?: AbortSignal | undefined;
}

export interface ToolPlace {
  /** The files of the tree. No symbolic link stands in it. */
  readonly top: string;
  /** Empty, and the home of every program that runs here. */
  readonly home: string;
  /** A directory that stays empty, for what is to be nowhere. */
  readonly empty: string;
  /** Kept from one tree to the next, for what a compiler remembers of these files. */
  readonly cache: string;
  /** Kept longer where there is a home, and shared by all that ask: only for what a compiler keeps by content. */
  readonly shared: string;
  /** Files of the tree that the clone lacks, or that could not be written there. */
  readonly missing: readonly string[];
  /** Writes a file beside the tree, for a compiler's arguments or settings, and answers its name. */
  write(name: string, text: string): string;
  /** Removes a file that a program wrote where the tree has none. */
  drop(path: string): void;
  run(command: readonly string[], options: ToolRun): Promise<ToolOutcome>;
}

export interface ToolRun {
  /** The directory it stands in; `/` if none is given, because many programs take settings from where they stand and above. */
  readonly cwd?: string;
  /** Besides PATH, HOME, TMPDIR and a plain language. */
  readonly variables?: Readonly<Record<string, string>>;
  /** Processor time that all its processes may use together. The clock counts only where nothing moves any more. */
  readonly cpuMs: number;
  readonly signal?: AbortSignal | undefined;
}

/** `ended` by itself, however; the others were ended by us. */
export type ToolOutcome = { /** What it used. */ readonly cpuMs: number } & (
  | { readonly kind: "ended"; readonly code: number | null; readonly stdout: string; readonly stderr: string }
  | { readonly kind: Overrun | "endless" | "stopped" }
);
