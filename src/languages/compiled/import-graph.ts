// Finds which file of a compiled language leads to which, over a whole tree, and which are tests. From this follows what a change likely
// affects. A language that knows its own way (Go, by packages) says so in its rules; the others go by what each file's uses mean.

import type { ReadBlob, TreeView } from "../../ports/semantic.ts";
import { importGraph } from "../check/import-graph.ts";
import type { ImportGraph } from "../language.ts";
import type { SourceSummary } from "./facts.ts";
import type { CompiledRules } from "./rules.ts";
import { type SourcePorts, SourceTree } from "./source-tree.ts";

export async function compiledImportGraph(
  rules: CompiledRules,
  view: TreeView,
  read: ReadBlob,
  ports: SourcePorts,
  signal?: AbortSignal,
): Promise<ImportGraph> {
  const tree = new SourceTree(view, rules.reads, ports, read, new Set());
  const leads = async (path: string) => {
    const summary = await tree.summary(path);
    if (summary === undefined || summary.skipped !== undefined) return undefined;
    const to = await (rules.leadsTo?.(tree, path, summary) ?? byUses(rules, tree, path, summary));
    return { to, isTest: rules.isTest(path, summary) };
  };
  return await importGraph(view, { owns: (path) => rules.owns(path), leads }, signal);
}

async function byUses(
  rules: CompiledRules,
  tree: SourceTree,
  path: string,
  summary: SourceSummary,
): Promise<Set<string>> {
  const found = new Set<string>();
  const asked = new Set<string>();
  for (const { kind, module, of, path: name, line, scope } of summary.uses) {
    const key = JSON.stringify([kind, module, of, name]);
    if (asked.has(key) || kind === "overrides" || kind === "unread") continue;
    asked.add(key);
    // What is done with it, and whether that is right, does not matter here.
    const use = { kind: kind === "import" ? kind : "name", module, of, path: name, line, scope, members: [] } as const;
    const verdict = await rules.follow(tree, path, use);
    if (verdict.state !== "right") continue;
    for (const mark of verdict.marks) found.add(mark.path);
    const last = verdict.marks.at(-1);
    const behind = last === undefined ? undefined : await rules.fileBehind?.(tree, last);
    if (behind !== undefined) found.add(behind);
  }
  return found;
}
