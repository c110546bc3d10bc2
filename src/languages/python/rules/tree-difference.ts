// What one tree changed of another, Python files only, and which directories it has, worked out from the difference so that
// a large repository is not walked again for each tree.

import type { TreeView } from "../../../ports/semantic.ts";
import { differingPaths } from "../../../ports/tree-layers.ts";
import { type Directories, isPython, parent } from "./project-tree.ts";

export type Change = "added" | "modified" | "deleted";

/** The same side is compared with many others: what it changed is worked out once while both trees are kept. */
const knownChanges = new WeakMap<
  TreeView,
  { readonly base: TreeView; readonly changes: ReadonlyMap<string, Change> }
>();

export function changedFiles(base: TreeView, side: TreeView): ReadonlyMap<string, Change> {
  const before = knownChanges.get(side);
  if (before?.base === base) return before.changes;
  const changes = new Map<string, Change>();
  knownChanges.set(side, { base, changes });
  if (base === side || base.id === side.id) return changes;
  for (const path of differingPaths(base, side)) {
    if (!isPython(path)) continue;
    const [before, after] = [base.blobs.has(path), side.blobs.has(path)];
    changes.set(path, !before ? "added" : after ? "modified" : "deleted");
  }
  return changes;
}

const known = new WeakMap<TreeView, ReadonlySet<string>>();

export function directoriesOf(base: TreeView, tree: TreeView, changes: ReadonlyMap<string, Change>): Directories {
  let before = known.get(base);
  if (before === undefined) {
    const all = new Set<string>();
    for (const path of base.blobs.keys()) if (isPython(path)) addParents(all, path);
    known.set(base, all);
    before = all;
  }
  const inBase = before;
  const added = new Set<string>();
  const emptied = new Set<string>();
  for (const [path, change] of changes) {
    if (change === "added") addParents(added, path);
    if (change === "deleted") addParents(emptied, path);
  }
  const counted = new Map<string, boolean>();
  return {
    has(dir) {
      if (added.has(dir)) return true;
      if (!inBase.has(dir)) return false;
      if (!emptied.has(dir)) return true;
      let still = counted.get(dir);
      if (still === undefined) {
        still = false;
        for (const path of tree.blobs.keys()) {
          if (path.startsWith(`${dir}/`) && isPython(path)) {
            still = true;
            break;
          }
        }
        counted.set(dir, still);
      }
      return still;
    },
  };
}

function addParents(set: Set<string>, path: string): void {
  for (let dir = parent(path); dir !== "" && !set.has(dir); dir = parent(dir)) set.add(dir);
}
