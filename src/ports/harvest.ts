// What core asks of the machine to land work: a private clone of the repository (the ground), in which branches are picked
// onto the target, gated, and pushed. The user's checkouts are never part of it. host/harvest holds the real one.

import type { Conflict } from "./git.ts";
import type { KeptPlace } from "./workspace.ts";

export interface GroundWish {
  /** Where the work lands: a path or URL, as in the workspace's `origin`. */
  readonly origin: string;
  /** A local repository to start from, so that the first harvest does not fetch everything. It may be gone. */
  readonly source: string;
  readonly target: string;
  /** The root directory: its constel.toml outranks the repository's. */
  readonly root: string;
}

export interface BranchWish {
  readonly task: number;
  readonly branch: string;
  /** The workspace that has it; looked at first. */
  readonly workspace: string | undefined;
  /** Where it may be when the workspace is gone. */
  readonly kept?: KeptPlace | undefined;
}

export interface FoundBranch {
  readonly tip: string;
  readonly from: "workspace" | "kept" | "origin";
}

export interface PickWish {
  readonly onto: string;
  readonly tip: string;
  /** Where the work began, when that is known: what lies before it is not the task's, also when the target was rewritten. */
  readonly base?: string | undefined;
  readonly task: number;
  readonly title: string;
  /** The committer's time: the same for every try of one harvest, so that the same work gives the same commits. */
  readonly atMs: number;
}

export type PickOutcome =
  | { readonly kind: "picked"; readonly tip: string; readonly commits: number; readonly squashed: boolean }
  /** Everything it has is in the target already; `sha` is the newest commit there that came from it, else the target's tip. */
  | { readonly kind: "landed"; readonly sha: string }
  /** The branch has no commits of its own. */
  | { readonly kind: "empty" }
  | {
      readonly kind: "conflicted";
      readonly commit: string;
      readonly subject: string;
      readonly conflicts: readonly Conflict[];
    }
  | { readonly kind: "impossible"; readonly why: string };

export interface GateVerdict {
  /** `none`: no gate is declared. `not-run` says nothing about the work. */
  readonly outcome: "green" | "red" | "not-run" | "none";
  /** The end of what it printed, or why it did not run. */
  readonly tail: string;
  readonly durationMs: number;
}

export type PushOutcome =
  | { readonly kind: "pushed" }
  /** The target moved meanwhile: fetch and pick again. */
  | { readonly kind: "moved" }
  /** The origin does not want it, in its own words. */
  | { readonly kind: "refused"; readonly why: string };

/** Every call may be repeated after a crash. */
export interface Ground {
  /** The target's tip at the origin, now. An outage when the origin does not answer. */
  fetch(): Promise<string>;
  find(wish: BranchWish): Promise<FoundBranch | undefined>;
  pick(wish: PickWish): Promise<PickOutcome>;
  /** What the gate says of a commit. The command is the target's own, as it is at `base`, not what the work made of it. */
  gate(wish: { commit: string; base: string; signal: AbortSignal }): Promise<GateVerdict>;
  /** Moves the target from `expected` to `tip`, or not at all. */
  push(wish: { expected: string; tip: string }): Promise<PushOutcome>;
  /** Whether the target, as last fetched, contains the commit. */
  contains(commit: string): Promise<boolean>;
}

export interface Grounds {
  open(wish: GroundWish): Promise<Ground>;
  /** While no harvest runs: removes what is left of earlier ones, and grounds not used since. Answers what went. */
  tidy(wish: { readonly unusedBeforeMs: number }): Promise<string[]>;
}
