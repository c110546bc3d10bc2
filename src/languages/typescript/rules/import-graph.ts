// Finds which file imports which, over a whole tree, and which files are tests. Reads every file's outline once; with the memory warm, only
// what changed.

import type { ReadBlob, TreeView } from "../../../ports/semantic.ts";
import type { FactsOf } from "../../facts-memory.ts";
import { importGraph } from "../../check/import-graph.ts";
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
  const leads = async (path: string) => {
    const summary = await summaries.load(tree, path);
    const to = (summary?.mentions ?? []).flatMap(({ specifier, how }) => {
      const found = how === "glob" ? "external" : resolver.resolve(path, specifier);
      return typeof found === "object" ? [found.path] : [];
    });
    return { to, isTest: isTest(path) };
  };
  const owns = (path: string): boolean => isScript(path) && !path.includes("node_modules/");
  return await importGraph(tree, { owns, leads }, signal);
}

export function isTest(path: string): boolean {
  if (!isScript(path)) return false;
  return (
    /[._-](test|spec|tests)\.[^./]+$/.test(path) || (/(^|\/)(__tests__|tests?)\//.test(path) && !path.endsWith(".d.ts"))
  );
}
