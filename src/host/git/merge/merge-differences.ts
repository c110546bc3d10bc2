// Works out how a merge differs from our side, from what each side changed and what git made of the files that both did: after an edit that
// is one file, and comparing the two trees would read all that the other side ever changed. Only where files were edited in place or added:
// nothing can have moved then, and git takes over every other file as the side that changed it has it.

import type { ChangedFile, ConflictStage } from "../../../ports/git.ts";
import type { BareOutcome } from "./merge.ts";

type Find = (tree: string, path: string) => Promise<ConflictStage | undefined>;

/** In git's order; undefined where the trees must be compared. */
export async function mergeDifferences(
  ours: readonly ChangedFile[],
  theirs: readonly ChangedFile[],
  outcome: BareOutcome,
  find: Find,
): Promise<readonly ChangedFile[] | undefined> {
  if (outcome.kind === "skipped" || outcome.tree === undefined) return undefined;
  if (![...ours, ...theirs].every(({ change }) => change === "modified" || change === "added")) return undefined;
  const mine = new Map(ours.map((file) => [file.path, file]));
  const shared = new Set(theirs.filter(({ path }) => mine.has(path)).map(({ path }) => path));
  const conflicts = outcome.kind === "conflicted" ? outcome.conflicts : [];
  const arePlain = conflicts.every(
    ({ kind, path, otherPaths }) =>
      (kind === "content" || kind === "binary") && shared.has(path) && otherPaths.length === 0,
  );
  if (!arePlain) return undefined;
  const found: ChangedFile[] = [];
  for (const file of theirs) {
    const our = mine.get(file.path);
    if (our === undefined) {
      found.push(file);
      continue;
    }
    const merged = await find(outcome.tree, file.path);
    const isEdited = file.change === "modified" && our.change === "modified";
    const areFiles = [our.after, file.after, merged].every((stage) => stage?.mode.startsWith("100") === true);
    if (!isEdited || !areFiles || merged === undefined) return undefined;
    if (merged.blob === our.after?.blob && merged.mode === our.after.mode) continue;
    found.push({ path: file.path, change: "modified", from: undefined, before: our.after, after: merged });
  }
  return found;
}
