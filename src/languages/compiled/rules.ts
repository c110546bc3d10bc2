// Defines what a compiled language says about a use: right, wrong for a reason, or unknown. Each language has a file of these rules; the
// check (check-compiled.ts) is the same for all.

import type { SourceDeclaration, SourceSummary, SourceUse } from "./facts.ts";
import type { SourceTree } from "./source-tree.ts";

/** A definition that a use passed through. */
export interface Mark {
  readonly path: string;
  readonly declaration: SourceDeclaration;
}

export type Wrong = "missing" | "private" | "arity" | "member" | "requires";

export type Verdict =
  | { readonly state: "right"; readonly marks: readonly Mark[] }
  /** `detail` ends a sentence; `mark` is the definition as it is now. */
  | { readonly state: "wrong"; readonly why: Wrong; readonly detail: string; readonly mark?: Mark }
  /** `likely` would be the answer, if what it rests on stood there already when the use was right. */
  | { readonly state: "unknown"; readonly likely?: Likely };

export interface Likely {
  readonly verdict: Extract<Verdict, { state: "wrong" }>;
  /** The definitions that may bring the name that is not found: a trait from elsewhere, a macro. */
  readonly restsOn: readonly Mark[];
}

export interface CompiledRules {
  /** As `Language.name`. */
  readonly language: string;
  /** Sources, and what says where modules are: all that resolving looks for in directories. */
  readonly reads: RegExp;
  /** Stands between the name of a type and of its member. */
  readonly separator: string;
  /** Files of this language that are somebody's work. */
  owns(path: string): boolean;
  follow(tree: SourceTree, path: string, use: SourceUse): Promise<Verdict>;
  /** Names the slot that only one declaration of a name may take. Undefined when there may be several. */
  slot(path: string, summary: SourceSummary, declaration: SourceDeclaration): string | undefined;
  /** True if bringing in the same thing twice in a file is an error. */
  readonly importsOnce: boolean;
  isTest(path: string, summary: SourceSummary): boolean;
  /**
   * Says why nobody can tell what a use means, where the language has such places. The use is named when the other side changed what it
   * may mean.
   */
  unread?(tree: SourceTree, path: string, use: SourceUse): Promise<string | undefined>;
  /** True when a file is built for some systems only, as its name says. */
  isConditional?(path: string): boolean;
  /** True when other packages can use a declaration at the top of a file. */
  isOffered(declaration: SourceDeclaration, summary: SourceSummary): boolean;
  /** The files that a file leads to, where the language says so itself; without, they follow from what its uses mean. */
  leadsTo?(tree: SourceTree, path: string, summary: SourceSummary): Promise<Iterable<string>>;
  /** The file that a definition stands for, besides the one it is written in. */
  fileBehind?(tree: SourceTree, mark: Mark): Promise<string | undefined>;
}

export const unknown: Verdict = { state: "unknown" };

export function right(...marks: readonly Mark[]): Verdict {
  return { state: "right", marks };
}

export function wrong(why: Wrong, detail: string, mark?: Mark): Verdict {
  return { state: "wrong", why, detail, ...(mark === undefined ? {} : { mark }) };
}

/** Says what is wrong with this number of arguments. Undefined when they fit. */
export function misfit(takes: readonly [number, number] | undefined, args: number | undefined): string | undefined {
  if (takes === undefined || args === undefined) return undefined;
  const [least, most] = takes;
  if (args >= least && (most === -1 || args <= most)) return undefined;
  const wanted = most === least ? String(least) : most === -1 ? `at least ${least}` : `${least} to ${most}`;
  return `it takes ${wanted} ${wanted === "1" ? "argument" : "arguments"} and is given ${args}`;
}
