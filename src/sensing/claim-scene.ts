// Finds what each side of a pair has claimed, and what the other has edited by its own hand. Changes that a side merely took in from the
// branch that work lands on do not count: others agreed to them.

import type { ClaimScene } from "../core/findings/reviewers/claim.ts";
import type { SideChanges } from "../core/findings/scene.ts";
import type { RepositoryObserver, Snapshot } from "../ports/git.ts";
import type { HeldClaim } from "../protocol/claims.ts";
import type { MergedPair, ReviewedSide } from "./merged-pair.ts";
import type { RepositoryMemory } from "./repository-memory.ts";

export interface ClaimParts {
  /** Those that hold at this moment. */
  readonly held: () => readonly HeldClaim[];
  /** Returns the snapshot that work lands on. */
  readonly landing: () => Snapshot | undefined;
  /** The reason why there may be other claims. */
  readonly unknown?: string | undefined;
}

interface Machine {
  readonly observer: RepositoryObserver;
  readonly memory: Pick<RepositoryMemory, "trees">;
}

const untouched: SideChanges = { files: [], paths: new Set(), added: [] };

/** undefined when neither has claimed anything against the other. */
export async function claimScene(
  machine: Machine,
  { held, landing }: ClaimParts,
  { ours, theirs, merge }: MergedPair,
): Promise<ClaimScene | undefined> {
  const claims = { ours: against(held(), ours, theirs), theirs: against(held(), theirs, ours) };
  const [base] = merge.bases;
  if (base === undefined || claims.ours.length + claims.theirs.length === 0) return undefined;
  const edits = {
    ours: claims.theirs.length === 0 ? untouched : await ownEdits(machine, landing(), base, ours.snapshot),
    theirs: claims.ours.length === 0 ? untouched : await ownEdits(machine, landing(), base, theirs.snapshot),
  };
  return { claims, edits };
}

/** The claims that `holder`'s side speaks for, when the other is somebody else's work in progress. */
function against(claims: readonly HeldClaim[], holder: ReviewedSide, editor: ReviewedSide): HeldClaim[] {
  const { worktree } = editor.side;
  if (worktree === null) return [];
  return claims.filter((claim) => claim.worktree === holder.side.worktree && !claim.own.includes(worktree));
}

async function ownEdits(
  { observer, memory }: Machine,
  target: Snapshot | undefined,
  base: string,
  side: Snapshot,
): Promise<SideChanges> {
  const changes = await memory.trees.changes(observer, base, side);
  const [start] = target === undefined || changes.files.length === 0 ? [] : await observer.mergeBases(side, target);
  if (start === undefined || start === base) return changes;
  const own = await memory.trees.changes(observer, start, side);
  return { ...changes, files: changes.files.filter(({ path }) => own.paths.has(path)) };
}
