// Where a side's file went when the other side renamed it: git carries the edits along, so the uses must be looked for there.

import type { PythonSummary } from "../facts.ts";
import type { SemanticInput, Side } from "../../../ports/semantic.ts";
import type { Summaries } from "./summaries.ts";
import type { Change } from "./tree-difference.ts";

/** Paths that a side edited and the other side moved, each with its path in the merged tree. */
export async function mergedPaths(
  input: SemanticInput,
  side: Side,
  changes: Readonly<Record<Side, ReadonlyMap<string, Change>>>,
  summaries: Summaries,
): Promise<Map<string, string>> {
  const other: Side = side === "ours" ? "theirs" : "ours";
  const found = new Map<string, string>();
  for (const [path, change] of changes[side]) {
    if (change !== "modified" || changes[other].get(path) !== "deleted" || input.merged.blobs.has(path)) continue;
    const candidates: { to: string; score: number }[] = [];
    const before = await summaries.of(input.base, path);
    for (const [to, added] of changes[other]) {
      const mergedBlob = input.merged.blobs.get(to);
      if (added !== "added" || mergedBlob === undefined || mergedBlob === input[other].blobs.get(to)) continue;
      if (mergedBlob === input[side].blobs.get(path)) candidates.push({ to, score: 2 });
      else candidates.push({ to, score: likeness(before, await summaries.of(input[other], to)) });
    }
    const best = candidates.sort((a, b) => b.score - a.score)[0];
    if (best !== undefined && best.score >= 0.5) found.set(path, best.to);
  }
  return found;
}

function likeness(a: PythonSummary | undefined, b: PythonSummary | undefined): number {
  const left = new Set(Object.keys(a?.names ?? {}));
  const right = Object.keys(b?.names ?? {});
  const shared = right.filter((name) => left.has(name)).length;
  return shared / Math.max(1, left.size, right.length);
}
