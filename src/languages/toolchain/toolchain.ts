// Describes what differs between the toolchains that give a second opinion: the program that is asked, the files it needs, and the meaning
// of its words. Asking about the merge and the sides, and making findings of the answer, is the same for all (toolchain-compiler.ts).

import type { SemanticRule, TreeView } from "../../ports/semantic.ts";
import type { ToolOutcome, ToolPlace, Toolchains } from "../../ports/toolchains.ts";

export interface Toolchain {
  /** As settings and places name it: `go`. */
  readonly language: string;
  /** The program on the PATH. */
  readonly program: string;
  /** As people write it: `Go`. */
  readonly title: string;
  /** Where it is not there, a silence says so. Without, it is an offer that few have, and its absence is only noted. */
  readonly isExpected: boolean;
  /**
   * A mark of what an answer rests on besides the tree, so that it can be kept: empty where all that is taken from elsewhere is named in the tree with
   * its version, undefined where nobody can say.
   */
  readonly restsOn: (checkouts: readonly string[]) => string | undefined;
  /** Tells which files of a tree it reads. */
  readonly wants: (path: string) => boolean;
  /** The place where it looked for what it takes from elsewhere, as the end of "types from … are unknown: ". */
  readonly lacking: string;
  /** `go version`, and what in its answer is the name with the version. */
  readonly version: { readonly arguments: readonly string[]; readonly pattern: RegExp };
  /** Words of a program's environment that are needed for its version too. */
  readonly variables: (toolchains: Toolchains) => Readonly<Record<string, string>>;
  /** Returns the parts of the merged tree to ask about for these changed files: its modules, as directories. */
  scope(merged: TreeView, changed: readonly string[]): readonly string[];
  /** The errors of one tree. */
  ask(question: ToolQuestion): Promise<Diagnosis>;
  /** The names that an error is about, the likeliest first, and what kind of break it is. */
  read(message: string): { readonly names: readonly string[]; readonly rule: SemanticRule };
  /** Tells whether the code around an error is prepared for it. If absent, no code is. */
  isForgiven?(error: CompilerError, lines: readonly string[]): boolean;
  /** Tells whether others can see the difference between two texts of a file. */
  isVisible(before: string, after: string): boolean;
}

export interface ToolQuestion {
  readonly place: ToolPlace;
  readonly toolchains: Toolchains;
  readonly program: string;
  readonly tree: TreeView;
  readonly scope: readonly string[];
  /** Checkouts of the repository whose installed packages may be read. */
  readonly checkouts: readonly string[];
  /** The processor time that is left for this tree. */
  readonly restMs: () => number;
  readonly signal: AbortSignal | undefined;
}

export interface CompilerError {
  readonly path: string;
  /** From 1. */
  readonly line: number;
  /** On one line, without place. */
  readonly message: string;
}

/** A toolchain's answer about one tree. */
export interface Diagnosis {
  readonly errors: readonly CompilerError[];
  /** The reason why it could say nothing at all. */
  readonly failed?: string;
  /** The parts that it did not look at, with the reasons. */
  readonly unchecked: readonly string[];
  /** Packages that it looked for and did not find. */
  readonly missing: readonly string[];
  /** Files of the tree that it left out: for another system, say. What changed there was not looked at. */
  readonly leftOut?: readonly string[];
  /** Why it could say nothing may pass: it is worth asking again. */
  readonly mayPass?: true;
  /** Stopped by who asked: nothing follows from it. */
  readonly isStopped?: boolean;
}

export const noDiagnosis = (failed: string): Diagnosis => ({ errors: [], failed, unchecked: [], missing: [] });

/** Says why a run ended without an answer. */
export function whyEnded(outcome: Exclude<ToolOutcome, { readonly kind: "ended" }>, memoryBytes: number): Diagnosis {
  switch (outcome.kind) {
    case "late":
      return noDiagnosis("it used up its processor time");
    case "still":
      return { ...noDiagnosis("it did not answer in time"), mayPass: true };
    case "large":
      return noDiagnosis(`it took more than ${Math.round(memoryBytes / 1024 / 1024)} MB`);
    case "endless":
      return noDiagnosis("it printed without end");
    case "stopped":
      return { ...noDiagnosis("stopped"), isStopped: true };
  }
}

/** One line of words: messages of compilers go over several. */
export const oneLine = (text: string): string => text.replaceAll(/\s+/g, " ").trim().slice(0, 400);
