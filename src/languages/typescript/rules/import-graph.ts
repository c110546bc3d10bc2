// Which file imports which, over a whole tree, and from it the tests a change may break. Reads every file's outline once;
// with the cache warm, only what changed.

import type { ReadBlob, TreeView } from "../../../ports/semantic.ts";
import type { ParseTypeScript, SummaryCache } from "../facts.ts";
import { ModuleResolver } from "./resolve-module.ts";
import { Summaries } from "./summaries.ts";

/** Path to the paths it imports. What was not reached when the signal aborted is left out. */
export type ImportGraph = ReadonlyMap<string, ReadonlySet<string>>;

export async function typescriptImportGraph(
  tree: TreeView,
  read: ReadBlob,
  ports: { readonly parse: ParseTypeScript; readonly cache: SummaryCache },
  signal?: AbortSignal,
): Promise<ImportGraph> {
  const summaries = new Summaries(ports.parse, ports.cache, read);
  const resolver = new ModuleResolver(tree, await summaries.settingsOf(tree));
  const graph = new Map<string, Set<string>>();
  for (const path of tree.blobs.keys()) {
    if (signal?.aborted === true) break;
    if (!/\.[cm]?[jt]sx?$/.test(path) || path.includes("node_modules/")) continue;
    const summary = await summaries.load(tree, path);
    const targets = new Set<string>();
    for (const { specifier } of summary?.mentions ?? []) {
      const found = resolver.resolve(path, specifier);
      if (typeof found === "object" && found.path !== path) targets.add(found.path);
    }
    graph.set(path, targets);
  }
  return graph;
}

/** Test files that are among the changed or import one of them, however far away; sorted. */
export function affectedTests(graph: ImportGraph, changed: Iterable<string>): string[] {
  const importers = new Map<string, string[]>();
  for (const [path, targets] of graph) {
    for (const target of targets) {
      const known = importers.get(target);
      if (known === undefined) importers.set(target, [path]);
      else known.push(path);
    }
  }
  const seen = new Set(changed);
  for (const path of seen) for (const importer of importers.get(path) ?? []) seen.add(importer);
  return [...seen].filter((path) => graph.has(path) && looksLikeTest(path)).sort();
}

function looksLikeTest(path: string): boolean {
  return /[._-](test|spec|e2e|cy)\.[cm]?[jt]sx?$|(^|\/)(__tests__|tests?|spec|e2e)\//.test(path);
}
