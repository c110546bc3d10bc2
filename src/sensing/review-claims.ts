// Adds to what is said of a pair the edits by one side inside what the other has claimed. What counts as a side's edit is
// its own work: what it merely took in from the branch that work lands on was agreed by others.

import { toDraft } from "../core/findings/pair-finding.ts";
import { reviewClaims } from "../core/findings/reviewers/claim.ts";
import type { ReviewMemory, SideChanges } from "../core/findings/scene.ts";
import type { ReviewedSide } from "./review-pair.ts";
import type { HeldClaim } from "../protocol/claims.ts";
import type { RepositoryObserver, Snapshot } from "../ports/git.ts";
import type { Review } from "./judge-pair.ts";

export interface ClaimParts {
  readonly observer: RepositoryObserver;
  readonly memory: ReviewMemory;
  /** Those that hold at this moment. */
  readonly claims: () => readonly HeldClaim[];
  /** What work lands on. */
  readonly landing: () => Snapshot | undefined;
}

const untouched: SideChanges = { files: [], paths: new Set(), added: [] };

export function withClaims(review: Review, parts: ClaimParts): Review {
  return async (ours, theirs, merge) => {
    const verdict = await review(ours, theirs, merge);
    const claims = { ours: against(parts.claims(), ours, theirs), theirs: against(parts.claims(), theirs, ours) };
    const base = merge.kind === "skipped" ? undefined : merge.bases[0];
    if (base === undefined || claims.ours.length + claims.theirs.length === 0) return verdict;
    const changes = {
      ours: claims.theirs.length === 0 ? untouched : await ownWork(parts, base, ours.snapshot),
      theirs: claims.ours.length === 0 ? untouched : await ownWork(parts, base, theirs.snapshot),
    };
    const found = reviewClaims(claims, changes).map((one) => toDraft(one, parts.observer.identity, verdict));
    return found.length === 0 ? verdict : { ...verdict, findings: [...verdict.findings, ...found] };
  };
}

/** The claims that `holder`'s side speaks for, when the other is somebody else's work in progress. */
function against(claims: readonly HeldClaim[], holder: ReviewedSide, editor: ReviewedSide): HeldClaim[] {
  const { worktree } = editor.side;
  if (worktree === null) return [];
  return claims.filter((claim) => claim.worktree === holder.side.worktree && !claim.own.includes(worktree));
}

async function ownWork({ observer, memory, landing }: ClaimParts, base: string, side: Snapshot): Promise<SideChanges> {
  const changes = await memory.changes(observer, base, side);
  const target = landing();
  const [start] = target === undefined || changes.files.length === 0 ? [] : await observer.mergeBases(side, target);
  if (start === undefined || start === base) return changes;
  const own = await memory.changes(observer, start, side);
  return { ...changes, files: changes.files.filter(({ path }) => own.paths.has(path)) };
}
