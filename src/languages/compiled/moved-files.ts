// Where a side's edited file is in the merge when the other side renamed it: git carries the edits along to the new path, so
// what they use, and what they changed, has to be looked for there.

import type { Side } from "../../ports/semantic.ts";
import type { Changes, Trees } from "./source-tree.ts";

/** For each side, the path in the merge of what it edited and the other side moved. */
export type Moved = Readonly<Record<Side, ReadonlyMap<string, string>>>;

/** git itself asks for half of the bytes; that the merge has the edits in it says as much. */
const leastAlike = 0.3;

export async function movedFiles(trees: Trees, changes: Changes): Promise<Moved> {
  return { ours: await movedUnder("ours", trees, changes), theirs: await movedUnder("theirs", trees, changes) };
}

async function movedUnder(side: Side, trees: Trees, changes: Changes): Promise<Map<string, string>> {
  const other: Side = side === "ours" ? "theirs" : "ours";
  const found = new Map<string, string>();
  const { base, merged } = trees;
  for (const path of changes[side]) {
    const isEdited = base.has(path) && trees[side].has(path);
    if (!isEdited || trees[other].has(path) || merged.has(path)) continue;
    const own = trees[side].view.blobs.get(path);
    const before = await base.text(path);
    let best: { to: string; likeness: number } | undefined;
    for (const to of changes[other]) {
      if (base.has(to) || trees[side].has(to)) continue;
      const blob = merged.view.blobs.get(to);
      // Without the edits in it, it is a file of its own.
      if (blob === undefined || blob === trees[other].view.blobs.get(to)) continue;
      const likeness = blob === own ? 2 : alike(before, await trees[other].text(to));
      if (best === undefined || likeness > best.likeness) best = { to, likeness };
    }
    if (best !== undefined && best.likeness >= leastAlike) found.set(path, best.to);
  }
  return found;
}

/** The part of their lines that both have: what git goes by, roughly, and names in them may have changed with the file's. */
function alike(one: string, other: string): number {
  const lines = (text: string): Set<string> => new Set(text.split("\n").map((line) => line.trim()));
  const [left, right] = [lines(one), lines(other)];
  return left.intersection(right).size / Math.max(left.size, right.size);
}
