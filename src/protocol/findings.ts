// Declares what follows from facts: findings about a pair of worktrees or branches. One evidence format for every kind.

/** The code of a kind, which is a promise to scripts. Kinds are declared in core/findings/kinds.ts, and nowhere else. */
export type FindingKind = string;

/** The worst first. `context` is never an alarm: it is shown when asked for. */
export const severities = ["high", "medium", "low", "context"] as const;

export type Severity = (typeof severities)[number];

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

/** Some lines of a side's file beside what stood there in the common ancestor. */
export interface EvidenceChange {
  readonly path: string;
  /** Where it begins, from 1: in that side's own file, and in the ancestor's. */
  readonly line: number;
  readonly before_line: number;
  /** A space, a plus or a minus before every line, as in a diff. */
  readonly text: string;
}

/** One thing that collides: a conflicted file, a dangling use, a taken migration slot. */
export interface Evidence {
  /** The rule or conflict kind inside the finding's kind: `content`, `rename/delete`, `removed`, `signature`… */
  readonly rule: string;
  readonly path: string;
  readonly symbol: string | null;
  /** The content that each side has there, for showing side by side. */
  readonly ours: readonly EvidenceHunk[];
  readonly theirs: readonly EvidenceHunk[];
  /** The same places with what each side changed there. Lines that an earlier piece of the finding shows are not here again. */
  readonly changes?:
    | { readonly ours: readonly EvidenceChange[]; readonly theirs: readonly EvidenceChange[] }
    | undefined;
  /** One sentence about this piece. */
  readonly message: string;
}

/** The finding that a reviewer of a pair reports. Two drafts with the same fingerprint are the same finding, seen again. */
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
  /** The advice on what to do about it, in one sentence. */
  readonly action: string;
  readonly files: readonly string[];
  readonly symbols: readonly string[];
  readonly evidence: readonly Evidence[];
  /** The kind of evidence that it rests on (rules and paths, not lines). When this changes, a dismissed finding may open again. */
  readonly evidenceKind: string;
  /** Only a compiler saw it: while the compiler has no answer, that it is not seen again says nothing. */
  readonly byCompiler?: boolean;
}

/** The part of a pair that was not looked at, or not wholly. */
export type OpenWhat =
  | "comparison" // the two were not compared at all: git had no answer, a rebase is under way, our own failure
  | "file" // a file that could not be read wholly: too large, unreadable, behind a filter
  | "syntax" // a changed file that does not parse
  | "language" // a language that constel does not read
  | "types" // the compiler: not asked yet, not there, or out of time
  | "packages" // packages that are not installed, so that types through them are unknown
  | "gate" // the repository's gate: not run yet, or it did not end
  | "claims" // what is claimed could not be read
  | "origin" // where the default branch stands at the origin: not asked yet, or it could not be asked
  | "settings" // the repository's constel.toml cannot be understood, so that nothing of it was used
  | "bound"; // a limit of ours was reached

/** A part that silence does not rest on. */
export interface OpenPart {
  readonly what: OpenWhat;
  /** One sentence for people, without its full stop: "t.py was not checked: syntax error at line 3". */
  readonly why: string;
  readonly paths?: readonly string[];
  /** Whose files it is about, where it is known. */
  readonly sides?: readonly ("ours" | "theirs")[];
  /** It is being worked out, and the answer comes by itself. */
  readonly isComing?: boolean;
  /** Something failed that may not fail the next time: it is tried again. */
  readonly mayPass?: boolean;
  /** It was asked, and cannot tell; what it told before no longer holds. */
  readonly isMoot?: boolean;
}

export interface PairVerdict {
  readonly ours: PairSide;
  readonly theirs: PairSide;
  readonly findings: readonly FindingDraft[];
  /** True only when everything that changed on both sides was looked at: `open` is empty. */
  readonly complete: boolean;
  readonly open: readonly OpenPart[];
  /**
   * The questions that nobody was asked, by the owner's wish or for want of a program that few have. In a complete verdict, the things
   * that a reader may want to know beside it.
   */
  readonly notes: readonly string[];
}
