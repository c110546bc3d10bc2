// Declares what core asks of the machine to land work: a private clone of the repository (the ground), in which branches are picked onto the
// target, gated, and pushed. The user's checkouts are never part of it. host/harvest holds the real one.

import type { LandSetting } from "../protocol/constel-toml.ts";
import type { Conflict } from "./git.ts";
import type { KeptPlace } from "./workspace.ts";

export interface GroundWish {
  /** The place where the work lands: a path or URL, from our own record. */
  readonly origin: string;
  /** A local repository to start from, so that the first harvest does not fetch everything. It may be gone. */
  readonly source: string;
  readonly target: string;
}

export interface BranchWish {
  readonly task: number;
  readonly branch: string;
  /** The commit that was called ready, and nothing else lands. */
  readonly commit: string | undefined;
  /** The workspace that has it; looked at first. */
  readonly workspace: string | undefined;
  /** The place where it may be when the workspace is gone. */
  readonly kept?: KeptPlace | undefined;
}

export type FoundBranch =
  | {
      readonly kind: "found";
      /** The commit to land. */
      readonly tip: string;
      readonly from: "workspace" | "kept" | "origin";
      /**
       * The commit at which the branch stands now, if that is not the one that was ready, and the number of commits that came after it, if
       * any did.
       */
      readonly later?: { readonly tip: string; readonly commits: number };
    }
  | { readonly kind: "missing" }
  /** Its objects are not what git allows, or not all there. */
  | { readonly kind: "unfit"; readonly why: string };

export interface PickWish {
  readonly onto: string;
  readonly tip: string;
  /** The commit at which the work began, if known. What lies before it is not the task's, even when the target was rewritten. */
  readonly base?: string | undefined;
  readonly task: number;
  readonly title: string;
  /** The committer's time: the same for every try of one harvest, so that the same work gives the same commits. */
  readonly atMs: number;
  /** Says which of these commits were landed before, and as what, by our own journal. Nothing that a commit says counts. */
  readonly landedAs: (commits: readonly string[]) => Promise<ReadonlyMap<string, readonly string[]>>;
  /** Files to be made anew instead of merged, and by which command. */
  readonly regenerate: ReadonlyMap<string, string>;
  readonly signal: AbortSignal;
}

/** Something about a landing that somebody reading only "landed" would not expect. */
export interface LandingNote {
  readonly kind:
    | "there-already"
    | "superseded"
    | "taken-back"
    | "re-applied"
    | "regenerated"
    | "settings"
    | "over-claim"
    /** An acceptance command that passed on the merged tree. */
    | "accepted"
    /** An acceptance criterion that nothing has shown. */
    | "not-shown";
  /** The branch's commit; null when it concerns a file only. */
  readonly commit: string | null;
  readonly paths: readonly string[];
  readonly says: string;
}

export type PickOutcome =
  | {
      readonly kind: "picked";
      readonly tip: string;
      readonly commits: number;
      readonly squashed: boolean;
      /** The commits that were picked, each with the commit that it became. */
      readonly picks: readonly { readonly from: string; readonly to: string }[];
      readonly notes: readonly LandingNote[];
    }
  /** Everything it has is in the target already; `sha` is the newest commit there that came from it, else the target's tip. */
  | { readonly kind: "landed"; readonly sha: string; readonly notes: readonly LandingNote[] }
  /** The branch has no commits of its own. */
  | { readonly kind: "empty" }
  | {
      readonly kind: "conflicted";
      readonly commit: string;
      readonly subject: string;
      readonly conflicts: readonly Conflict[];
    }
  | { readonly kind: "impossible"; readonly why: string };

/** The settings in constel.toml about landing. */
export interface LandingSettings {
  /** Undefined when none is declared; `from` is the file that declares it. */
  readonly gate: LandingGate | undefined;
  /** The target's constel.toml, or the root directory's, wants a review before anything lands. */
  readonly requireReview: boolean;
  readonly regenerate: ReadonlyMap<string, string>;
  /** What the root directory says of it before what the target says. */
  readonly land: LandSetting;
}

export interface LandingGate {
  readonly command: string;
  readonly deadlineMs: number;
  readonly from: string;
  /** Set when it is an acceptance command that one task brings along. */
  readonly criterion?: { readonly task: number; readonly place: number };
}

export interface GateVerdict {
  /** `none`: no gate is declared. Otherwise as in ports/gate.ts: only green lands. */
  readonly outcome: "green" | "red" | "not-run" | "none";
  /** The end of what it printed, or why it did not run. */
  readonly tail: string;
  readonly durationMs: number;
  /** Ended because we stop: nothing follows from it. */
  readonly isStopped?: boolean;
}

export type PushOutcome =
  | { readonly kind: "pushed" }
  /** The target moved meanwhile: fetch and pick again. */
  | { readonly kind: "moved" }
  /** The origin does not want it, in its own words. */
  | { readonly kind: "refused"; readonly why: string }
  /** The origin takes nothing from us now, whatever the work is: its owner has to do something. */
  | { readonly kind: "closed"; readonly why: string };

/** Every call may be repeated after a crash. Whatever the origin or the machine cannot do is an outage. */
export interface Ground {
  /** The target's tip at the origin, now. */
  fetch(): Promise<string>;
  find(wish: BranchWish): Promise<FoundBranch>;
  /** Refused when a constel.toml that counts cannot be understood: nothing lands by it. */
  settings(wish: { readonly root: string; readonly base: string }): Promise<LandingSettings>;
  pick(wish: PickWish): Promise<PickOutcome>;
  /** Returns what the gate says of a commit, in a clone that is gone afterwards. */
  gate(wish: {
    readonly commit: string;
    readonly base: string;
    readonly gate: LandingGate;
    readonly signal: AbortSignal;
  }): Promise<GateVerdict>;
  /** Moves the target from `expected` to `tip`, or not at all. */
  push(wish: { readonly expected: string; readonly tip: string }): Promise<PushOutcome>;
  /** Tells whether the target, as last fetched, contains the commit. */
  contains(commit: string): Promise<boolean>;
  /**
   * Tells whether the target, as last fetched, reads as the commit has it in all that the commit changed, though perhaps by other commits.
   */
  reads(wish: { readonly from: string; readonly to: string }): Promise<boolean>;
  /** The commit that a branch has at the origin, brought here and checked; undefined where there is no such branch. */
  branchAt(branch: string): Promise<string | undefined>;
  /** Moves a branch that is not the target from `expected` (undefined: it is not there) to `tip`, or not at all. */
  pushBranch(wish: {
    readonly branch: string;
    readonly expected: string | undefined;
    readonly tip: string;
  }): Promise<PushOutcome>;
  /** Keeps a commit here that is needed again, under this name, until another is kept under it. */
  keep(name: string, commit: string): Promise<void>;
  /** Tells whether a commit is part of another's history. */
  isIn(commit: string, of: string): Promise<boolean>;
  /** Every path that differs between two commits; of a file that was moved, both. */
  changed(wish: { readonly from: string; readonly to: string }): Promise<string[]>;
}

/** The commits that a reviewer reads. */
export interface ReadWish extends GroundWish, BranchWish {
  /** The commit at which the work began, if known. */
  readonly base: string | undefined;
}

export type ReadOutcome =
  | {
      readonly kind: "read";
      readonly tree: string;
      /** The commit that the changes are counted from: the newest one that the target has too, as far as is known here. */
      readonly base: string;
      readonly patch: string;
    }
  | Exclude<FoundBranch, { kind: "found" }>;

export interface Grounds {
  open(wish: GroundWish): Promise<Ground>;
  /** Reads what a task's work changes, in a repository of its own, so that a harvest is not disturbed. Every object is checked. */
  read(wish: ReadWish): Promise<ReadOutcome>;
  /** While no harvest runs: removes what is left of earlier ones, and grounds not used since. Answers what went. */
  tidy(wish: { readonly unusedBeforeMs: number }): Promise<string[]>;
}
