// Two lines of work as the pipeline sees them.

import type { OwnPatterns } from "../core/findings/exclusions.ts";
import type { MergedOutcome } from "../core/findings/scene.ts";
import type { Operation, Snapshot } from "../ports/git.ts";
import type { OpenPart, PairSide } from "../protocol/findings.ts";
import { isElsewhere } from "../protocol/elsewhere.ts";
import { queuedName } from "./pair-queue.ts";

/** A line of work as it was seen. */
export interface ReviewedSide {
  readonly side: PairSide;
  readonly snapshot: Snapshot;
  /** The operation that git is in the middle of there. Its files are nobody's final word then. */
  readonly operation?: Operation | undefined;
  /** It is the branch that the others land on, or a worktree that stands on it as it is. */
  readonly isLanding?: true;
  /** The parts of it that are not known. */
  readonly open?: readonly OpenPart[] | undefined;
  /** Other things that a reader of a verdict on it should know. */
  readonly notes?: readonly string[] | undefined;
}

/** A pair that git has merged, or tried to. */
export interface MergedPair {
  readonly ours: ReviewedSide;
  readonly theirs: ReviewedSide;
  readonly merge: MergedOutcome;
  readonly patterns: OwnPatterns;
  /** Stops the work: what was found so far is answered, and the rest is open. */
  readonly signal: AbortSignal;
}

/** The two as the queues name them. */
export function queuedAs({ ours, theirs }: Pick<MergedPair, "ours" | "theirs">): readonly [one: string, other: string] {
  return [queuedName(ours.side), queuedName(theirs.side)];
}

/** One of the two stands on another machine: nothing of it is run here. */
export const hasOthersWork = ({ ours, theirs }: Pick<MergedPair, "ours" | "theirs">): boolean =>
  [ours, theirs].some(({ side }) => isElsewhere(side.branch) && side.worktree === null);
