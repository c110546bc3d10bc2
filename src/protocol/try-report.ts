// `constel try`: what is asked and what is answered, between the command line and the part of the program that may look at
// repositories.

import type { FactsWish } from "./check.ts";
import type { KnownClaims } from "./claims.ts";
import type { CompilerWish } from "./compilers.ts";
import type { FindingDraft, FindingKind, OpenPart, PairSide, Severity } from "./findings.ts";

export interface LookRequest {
  readonly cwd: string;
  /** Local branches without a worktree too. */
  readonly branches: boolean;
  /** True when the origin is asked over the network. */
  readonly fetch: boolean;
  /** Without, only the compilers that this program carries are asked. */
  readonly compilers?: CompilerWish;
  /** From the caller's environment: PATH and HOME, for git. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Without, every file is read anew. */
  readonly facts?: FactsWish | undefined;
  /** Returns the claims in a repository, by its identity. Left out if there is no constellation. */
  readonly claims?: (repository: string) => Promise<KnownClaims>;
  readonly signal: AbortSignal;
  /** Told how far the look has come. */
  readonly told?: (what: string, part: { readonly done: number; readonly total: number }) => void;
}

/** One line of work, and whether it could land now. */
export interface LookedLine {
  readonly label: string;
  readonly branch: string | null;
  /** null for a branch that is checked out nowhere. */
  readonly worktree: string | null;
  readonly ahead: number | null;
  readonly behind: number | null;
  readonly uncommitted: boolean;
  readonly verdict: "land" | "hold" | "nothing";
  readonly score: number;
  readonly why: readonly string[];
  /** The reasons that took points away. */
  readonly reasons: readonly string[];
}

/** A pair with something to say; `findings` are never context only. */
export interface CollidingPair {
  readonly ours: PairSide;
  readonly theirs: PairSide;
  readonly findings: readonly FindingDraft[];
}

/** A finding, or several that are one problem among several lines of work, as `finding.list` has them. */
export interface LookedKnot {
  readonly kind: FindingKind;
  readonly severity: Severity;
  readonly title: string;
  /** The labels of all lines of work in it. */
  readonly sides: readonly string[];
  /** Their fingerprints, as `pairs` has them; the first stands for it. */
  readonly findings: readonly string[];
}

export interface FirstLook {
  readonly repository: string;
  readonly name: string;
  readonly default_branch: string | null;
  /** In the order of landing. */
  readonly lines: readonly LookedLine[];
  /** The worst first. */
  readonly pairs: readonly CollidingPair[];
  /** The findings of `pairs`, those together that are one problem; the worst first. */
  readonly knots: readonly LookedKnot[];
  readonly compared: number;
  /** True only when everything was looked at and everybody was asked: `open` is empty, and no pair is unasked. */
  readonly complete: boolean;
  /** The parts that were not looked at, each told once for all the pairs it concerns. */
  readonly open: readonly (OpenPart & { readonly pairs: number })[];
  /** Pairs of which something was left out that could have been asked, such as types without their compiler; `notes` says what. */
  readonly unasked: number;
  readonly notes: readonly string[];
  readonly durationMs: number;
}
