// What is said of one pair, and where silence about it proves nothing.

import type { ReviewedSide } from "./review-pair.ts";
import { messageOf } from "../protocol/errors.ts";
import type { PairVerdict } from "../protocol/findings.ts";
import type { MergeOutcome } from "../ports/git.ts";
import type { LookedPair } from "../ports/sensing.ts";

export type Review = (ours: ReviewedSide, theirs: ReviewedSide, merge: MergeOutcome) => Promise<PairVerdict>;

export async function judgePair(
  review: Review,
  ours: ReviewedSide,
  theirs: ReviewedSide,
  merge: MergeOutcome,
  log: (line: string) => void,
): Promise<LookedPair> {
  const silent = (doubtfulKinds: LookedPair["doubtfulKinds"], note: string): LookedPair => ({
    verdict: { ours: ours.side, theirs: theirs.side, findings: [], complete: false, notes: [note] },
    doubtfulKinds,
    doubtfulFiles: [],
  });
  // Sides that share no history never meet; anything else may be different the next time.
  if (merge.kind === "skipped") return silent(merge.reason === "unrelated" ? [] : "all", merge.detail);
  if (ours.snapshot.tree === theirs.snapshot.tree) return silent([], "the two are the same");
  let verdict: PairVerdict;
  try {
    verdict = await review(withoutFlags(ours), withoutFlags(theirs), merge);
  } catch (cause) {
    log(`bug in the review of ${ours.side.label} and ${theirs.side.label}: ${stackOf(cause)}`);
    return silent("all", messageOf(cause));
  }
  return {
    verdict,
    doubtfulKinds: [...(verdict.complete ? [] : notTextual), ...(verdict.unsettled ?? [])],
    doubtfulFiles: [...ours.snapshot.flags, ...theirs.snapshot.flags].map(({ path }) => path),
  };
}

/** Flagged files are doubted file by file; inside the verdict they would make everything doubtful. */
function withoutFlags({ side, snapshot }: ReviewedSide): ReviewedSide {
  return { side, snapshot: { ...snapshot, flags: [] } };
}

/** git's own verdict on lines is whole even where another reviewer ran out of time. */
const notTextual = [
  "semantic",
  "gate",
  "contract",
  "stale-types",
  "migration-order",
  "dependency-drift",
  "duplicate-work",
  "claim",
  "overlap",
] as const;

function stackOf(cause: unknown): string {
  return cause instanceof Error ? (cause.stack ?? cause.message) : String(cause);
}
