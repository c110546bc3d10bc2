// Finds which file leads to which over a whole tree, and which files are tests. From this follows what a change likely affects. One loop
// serves all languages; where a file leads is the language's own matter. Files that cannot be read lead nowhere.

import type { TreeView } from "../../ports/semantic.ts";
import type { ImportGraph } from "../language.ts";

export interface GraphRules {
  owns(path: string): boolean;
  /** The files that a file leads to, and whether it is a test; undefined when it cannot be read and is left out. */
  leads(path: string): Promise<{ readonly to: Iterable<string>; readonly isTest: boolean } | undefined>;
}

/** Stops early, with what it has, when the signal comes. */
export async function importGraph(tree: TreeView, rules: GraphRules, signal?: AbortSignal): Promise<ImportGraph> {
  const imports = new Map<string, ReadonlySet<string>>();
  const tests = new Set<string>();
  for (const path of tree.blobs.keys()) {
    if (signal?.aborted === true) break;
    if (!rules.owns(path)) continue;
    const found = await rules.leads(path);
    if (found === undefined) continue;
    const targets = new Set(found.to);
    targets.delete(path);
    imports.set(path, targets);
    if (found.isTest) tests.add(path);
  }
  return { imports, tests };
}
