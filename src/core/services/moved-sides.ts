// Finds the worktrees in contract findings that are elsewhere now: for each one that is gone, the timeline says where it went. The same work
// breaks the same contract there, so a finding goes on in the new place, as one of a pair in one repository does.

import type { WorktreesTable } from "../../store/tables/observed.ts";
import { type OpenContractFinding, placesOfGone } from "./services.sql.ts";

type Db = Parameters<typeof placesOfGone>[0];

/** A chain of moves that is longer than this leads in a circle. */
const mostMoves = 20;

/** Sides that are gone, by their identity, and the worktree that each is now. */
export async function movedSides(
  db: Db,
  constellation: string,
  open: readonly OpenContractFinding[],
  worktrees: readonly WorktreesTable[],
): Promise<ReadonlyMap<string, string>> {
  const here = new Set(worktrees.map(({ path }) => path));
  const named = open.flatMap(({ ours_worktree, theirs_worktree }) => [ours_worktree, theirs_worktree]);
  const gone = [...new Set(named)].filter((path): path is string => path !== null && !here.has(path));
  const steps = new Map<string, string>();
  for (let asked = gone, moves = 0; asked.length > 0 && moves < mostMoves; moves += 1) {
    const found = await placesOfGone(db, constellation, asked);
    for (const [from, to] of found) steps.set(from, to);
    asked = [...found.values()].filter((path) => !here.has(path) && !steps.has(path));
  }
  const moved = new Map<string, string>();
  for (const from of gone) {
    let place: string | undefined = steps.get(from);
    for (let moves = 0; place !== undefined && !here.has(place) && moves < mostMoves; moves += 1)
      place = steps.get(place);
    if (place !== undefined && here.has(place)) moved.set(`worktree ${from}`, place);
  }
  return moved;
}
