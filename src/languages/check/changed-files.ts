// Finds what each side changed since the base, in files of one language.

import type { Side, TreeView } from "../../ports/semantic.ts";
import { differingPaths } from "../../ports/tree-layers.ts";

export type Change = "added" | "modified" | "deleted";
export type ChangedFiles = ReadonlyMap<string, Change>;
export type Changes = Readonly<Record<Side, ChangedFiles>>;

interface Known {
  readonly base: TreeView;
  readonly changes: ChangedFiles;
}

/** The same side is compared with many others: what it changed is worked out once while both trees are kept. */
const known = new WeakMap<TreeView, Map<string, Known>>();

export function changedFiles(
  language: string,
  owns: (path: string) => boolean,
  base: TreeView,
  side: TreeView,
): ChangedFiles {
  const byLanguage = known.get(side) ?? new Map<string, Known>();
  known.set(side, byLanguage);
  const before = byLanguage.get(language);
  if (before?.base === base) return before.changes;
  const changes = new Map<string, Change>();
  byLanguage.set(language, { base, changes });
  if (base === side || base.id === side.id) return changes;
  for (const path of differingPaths(base, side)) {
    if (!owns(path)) continue;
    const [was, is] = [base.blobs.has(path), side.blobs.has(path)];
    changes.set(path, !was ? "added" : is ? "modified" : "deleted");
  }
  return changes;
}

export const otherSide = (side: Side): Side => (side === "ours" ? "theirs" : "ours");
