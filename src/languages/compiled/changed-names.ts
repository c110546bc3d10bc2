// Finds the names that one side's work took away or changed, as another tree sees it. Uses go through this sieve before they are followed.
// It is generous on purpose; a name that only moved within its file is not changed.

import type { SourceSummary, SourceUse } from "./facts.ts";
import { readGiven } from "./given.ts";
import { baseName, directoryOf, type SourceTree } from "./source-tree.ts";

export interface ChangedNames {
  /** Files that differ. */
  readonly paths: ReadonlySet<string>;
  mayBreak(file: SourceSummary, use: SourceUse): boolean;
}

export async function changedNames(
  before: SourceTree,
  after: SourceTree,
  paths: ReadonlySet<string>,
): Promise<ChangedNames> {
  const names = new Set<string>();
  for (const path of paths) {
    if (before.view.blobs.get(path) === after.view.blobs.get(path)) continue;
    const [was, is] = [await before.summary(path), await after.summary(path)];
    if (was === undefined || is === undefined || was.package !== is.package) {
      // A file that comes or goes is a module, or a package's only one.
      names.add(baseName(path).replace(/\.[a-z]+$/, "")).add(baseName(directoryOf(path)));
    }
    const [old, fresh] = [factsOf(was), factsOf(is)];
    for (const [key, { facts, touched }] of old)
      if (fresh.get(key)?.facts !== facts) for (const name of touched) names.add(name);
    for (const [key, { touched }] of fresh) if (!old.has(key)) for (const name of touched) names.add(name);
  }
  return { paths, mayBreak: (file, use) => isAbout(use, names, file) };
}

interface Fact {
  readonly facts: string;
  readonly touched: readonly string[];
}

/** All that a file says of each name, lines aside. A member's change is its holder's too. */
function factsOf(summary: SourceSummary | undefined): Map<string, Fact> {
  const all = new Map<string, Fact>();
  const put = (key: string, facts: string, touched: readonly string[]): void => {
    all.set(key, { facts: (all.get(key)?.facts ?? "") + facts, touched });
  };
  for (const { line: _, shape: __, ...facts } of summary?.declarations ?? []) {
    const holders = facts.of.split(/\.|::/);
    put(`${facts.module} ${facts.of} ${facts.name} ${facts.kind}`, JSON.stringify(facts), [facts.name, ...holders]);
  }
  for (const { line: _, ...facts } of summary?.imports ?? []) {
    const touched = [facts.name, facts.path.at(-1) ?? ""];
    put(`import ${facts.module} ${facts.name} ${facts.path.join(" ")}`, JSON.stringify(facts), touched);
  }
  return all;
}

function isAbout(use: SourceUse, names: ReadonlySet<string>, file: SourceSummary): boolean {
  if (use.kind === "import" || use.kind === "implements" || use.kind === "overrides" || use.kind === "fits")
    return true;
  // The superclass is named elsewhere.
  if (use.path[0] === "super") return true;
  // What a value has to be stands where the name leads to, and may have changed there.
  if (use.given?.some((one) => /^(type|name)$/.test(readGiven(one).is)) === true) return true;
  const has = (step: string): boolean => {
    const name = step.endsWith("()") ? step.slice(0, -2) : step;
    if (names.has(name)) return true;
    // Brought in under another name.
    return file.imports.some((one) => one.name === name && names.has(one.path.at(-1) ?? ""));
  };
  return use.path.some(has) || use.members.some(has) || (use.parts ?? []).some(has);
}
