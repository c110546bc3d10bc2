// `constel check`: what is asked and what is answered, between the command line and the part of the program that may look at
// repositories.

import type { EnclosureWish } from "./enclosure.ts";
import type { KnownClaims } from "./claims.ts";
import type { CompilerWish } from "./compilers.ts";
import type { PairVerdict } from "./findings.ts";

/** The place where what is known of files is kept for the next command, and the amount that is kept. */
export interface FactsWish {
  readonly home: string;
  /** 0: nothing. */
  readonly maxBytes: number;
}

/** The limits on what one question about a repository may take. */
export interface BudgetWish {
  /** Of processor time, without a pause. */
  readonly holdMs: number;
  readonly memoryBytes: number;
}

/** The request of a command, which has it answered by another process. */
export interface Budgeted {
  readonly budget: BudgetWish;
}

export interface CheckRequest {
  readonly cwd: string;
  /** A revision, or a path in a worktree; undefined is the worktree we stand in. */
  readonly ours: string | undefined;
  /** undefined is the upstream of ours, else the default branch. */
  readonly theirs: string | undefined;
  /** Run the repository's gate on the merged tree too. */
  readonly gate: boolean;
  /** Instead of the command in the repository's constel.toml. */
  readonly gateCommand: string | undefined;
  /** True when the origin is asked over the network. */
  readonly fetch: boolean;
  /** Without, only the compilers that this program carries are asked. */
  readonly compilers?: CompilerWish;
  /** From the caller's environment: PATH and HOME, for git and for the gate. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Without, every file is read anew. */
  readonly facts?: FactsWish | undefined;
  /** Returns the claims in a repository, by its identity. Left out if there is no constellation. */
  readonly claims?: (repository: string) => Promise<KnownClaims>;
  /** The way the gate is confined, where agents are. */
  readonly enclosure?: EnclosureWish;
  readonly signal: AbortSignal;
}

export interface CheckReport {
  readonly repository: string;
  readonly verdict: PairVerdict;
  /** The things that the reader should know and that are no finding: a rebase under way, uncommitted work that was not asked for. */
  readonly hints: readonly string[];
  readonly durationMs: number;
}
