// Asking the TypeScript compiler about a merge: which errors does the merged tree have that neither side has. The
// compiler is slow and large, so it runs elsewhere, within bounds, and may always answer that it did not finish.

import type { ReadBlob, Side, TreeView } from "../../../ports/semantic.ts";

export interface CompilerRequest {
  readonly ours: TreeView;
  readonly theirs: TreeView;
  readonly merged: TreeView;
  /** Files of the merged tree to look at. What they import is read as far as needed. */
  readonly paths: readonly string[];
  /** Further files, the nearest first, which are looked at for so long and no longer. */
  readonly between: readonly string[];
  readonly betweenMs: number;
  readonly read: ReadBlob;
  /** Processor time that the compiler may use. */
  readonly deadlineMs: number;
  /** A checkout whose node_modules may be read for the types of packages. */
  readonly packagesFrom?: string;
  readonly signal?: AbortSignal;
}

export interface CompilerSpot {
  readonly path: string;
  readonly line: number;
  readonly endLine: number;
}

/** An error of the merged tree alone. */
export interface CompilerFinding {
  readonly path: string;
  readonly line: number;
  readonly code: number;
  readonly message: string;
  /** The side that has this line. */
  readonly side: Side;
  /** The definition behind it as the use's own side sees it. */
  readonly symbol: string | undefined;
  readonly before: CompilerSpot | undefined;
  readonly after: CompilerSpot | undefined;
}

export interface CompilerAnswer {
  readonly findings: readonly CompilerFinding[];
  /** False when a bound was hit: then the compiler neither confirms nor denies. */
  readonly complete: boolean;
  readonly note?: string;
  /** What went wrong may go well the next time: it is worth asking again. */
  readonly mayPass?: true;
  /** Of the further files, those for which there was no time. */
  readonly unasked?: readonly string[];
  /** Packages that the tree depends on and that are installed nowhere it may look: types through them are unknown. */
  readonly missingPackages?: readonly string[];
}

export interface TypeScriptCompiler {
  compare(request: CompilerRequest): Promise<CompilerAnswer>;
}
