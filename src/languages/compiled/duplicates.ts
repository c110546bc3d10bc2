// Both sides add the same name where there may be one: each compiles, and the merge does not.

import type { SemanticConflict, Place } from "../../ports/semantic.ts";
import { placeOf } from "./explain.ts";
import type { Moved } from "../check/moved-files.ts";
import type { CompiledRules } from "./rules.ts";
import type { Changes, SourceTree, Trees } from "./source-tree.ts";

interface Found {
  readonly path: string;
  readonly line: number;
  readonly name: string;
}

export async function duplicates(
  rules: CompiledRules,
  trees: Trees,
  changes: Changes,
  moved: Moved,
): Promise<SemanticConflict[]> {
  const paths = [...new Set([...changes.ours, ...changes.theirs])];
  const [ours, theirs, merged] = [
    await slots(rules, trees.ours, paths, trees.merged, moved.ours),
    await slots(rules, trees.theirs, paths, trees.merged, moved.theirs),
    await slots(rules, trees.merged, paths, trees.merged, new Map()),
  ];
  const conflicts: SemanticConflict[] = [];
  for (const [slot, found] of merged) {
    const [first, second] = found;
    const [mine, yours] = [ours.get(slot), theirs.get(slot)];
    if (found.length !== 2 || first === undefined || second === undefined) continue;
    if (mine?.length !== 1 || yours?.length !== 1 || mine[0] === undefined || yours[0] === undefined) continue;
    const [before, use]: readonly Place[] = [
      await placeOf(trees.ours, mine[0].path, mine[0].line),
      await placeOf(trees.theirs, yours[0].path, yours[0].line),
    ];
    if (before === undefined || use === undefined) continue;
    conflicts.push({
      language: rules.language,
      rule: "duplicate-definition",
      symbol: first.name,
      definitionSide: "ours",
      definitionBefore: before,
      definitionAfter: await placeOf(trees.merged, first.path, first.line),
      use,
      message: `Both sides add \`${first.name}\` (${before.path}:${before.line} and ${use.path}:${use.line}); with both the merge does not compile.`,
      suggestion: "Keep one of the two, or give one another name.",
    });
  }
  return conflicts;
}

/** `moved` says where a file will be: its names take their places there. */
async function slots(
  rules: CompiledRules,
  tree: SourceTree,
  paths: readonly string[],
  merged: SourceTree,
  moved: ReadonlyMap<string, string>,
): Promise<Map<string, Found[]>> {
  const all = new Map<string, Found[]>();
  const put = (slot: string, found: Found): void => {
    const known = all.get(slot);
    if (known === undefined) all.set(slot, [found]);
    else known.push(found);
  };
  for (const path of paths) {
    const summary = await tree.summary(path);
    if (summary === undefined || summary.skipped !== undefined) continue;
    const to = moved.get(path) ?? path;
    const home = to === path ? undefined : (await merged.summary(to))?.package;
    for (const declaration of summary.declarations) {
      const slot = rules.slot(to, home === undefined ? summary : { ...summary, package: home }, declaration);
      const name = declaration.of === "" ? declaration.name : `${declaration.of}.${declaration.name}`;
      if (slot !== undefined) put(slot, { path, line: declaration.line, name });
    }
    if (!rules.importsOnce) continue;
    for (const { name, path: from, module, line, words } of summary.imports) {
      if (name === "_" || name === "*" || name === "." || words.includes("conditional")) continue;
      put(`import ${to} ${module} ${name} ${from.join(" ")}`, { path, line, name });
    }
  }
  return all;
}
