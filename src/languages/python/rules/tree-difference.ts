// Finds the directories that a tree has. It works them out from the tree's difference to the base, so that a large repository is not walked
// again for each tree.

import type { TreeView } from "../../../ports/semantic.ts";
import type { ChangedFiles } from "../../check/changed-files.ts";
import { type Directories, isPython, parent } from "./project-tree.ts";

const known = new WeakMap<TreeView, ReadonlySet<string>>();

export function directoriesOf(base: TreeView, tree: TreeView, changes: ChangedFiles): Directories {
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
