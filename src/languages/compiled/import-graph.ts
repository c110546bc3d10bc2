// Which file of a compiled language leads to which, over a whole tree, and which are tests: what a change likely affects follows
// from it. A language that knows its own way (Go, by packages) says so in its rules; the others go by what each file's uses mean.

import type { ReadBlob, TreeView } from "../../ports/semantic.ts";
import type { ImportGraph } from "../language.ts";
import type { SourceSummary } from "./facts.ts";
import type { LanguageRules } from "./rules.ts";
import { type SourcePorts, SourceTree } from "./source-tree.ts";

export async function compiledImportGraph(
  rules: LanguageRules,
  view: TreeView,
  read: ReadBlob,
  ports: SourcePorts,
  signal?: AbortSignal,
): Promise<ImportGraph> {
  const tree = new SourceTree(view, rules.reads, ports, read, new Set());
  const imports = new Map<string, ReadonlySet<string>>();
  const tests = new Set<string>();
  for (const path of view.blobs.keys()) {
    if (signal?.aborted === true) break;
    if (!rules.owns(path)) continue;
    const summary = await tree.summary(path);
    if (summary === undefined || summary.skipped !== undefined) continue;
    if (rules.isTest(path, summary)) tests.add(path);
    const found = new Set(await (rules.leadsTo?.(tree, path, summary) ?? byUses(rules, tree, path, summary)));
    found.delete(path);
    imports.set(path, found);
  }
  return { imports, tests };
}

async function byUses(
  rules: LanguageRules,
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
