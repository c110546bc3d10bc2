// Keeps a dismissal in force when a worktree is moved: the same work collides in another directory, and its owner has said that it may. A
// finding's fingerprint names the directories, so until it is seen in the new one its dismissal is known by the pair, the kind and the
// files.

import type { Tx } from "../../store/group-commit.ts";
import type { DismissalsTable } from "../../store/tables/observed.ts";
import { dismissalsOf, findingDismissedBy, updateDismissal } from "./findings.sql.ts";
import { joinBranches, keyOfSides } from "./lifecycle.ts";

/** `moved`: sides whose work goes on in another directory, and where. */
export async function followMoves(
  tx: Tx,
  constellation: string,
  repository: string,
  moved: ReadonlyMap<string, string>,
): Promise<void> {
  if (moved.size === 0) return;
  for (const dismissal of await dismissalsOf(tx.db, constellation, repository)) {
    const spoken = await spokenOf(tx, dismissal);
    const sides = spoken === undefined ? [] : (JSON.parse(spoken.pair) as string[]);
    if (!sides.some((side) => moved.has(side))) continue;
    await updateDismissal(tx, dismissal.id, {
      ...spoken,
      fingerprint: null,
      pair: keyOfSides(sides.map((side) => (moved.has(side) ? `worktree ${moved.get(side)}` : side))),
      branches: dismissal.branches === null ? null : movedBranches(dismissal.branches, moved),
    });
  }
}

/** It was seen in its new place: from here on it is as if it had been dismissed there. */
export async function settle(tx: Tx, { id, scope, fingerprint }: DismissalsTable, seenAs: string): Promise<void> {
  if (scope !== "finding" || fingerprint !== null) return;
  await updateDismissal(tx, id, { fingerprint: seenAs, pair: null, kind: null, files: null });
}

/** The pair that a dismissal speaks of, and for one finding its kind and files. Undefined if it speaks of no pair. */
async function spokenOf(
  tx: Tx,
  { id, scope, pair }: DismissalsTable,
): Promise<(Pick<DismissalsTable, "kind" | "files"> & { readonly pair: string }) | undefined> {
  if (scope === "pair") return pair === null ? undefined : { pair, kind: null, files: null };
  if (scope !== "finding") return undefined;
  return await findingDismissedBy(tx.db, id);
}

function movedBranches(branches: string, moved: ReadonlyMap<string, string>): string {
  const sides = JSON.parse(branches) as [worktree: string, branch: string][];
  return joinBranches(
    ...sides.map(([worktree, branch]) => [moved.get(`worktree ${worktree}`) ?? worktree, branch] as const),
  );
}
