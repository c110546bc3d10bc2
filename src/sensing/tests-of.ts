// Finds the tests that the work of a snapshot likely affects.

import { concerns } from "../languages/language.ts";
import { affectedTests, type ImportGraph } from "../core/worktrees/affected-tests.ts";
import type { RepositoryObserver, Snapshot } from "../ports/git.ts";
import { noteLacking } from "./lacking-files.ts";
import type { RepositoryMemory } from "./repository-memory.ts";

export interface AffectedTests {
  readonly changed: string[];
  readonly tests: string[];
  readonly complete: boolean;
}

const deadlineMs = 60_000;

/** `landing` is what the work will land on; without it, everything since HEAD counts. */
export async function testsOf(
  memory: RepositoryMemory,
  observer: RepositoryObserver,
  snapshot: Snapshot,
  landing: Snapshot | undefined,
): Promise<AffectedTests> {
  const [base] = landing === undefined ? snapshot.parents : await observer.mergeBases(snapshot, landing);
  if (base === undefined) return { changed: [], tests: [], complete: false };
  const files = await observer.changedFiles(base, snapshot);
  const changed = [...new Set(files.flatMap(({ path, from }) => (from === undefined ? [path] : [path, from])))].sort();
  const signal = AbortSignal.timeout(deadlineMs);
  const tree = await memory.trees.view(observer, snapshot.tree);
  const lacking = new Set<string>();
  const read = noteLacking(observer, lacking);
  const graphs: ImportGraph[] = [];
  for (const open of memory.languages.all) {
    // The whole tree is read for it: only where what changed can be imported.
    if (open.language.importsAnyFile === true || changed.some((path) => concerns(open.language, path)))
      graphs.push(await open.imports(tree, read, signal));
  }
  return {
    changed,
    tests: affectedTests(changed, graphs).filter((path) => tree.blobs.has(path)),
    complete: !signal.aborted && lacking.size === 0,
  };
}
