// Which TypeScript and JavaScript files each such file imports, within one tree. "Tests likely affected" walks it backwards.

import type { ReadBlob, TreeView } from "../../../protocol/semantic.ts";
import type { TypeScriptPorts } from "./check-typescript.ts";
import { readProjectSettings } from "./project-settings.ts";
import { ModuleResolver } from "./resolve-module.ts";
import { Summaries } from "./summaries.ts";

/** Files that cannot be read import nothing. Stops early, with what it has, when the signal aborts. */
export async function typescriptImportGraph(
  tree: TreeView,
  read: ReadBlob,
  ports: TypeScriptPorts,
  signal?: AbortSignal,
): Promise<Map<string, Set<string>>> {
  const resolver = new ModuleResolver(tree, await readProjectSettings(tree, read));
  const summaries = new Summaries(ports.parse, ports.cache, read);
  const graph = new Map<string, Set<string>>();
  for (const path of tree.blobs.keys()) {
    if (signal?.aborted === true) break;
    if (!/\.[cm]?[jt]sx?$/.test(path) || path.includes("node_modules/")) continue;
    const summary = await summaries.load(tree, path);
    const targets = new Set<string>();
    graph.set(path, targets);
    const specifiers = new Set([
      ...(summary?.mentions ?? []).map(({ specifier }) => specifier),
      ...(summary?.imports ?? []).map(({ specifier }) => specifier),
      ...(summary?.exports ?? []).flatMap(({ from }) => from ?? []),
    ]);
    for (const specifier of specifiers) {
      const found = resolver.resolve(path, specifier);
      if (typeof found !== "string") targets.add(found.path);
    }
  }
  return graph;
}
