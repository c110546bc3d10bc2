// Which tests the work of a snapshot likely affects.

import { compiledImportGraph } from "../languages/compiled/import-graph.ts";
import { pythonImportGraph } from "../languages/python/rules/import-graph.ts";
import type { ReviewPorts } from "./review-pair.ts";
import { readText } from "../core/findings/scene.ts";
import { typescriptImportGraph } from "../languages/typescript/rules/import-graph.ts";
import { affectedTests } from "../core/worktrees/affected-tests.ts";
import type { RepositoryObserver, Snapshot } from "../ports/git.ts";

export interface AffectedTests {
  readonly changed: string[];
  readonly tests: string[];
  readonly complete: boolean;
}

const deadlineMs = 60_000;
/** Of these only what changed is worth reading the whole tree for. */
const compiled = [
  ["go", /\.go$/],
  ["java", /\.java$/],
  ["rust", /\.rs$/],
] as const;

/** `landing` is what the work will land on; without it, everything since HEAD counts. */
export async function testsOf(
  ports: ReviewPorts,
  observer: RepositoryObserver,
  snapshot: Snapshot,
  landing: Snapshot | undefined,
): Promise<AffectedTests> {
  const [base] = landing === undefined ? snapshot.parents : await observer.mergeBases(snapshot, landing);
  if (base === undefined) return { changed: [], tests: [], complete: false };
  const files = await observer.changedFiles(base, snapshot);
  const changed = [...new Set(files.flatMap(({ path, from }) => (from === undefined ? [path] : [path, from])))].sort();
  const signal = AbortSignal.timeout(deadlineMs);
  const tree = await ports.memory.view(observer, snapshot.tree);
  const read = readText(observer);
  const graphs = [
    await typescriptImportGraph(tree, read, ports.typescript, signal),
    await pythonImportGraph(tree, read, ports.python, signal),
  ];
  const tests = new Set<string>();
  for (const [language, files] of compiled) {
    if (!changed.some((path) => files.test(path))) continue;
    const found = await compiledImportGraph(language, tree, read, ports.compiled[language], signal);
    graphs.push(found.graph);
    for (const path of found.tests) tests.add(path);
  }
  return {
    changed,
    tests: affectedTests(changed, graphs, tests).filter((path) => tree.blobs.has(path)),
    complete: !signal.aborted,
  };
}
