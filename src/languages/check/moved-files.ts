// Finds a side's edited file in the merge when the other side renamed it: git carries the edits along to the new path, so what they use, and
// what they changed, has to be looked for there.

import type { SemanticInput, Side, TreeView } from "../../ports/semantic.ts";
import { type Changes, otherSide } from "./changed-files.ts";

/** For each side, the path in the merge of what it edited and the other side moved. */
export type Moved = Readonly<Record<Side, ReadonlyMap<string, string>>>;

/** git itself asks for half of the bytes; that the merge has the edits in it says as much. */
const leastAlike = 0.3;

export async function movedFiles(input: SemanticInput, changes: Changes): Promise<Moved> {
  return { ours: await movedUnder("ours", input, changes), theirs: await movedUnder("theirs", input, changes) };
}

async function movedUnder(side: Side, input: SemanticInput, changes: Changes): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  const { base, merged, [side]: own, [otherSide(side)]: other } = input;
  const text = async (view: TreeView, path: string): Promise<string> =>
    (await input.read(view.blobs.get(path) ?? "")) ?? "";
  for (const [path, change] of changes[side]) {
    if (change !== "modified" || other.blobs.has(path) || merged.blobs.has(path)) continue;
    const before = await text(base, path);
    let best: { to: string; likeness: number } | undefined;
    for (const to of changes[otherSide(side)].keys()) {
      if (base.blobs.has(to) || own.blobs.has(to)) continue;
      const blob = merged.blobs.get(to);
      // Without the edits in it, it is a file of its own.
      if (blob === undefined || blob === other.blobs.get(to)) continue;
      const likeness = blob === own.blobs.get(path) ? 2 : alike(before, await text(other, to));
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
