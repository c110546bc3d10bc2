// Finds the Python files that each Python file imports, within one tree, and which are tests. "Tests likely affected" walks it backwards.

import type { ReadBlob, TreeView } from "../../../ports/semantic.ts";
import { importGraph } from "../../check/import-graph.ts";
import type { ImportGraph } from "../../language.ts";
import { parseRef } from "../ref.ts";
import { isPython, join, parent, ProjectTree, type PythonModule } from "./project-tree.ts";
import { sourceRoots } from "./source-roots.ts";
import { type PythonPorts, Summaries } from "./summaries.ts";
import { directoriesOf } from "./tree-difference.ts";

export async function pythonImportGraph(
  tree: TreeView,
  read: ReadBlob,
  ports: PythonPorts,
  signal?: AbortSignal,
): Promise<ImportGraph> {
  const project = new ProjectTree(tree, await sourceRoots(tree, read), directoriesOf(tree, tree, new Map()));
  const summaries = new Summaries(ports, read);
  const leads = async (path: string) => {
    const to = new Set<string>(isTest(path) ? conftestsOf(path) : []);
    const summary = await summaries.of(tree, path);
    for (const { ref } of summary?.uses ?? []) {
      const { root } = parseRef(ref);
      if (root.kind !== "imported" && root.kind !== "module") continue;
      const name = root.kind === "imported" ? root.name : undefined;
      for (const found of imported(project, path, root.level, root.module, name)) if (isPython(found)) to.add(found);
    }
    return { to, isTest: isTest(path) };
  };
  return await importGraph(tree, { owns: isPython, leads }, signal);
}

export function isTest(path: string): boolean {
  return /(^|\/)(test_[^/]*|[^/]*_test)\.py$/.test(path);
}

/** pytest gives a conftest.py to every test beside and below it, without an import; also one that was there and is gone. */
function conftestsOf(path: string): string[] {
  const found: string[] = [];
  for (let directory = path; directory !== "";) {
    directory = parent(directory);
    found.push(join(directory, "conftest.py"));
  }
  return found;
}

/** The module itself and every package above it that runs on the way. */
function imported(
  project: ProjectTree,
  from: string,
  level: number,
  dotted: string,
  name: string | undefined,
): string[] {
  const module = project.module(from, level, dotted);
  if (module === undefined) return [];
  const reached: (PythonModule | undefined)[] = [module];
  if (name !== undefined) reached.push(project.submodule(module, name));
  const parts = level === 0 ? dotted.split(".") : [];
  for (let length = 1; length < parts.length; length += 1)
    reached.push(project.module(from, 0, parts.slice(0, length).join(".")));
  const paths = reached.flatMap((one) => one?.path ?? []);
  if (level > 0 && module.path !== undefined) paths.push(`${parent(module.path)}/__init__.py`);
  return paths.filter((path) => project.view.blobs.has(path));
}
