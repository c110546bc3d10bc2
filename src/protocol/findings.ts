// What follows from facts: findings about a pair of worktrees or branches. One evidence format for every kind.

export type FindingKind =
  | "textual"
  | "semantic"
  | "gate"
  | "contract"
  | "stale-types"
  | "migration-order"
  | "dependency-drift"
  | "duplicate-work"
  | "claim"
  | "overlap";

/** `context` is never an alarm: it is shown when asked for. */
export type Severity = "high" | "medium" | "low" | "context";

/** One side of a pair: a worktree with its uncommitted work, or a branch or commit. */
export interface PairSide {
  /** For people: the branch, else the worktree's directory name, else the short commit. */
  readonly label: string;
  /** The worktree's path; null for a plain revision. */
  readonly worktree: string | null;
  readonly branch: string | null;
  /** The snapshot: what was looked at. */
  readonly commit: string;
  readonly tree: string;
}

export interface EvidenceHunk {
  readonly path: string;
  /** From 1, in that side's own file. */
  readonly line: number;
  readonly text: string;
}

/** One thing that collides: a conflicted file, a dangling use, a taken migration slot. */
export interface Evidence {
  /** The rule or conflict kind inside the finding's kind: `content`, `rename/delete`, `removed`, `signature`… */
  readonly rule: string;
  readonly path: string;
  readonly symbol: string | null;
  /** What each side has there, for showing side by side. */
  readonly ours: readonly EvidenceHunk[];
  readonly theirs: readonly EvidenceHunk[];
  /** One sentence about this piece. */
  readonly message: string;
}

/** What a reviewer of a pair says. Two drafts with the same fingerprint are the same finding, seen again. */
export interface FindingDraft {
  readonly kind: FindingKind;
  readonly severity: Severity;
  /**
   * Stable while the problem is the same problem: made of repository, the two sides' identities (not their commits), kind,
   * and what collides (path and rule, or symbol), never of line numbers or contents.
   */
  readonly fingerprint: string;
  /** One sentence that names both sides and what collides. */
  readonly title: string;
  /** What to do about it, in one sentence. */
  readonly action: string;
  readonly files: readonly string[];
  readonly symbols: readonly string[];
  readonly evidence: readonly Evidence[];
  /**
   * What kind of evidence it rests on (rules and paths, not lines): when this changes, a dismissed finding may open again.
   */
  readonly evidenceKind: string;
}

export interface PairVerdict {
  readonly ours: PairSide;
  readonly theirs: PairSide;
  readonly findings: readonly FindingDraft[];
  /** False when a bound was hit or a side could not be looked at wholly: then silence proves nothing. */
  readonly complete: boolean;
  /** Kinds that are still being worked out: silence about them proves nothing yet. */
  readonly unsettled?: readonly FindingKind[];
  readonly notes: readonly string[];
}
