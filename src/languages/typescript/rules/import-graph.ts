// Which file imports which, over a whole tree, and which are tests. Reads every file's outline once; with the memory warm, only
// what changed.

import type { ReadBlob, TreeView } from "../../../ports/semantic.ts";
import type { FactsOf } from "../../facts-memory.ts";
import type { ImportGraph } from "../../language.ts";
import type { ParseTypeScript, TypeScriptSummary } from "../facts.ts";
import { isScript } from "../files.ts";
import { ModuleResolver } from "./resolve-module.ts";
import { Summaries } from "./summaries.ts";

export async function typescriptImportGraph(
  tree: TreeView,
  read: ReadBlob,
  ports: { readonly parse: ParseTypeScript; readonly cache: FactsOf<TypeScriptSummary> },
  signal?: AbortSignal,
): Promise<ImportGraph> {
  const summaries = new Summaries(ports.parse, ports.cache, read);
  const resolver = new ModuleResolver(tree, await summaries.settingsOf(tree));
  const imports = new Map<string, Set<string>>();
  const tests = new Set<string>();
  for (const path of tree.blobs.keys()) {
    if (signal?.aborted === true) break;
    if (!isScript(path) || path.includes("node_modules/")) continue;
    if (isTest(path)) tests.add(path);
    const summary = await summaries.load(tree, path);
    const targets = new Set<string>();
    for (const { specifier, how } of summary?.mentions ?? []) {
      if (how === "glob") continue;
      const found = resolver.resolve(path, specifier);
      if (typeof found === "object" && found.path !== path) targets.add(found.path);
    }
    imports.set(path, targets);
  }
  return { imports, tests };
}

export function isTest(path: string): boolean {
  if (!isScript(path)) return false;
  return (
    /[._-](test|spec|tests)\.[^./]+$/.test(path) || (/(^|\/)(__tests__|tests?)\//.test(path) && !path.endsWith(".d.ts"))
  );
}
